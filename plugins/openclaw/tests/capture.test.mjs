import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { Spool } from "../dist/spool.js";
import { folder, Daemon, Host, human, refusal, stage, transcript } from "./host.mjs";

const sent = (daemon) => daemon.of("capture").flatMap((call) => call.events);
/** What a daemon has of it: a key that it knows changes nothing. */
const stored = (daemon) => sent(daemon).filter(({ key }, index, all) => all.findIndex((one) => one.key === key) === index);

test("each message goes to memud once, under the key that an import gives it too", async (t) => {
  const { daemon, host } = await stage(t);
  const messages = transcript("I like tea.", "Noted.", "And coffee?", "Also noted.");
  await host.call("agent_end", { messages: messages.slice(0, 2), success: true });
  await host.call("agent_end", { messages, success: true });
  assert.deepEqual(sent(daemon).map((event) => [event.key, event.content]), [
    ["openclaw:s-1:1790000000000:user", "I like tea."],
    ["openclaw:s-1:1790000001000:assistant", "Noted."],
    ["openclaw:s-1:1790000002000:user", "And coffee?"],
    ["openclaw:s-1:1790000003000:assistant", "Also noted."],
  ]);
  assert.equal(daemon.of("capture")[0].session_id, "agent:main:main");
  assert.ok(sent(daemon).every((event) => event.private));
});

test("a restart sends only what is new", async (t) => {
  const { home, daemon, host } = await stage(t);
  const messages = transcript("I like tea.", "Noted.", "And coffee?", "Also noted.");
  await host.call("agent_end", { messages: messages.slice(0, 2) });
  delete globalThis[Symbol.for("memud")];
  const again = new Host(home, { settings: { socketPath: daemon.path } });
  await again.call("agent_end", { messages });
  assert.equal(sent(daemon).length, 4);
});

test("what recall put in front of the words is not captured", async (t) => {
  const { daemon, host } = await stage(t);
  await host.call("agent_end", { messages: transcript("<memud-recall>\n- [m-1] tea\n</memud-recall>\n\nHello", "Hi") });
  assert.equal(sent(daemon)[0].content, "Hello");
});

test("thinking, tool calls and results of tools stay out", async (t) => {
  const { daemon, host } = await stage(t);
  const messages = [
    ...transcript("Look it up."),
    { role: "assistant", content: [{ type: "thinking", thinking: "hm" }, { type: "toolCall", name: "read" }], timestamp: 1 },
    { role: "toolResult", toolName: "read", content: [{ type: "text", text: "a file" }], timestamp: 2 },
    { role: "user", content: "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>x<<<END_OPENCLAW_INTERNAL_CONTEXT>>>", timestamp: 3 },
    { role: "assistant", content: [{ type: "text", text: "Found." }], timestamp: 4 },
  ];
  await host.call("agent_end", { messages });
  assert.deepEqual(sent(daemon).map((event) => event.role), ["user", "user", "assistant"]);
});

test("results of tools are kept where the user wants them", async (t) => {
  const { daemon, host } = await stage(t, { settings: { captureToolResults: true } });
  const result = { role: "toolResult", content: [{ type: "text", text: "a".repeat(9_000) }], timestamp: 2 };
  await host.call("agent_end", { messages: [...transcript("Look."), result] });
  assert.deepEqual(sent(daemon).map((event) => [event.role, event.modality]), [["user", undefined], ["tool", "tool"]]);
  assert.ok(sent(daemon)[1].content.length <= 4_000);
});

test("heartbeats leave nothing, not even when a person speaks after them", async (t) => {
  const { daemon, host } = await stage(t);
  const beat = transcript("[OpenClaw heartbeat poll]", "You have mail.");
  const unknown = transcript("Follow the monitor.", "All quiet.").map((one) => ({ ...one, timestamp: one.timestamp + 10_000 }));
  const words = transcript("Thanks", "Welcome").map((one) => ({ ...one, timestamp: one.timestamp + 20_000 }));
  await host.call("agent_end", { messages: beat }, human({ trigger: "heartbeat" }));
  await host.call("agent_end", { messages: [...beat, ...unknown] }, human({ trigger: "heartbeat" }));
  await host.call("agent_end", { messages: [...beat, ...unknown, ...words] });
  assert.deepEqual(sent(daemon).map((event) => event.content), ["Thanks", "Welcome"]);
});

