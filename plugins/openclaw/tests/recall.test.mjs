import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";

import { folder, Host, human, stage, transcript } from "./host.mjs";

const CONTEXT = "<memud-recall>\nheader\n- [m-1] 2026-11-24: tea\n</memud-recall>";

test("what memud recalls stands before the user's words", async (t) => {
  const { daemon, host } = await stage(t);
  daemon.answers.recall = () => ({ context: CONTEXT });
  const added = await host.call("before_prompt_build", { prompt: "What tea do I like?", messages: [] });
  assert.equal(added.prependContext, CONTEXT);
  const [asked] = daemon.of("recall");
  assert.equal(asked.query, "What tea do I like?");
  assert.equal(asked.session_id, "agent:main:main");
  assert.equal(asked.private, true);
  assert.ok(asked.deadline_ms < 10_000); // the daemon answers with what it has before the plugin gives up
  assert.deepEqual([asked.limit, asked.max_tokens], [undefined, undefined]);
});

test("where all chats share one session nothing private is asked for, unless the chat is known", async (t) => {
  const { daemon, host } = await stage(t);
  const ask = (changes) => host.call("before_prompt_build", { prompt: "tea" }, human({ sessionKey: "global", ...changes }));
  await ask({});
  await ask({ sessionKey: "agent:main:global" });
  await ask({ chatType: "group" });
  await ask({ channelContext: { chat: { type: "direct" } } });
  assert.deepEqual(daemon.of("recall").map((asked) => asked.private), [false, false, false, true]);
  assert.equal(host.log.filter((line) => line.includes("session.scope")).length, 1);
});

test("without a channel nobody else can listen", async (t) => {
  const { daemon, host } = await stage(t, { config: { channels: { defaults: {} } } });
  await host.call("before_prompt_build", { prompt: "tea" }, human({ sessionKey: "global" }));
  assert.equal(daemon.of("recall")[0].private, true);
});

test("what is said where nobody can say who listens stays private", async (t) => {
  const { daemon, host } = await stage(t);
  await host.call("agent_end", { messages: transcript("I like tea", "Noted") }, human({ sessionKey: "global" }));
  assert.deepEqual(daemon.of("capture")[0].events.map((event) => event.private), [true, true]);
});

test("what stands in the prompt is not recalled once more", async (t) => {
  const { daemon, host } = await stage(t);
  const messages = [{ role: "compactionSummary", timestamp: 1 }, ...transcript("one", "1", "two")];
  await host.call("before_prompt_build", { prompt: "three", messages });
  await host.call("before_prompt_build", { prompt: "four", messages: [{ role: "user", content: "no time" }] });
  assert.deepEqual(daemon.of("recall").map((asked) => asked.in_prompt_since), [1_790_000_000, undefined]);
});

test("how much is recalled is the daemon's to say, unless the user says it here", async (t) => {
  const { daemon, host } = await stage(t, { settings: { limit: 3, maxTokens: 200 } });
  await host.call("before_prompt_build", { prompt: "tea" });
  assert.deepEqual(daemon.of("recall").map((asked) => [asked.limit, asked.max_tokens]), [[3, 200]]);
});

test("nothing recalled adds nothing", async (t) => {
  const { daemon, host } = await stage(t);
  daemon.answers.recall = () => ({ context: "" });
  assert.equal(await host.call("before_prompt_build", { prompt: "hi" }), undefined);
});

test("the current message is asked with, not the prompt around it", async (t) => {
  const { daemon, host } = await stage(t);
  await host.call("before_prompt_build", { prompt: "history and words", currentUserMessage: "words" });
  await host.call("before_prompt_build", { prompt: "history", currentUserMessage: "" });
  assert.deepEqual(daemon.of("recall").map((asked) => asked.query), ["words"]);
});

for (const [name, changes] of Object.entries({
  heartbeat: { trigger: "heartbeat" },
  cron: { trigger: "cron", jobId: "j" },
  flush: { trigger: "memory" },
  subagent: { sessionKey: "agent:main:subagent:x" },
  "internal review": { sessionKey: "agent:main:internal-session-effects:skill-workshop-review_1" },
  "mail from another session": { inputProvenance: { kind: "inter_session" } },
  "no session": { sessionKey: undefined },
})) {
  test(`no recall in a turn that no human made: ${name}`, async (t) => {
    const { daemon, host } = await stage(t);
    assert.equal(await host.call("before_prompt_build", { prompt: "x" }, human(changes)), undefined);
    assert.deepEqual(daemon.of("recall"), []);
  });
}

