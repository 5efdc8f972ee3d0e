import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

import { userDir } from "../dist/paths.js";
import { Host, human, stage } from "./host.mjs";

const NOW = Math.floor(Date.now() / 1000);
const REMINDER = { id: "p-1", text: "Call Ann", why: "you asked for it", probability: 0.97, due_at: NOW, expires_at: NOW + 3600 };
const GUESS = { id: "p-2", text: "The price of NVDA", why: "asked three times", probability: 0.8, due_at: null, expires_at: NOW + 3600 };
const heartbeat = (every, target = "owner") => ({ agents: { defaults: { heartbeat: { every, target } } } });

/** A gateway whose daemon claims `items`, each once; resolves when the cursor stands at the last notice. */
async function told(t, items, options) {
  const scene = { ...(await stage(t, options)), user: options?.user };
  const left = new Map(items.map((item) => [item.id, item]));
  scene.daemon.answers.subscribe = () => ({ cursor: 40 });
  scene.daemon.answers["proactive.next"] = ({ ids }) => {
    const found = ids.map((id) => left.get(id)).filter(Boolean);
    for (const id of ids) left.delete(id);
    return { results: found };
  };
  await scene.host.services[0].start({});
  t.after(() => scene.host.services[0].stop());
  await until(() => scene.daemon.of("subscribe").length > 0 && existsSync(cursorFile(scene)));
  items.forEach((item, index) => scene.daemon.notify("event", { cursor: 41 + index, topic: "proactive", payload: item }));
  await until(() => JSON.parse(readFileSync(cursorFile(scene), "utf8")).cursor === 40 + items.length);
  return scene;
}

const cursorFile = ({ home, user = "default" }) => join(userDir(join(home, "memud"), user), "cursor.json");

async function until(isSo) {
  while (!isSo()) await pause(5);
}

const nextPrompt = async (host, changes) =>
  (await host.call("before_prompt_build", { prompt: "Good morning" }, human(changes)))?.prependContext;

test("a guess comes once, with the user's next message, wherever that is", async (t) => {
  const { host, daemon } = await told(t, [GUESS], { config: heartbeat("30m") });
  assert.equal(await nextPrompt(host, { sessionKey: "agent:main:telegram:group:-1" }), undefined);
  assert.equal(await nextPrompt(host, { trigger: "heartbeat" }), undefined);
  const shown = await nextPrompt(host, { sessionKey: "agent:main:telegram:direct:7" });
  assert.match(shown, /^<memud-recall>\n.*\n- \[p-2\] The price of NVDA \(asked three times\)\n<\/memud-recall>$/);
  assert.equal(await nextPrompt(host), undefined);
  assert.deepEqual(daemon.of("proactive.next").map((asked) => asked.session_id), ["agent:main:telegram:direct:7"]);
  assert.deepEqual([host.wakes, host.events], [[], []]);
});

test("a due reminder starts a turn by itself", async (t) => {
  const { host } = await told(t, [REMINDER], { config: heartbeat("30m") });
  assert.match(host.events[0].text, /\[p-1\] Call Ann/);
  assert.deepEqual([host.wakes[0].intent, host.wakes[0].sessionKey], ["immediate", "agent:main:main"]);
  assert.equal(await nextPrompt(host), undefined);
});

for (const [name, options] of Object.entries({
  "the heartbeat is off": { config: heartbeat("0m") },
  "a group might read the heartbeat's reply": { config: heartbeat("30m", "last") },
  "the user wants no wake": { config: heartbeat("30m"), settings: { proactive: "next-turn" } },
  "only another agent has a heartbeat": { config: { agents: { entries: { ops: { heartbeat: { every: "5m" } } } } } },
})) {
  test(`a due reminder waits for the next message: ${name}`, async (t) => {
    const { host } = await told(t, [REMINDER], options);
    assert.deepEqual(host.wakes, []);
    assert.match(await nextPrompt(host), /Call Ann/);
  });
}

for (const [name, config] of Object.entries({
  "it is sent to nobody": heartbeat("30m", "none"),
  "OpenClaw knows no owner": { ...heartbeat("30m"), channels: {} },
})) {
  test(`where nobody reads a heartbeat's reply the next message brings it too: ${name}`, async (t) => {
    const { host, daemon } = await told(t, [REMINDER], { config });
    assert.equal(host.wakes.length, 1);
    assert.match(await nextPrompt(host), /Call Ann/);
    assert.equal(await nextPrompt(host), undefined);
    assert.equal(daemon.of("proactive.next").length, 1);
  });
}

