/** How full the context window is: by the tokens of the last model call alone, of all that a run may make. */
import { isHumanTurn } from "./turns.js";
const MAX_SESSIONS = 500;
/** Take note of a model's answer. The event's own usage is summed over all calls of the run and tells nothing. */
export function noteWindow(shared, event, context) {
    const tokens = tokensOf(event.lastAssistant);
    const window = use(tokens, event.contextTokenBudget ?? context.contextTokenBudget);
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
/** The window after these messages. They are asked first: OpenClaw may end a run before it tells of its output. */
export function windowAfter(shared, messages, context, atLeast = 0) {
    const noted = shared.windows.get(context.sessionKey ?? "");
    const last = messages.findLast((one) => one?.role === "assistant");
    const tokens = tokensOf(last) || noted?.tokens_used || 0;
    return use(Math.max(tokens, atLeast), context.contextTokenBudget ?? noted?.context_window);
}
function tokensOf(message) {
    const { usage } = (message ?? {});
    const parts = ["input", "cacheRead", "cacheWrite", "output"].map((part) => Number(usage?.[part] ?? 0) || 0);
    return Math.round(parts.reduce((sum, part) => sum + part, 0));
}
function use(tokens, budget) {
    const size = Math.round(Number(budget ?? 0));
    return tokens > 0 && size > 0 ? { tokens_used: tokens, context_window: size } : undefined;
}
