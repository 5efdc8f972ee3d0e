/** A host that is as much of OpenClaw as the plugin touches, and a daemon that answers as a test says. */

import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import plugin from "../dist/index.js";

/** A folder that is gone after the test. */
export function folder(t) {
  const path = mkdtempSync(join(tmpdir(), "memud-plugin-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A conversation with the user alone, as OpenClaw describes it to hooks. */
export function human(changes = {}) {
  return {
    agentId: "main",
    sessionKey: "agent:main:main",
    sessionId: "s-1",
    runId: "r-1",
    trigger: "user",
    ...changes,
  };
}

/** Messages of a transcript, a second apart. */
export function transcript(...texts) {
  return texts.map((text, index) => ({
    role: index % 2 ? "assistant" : "user",
    content: [{ type: "text", text }],
    timestamp: 1_790_000_000_000 + 1000 * index,
  }));
}

/** The plugin, registered once in a host of its own. */
export class Host {
  hooks = {};
  tools = {};
  methods = {};
  services = [];
  events = [];
  wakes = [];
  log = [];

  constructor(stateDir, { config = {}, settings = {}, mode = "full" } = {}) {
    this.stateDir = stateDir;
    this.config = { channels: { telegram: {} }, commands: { ownerAllowFrom: ["telegram:7"] }, plugins: { slots: { memory: "memud" }, entries: { memud: { hooks: { allowConversationAccess: true } } } }, ...config };
    // A busy machine breaks no promise: only tests of the limit itself live by it.
    this.api = this.#api({ recallTimeoutMs: 10_000, ...settings }, mode);
    plugin.register(this.api);
  }

  call(hook, event, context = human()) {
    return this.hooks[hook](event, context);
  }

  async method(name, params = {}) {
    let answer;
    await this.methods[name]({ params, respond: (ok, payload, error) => (answer = { ok, payload, error }) });
    return answer;
  }

  #api(settings, registrationMode) {
    const said = (level) => (text) => this.log.push(`${level} ${text}`);
    return {
      id: "memud",
      registrationMode,
      config: this.config,
      pluginConfig: settings,
      logger: { info: said("info"), warn: said("warn"), error: said("error") },
      runtime: {
        state: { resolveStateDir: () => this.stateDir },
        config: { current: () => this.config },
        system: {
          enqueueSystemEvent: (text, options) => Boolean(this.events.push({ text, ...options })),
          requestHeartbeat: (wake) => void this.wakes.push(wake),
        },
      },
      on: (hook, handler) => (this.hooks[hook] = handler),
      registerTool: (factory, { name }) => (this.tools[name] = factory),
      registerMemoryCapability: (capability) => (this.capability = capability),
      registerService: (service) => void this.services.push(service),
      registerGatewayMethod: (name, handler) => (this.methods[name] = handler),
      registerCli: (register) => (this.cli = register),
    };
  }
}

/** A daemon on a real socket. `answers` gives a result for each method, by the call's params, or throws an error. */
export class Daemon {
  calls = [];
  peers = new Set();
  answers = {};

  constructor(path) {
    this.path = path;
  }

  async start() {
    this.server = createServer((peer) => this.#serve(peer));
    await new Promise((done) => this.server.listen(this.path, done));
    return this;
  }

  async stop() {
    for (const peer of this.peers) peer.destroy();
    await new Promise((done) => this.server.close(done));
  }

  of(method) {
    return this.calls.filter((call) => call.method === method).map((call) => call.params);
  }

  notify(method, params) {
    for (const peer of this.peers) peer.write(`${JSON.stringify({ jsonrpc: "2.0", method, params })}\n`);
  }

  #serve(peer) {
    this.peers.add(peer);
    let rest = "";
    peer.setEncoding("utf8");
    peer.on("close", () => this.peers.delete(peer));
    peer.on("error", () => peer.destroy());
    peer.on("data", (chunk) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop();
      for (const line of lines) this.#answer(peer, JSON.parse(line));
    });
  }

  #answer(peer, { id, method, params }) {
    this.calls.push({ method, params });
    const give = this.answers[method] ?? (() => ({}));
    if (give === "silence") return;
    const reply = (body) => peer.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...body })}\n`);
    try {
      reply({ result: give(params) });
    } catch (error) {
      reply({ error: { code: -32003, message: error.message, data: error.data } });
    }
  }
}

/** A running stub daemon and a host whose plugin talks to it. */
export async function stage(t, options = {}) {
  const home = folder(t);
  const socketPath = join(home, "memud.sock");
  const daemon = await new Daemon(socketPath).start();
  const host = new Host(home, { ...options, settings: { socketPath, ...options.settings } });
  t.after(() => daemon.stop());
  return { home, daemon, host };
}

/** An error as the daemon sends it. */
export function refusal(reason, retriable) {
  return Object.assign(new Error(reason), { data: { reason, retriable, hint: "" } });
}
