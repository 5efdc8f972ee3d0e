/** The plugin beside a real daemon, whose socket stands in MEMUD_TEST_SOCKET; run by tests/openclaw. */

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import { test } from "node:test";

import { userDir } from "../dist/paths.js";
import { folder, Host, human, transcript } from "./host.mjs";

const socketPath = process.env.MEMUD_TEST_SOCKET;
const plugin = (t, settings = {}) => new Host(folder(t), { settings: { socketPath, ...settings } });
const use = async (host, name, given, context = human()) =>
  (await host.tools[name](context).execute("call-1", given)).content[0].text;

/** One call past the plugin, to see what the daemon has. */
function ask(method, params) {
  return new Promise((resolve, reject) => {
    const socket = createConnection(socketPath);
    let text = "";
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      text += chunk;
      if (!text.endsWith("\n")) return;
      socket.end();
      const { result, error } = JSON.parse(text);
      if (error) reject(new Error(JSON.stringify(error)));
      else resolve(result);
    });
    socket.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })}\n`);
  });
}

test("what was said in one session is recalled in another, and never in a group", async (t) => {
  const host = plugin(t, { user: "ann" });
  await host.call("agent_end", { messages: transcript("My favourite tea is gyokuro.", "Noted.") });
  const asked = { prompt: "Which tea is my favourite?" };
  const elsewhere = human({ sessionKey: "agent:main:telegram:direct:7", sessionId: "s-2" });
  assert.match((await host.call("before_prompt_build", asked, elsewhere)).prependContext, /gyokuro/);
  const group = human({ sessionKey: "agent:main:telegram:group:-1", sessionId: "s-3" });
  assert.equal(await host.call("before_prompt_build", asked, group), undefined);
});

test("the same turn handed over by two plugins is one turn", async (t) => {
  const messages = transcript("I ride a green bicycle.", "Nice.");
  for (const host of [plugin(t, { user: "bob" }), plugin(t, { user: "bob" })]) await host.call("agent_end", { messages });
  assert.equal((await ask("session.resume", { user_id: "bob", session_id: "agent:main:main" })).turns.length, 2);
});

test("what is recalled a hundred times adds nothing", async (t) => {
  const host = plugin(t, { user: "cat" });
  const said = transcript("My sister is called Mira.", "Good to know.");
  await host.call("agent_end", { messages: said });
  const facts = async () => {
    await ask("session.compact", { user_id: "cat", session_id: "agent:main:main" }); // waits for the facts
    return (await ask("stats", { user_id: "cat" })).items;
  };
  const before = await facts();
  for (let round = 0; round < 100; round += 1) {
    const prompt = "What is my sister called?";
    const { prependContext } = (await host.call("before_prompt_build", { prompt })) ?? { prependContext: "" };
    const echo = { role: "user", content: `${prependContext}\n\nWhat is my sister called?`, timestamp: 1_791_000_000_000 + 1_000 * round };
    said.push(echo);
    await host.call("agent_end", { messages: said });
  }
  assert.equal(await facts(), before);
});

test("the tools' calls are as the daemon wants them", async (t) => {
  const host = plugin(t, { user: "dan" });
  const stored = await use(host, "memory_store", { text: "Dan is allergic to peanuts.", category: "correction", importance: 0.9 });
  const [, id] = /^Stored \(added\): \[(m-\w+)\] Dan is allergic to peanuts\.?$/.exec(stored) ?? assert.fail(stored);
  assert.match(await use(host, "memory_search", { query: "peanuts", maxResults: 3 }), new RegExp(`\\[${id}\\]`));
  assert.match(await use(host, "memory_get", { path: id }), /Dan is allergic to peanuts/);
  const group = human({ sessionKey: "agent:main:slack:channel:c1" });
  assert.match(await use(host, "memory_forget", { memoryId: id }, group), /^Not done/);
  assert.match(await use(host, "memory_forget", { memoryId: id }), /^Forgotten for good/);
  assert.match(await use(host, "memory_search", { query: "peanuts" }), /^Nothing/);
});

test("a full window is summed up once, and a second cut finds the same summary", async (t) => {
  const host = plugin(t, { user: "eve" });
  const messages = transcript("We decided to use Postgres for Falcon.", "Agreed.");
  messages[1].usage = { input: 55_000 };
  const context = human({ contextTokenBudget: 64_000 });
  await host.call("agent_end", { messages }, context);
  await host.call("before_compaction", { messageCount: 2 }, context);
  await host.call("after_compaction", {}, context);
  assert.match((await host.call("before_prompt_build", { prompt: "Go on." }, context)).prependContext, /Postgres/);
  assert.equal((await ask("session.compact", { user_id: "eve", session_id: "agent:main:main" })).cycle, 1);
});

test("what the plugin reports stands in the daemon's health", async (t) => {
  const host = plugin(t);
  host.config = { plugins: { slots: { memory: "memud" }, entries: { memud: {} } } };
  await host.services[0].start({});
  t.after(() => host.services[0].stop());
  const { payload } = await host.method("memud.status");
  assert.equal(payload.daemon.status, "error");
  assert.match(payload.daemon.reasons[0], /openclaw does not let memud see conversations/);
});

test("a prediction is listed and answered by the gateway's method", async (t) => {
  const host = plugin(t, { user: "fay" });
  assert.deepEqual((await host.method("memud.proactive")).payload.results, []);
  const answer = await host.method("memud.proactive", { id: "p-none", outcome: "used" });
  assert.equal(answer.ok, false);
  assert.deepEqual(await use(host, "memory_get", { memoryId: "p-none" }), "There is no prediction p-none.");
});

test("what another user said before the setting changed is not taken for this one's", async (t) => {
  const home = folder(t);
  const spool = join(userDir(join(home, "memud"), "hal"), "spool");
  mkdirSync(spool, { recursive: true });
  const events = [{ key: "k-1", role: "user", content: "Gil likes figs." }];
  const params = { user_id: "gil", session_id: "agent:main:main", events };
  writeFileSync(join(spool, "1.json"), JSON.stringify({ method: "capture", params }));
  const host = new Host(home, { settings: { socketPath, user: "hal" } });
  await host.call("agent_end", { messages: transcript("I like plums.", "Noted.") });
  const { turns } = await ask("session.resume", { user_id: "hal", session_id: "agent:main:main" });
  assert.deepEqual(turns.map((turn) => turn.text), ["I like plums.", "Noted."]);
  const [kept, ...others] = readdirSync(spool);
  assert.match(kept, /\.json\.refused$/);
  assert.deepEqual(others, []);
});

test("half an emoji reaches the daemon as words, and holds nothing up", async (t) => {
  const host = plugin(t, { user: "ivy" });
  await host.call("agent_end", { messages: transcript("I like plums \ud83d", "Noted.") });
  const { turns } = await ask("session.resume", { user_id: "ivy", session_id: "agent:main:main" });
  assert.deepEqual(turns.map((turn) => turn.text), ["I like plums \ufffd", "Noted."]);
});
