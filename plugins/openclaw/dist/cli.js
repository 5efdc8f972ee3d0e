/** `openclaw memud status | recall | proactive`: the same answers in a terminal, without a gateway. */
import { predictions, recallFor, status } from "./gateway.js";
import { Refused } from "./socket.js";
import { phrase } from "./texts.js";
const DAY_S = 24 * 3600;
const STATUS = {
    ok: "statusOk",
    degraded: "statusDegraded",
    error: "statusError",
    unreachable: "statusUnreachable",
};
export function registerCommands(api, shared, settings) {
    const descriptor = { name: "memud", description: "The memory of this gateway", hasSubcommands: true };
    api.registerCli(({ program }) => addCommands(program, api, shared, settings), { descriptors: [descriptor] });
}
function addCommands(program, api, shared, settings) {
    const show = shower(shared, settings.language);
    const memud = program.command("memud").description(phrase(settings.language, "cliMemud"));
    memud
        .command("status")
        .description(phrase(settings.language, "cliStatus"))
        .option("--json", "JSON")
        .action(async (options) => {
        await show(() => status(api, shared(), settings), options, statusLines);
    });
    memud
        .command("recall")
        .argument("<query>", phrase(settings.language, "cliQuery"))
        .description(phrase(settings.language, "cliRecall"))
        .option("--json", "JSON")
        .action(async (query, options) => {
        await show(() => recallFor(shared(), { query }), options, recallLines);
    });
    memud
        .command("proactive")
        .description(phrase(settings.language, "cliProactive"))
        .option("--used <id>", phrase(settings.language, "cliUsed"))
        .option("--dismissed <id>", phrase(settings.language, "cliDismissed"))
        .option("--snoozed <id>", phrase(settings.language, "cliSnoozed"))
        .option("--json", "JSON")
        .action(async (options) => {
        await show(() => predictions(shared(), resolved(options)), options, predictionLines);
    });
}
function resolved(options) {
    const outcome = ["used", "dismissed", "snoozed"].find((name) => options[name]);
    const until = outcome === "snoozed" ? { until: Math.floor(Date.now() / 1000) + DAY_S } : {};
    return outcome ? { id: options[outcome], outcome, ...until } : {};
}
function shower(shared, language) {
    return async (ask, options, lines) => {
        try {
            const answer = await ask();
            const text = options.json ? JSON.stringify(answer, null, 2) : lines(answer, language).join("\n");
            process.stdout.write(`${text}\n`);
        }
        catch (error) {
            process.stderr.write(`${excuse(error, language)}\n`);
            process.exitCode = error instanceof Refused ? 1 : 69; // as the daemon's own commands end
        }
        finally {
            shared().connection.close();
        }
    };
}
function excuse(error, language) {
    if (error instanceof Refused)
        return [error.message, error.hint].filter(Boolean).join(": ");
    return phrase(language, "down", { why: error instanceof Error ? error.message : String(error) });
}
function statusLines(answer, language) {
    const daemon = (answer["daemon"] ?? {});
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
function countsLine(answer, daemon, language) {
    const agents = (Array.isArray(daemon["agents"]) ? daemon["agents"] : []);
    const own = agents.find((one) => one["instance"] === answer["instance"]);
    if (!own)
        return phrase(language, "statusNoGateway");
    const [turns, recalls, captures, spooled] = ["turns", "recalls", "captures", "spooled"].map((name) => Number(own[name]));
    return phrase(language, "statusCounts", { turns: turns ?? 0, recalls: recalls ?? 0, captures: captures ?? 0, spooled: spooled ?? 0 });
}
function recallLines(answer, language) {
    return [String(answer["context"] || phrase(language, "nothing"))];
}
function predictionLines(answer, language) {
    const items = answer["item"] ? [answer["item"]] : (answer["results"] ?? []);
    const lines = items.map((item) => `${String(item["id"])}  ${String(item["state"])}  ${String(item["text"])} (${String(item["why"])})`);
    return lines.length ? lines : [phrase(language, "nothing")];
}
function strings(value) {
    return Array.isArray(value) ? value.map(String) : [];
}