test("one user's reminder is not said to the next one", async (t) => {
  const { home, host, daemon } = await told(t, [GUESS], { config: heartbeat("30m"), settings: { user: "ann" }, user: "ann" });
  const bob = new Host(home, { settings: { socketPath: daemon.path, user: "bob" } });
  assert.equal(await nextPrompt(bob), undefined);
  assert.match(await nextPrompt(host), /The price of NVDA/);
});

test("where nobody can say who listens nothing is brought up", async (t) => {
  const { host } = await told(t, [REMINDER, GUESS], { config: heartbeat("30m") });
  const shared = { sessionKey: "global" };
  assert.equal(await nextPrompt(host, shared), undefined);
  assert.match(await nextPrompt(host, { ...shared, chatType: "direct" }), /The price of NVDA/);
});

test("what somebody else claimed is not said, and soon not asked for any more", async (t) => {
  const { host, daemon } = await told(t, [GUESS], { config: heartbeat("30m") });
  daemon.answers["proactive.next"] = () => ({ results: [] });
  for (let turn = 0; turn < 9; turn += 1) assert.equal(await nextPrompt(host), undefined);
  assert.equal(daemon.of("proactive.next").length, 5);
});

test("what is over is not brought up", async (t) => {
  const { host, daemon } = await told(t, [{ ...GUESS, expires_at: NOW - 1 }], { config: heartbeat("30m") });
  assert.equal(await nextPrompt(host), undefined);
  assert.deepEqual(daemon.of("proactive.next"), []);
});

test("after a restart it goes on from its cursor, and speaks where the user was", async (t) => {
  const scene = await told(t, [GUESS], { config: heartbeat("30m") });
  await scene.daemon.stop();
  await nextPrompt(scene.host, { sessionKey: "agent:main:telegram:direct:7" });
  await nextPrompt(scene.host, { sessionKey: "agent:main:telegram:group:-7" });
  scene.host.services[0].stop();
  delete globalThis[Symbol.for("memud")];
  await scene.daemon.start();
  const again = new Host(scene.home, { settings: { socketPath: scene.daemon.path }, config: heartbeat("30m") });
  await again.services[0].start({});
  t.after(() => again.services[0].stop());
  await until(() => scene.daemon.of("subscribe").some((asked) => asked.cursor === 41));
  scene.daemon.answers["proactive.next"] = ({ ids }) => ({ results: ids.map((id) => ({ ...REMINDER, id })) });
  scene.daemon.notify("event", { cursor: 42, topic: "proactive", payload: REMINDER });
  await until(() => again.wakes.length > 0);
  assert.equal(again.wakes[0].sessionKey, "agent:main:telegram:direct:7");
  assert.match(await nextPrompt(again), /\[p-2\]/);
});

test("a daemon that comes back is subscribed to again", async (t) => {
  const { daemon } = await told(t, [GUESS], { config: heartbeat("30m") });
  await daemon.stop();
  await daemon.start();
  await until(() => daemon.of("subscribe").length === 2);
});

test("switched off, nothing is subscribed to", async (t) => {
  const { daemon, host } = await stage(t, { settings: { proactive: "off" } });
  await host.services[0].start({});
  await until(() => daemon.of("agent.report").length > 0);
  host.services[0].stop();
  assert.deepEqual(daemon.of("subscribe"), []);
});

test("a prediction outlasts turns in which the daemon is away", async (t) => {
  const { host, daemon } = await told(t, [GUESS], { config: heartbeat("30m") });
  await daemon.stop();
  for (let turn = 0; turn < 6; turn += 1) assert.equal(await nextPrompt(host), undefined);
  await daemon.start();
  assert.match(await nextPrompt(host), /The price of NVDA/);
});

test("a damaged file and a damaged answer cost the reply nothing", async (t) => {
  const { home, host, daemon } = await stage(t);
  mkdirSync(join(home, "memud"), { recursive: true });
  const kept = { id: "p-2", expires_at: NOW + 3600, tries: 0 };
  writeFileSync(join(home, "memud", "pending.json"), JSON.stringify([null, 7, { id: "p-1" }, { ...kept, line: {} }, kept]));
  daemon.answers["proactive.next"] = () => ({ results: [null, 7, { id: "p-2" }, { ...GUESS, text: null }, GUESS] });
  daemon.answers.recall = () => ({ context: { not: "text" } });
  assert.match(await nextPrompt(host), /\n- \[p-2\] The price of NVDA \(asked three times\)\n<\/memud-recall>$/);
  assert.deepEqual(daemon.of("proactive.next")[0].ids, ["p-2"]);
});