test("a heartbeat with words of its own leaves nothing after a restart either", async (t) => {
  const { home, daemon, host } = await stage(t);
  const words = transcript("Hello", "Hi");
  const beat = transcript("Follow the monitor.", "All quiet.").map((one) => ({ ...one, timestamp: one.timestamp + 10_000 }));
  const later = transcript("Thanks", "Welcome").map((one) => ({ ...one, timestamp: one.timestamp + 20_000 }));
  await host.call("agent_end", { messages: words });
  await host.call("agent_end", { messages: [...words, ...beat] }, human({ trigger: "heartbeat" }));
  delete globalThis[Symbol.for("memud")];
  const again = new Host(home, { settings: { socketPath: daemon.path } });
  await again.call("agent_end", { messages: [...words, ...beat, ...later] });
  assert.deepEqual(sent(daemon).map((event) => event.content), ["Hello", "Hi", "Thanks", "Welcome"]);
});

test("a heartbeat that OpenClaw takes out of the transcript again brings nothing back", async (t) => {
  const { daemon, host } = await stage(t);
  const words = transcript("Hello", "Hi");
  const beat = transcript("[OpenClaw heartbeat poll]", "HEARTBEAT_OK").map((one) => ({ ...one, timestamp: one.timestamp + 10_000 }));
  const later = transcript("Thanks", "Welcome").map((one) => ({ ...one, timestamp: one.timestamp + 20_000 }));
  await host.call("agent_end", { messages: words });
  await host.call("agent_end", { messages: [...words, ...beat] }, human({ trigger: "heartbeat" }));
  words[0].timestamp -= 5_000; // stored with the time of its arrival, told with that of its run
  await host.call("agent_end", { messages: [...words, ...later] });
  assert.deepEqual(sent(daemon).map((event) => event.content), ["Hello", "Hi", "Thanks", "Welcome"]);
});

test("a group's words are public and name their speaker", async (t) => {
  const { daemon, host } = await stage(t);
  const group = human({ sessionKey: "agent:main:telegram:group:-1", senderId: "u-7" });
  await host.call("agent_end", { messages: transcript("Hello all", "Hello") }, group);
  assert.deepEqual(sent(daemon).map((event) => [event.private, event.sender]), [[false, "u-7"], [false, undefined]]);
});

test("without a daemon the words are spooled, and sent later in order, once", async (t) => {
  const home = folder(t);
  const socketPath = join(home, "memud.sock");
  const host = new Host(home, { settings: { socketPath } });
  const messages = transcript("one", "1", "two", "2", "three", "3");
  await host.call("agent_end", { messages: messages.slice(0, 2) });
  await host.call("agent_end", { messages: messages.slice(0, 4) });
  const daemon = await new Daemon(socketPath).start();
  t.after(() => daemon.stop());
  await host.call("agent_end", { messages });
  assert.deepEqual(sent(daemon).map((event) => event.content), ["one", "1", "two", "2", "three", "3"]);
  assert.deepEqual(readdirSync(join(home, "memud", "spool")), []);
});

test("the spool survives a restart", async (t) => {
  const home = folder(t);
  const socketPath = join(home, "memud.sock");
  await new Host(home, { settings: { socketPath } }).call("agent_end", { messages: transcript("one", "1") });
  delete globalThis[Symbol.for("memud")];
  const daemon = await new Daemon(socketPath).start();
  t.after(() => daemon.stop());
  const again = new Host(home, { settings: { socketPath } });
  await again.call("agent_end", { messages: transcript("one", "1", "two", "2") });
  assert.deepEqual(stored(daemon).map((event) => event.content), ["one", "1", "two", "2"]);
});

