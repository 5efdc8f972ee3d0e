/** `openclaw memud status | recall | proactive`: the same answers in a terminal, without a gateway. */

import { predictions, recallFor, status } from "./gateway.js";
import type { Api, Command, Fields } from "./host.js";
import type { Language, Settings } from "./settings.js";
import type { Shared } from "./shared.js";
import { Refused } from "./socket.js";
import { phrase, type Phrase } from "./texts.js";

const DAY_S = 24 * 3600;
const STATUS: Record<string, Phrase> = {
  ok: "statusOk",
  degraded: "statusDegraded",
  error: "statusError",
  unreachable: "statusUnreachable",
};

interface Options {
  json?: boolean;
  used?: string;
  dismissed?: string;
  snoozed?: string;
}

export function registerCommands(api: Api, shared: () => Shared, settings: Settings): void {
  const descriptor = { name: "memud", description: "The memory of this gateway", hasSubcommands: true };
  api.registerCli(({ program }) => addCommands(program, api, shared, settings), { descriptors: [descriptor] });
}

function addCommands(program: Command, api: Api, shared: () => Shared, settings: Settings): void {
  const show = shower(shared, settings.language);
  const memud = program.command("memud").description(phrase(settings.language, "cliMemud"));
  memud
    .command("status")
    .description(phrase(settings.language, "cliStatus"))
    .option("--json", "JSON")
    .action(async (options: Options) => {
      await show(() => status(api, shared(), settings), options, statusLines);
    });
  memud
    .command("recall")
    .argument("<query>", phrase(settings.language, "cliQuery"))
    .description(phrase(settings.language, "cliRecall"))
    .option("--json", "JSON")
    .action(async (query: string, options: Options) => {
      await show(() => recallFor(shared(), { query }), options, recallLines);
    });
  memud
    .command("proactive")
    .description(phrase(settings.language, "cliProactive"))
    .option("--used <id>", phrase(settings.language, "cliUsed"))
    .option("--dismissed <id>", phrase(settings.language, "cliDismissed"))
    .option("--snoozed <id>", phrase(settings.language, "cliSnoozed"))
    .option("--json", "JSON")
    .action(async (options: Options) => {
      await show(() => predictions(shared(), resolved(options)), options, predictionLines);
    });
}

function resolved(options: Options): Fields {
  const outcome = (["used", "dismissed", "snoozed"] as const).find((name) => options[name]);
  const until = outcome === "snoozed" ? { until: Math.floor(Date.now() / 1000) + DAY_S } : {};
  return outcome ? { id: options[outcome], outcome, ...until } : {};
}

type Lines = (answer: Fields, language: Language) => string[];

function shower(shared: () => Shared, language: Language) {
  return async (ask: () => Promise<Fields>, options: Options, lines: Lines): Promise<void> => {
    try {
      const answer = await ask();
      const text = options.json ? JSON.stringify(answer, null, 2) : lines(answer, language).join("\n");
      process.stdout.write(`${text}\n`);
    } catch (error) {
      process.stderr.write(`${excuse(error, language)}\n`);
      process.exitCode = error instanceof Refused ? 1 : 69; // as the daemon's own commands end
    } finally {
      shared().connection.close();
    }
  };
}

function excuse(error: unknown, language: Language): string {
  if (error instanceof Refused) return [error.message, error.hint].filter(Boolean).join(": ");
  return phrase(language, "down", { why: error instanceof Error ? error.message : String(error) });
}

function statusLines(answer: Fields, language: Language): string[] {
  const daemon = (answer["daemon"] ?? {}) as Fields;
  const problems = [...strings(answer["problems"]), ...strings(daemon["reasons"])];
  const waits = answer["reminders"] === "next-turn" ? [phrase(language, "remindersWait")] : [];
  const status = STATUS[String(daemon["status"])];
  return [
    phrase(language, "statusHead", {
      status: status ? phrase(language, status) : String(daemon["status"]),
      version: String(answer["version"]),
    }),
    phrase(language, "statusSocket", { socket: String(answer["socket"]), user: String(answer["user"]) }),
    phrase(language, "statusHooks", { count: strings(answer["hooks"]).length, all: Number(answer["hooksExpected"]) }),
    countsLine(answer, daemon, language),
    ...[...problems, ...waits].map((text) => `  ! ${text}`),
  ];
}

/** What the gateway has told the daemon: this command is a process of its own and has counted nothing. */
function countsLine(answer: Fields, daemon: Fields, language: Language): string {
  const agents = (Array.isArray(daemon["agents"]) ? daemon["agents"] : []) as Fields[];
  const own = agents.find((one) => one["instance"] === answer["instance"]);
  if (!own) return phrase(language, "statusNoGateway");
  const [turns, recalls, captures, spooled] = ["turns", "recalls", "captures", "spooled"].map((name) => Number(own[name]));
  return phrase(language, "statusCounts", { turns: turns ?? 0, recalls: recalls ?? 0, captures: captures ?? 0, spooled: spooled ?? 0 });
}

function recallLines(answer: Fields, language: Language): string[] {
  return [String(answer["context"] || phrase(language, "nothing"))];
}

function predictionLines(answer: Fields, language: Language): string[] {
  const items = answer["item"] ? [answer["item"]] : ((answer["results"] ?? []) as unknown[]);
  const lines = (items as Fields[]).map(
    (item) => `${String(item["id"])}  ${String(item["state"])}  ${String(item["text"])} (${String(item["why"])})`,
  );
  return lines.length ? lines : [phrase(language, "nothing")];
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
