/** What memud wants to bring up: heard from its subscription, claimed, and said once. */
import { block, harmless } from "./block.js";
import { isHeartbeatOn, isReplySent } from "./heartbeat.js";
import { languageOf, phrase } from "./texts.js";
const LIMIT_MS = 5_000;
const ASKED_FOR = 0.95; // from this probability on the user asked for it in so many words
const SOON_S = 60;
const LONGEST_WAIT_MS = 24 * 3600 * 1000;
const PUT_BACK_S = 600;
const WAKE_GRACE_MS = 75_000; // a wake that OpenClaw takes has begun its turn by then
export class Proactive {
    #api;
    #shared;
    #settings;
    constructor(api, shared, settings) {
        this.#api = api;
        this.#shared = shared;
        this.#settings = settings;
    }
    /** Say one prediction, if nobody else does: by a turn of its own, or with the user's next message. */
    async bringUp(id) {
        const place = this.#shared.lastPlace.get();
        const item = await this.#claim(id, place);
        if (!item)
            return;
        const isSaid = (await this.#wake(item, place)) || (await this.#inject(item, place));
        if (!isSaid)
            await this.#putBack(item);
    }
    /** Claimed before it is shown: whoever gets it says it, and nobody else. */
    async #claim(id, place) {
        const params = { ids: [id], limit: 1, session_id: place.sessionKey, agent_id: place.agentId, private: true };
        const answer = await this.#shared.connection.call("proactive.next", params, LIMIT_MS);
        const [item] = Array.isArray(answer["results"]) ? answer["results"] : [];
        return item;
    }
    async #wake(item, place) {
        const system = this.#api.runtime?.system;
        if (!system || !isReminder(item) || !this.#mayWake(place))
            return false;
        const { sessionKey, agentId } = place;
        const text = `${phrase(languageOf(item.text), "wakeHead")} ${line(item)}`;
        system.enqueueSystemEvent(text, { sessionKey, agentId, contextKey: `memud:${item.id}`, replace: true });
        system.requestHeartbeat({ source: "other", intent: "immediate", reason: "memud", agentId, sessionKey });
        if (!isReplySent(this.#config(), agentId))
            return false; // it is said in a turn that nobody reads
        this.#injectIfNoTurnCame(item, place, Date.now());
        return true;
    }
    #mayWake({ agentId }) {
        return this.#settings.proactive === "wake" && isHeartbeatOn(this.#config(), agentId);
    }
    /** A wake can be dropped: outside active hours, in a flood, without anybody to send to. */
    #injectIfNoTurnCame(item, place, since) {
        const timer = setTimeout(() => {
            if (this.#shared.lastHeartbeatAt >= since)
                return;
            this.#inject(item, place).catch((error) => this.#shared.notes.fault("proactive", error));
        }, WAKE_GRACE_MS);
        timer.unref();
    }
    async #inject(item, place) {
        const enqueue = this.#api.session?.workflow?.enqueueNextTurnInjection;
        if (!enqueue)
            return false;
        const left = 1000 * item.expires_at - Date.now();
        const { enqueued } = await enqueue({
            ...place,
            text: block(phrase(languageOf(item.text), "proactiveHead"), [line(item)]),
            idempotencyKey: `memud:${item.id}`,
            placement: "prepend_context",
            ttlMs: Math.max(1_000, Math.min(left, LONGEST_WAIT_MS)),
        });
        return enqueued;
    }
    /** OpenClaw would not take it: it comes again, and recall brings it beside a prompt that it fits. */
    async #putBack(item) {
        const until = Math.floor(Date.now() / 1000) + PUT_BACK_S;
        await this.#shared.connection.call("proactive.resolve", { id: item.id, outcome: "snoozed", until }, LIMIT_MS);
    }
    #config() {
        return this.#api.runtime?.config?.current?.() ?? this.#api.config;
    }
}
function isReminder(item) {
    const now = Date.now() / 1000;
    return item.due_at !== null && item.due_at <= now + SOON_S && item.probability >= ASKED_FOR;
}
function line(item) {
    return `[${item.id}] ${harmless(item.text)} (${harmless(item.why)})`;
}
/** The id in a notice, if it is of a prediction. */
export function predictionId(notice) {
    const payload = (notice["payload"] ?? {});
    return notice["topic"] === "proactive" && typeof payload["id"] === "string" ? payload["id"] : undefined;
}
