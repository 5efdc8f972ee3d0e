import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";

import { Notes } from "../dist/notes.js";
import { folder, Host, human, stage, transcript } from "./host.mjs";

const plugins = (hooks, memory = "memud") => ({ plugins: { slots: { memory }, entries: { memud: { hooks } } } });
const reported = async (host) => (await host.method("memud.status")).payload;

/** The service begins, and the daemon has its report. */
async function started(t, options) {
  const scene = await stage(t, options);
  const heard = new Promise((done) => (scene.daemon.answers["agent.report"] = (params) => (done(params), {})));
  await scene.host.services[0].start({});
  t.after(() => scene.host.services[0].stop());
  return { ...scene, report: await heard };
}

test("with everything allowed nothing is wrong", async (t) => {
  const { host, report } = await started(t);
  assert.deepEqual(report.problems, []);
  assert.equal(report.reminders, "wake");
  assert.deepEqual(host.log, []);
  assert.equal((await reported(host)).hooks.length, 9);
});

for (const [problem, config] of Object.entries({
  no_access: plugins({}),
  no_injection: plugins({ allowConversationAccess: true, allowPromptInjection: false }),
  not_owner: plugins({ allowConversationAccess: true }, "memory-core"),
})) {
  test(`what the configuration forbids is said loudly, and to the daemon: ${problem}`, async (t) => {
    const { host, report } = await started(t, { config });
    assert.deepEqual(report.problems, [problem]);
    assert.equal(host.log.filter((line) => line.startsWith("error memud: ")).length, 1);
    assert.equal((await reported(host)).problems.length, 1);
  });
}

test("the loud word is said in Chinese too", async (t) => {
  const { host } = await started(t, { config: plugins({}), settings: { language: "zh" } });
  assert.match(host.log[0], /没有允许 memud 读取对话/);
});

test("messages without a turn, and recalls without a capture, are problems", async (t) => {
  const { host } = await stage(t);
  for (let n = 0; n < 5; n += 1) await host.call("message_received", { content: "hi", sessionKey: "agent:main:main" }, {});
  assert.match((await reported(host)).problems[0], /5 messages came/);
  for (let n = 0; n < 5; n += 1) await host.call("before_prompt_build", { prompt: "hi" });
  assert.match((await reported(host)).problems[0], /5 turns were recalled for and none was captured/);
  await host.call("agent_end", { messages: transcript("hi", "ho") });
  assert.deepEqual((await reported(host)).problems, []);
});

test("captures that end later are a problem too", async (t) => {
  const { host } = await stage(t);
  await host.call("agent_end", { messages: transcript("hi", "ho") });
  for (let n = 0; n < 19; n += 1) await host.call("before_prompt_build", { prompt: "hi" });
  assert.deepEqual((await reported(host)).problems, []);
  await host.call("before_prompt_build", { prompt: "hi" });
  assert.match((await reported(host)).problems[0], /20 turns were recalled for and none was captured/);
});

test("a problem is said once, however its counts grow", (t) => {
  const said = [];
  const notes = new Notes({ error: (text) => said.push(text) }, "en");
  notes.loud("deaf", "5 messages");
  notes.loud("deaf", "6 messages");
  notes.loud("no_capture", "5 turns");
  assert.deepEqual(said, ["memud: 5 messages", "memud: 5 turns"]);
});

test("commands and the talk of a group need no turn", async (t) => {
  const { host } = await stage(t);
  for (let n = 0; n < 9; n += 1) {
    await host.call("message_received", { content: "/status", sessionKey: "agent:main:main" }, {});
    await host.call("message_received", { content: "hi", sessionKey: "agent:main:telegram:group:-1" }, {});
  }
  assert.deepEqual((await reported(host)).problems, []);
});

test("status says that the daemon is away, and where it was looked for", async (t) => {
  const home = folder(t);
  const host = new Host(home, { settings: { socketPath: join(home, "none.sock") } });
  const { daemon, socket } = await reported(host);
  assert.equal(daemon.status, "unreachable");
  assert.equal(socket, join(home, "none.sock"));
});

test("the gateway's methods ask and resolve", async (t) => {
  const { daemon, host } = await stage(t);
  daemon.answers["proactive.list"] = () => ({ results: [{ id: "p-1" }] });
  assert.deepEqual((await host.method("memud.proactive")).payload.results, [{ id: "p-1" }]);
  await host.method("memud.proactive", { id: "p-1", outcome: "used" });
  assert.deepEqual(daemon.of("proactive.resolve").map(({ id, outcome }) => [id, outcome]), [["p-1", "used"]]);
  await host.method("memud.recall", { query: "tea" });
  assert.ok(daemon.of("recall")[0].as_of);
});

test("what waits in the spool is sent when the daemon is heard of again", async (t) => {
  const { daemon, host } = await stage(t);
  await daemon.stop();
  await host.call("agent_end", { messages: transcript("one", "1") }, human());
  await daemon.start();
  const sent = new Promise((done) => (daemon.answers.capture = (params) => (done(params), {})));
  await host.services[0].start({});
  t.after(() => host.services[0].stop());
  assert.equal((await sent).events.length, 2);
});

test("while OpenClaw only lists commands there is no runtime, and registering needs none", async (t) => {
  const { host } = await stage(t);
  Object.defineProperty(host.api, "runtime", { get: () => { throw new Error("unavailable"); } });
  const { default: plugin } = await import("../dist/index.js");
  plugin.register(host.api);
  assert.ok(host.cli);
});

test("capture that is switched off is no fault", async (t) => {
  const { report } = await started(t, { settings: { capture: false } });
  assert.equal(report.captures, null);
});
