/** What runs in the gateway beside the turns, and what others may ask it: `openclaw gateway call memud.status`. */

import { join } from "node:path";

import { EXPECTED, problems, wordsFor } from "./check.js";
import type { Api, Fields } from "./host.js";
import { socketPath } from "./paths.js";
import { predictionIn, Proactive } from "./proactive.js";
import { instanceOf, Reporter, reminders } from "./report.js";
import { currentConfig, type Settings } from "./settings.js";
import type { Shared } from "./shared.js";
import { Refused } from "./socket.js";
import { Subscription } from "./subscription.js";
import { VERSION } from "./version.js";

const LIMIT_MS = 5_000;

/** The reporter and the subscription live while the gateway does. */
export function registerGateway(api: Api, shared: () => Shared, settings: Settings): void {
  let reporter: Reporter | undefined;
  let subscription: Subscription | undefined;
  api.registerService({
    id: "memud",
    start() {
      reporter = new Reporter(api, shared(), settings);
      reporter.start();
      if (settings.proactive === "off") return;
      subscription = subscribed(new Proactive(api, shared(), settings), shared(), settings);
      void subscription.start();
    },
    stop() {
      reporter?.stop();
      subscription?.stop();
      shared().connection.close();
    },
  });
  registerMethods(api, shared, settings);
}

function subscribed(proactive: Proactive, shared: Shared, settings: Settings): Subscription {
  return new Subscription({
    path: () => socketPath(settings.socketPath, process.env),
    user: settings.user,
    cursorPath: join(shared.own, "cursor.json"),
    async onNotice(notice) {
      const item = predictionIn(notice);
      if (item) await proactive.bringUp(item).catch((error: unknown) => passOver(shared, error));
    },
  });
}

/** What the daemon refuses is refused for good; everything else comes again. */
function passOver(shared: Shared, error: unknown): void {
  if (!(error instanceof Refused)) throw error;
  shared.notes.fault("proactive", error);
}

function registerMethods(api: Api, shared: () => Shared, settings: Settings): void {
  const answer = (run: (params: Fields) => Promise<Fields>) => async (call: {
    params?: Fields;
    respond(ok: boolean, payload?: unknown, error?: unknown): void;
  }) => {
    try {
      call.respond(true, await run(call.params ?? {}));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      call.respond(false, undefined, { code: "UNAVAILABLE", message });
    }
  };
  api.registerGatewayMethod("memud.status", answer(() => status(api, shared(), settings)), {
    scope: "operator.read",
  });
  api.registerGatewayMethod("memud.recall", answer((given) => recallFor(shared(), given)), {
    scope: "operator.read",
  });
  api.registerGatewayMethod("memud.proactive", answer((given) => predictions(shared(), given)), {
    scope: "operator.write",
  });
}

/** How plugin and daemon are. A daemon that is away is part of the answer. */
export async function status(api: Api, shared: Shared, settings: Settings): Promise<Fields> {
  const config = currentConfig(api);
  const found = problems(config, shared, settings);
  return {
    version: VERSION,
    instance: instanceOf(shared.folder),
    socket: socketPath(settings.socketPath, process.env),
    user: settings.user,
    problems: found.map((problem) => wordsFor(problem, shared, settings)),
    hooks: [...shared.hooks],
    hooksExpected: EXPECTED.length,
    reminders: reminders(config, shared, settings),
    counts: { ...shared.counts, spooled: shared.delivery.waiting },
    daemon: await daemonHealth(shared),
  };
}

async function daemonHealth(shared: Shared): Promise<Fields> {
  try {
    return await shared.connection.call("health", {}, LIMIT_MS);
  } catch (error) {
    return { status: "unreachable", reasons: [error instanceof Error ? error.message : String(error)] };
  }
}

/** What a prompt would be given. Asked as of now: it counts as no recall, and no prediction as told. */
export async function recallFor(shared: Shared, given: Fields): Promise<Fields> {
  const query = String(given["query"] ?? "");
  const asked = { query, private: given["private"] !== false, as_of: Math.floor(Date.now() / 1000) };
  return shared.connection.call("recall", asked, LIMIT_MS);
}

/** The open predictions; with `id` and `outcome` what became of one. */
export async function predictions(shared: Shared, given: Fields): Promise<Fields> {
  if (given["id"] === undefined) return shared.connection.call("proactive.list", { state: "open" }, LIMIT_MS);
  const { id, outcome, until } = given;
  const params = { id, outcome, ...(until !== undefined && { until }) };
  return shared.connection.call("proactive.resolve", params, LIMIT_MS);
}
