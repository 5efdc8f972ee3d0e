/** What the user may set under `plugins.entries.memud.config`, with its defaults. */
/** OpenClaw has checked the values against the manifest; a wrong one falls back to its default all the same. */
export function readSettings(given, config, env) {
    const from = given ?? {};
    return {
        socketPath: text(from["socketPath"]),
        user: text(from["user"]) ?? "default",
        recall: from["recall"] !== false,
        recallTimeoutMs: whole(from["recallTimeoutMs"]) ?? 800,
        limit: whole(from["limit"]),
        maxTokens: whole(from["maxTokens"]),
        capture: from["capture"] !== false,
        captureToolResults: from["captureToolResults"] === true,
        proactive: proactiveMode(from["proactive"]),
        language: language(from["language"], env),
        timezone: text(at(config, "agents", "defaults", "userTimezone")),
    };
}
/** OpenClaw's configuration as it is now: it can change while the gateway runs. */
export function currentConfig(api) {
    return api.runtime?.config?.current?.() ?? api.config;
}
/** A value deep in a configuration, or undefined. */
export function at(config, ...path) {
    return path.reduce((value, name) => value?.[name], config);
}
function text(value) {
    return typeof value === "string" && value.trim() ? value.trim() : undefined;
}
function whole(value) {
    return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;
}
function proactiveMode(value) {
    return value === "next-turn" || value === "off" ? value : "wake";
}
function language(value, env) {
    if (value === "en" || value === "zh")
        return value;
    const locale = env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "";
    return locale.toLowerCase().startsWith("zh") ? "zh" : "en";
}
