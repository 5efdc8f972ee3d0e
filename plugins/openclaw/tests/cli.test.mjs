import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";

import { folder, Host, refusal, stage } from "./host.mjs";

/** As much of commander as the plugin uses: `actions` has what each command does. */
class Program {
  constructor(actions = {}, path = "") {
    this.actions = actions;
    this.path = path;
  }
  command = (name) => new Program(this.actions, `${this.path} ${name}`.trim());
  description = () => this;
  argument = () => this;
  option = () => this;
  action = (run) => ((this.actions[this.path] = run), this);
}

/** What a command writes, and how it ends. */
async function run(t, host, command, ...given) {
  const program = new Program();
  host.cli({ program });
  const text = { stdout: "", stderr: "" };
  for (const name of Object.keys(text)) {
    const write = process[name].write.bind(process[name]);
    // Newer test runners report over the same stream meanwhile, in bytes.
    t.mock.method(process[name], "write", (part, ...rest) =>
      typeof part === "string" ? Boolean((text[name] += part)) : write(part, ...rest),
    );
  }
  try {
    await program.actions[command](...given);
  } finally {
    t.mock.restoreAll();
  }
  const code = process.exitCode;
  process.exitCode = undefined;
  return { ...text, code };
}

test("status says how daemon and plugin are", async (t) => {
  const { daemon, host } = await stage(t);
  daemon.answers.health = () => ({ status: "degraded", reasons: ["a turn has waited for 20 minutes"] });
  const { stdout, code } = await run(t, host, "memud status", {});
  assert.match(stdout, /^memud: works with limits \(plugin 0\.1\.0\)\n  socket .*memud\.sock, user default\n/);
  assert.match(stdout, /\n  hooks registered: 9 of 9\n  the gateway has not reported .*\n  ! a turn has waited/);
  assert.equal(code, undefined);
});

test("status shows what this gateway has told the daemon, and not another one", async (t) => {
  const { daemon, host } = await stage(t);
  const { payload } = await host.method("memud.status");
  const others = { name: "openclaw", instance: "work-1", turns: 9, recalls: 9, captures: 9, spooled: 9 };
  const own = { name: "openclaw", instance: payload.instance, turns: 4, recalls: 3, captures: 2, spooled: 1 };
  daemon.answers.health = () => ({ status: "ok", reasons: [], agents: [others, own] });
  const { stdout } = await run(t, host, "memud status", {});
  assert.match(stdout, /^memud: well /);
  assert.match(stdout, /start: 4 turns, 3 recalled for, 2 captured; 1 calls wait on disk\n/);
});

test("in Chinese too", async (t) => {
  const { daemon, host } = await stage(t, { settings: { language: "zh" }, config: { plugins: {} } });
  daemon.answers.health = () => ({ status: "ok", reasons: [] });
  const { stdout } = await run(t, host, "memud status", {});
  assert.match(stdout, /^memud：正常（插件 /);
  assert.match(stdout, /没有允许 memud 读取对话/);
});

test("recall shows what a prompt would be given, and JSON where it is wished", async (t) => {
  const { daemon, host } = await stage(t);
  daemon.answers.recall = () => ({ context: "<memud-recall>tea</memud-recall>" });
  assert.equal((await run(t, host, "memud recall", "tea", {})).stdout, "<memud-recall>tea</memud-recall>\n");
  assert.equal(JSON.parse((await run(t, host, "memud recall", "tea", { json: true })).stdout).context.length, 32);
});

test("predictions are listed and answered", async (t) => {
  const { daemon, host } = await stage(t);
  daemon.answers["proactive.list"] = () => ({ results: [{ id: "p-1", state: "open", text: "Call Ann", why: "said" }] });
  assert.equal((await run(t, host, "memud proactive", {})).stdout, "p-1  open  Call Ann (said)\n");
  await run(t, host, "memud proactive", { dismissed: "p-1" });
  await run(t, host, "memud proactive", { snoozed: "p-2" });
  const [dismissed, snoozed] = daemon.of("proactive.resolve");
  assert.deepEqual([dismissed.id, dismissed.outcome, dismissed.until], ["p-1", "dismissed", undefined]);
  assert.deepEqual([snoozed.id, snoozed.outcome], ["p-2", "snoozed"]);
  assert.ok(snoozed.until > Date.now() / 1000);
});

test("without a daemon a command says so and ends with 69", async (t) => {
  const home = folder(t);
  const host = new Host(home, { settings: { socketPath: join(home, "none.sock") } });
  const { stderr, code } = await run(t, host, "memud recall", "tea", {});
  assert.match(stderr, /not reachable/);
  assert.equal(code, 69);
});

test("what the daemon refuses is no outage", async (t) => {
  const { daemon, host } = await stage(t);
  daemon.answers["proactive.resolve"] = () => { throw refusal("nothing has the id p-9", false); };
  const { stderr, code } = await run(t, host, "memud proactive", { used: "p-9" });
  assert.equal(stderr, "nothing has the id p-9\n");
  assert.equal(code, 1);
});
