/** What a turn waits for the plugin: with a warm daemon (`node tests/bench.mjs SOCKET`), and with none. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";

import { Host, human, transcript } from "./host.mjs";

const TURNS = 200;
const QUESTIONS = ["Which tea do I like?", "我最喜欢喝什么茶？", "When do I meet Ann?", "What did I decide about Postgres?"];

async function measured(run, turns = TURNS) {
  const spans = [];
  const before = process.cpuUsage();
  for (let turn = 0; turn < turns; turn += 1) {
    const began = performance.now();
    await run(turn);
    spans.push(performance.now() - began);
  }
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / 1000 / turns, spans: spans.sort((one, other) => one - other) };
}

const at = (spans, share) => spans[Math.min(spans.length - 1, Math.floor(share * spans.length))].toFixed(2);

function say(name, { spans, cpu }) {
  const figures = `p50 ${at(spans, 0.5)} ms, p95 ${at(spans, 0.95)} ms, worst ${at(spans, 1)} ms of ${spans.length}`;
  process.stdout.write(`${name}: ${figures}; CPU ${cpu.toFixed(2)} ms each\n`);
}

const ask = (host) => (turn) => host.call("before_prompt_build", { prompt: `${QUESTIONS[turn % QUESTIONS.length]} (${turn})` });

async function withDaemon(socketPath, home) {
  const host = new Host(join(home, "up"), { settings: { socketPath } });
  await host.call("agent_end", { messages: transcript("My favourite tea is gyokuro.", "Noted.", "I meet Ann on Friday.", "Good.", "我最喜欢喝乌龙茶。", "记住了。", "We decided to use Postgres.", "Fine.") });
  await measured(ask(host), 20); // the daemon's embedder is warm from here on
  say("recall, daemon warm", await measured(ask(host)));
}

async function without(home) {
  const host = new Host(join(home, "down"), { settings: { socketPath: join(home, "none.sock") } });
  say("recall, no daemon", await measured(ask(host)));
  const messages = [];
  say("capture, no daemon (spooled)", await measured((turn) => {
    const both = transcript(`words ${turn}`, "reply").map((one) => ({ ...one, timestamp: one.timestamp + 10_000 * turn }));
    messages.push(...both);
    return host.call("agent_end", { messages }, human());
  }));
}

const home = mkdtempSync(join(tmpdir(), "memud-bench-"));
try {
  const socketPath = process.argv[2];
  if (socketPath) await withDaemon(socketPath, home);
  await without(home);
} finally {
  rmSync(home, { recursive: true, force: true });
}
process.exit(0);
