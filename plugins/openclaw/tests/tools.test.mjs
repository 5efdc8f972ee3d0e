import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";

import { folder, Host, human, refusal, stage } from "./host.mjs";

const use = async (host, name, given, context = human()) =>
  (await host.tools[name](context).execute("call-1", given)).content[0].text;

const result = (id, memory, more = {}) => ({ id, memory, date: "2026-11-24", layer: "item", score: 0.9, relevance: 0.95, ...more });

test("all four tools are there, and say what they take", async (t) => {
  const { host } = await stage(t);
  assert.deepEqual(Object.keys(host.tools), ["memory_search", "memory_get", "memory_store", "memory_forget"]);
  for (const make of Object.values(host.tools)) assert.equal(make(human()).parameters.additionalProperties, false);
});

test("a search shows ids and dates, on one line each", async (t) => {
  const { daemon, host } = await stage(t);
  daemon.answers.search = () => ({ results: [result("m-1", "Likes\n<b>tea</b>"), result("t-2", "tea", { layer: "resource", score: 0.1 })] });
  assert.equal(await use(host, "memory_search", { query: "tea", maxResults: 5, minScore: 0.5 }), "[m-1] 2026-11-24, fact: Likes ‹b›tea‹/b›");
  assert.equal(daemon.of("search")[0].limit, 5);
});

test("the scope comes from the host, whatever the model gives", async (t) => {
  const { daemon, host } = await stage(t, { settings: { user: "ann" } });
  const group = human({ sessionKey: "agent:main:telegram:group:-1" });
  await use(host, "memory_search", { query: "tea", user_id: "bob", private: true }, group);
  const [asked] = daemon.of("search");
  assert.deepEqual([asked.user_id, asked.private, asked.session_id], ["ann", false, group.sessionKey]);
});

test("a record is found by its id, also in a path", async (t) => {
  const { daemon, host } = await stage(t);
  daemon.answers.get = () => ({ item: { id: "m-1a", memory: "Likes tea", memory_type: "preference" } });
  daemon.answers.history = () => ({ sources: [{ resource_id: "t-9", timestamp: 1780000000 }] });
  assert.match(await use(host, "memory_get", { path: "memory/m-1a.md" }), /^\[m-1a\] Likes tea \(preference, said 2026-\d\d-\d\d \[t-9\]\)$/);
});

test("a turn is shown from the line that was asked for", async (t) => {
  const { daemon, host } = await stage(t);
  daemon.answers["resources.get"] = () => ({ id: "t-9", role: "user", timestamp: 1780000000, text: "one\ntwo\nthree" });
  assert.match(await use(host, "memory_get", { memoryId: "t-9", from: 2, lines: 1 }), /user:\ntwo$/);
});

test("a statement is stored, public in a group", async (t) => {
  const { daemon, host } = await stage(t);
  daemon.answers.add = ({ memory }) => ({ item: { id: "m-1", memory }, action: "added" });
  const group = human({ sessionKey: "agent:main:slack:channel:c1" });
  assert.equal(await use(host, "memory_store", { text: "Ann likes tea", category: "preference", importance: 3 }, group), "Stored (added): [m-1] Ann likes tea");
  const [asked] = daemon.of("add");
  assert.deepEqual([asked.private, asked.memory_type, asked.importance], [false, "preference", 1]);
});

test("an id is a word of its own", async (t) => {
  const { daemon, host } = await stage(t);
  daemon.answers["resources.get"] = ({ id }) => ({ id, role: "user", text: "one" });
  for (const path of ["item-1a2b", "m-1a_b", "x-t-1", "atom-9"]) {
    assert.match(await use(host, "memory_get", { path }), /^Which one\?/);
  }
  await use(host, "memory_get", { path: "[t-9]" });
  assert.deepEqual(daemon.of("resources.get").map(({ id }) => id), ["t-9"]);
});

test("a clear match is forgotten, an unclear one is asked about", async (t) => {
  const { daemon, host } = await stage(t);
  daemon.answers.get = () => ({ item: {} });
  daemon.answers.forget = ({ id }) => ({ item_ids: [id], resource_ids: ["t-9"] });
  daemon.answers.search = () => ({ results: [result("m-1", "tea"), result("m-2", "coffee", { relevance: 0.9 })] });
  assert.match(await use(host, "memory_forget", { query: "drinks" }), /Nothing was forgotten yet.*\n\[m-1\]/);
  assert.deepEqual(daemon.of("forget"), []);
  daemon.answers.search = () => ({ results: [result("m-1", "tea"), result("m-2", "coffee", { relevance: 0.2 })] });
  assert.equal(await use(host, "memory_forget", { query: "tea" }), "Forgotten for good: [m-1] [t-9]");
});

test("a group forgets nothing that it may not hear", async (t) => {
  const { daemon, host } = await stage(t);
  daemon.answers.get = () => { throw refusal("nothing has the id m-1", false); };
  const group = human({ sessionKey: "agent:main:slack:channel:c1" });
  assert.match(await use(host, "memory_forget", { memoryId: "m-1" }, group), /^Not done: nothing has the id/);
  assert.equal(daemon.of("get")[0].private, false);
  assert.deepEqual(daemon.of("forget"), []);
});

test("a prediction that is forgotten was dismissed", async (t) => {
  const { daemon, host } = await stage(t);
  await use(host, "memory_forget", { memoryId: "p-8d2m" });
  assert.deepEqual(daemon.of("proactive.resolve").map(({ id, outcome }) => [id, outcome]), [["p-8d2m", "dismissed"]]);
});

test("without a daemon a tool says so and throws nothing", async (t) => {
  const home = folder(t);
  const host = new Host(home, { settings: { socketPath: join(home, "none.sock") } });
  for (const given of [{ query: "tea" }, { text: "tea" }, { memoryId: "m-1" }, {}]) {
    for (const name of Object.keys(host.tools)) assert.ok(await use(host, name, given));
  }
});

test("a group puts off no prediction that it may not hear", async (t) => {
  const { daemon, host } = await stage(t);
  daemon.answers["proactive.list"] = (asked) => ({ results: asked.private ? [{ id: "p-1" }] : [] });
  const group = human({ sessionKey: "agent:main:slack:channel:c1" });
  assert.equal(await use(host, "memory_forget", { memoryId: "p-1" }, group), "There is no prediction p-1.");
  assert.equal(daemon.of("proactive.resolve").length, 0);
  assert.match(await use(host, "memory_forget", { memoryId: "p-1" }), /will not be brought up/);
});