for (const changes of [
  { sessionKey: "agent:main:telegram:group:-100:topic:42" },
  { sessionKey: "agent:main:discord:channel:1:thread:2" },
  { sessionKey: "agent:main:matrix:room:1" },
  { chatType: "group" },
  { channelContext: { chat: { type: "channel" } } },
]) {
  test(`a group hears nothing private: ${JSON.stringify(changes)}`, async (t) => {
    const { daemon, host } = await stage(t);
    await host.call("before_prompt_build", { prompt: "What do you know of me?" }, human(changes));
    assert.equal(daemon.of("recall")[0].private, false);
  });
}

test("a silent daemon is waited for no longer than the limit, and soon not at all", async (t) => {
  const { daemon, host } = await stage(t, { settings: { recallTimeoutMs: 60 } });
  daemon.answers.recall = "silence";
  for (let turn = 0; turn < 4; turn += 1) {
    assert.equal(await host.call("before_prompt_build", { prompt: "tea" }), undefined);
  }
  assert.ok(daemon.of("recall").length <= 2);
});

test("without a daemon a turn goes on, and the log says so once", async (t) => {
  const home = folder(t);
  const host = new Host(home, { settings: { socketPath: join(home, "none.sock") } });
  for (let turn = 0; turn < 3; turn += 1) await host.call("before_prompt_build", { prompt: "tea" });
  assert.equal(host.log.length, 1);
  assert.match(host.log[0], /memud doctor/);
});

test("a daemon that comes back is asked again", async (t) => {
  const { daemon, host } = await stage(t);
  daemon.answers.recall = () => ({ context: CONTEXT });
  await host.call("before_prompt_build", { prompt: "tea" });
  await daemon.stop();
  assert.equal(await host.call("before_prompt_build", { prompt: "tea" }), undefined);
  await daemon.start();
  assert.ok(await host.call("before_prompt_build", { prompt: "tea" }));
});

test("the part of the system prompt is the same in every turn", async (t) => {
  const { host } = await stage(t);
  const build = () => host.capability.promptBuilder({ availableTools: new Set(["memory_search"]) }).join("\n");
  assert.equal(build(), build());
  assert.equal(host.capability.flushPlanResolver(), null);
});

test("registering opens nothing and may happen twice", async (t) => {
  const { home, daemon } = await stage(t);
  new Host(home, { settings: { socketPath: daemon.path }, mode: "discovery" });
  assert.equal(daemon.peers.size, 0);
});

test("an answer that is there is taken, however long the gateway looked elsewhere", async (t) => {
  const { daemon, host } = await stage(t, { settings: { recallTimeoutMs: 100 } });
  daemon.answers.recall = () => ({ context: CONTEXT });
  await host.call("before_prompt_build", { prompt: "tea" });
  daemon.answers.recall = () => {
    const until = performance.now() + 300; // the whole process stands still, as OpenClaw's does at times
    while (performance.now() < until);
    return { context: CONTEXT };
  };
  const added = await host.call("before_prompt_build", { prompt: "tea" });
  assert.equal(added?.prependContext, CONTEXT);
});

test("a chat is public if the host says so anywhere", async (t) => {
  const { daemon, host } = await stage(t);
  const chat = human({ sessionKey: "global", chatType: "direct", channelContext: { chat: { type: "group" } } });
  await host.call("before_prompt_build", { prompt: "tea?" }, chat);
  assert.equal(daemon.of("recall")[0].private, false);
});

test("garbage from the socket is passed over", async (t) => {
  const { daemon, host } = await stage(t);
  daemon.answers.recall = () => {
    const garbage = ["", "{", "[]", "7", "null", '{"id":"x","error":5}', '{"method":7,"id":-1}', '{"method":"event"}', "\u0000\ufffd"];
    for (const peer of daemon.peers) peer.write(`${garbage.join("\n")}\n`);
    return { context: CONTEXT };
  };
  assert.equal((await host.call("before_prompt_build", { prompt: "tea?" })).prependContext, CONTEXT);
});

for (const context of [7, ["tea"], { text: "tea" }, "tea ".repeat(50_000)]) {
  test(`what no recall can be stands before no message: ${typeof context}, ${JSON.stringify(context).length} characters`, async (t) => {
    const { daemon, host } = await stage(t);
    daemon.answers.recall = () => ({ context });
    assert.equal(await host.call("before_prompt_build", { prompt: "tea?" }), undefined);
  });
}
