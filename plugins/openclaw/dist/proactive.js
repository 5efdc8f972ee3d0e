/** What memud wants to bring up: claimed first, then said once, by a turn of its own or with the next message. */
import { isPrivate } from "./audience.js";
import { block, harmless } from "./block.js";
import { isReplySent, mayWake } from "./heartbeat.js";
import { languageOf, phrase } from "./texts.js";
const LIMIT_MS = 5_000;
const ASKED_FOR = 0.95; // from this probability on the user asked for it in so many words
const SOON_S = 60;
const AT_ONCE = 3;
const WAKE_GRACE_MS = 75_000; // a wake that OpenClaw takes has begun its turn by then
/** Hears of predictions in the gateway and decides how each is said. */
export class Proactive {
    #api;
    #shared;
    #settings;
    constructor(api, shared, settings) {
        this.#api = api;
        this.#shared = shared;
        this.#settings = settings;
    }
    /** A due reminder starts a turn by itself where that is possible; everything else waits for the user. */
    async bringUp(item) {
        const place = this.#shared.lastPlace.get();
        if (!isReminder(item) || !this.#mayWake(place)) {
            return this.#shared.pending.add({ id: item.id, expires_at: item.expires_at });
        }
        const claimed = await claim(this.#shared, [item.id], place);
        for (const one of claimed)
            this.#wake(one, place);
    }
    #mayWake({ agentId, sessionKey }) {
        const { runtime } = this.#api;
        const isWanted = this.#settings.proactive === "wake" && Boolean(runtime?.system);
        return isWanted && mayWake(this.#config(), agentId) && isPrivate(this.#shared, { sessionKey });
    }
    #wake(item, place) {
        const { sessionKey, agentId } = place;
        const text = `${phrase(languageOf(item.text), "wakeHead")} ${lineOf(item)}`;
        const system = this.#api.runtime?.system;
        system?.enqueueSystemEvent(text, { sessionKey, agentId, contextKey: `memud:${item.id}`, replace: true });
        system?.requestHeartbeat({ source: "other", intent: "immediate", reason: "memud", agentId, sessionKey });
        if (isReplySent(this.#config(), agentId))
            this.#waitForTurn(item, Date.now());
        else
            this.#saidInVain(item);
    }
    /** A wake can be dropped: outside active hours, in a flood, without anybody to send to. */
    #waitForTurn(item, since) {
        const timer = setTimeout(() => {
            if (this.#shared.lastHeartbeatAt < since)
                this.#saidInVain(item);
        }, WAKE_GRACE_MS);
        timer.unref();
    }
    #saidInVain(item) {
        this.#shared.pending.add({ id: item.id, expires_at: item.expires_at, line: lineOf(item) });
    }
    #config() {
        return this.#shared.config();
    }
}
/**
 * What waits for this message, once. OpenClaw's own queue of injections is not used: it belongs to one session,
 * and a heartbeat that nobody reads empties it.
 */
export async function withNextMessage(shared, context, limitMs) {
    if (!context.sessionKey || !isPrivate(shared, context))
        return "";
    const waiting = shared.pending.at(Date.now() / 1000);
    if (!waiting.length)
        return "";
    const place = { sessionKey: context.sessionKey, agentId: context.agentId };
    const unclaimed = waiting.filter((one) => one.line === undefined).map((one) => one.id);
    const answered = unclaimed.length ? await claim(shared, unclaimed, place, limitMs).catch(() => undefined) : [];
    const claimed = answered ?? [];
    const own = waiting.filter((one) => one.line !== undefined).slice(0, AT_ONCE);
    shared.pending.remove(new Set([...own, ...claimed].map((one) => one.id)));
    if (answered)
        shared.pending.noteTry(new Set(unclaimed)); // a daemon that is away has refused nothing
    const lines = [...own.map((one) => one.line ?? ""), ...claimed.map(lineOf)];
    return lines.length ? block(phrase(languageOf(lines.join("")), "proactiveHead"), lines) : "";
}
/** Claimed before it is shown: whoever gets it says it, and nobody else. */
async function claim(shared, ids, place, limitMs = LIMIT_MS) {
    const params = { ids, limit: AT_ONCE, session_id: place.sessionKey, agent_id: place.agentId, private: true };
    const answer = await shared.connection.call("proactive.next", params, limitMs);
    const results = Array.isArray(answer["results"]) ? answer["results"] : [];
    return results.map(whole).filter((one) => one !== undefined);
}
function isReminder(item) {
    return item.due_at !== null && item.due_at <= Date.now() / 1000 + SOON_S && item.probability >= ASKED_FOR;
}
function lineOf(item) {
    return `[${item.id}] ${harmless(item.text)} (${harmless(item.why)})`;
}
/** The prediction in a notice, if there is one. */
export function predictionIn(notice) {
    return notice["topic"] === "proactive" ? whole(notice["payload"]) : undefined;
}
function whole(given) {
    const one = { ...EMPTY, ...given };
    const isWhole = one.id !== "" && [one.id, one.text, one.why].every((part) => typeof part === "string");
    return isWhole && one.expires_at > 0 ? one : undefined;
}
const EMPTY = { id: "", text: "", why: "", probability: 0, due_at: null, expires_at: 0 };
