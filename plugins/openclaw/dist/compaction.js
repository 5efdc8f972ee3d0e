/** A conversation outlives its window: memud sums it up before OpenClaw shortens or ends it. */
import { capture } from "./capture.js";
import { isHumanSession, isHumanTurn } from "./turns.js";
const LIMIT_MS = 5_000;
const FAREWELL_LIMIT_MS = 1_500; // a stopping gateway gives its hooks two seconds in all
const MAX_SESSIONS = 500;
/** How full the window really is: the last call's tokens. The event's own usage is summed over all calls. */
export function noteWindow(shared, event, context) {
    const window = windowUse(event, context);
    if (!window || !isHumanTurn(context) || !context.sessionKey)
        return;
    shared.windows.delete(context.sessionKey);
    shared.windows.set(context.sessionKey, window);
    for (const oldest of shared.windows.keys()) {
        if (shared.windows.size <= MAX_SESSIONS)
            break;
        shared.windows.delete(oldest);
    }
}
function windowUse(event, context) {
    const { usage } = (event.lastAssistant ?? {});
    const parts = ["input", "cacheRead", "cacheWrite", "output"].map((part) => Number(usage?.[part] ?? 0) || 0);
    const tokens = Math.round(parts.reduce((sum, part) => sum + part, 0));
    const budget = Math.round(Number(event.contextTokenBudget ?? context.contextTokenBudget ?? 0));
    return tokens > 0 && budget > 0 ? { tokens_used: tokens, context_window: budget } : undefined;
}
/** Before a compaction or a reset: the last words first, then the summary; a second call changes nothing. */
export async function beforeCut(shared, settings, reason, event, context) {
    if (event.messages?.length)
        await capture(shared, settings, event.messages, context);
    await sumUp(shared, settings, reason, context, LIMIT_MS);
}
/** After a compaction the next prompt of the session is offered the summary. */
export function afterCompaction(shared, context) {
    if (!isHumanSession(context.sessionKey))
        return;
    shared.compacted.add(context.sessionKey);
    shared.windows.delete(context.sessionKey);
}
export async function atSessionEnd(shared, settings, event, context) {
    const sessionKey = context.sessionKey ?? event.sessionKey;
    const ended = sessionKey === undefined ? context : { ...context, sessionKey };
    await sumUp(shared, settings, event.reason ?? "session_end", ended, FAREWELL_LIMIT_MS);
}
async function sumUp(shared, settings, reason, context, limitMs) {
    if (!settings.capture || !isHumanSession(context.sessionKey))
        return;
    const params = { session_id: context.sessionKey, agent_id: context.agentId, reason: reason.slice(0, 64) };
    try {
        await shared.delivery.deliver({ method: "session.compact", params }, limitMs);
    }
    catch (error) {
        shared.notes.fault("session.compact", error);
    }
}
