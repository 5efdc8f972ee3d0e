/** Which turns a person made, who may hear what in a session, and what of a transcript is worth keeping. */
import { createHash } from "node:crypto";
const MAX_TEXT_CHARS = 100_000;
const MACHINE_TRIGGERS = new Set(["heartbeat", "cron", "memory"]);
/** Sessions in which nobody speaks to a person. */
const MACHINE_SESSION = /:internal-session-effects:|:subagent:|:cron:|^cron:|:hook:|^hook:|:heartbeat$|:active-memory:|:acp:/;
/** What OpenClaw writes in a user's name. A turn that begins so is a machine's, with all that follows. */
const MACHINE_TEXT = /^(?:\[[^\]\n]{5,40}\] )?(?:\[OpenClaw (?:heartbeat|session event|exec completion|cron wake)|\[cron:|(?:HEARTBEAT: ?)?Read HEARTBEAT\.md if it exists|A scheduled reminder has been triggered\b|Pre-compaction memory flush|\[(?:Subagent (?:Context|Task)|Inter-session message|Internal task completion event)\])/;
const INTERNAL_ONLY = /^(?:\[[^\]\n]{5,40}\] )?<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>/;
/** The block that recall put in front of the prompt; it must not come back as somebody's words. */
const OWN_BLOCK = /<memud-recall\b[^>]*>[\s\S]*?<\/memud-recall>\s*/g;
const PUBLIC_SESSION = /:(?:group|channel|room):/;
const PUBLIC_CHATS = new Set(["group", "channel", "room", "guild", "supergroup"]);
/** Whether a person typed what this run answers. OpenClaw's own review runs say `user` too: their session tells. */
export function isHumanTurn(context) {
    const isAsked = context.trigger === undefined || context.trigger === "user";
    return isAsked && isHumanSession(context.sessionKey) && !isMachineTurn(context);
}
/** Whether a machine began this run. Compactions (`manual`, `overflow`) belong to the turn they happen in. */
export function isMachineTurn(context) {
    const provenance = context.inputProvenance?.kind;
    return (MACHINE_TRIGGERS.has(context.trigger ?? "") ||
        Boolean(context.jobId) ||
        (provenance !== undefined && provenance !== "external_user"));
}
/** Whether a session is a conversation with people. */
export function isHumanSession(sessionKey) {
    return Boolean(sessionKey) && !MACHINE_SESSION.test(sessionKey ?? "");
}
/** Whether others than the user read along: there private memories stay unsaid, and what is said is no secret. */
export function isPublicSession(context) {
    const chats = [context.chatType, context.channelContext?.chat?.type];
    return PUBLIC_SESSION.test(context.sessionKey ?? "") || chats.some((chat) => PUBLIC_CHATS.has(chat ?? ""));
}
/** A text without what this plugin itself put in front of it. */
export function withoutOwnBlock(text) {
    return text.replace(OWN_BLOCK, "");
}
/** The plain words of a message, without thinking, tool calls and images. */
export function wordsOf(content) {
    const parts = Array.isArray(content) ? content : [content];
    const words = parts.map(partWords).filter((text) => text !== "");
    return withoutOwnBlock(words.join("\n")).slice(0, MAX_TEXT_CHARS);
}
function partWords(part) {
    if (typeof part === "string")
        return part;
    const { type, text } = (part ?? {});
    return type === "text" && typeof text === "string" ? text : "";
}
/** A session's messages in order; those of machines' turns are there too, marked. */
export function saidIn(messages, sessionId) {
    let isHuman = true;
    const said = [];
    for (const one of messages) {
        const message = (one ?? {});
        const role = roleOf(message);
        if (!role)
            continue;
        const text = wordsOf(message.content);
        if (role === "user" && !INTERNAL_ONLY.test(text))
            isHuman = !MACHINE_TEXT.test(text);
        said.push({ ...identity(message, role, text, sessionId), role, text, isHuman });
    }
    return said;
}
function roleOf(message) {
    if (message.role === "user" || message.role === "assistant")
        return message.role;
    return message.role === "toolResult" || message.role === "tool" ? "tool" : undefined;
}
function identity(message, role, text, sessionId) {
    const timestampMs = milliseconds(message.timestamp);
    const mark = timestampMs ?? digest(`${role}\n${text.trim()}`);
    return { key: `openclaw:${sessionId}:${mark}:${role}`, timestampMs };
}
/** Since when the messages of a prompt were said, in Unix seconds; undefined where no time stands on them. */
export function saidSince(messages) {
    const spoken = (messages ?? []).filter((one) => roleOf((one ?? {})) !== undefined);
    const times = spoken.map((one) => milliseconds(one.timestamp)).filter((time) => time !== undefined);
    return times.length ? Math.floor(Math.min(...times) / 1000) : undefined;
}
function milliseconds(timestamp) {
    const value = typeof timestamp === "string" ? Date.parse(timestamp) : timestamp;
    return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.floor(value) : undefined;
}
function digest(text) {
    return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
