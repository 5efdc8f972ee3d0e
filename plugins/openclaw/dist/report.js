/** Tells the daemon how the plugin fares, so that `memud status` and `memud doctor` know it too. */
import { createHash } from "node:crypto";
import { basename, dirname } from "node:path";
import { problems, wordsFor } from "./check.js";
import { isReplySent, mayWake } from "./heartbeat.js";
import { currentConfig } from "./settings.js";
import { VERSION } from "./version.js";
const EVERY_MS = 60_000;
const LIMIT_MS = 5_000;
/** When a due reminder is said: by a turn of its own, or with the next message. */
export function reminders(config, shared, settings) {
    if (settings.proactive !== "wake")
        return settings.proactive;
    const { agentId } = shared.lastPlace.get();
    return mayWake(config, agentId) && isReplySent(config, agentId) ? "wake" : "next-turn";
}
/** Names this gateway among others on the machine, the same after a restart: by its folder. */
export function instanceOf(folder) {
    const name = basename(dirname(folder)).replace(/[^\w-]+/g, "").slice(0, 40) || "openclaw";
    return `${name}-${createHash("sha256").update(folder).digest("hex").slice(0, 4)}`;
}
export class Reporter {
    #api;
    #shared;
    #settings;
    #timer;
    constructor(api, shared, settings) {
        this.#api = api;
        this.#shared = shared;
        this.#settings = settings;
    }
    /** Say at once what is wrong, then once a minute how it goes; what waits in the spool is tried too. */
    start() {
        this.sayAloud();
        void this.tell();
        this.#timer = setInterval(() => void this.tell(), EVERY_MS);
        this.#timer.unref();
    }
    stop() {
        clearInterval(this.#timer);
    }
    /** What is wrong goes to OpenClaw's log, each thing once. */
    sayAloud() {
        for (const problem of problems(currentConfig(this.#api), this.#shared, this.#settings)) {
            this.#shared.notes.loud(problem, wordsFor(problem, this.#shared, this.#settings));
        }
    }
    async tell() {
        this.sayAloud();
        try {
            await this.#shared.connection.call("agent.report", this.report(), LIMIT_MS);
            this.#shared.notes.found();
            await this.#shared.delivery.flush();
        }
        catch (error) {
            this.#shared.notes.lost(error);
        }
    }
    report() {
        const { turns, recalls, captures } = this.#shared.counts;
        const isKept = this.#settings.capture;
        return {
            name: "openclaw",
            instance: instanceOf(this.#shared.folder),
            version: VERSION,
            problems: problems(currentConfig(this.#api), this.#shared, this.#settings),
            reminders: reminders(currentConfig(this.#api), this.#shared, this.#settings),
            turns,
            recalls,
            captures: isKept ? captures : null, // switched off: no captures are no fault
            spooled: this.#shared.delivery.waiting,
        };
    }
}