test("a busy daemon gets the words again, an impossible call is set aside and stops nothing", async (t) => {
  const { home, daemon, host } = await stage(t);
  const messages = transcript("one", "1", "two", "2", "three", "3");
  daemon.answers.capture = () => { throw refusal("busy", true); };
  await host.call("agent_end", { messages: messages.slice(0, 2) });
  daemon.answers.capture = () => { throw refusal("invalid", false); };
  await host.call("agent_end", { messages: messages.slice(0, 4) });
  const set = readdirSync(join(home, "memud", "spool"));
  assert.equal(set.filter((name) => name.endsWith(".refused")).length, 4); // each message by itself
  daemon.answers.capture = () => ({});
  await host.call("agent_end", { messages });
  assert.deepEqual(sent(daemon).slice(-2).map((event) => event.content), ["three", "3"]);
});

/** A daemon that refuses whatever holds these words, as it does with what it can't read. */
const refusing = (daemon, words) => (daemon.answers.capture = ({ events }) => {
  if (events.some((event) => event.content.includes(words))) throw refusal("invalid", false);
  return { accepted: events.length };
});

test("what is refused for good costs itself alone, once", async (t) => {
  const { home, daemon, host } = await stage(t);
  refusing(daemon, "poison");
  const messages = transcript("one", "1", "poison", "2", "three", "3");
  await host.call("agent_end", { messages: messages.slice(0, 4) });
  const calls = daemon.of("capture").length;
  await host.call("agent_end", { messages });
  assert.deepEqual(daemon.of("capture").slice(calls).map(({ events }) => events.map((event) => event.content)), [["three", "3"]]);
  const taken = daemon.of("capture").filter(({ events }) => !events.some((event) => event.content === "poison"));
  assert.deepEqual(taken.flatMap(({ events }) => events.map((event) => event.content)), ["one", "1", "2", "three", "3"]);
  const [kept] = readdirSync(join(home, "memud", "spool"));
  assert.match(kept, /\.json\.refused$/);
  const { params } = JSON.parse(readFileSync(join(home, "memud", "spool", kept), "utf8"));
  assert.deepEqual([params.user_id, params.events.map((event) => event.content)], ["default", ["poison"]]);
});

test("a daemon that refuses everything is no capture, and the log says it once", async (t) => {
  const { host, daemon } = await stage(t);
  daemon.answers.capture = () => { throw refusal("forbidden", false); };
  for (let turn = 1; turn <= 3; turn += 1) {
    await host.call("agent_end", { messages: transcript("one", "1", "two", "2", "three", "3").slice(0, 2 * turn) });
  }
  assert.equal(daemon.of("capture").length, 3); // refused for all, whatever the parts
  assert.equal((await host.method("memud.status")).payload.counts.captures, 0);
  assert.equal(host.log.filter((line) => line.includes("memud refused capture")).length, 1);
});

test("what was refused is kept, the newest hundred of it", async (t) => {
  const { home, daemon, host } = await stage(t);
  refusing(daemon, "poison");
  await host.call("agent_end", { messages: transcript(...Array.from({ length: 240 }, (_, n) => `poison ${n}`)) });
  const spool = join(home, "memud", "spool");
  const words = readdirSync(spool).map((name) => JSON.parse(readFileSync(join(spool, name), "utf8")).params.events[0].content);
  assert.deepEqual([words.length, words.includes("poison 0"), words.includes("poison 239")], [100, false, true]);
});

