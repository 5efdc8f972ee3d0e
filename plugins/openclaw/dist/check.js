/** Whether the plugin is let do its work: what OpenClaw's configuration forbids, and what never comes. */
import { at } from "./settings.js";
import { phrase } from "./texts.js";
import { isHumanSession, isPublicSession } from "./turns.js";
const ENOUGH = 5; // so many of one without one of the other is no chance
const ENOUGH_LATER = 20; // where captures came before: turns of many sessions may be under way at once
/** Every hook that the plugin lives by. */
export const EXPECTED = [
    "before_prompt_build",
    "llm_output",
    "agent_end",
    "before_compaction",
    "after_compaction",
    "before_reset",
    "session_end",
    "message_received",
    "before_message_write",
];
const PHRASES = {
    no_access: "noAccess",
    no_injection: "noInjection",
    not_owner: "notOwner",
    hooks_missing: "hooksMissing",
    deaf: "deaf",
    no_capture: "noCapture",
};
/** Everything that keeps memory from working, by the configuration and by what was counted. */
export function problems(config, shared, settings) {
    const hooks = at(config, "plugins", "entries", "memud", "hooks");
    const { messages, turns, captures, uncaptured } = shared.counts;
    const found = [
        // OpenClaw leaves out the hooks of a conversation without a word to the plugin.
        ["no_access", at(hooks, "allowConversationAccess") !== true],
        ["no_injection", at(hooks, "allowPromptInjection") === false],
        ["not_owner", at(config, "plugins", "slots", "memory") !== "memud"],
        ["hooks_missing", missingHooks(shared).length > 0],
        ["deaf", messages >= ENOUGH && turns === 0],
        ["no_capture", settings.capture && uncaptured >= (captures ? ENOUGH_LATER : ENOUGH)],
    ];
    return found.filter(([, isSo]) => isSo).map(([problem]) => problem);
}
export function missingHooks(shared) {
    return EXPECTED.filter((hook) => !shared.hooks.has(hook));
}
/** A problem as a person reads it. */
export function wordsFor(problem, shared, settings) {
    const counts = { no_capture: shared.counts.uncaptured, deaf: shared.counts.messages };
    const blanks = { count: counts[problem] ?? 0, hooks: missingHooks(shared).join(", ") };
    return phrase(settings.language, PHRASES[problem], blanks);
}
/** Count a message that should become a turn: written by a person in private, and no command. */
export function noteMessage(shared, event, context) {
    const sessionKey = String(event["sessionKey"] ?? context.sessionKey ?? "");
    const isCommand = String(event["content"] ?? "").startsWith("/");
    if (isHumanSession(sessionKey) && !isPublicSession({ sessionKey }) && !isCommand)
        shared.counts.messages += 1;
}