test("what one user said waits for that user, and is not handed over for the next one", async (t) => {
  const home = folder(t);
  const settings = { socketPath: join(home, "memud.sock") };
  const messages = transcript("ann's", "1", "bob's", "2", "ann's again", "3");
  await new Host(home, { settings: { ...settings, user: "ann" } }).call("agent_end", { messages: messages.slice(0, 2) });
  const daemon = await new Daemon(settings.socketPath).start();
  t.after(() => daemon.stop());
  await new Host(home, { settings: { ...settings, user: "bob" } }).call("agent_end", { messages: messages.slice(0, 4) });
  assert.deepEqual(sent(daemon).map((event) => event.content), ["bob's", "2"]);
  await new Host(home, { settings: { ...settings, user: "ann" } }).call("agent_end", { messages });
  assert.deepEqual(sent(daemon).slice(2).map((event) => event.content), ["ann's", "1", "ann's again", "3"]);
});

test("a long transcript goes in parts, in order", async (t) => {
  const { daemon, host } = await stage(t);
  await host.call("agent_end", { messages: transcript(...Array.from({ length: 250 }, (_, n) => `words ${n}`)) });
  assert.deepEqual(daemon.of("capture").map((call) => call.events.length), [100, 100, 50]);
});

test("damaged messages are passed over", async (t) => {
  const { daemon, host } = await stage(t);
  await host.call("agent_end", { messages: [null, 7, { role: "user" }, { role: 3 }, { role: "user", content: "ok", timestamp: "no" }] });
  assert.equal(sent(daemon).length, 1);
  assert.match(sent(daemon)[0].key, /^openclaw:s-1:[0-9a-f]{16}:user$/);
});

test("what waits is sent by itself when the daemon is back", async (t) => {
  const { daemon, host } = await stage(t);
  await daemon.stop();
  await host.call("agent_end", { messages: transcript("one", "1") });
  const back = new Promise((done) => (daemon.answers.capture = (params) => (done(params), {})));
  await daemon.start();
  const keepAlive = setInterval(() => {}, 1_000);
  t.after(() => clearInterval(keepAlive));
  assert.equal((await back).events.length, 2);
});

test("a message has the time that OpenClaw writes down, and so the key that an import gives it", async (t) => {
  const { daemon, host } = await stage(t);
  const [words, reply] = transcript("Hello", "Hi");
  const written = { ...words, timestamp: words.timestamp - 700, idempotencyKey: "r-1:user" };
  assert.equal(host.hooks.before_message_write({ message: written }, human()), undefined);
  await host.call("agent_end", { messages: [{ ...words, idempotencyKey: "r-1:user" }, reply] });
  assert.equal(sent(daemon)[0].key, `openclaw:s-1:${written.timestamp}:user`);
});

test("half an emoji, as a cut text ends with, stops nothing", async (t) => {
  const { daemon, host } = await stage(t);
  await host.call("agent_end", { messages: transcript(`cut \ud83d`, "\\ud83d stays") });
  assert.deepEqual(sent(daemon).map((event) => event.content), ["cut \ufffd", "\\ud83d stays"]);
});

test("a spool file that is cut, or no call, is set aside and stops nothing", async (t) => {
  const { home, daemon, host } = await stage(t);
  const spool = join(home, "memud", "spool");
  mkdirSync(spool, { recursive: true });
  for (const [index, text] of ["null", "{", "7", "[]", '{"method":"capture"}'].entries()) writeFileSync(join(spool, `${index}.json`), text);
  await host.call("agent_end", { messages: transcript("one", "1") });
  assert.deepEqual(sent(daemon).map((event) => event.content), ["one", "1"]);
  assert.deepEqual(readdirSync(spool).filter((name) => name.endsWith(".json")), []);
});

test("what is done with and can't be taken out of the spool waits no longer", (t) => {
  const spool = folder(t);
  mkdirSync(join(spool, "1.json")); // nobody can unlink a folder, not even root
  const kept = new Spool(spool);
  assert.deepEqual(kept.names(), ["1.json"]);
  kept.done("1.json");
  assert.equal(kept.isEmpty, true);
});

test("turns of which nothing is kept count as no capture", async (t) => {
  const { host } = await stage(t);
  await host.call("agent_end", { messages: [{ role: "user", content: [{ type: "image" }], timestamp: 1 }] });
  assert.equal((await host.method("memud.status")).payload.counts.captures, 0);
});
