/** Predictions that wait for the user's next message, wherever it comes; kept over restarts. */
import { remember, remembered } from "./files.js";
const MAX_WAITING = 50;
const MAX_TRIES = 5;
/** A file that somebody else wrote into must not cost a reply its memory. */
function isWaiting(one) {
    const { id, expires_at, line, tries } = (one ?? {});
    const isLine = line === undefined || typeof line === "string";
    return typeof id === "string" && typeof expires_at === "number" && typeof tries === "number" && isLine;
}
export class Pending {
    #path;
    #waiting;
    constructor(path) {
        this.#path = path;
    }
    /** What is still of use at a moment, oldest first. */
    at(nowS) {
        return this.#loaded().filter((one) => one.expires_at > nowS);
    }
    add(one) {
        const others = this.#loaded().filter((other) => other.id !== one.id);
        this.#save([...others, { ...one, tries: 0 }].slice(-MAX_WAITING));
    }
    /** These were said. */
    remove(ids) {
        this.#save(this.#loaded().filter((one) => !ids.has(one.id)));
    }
    /** These were asked for and not given: somebody else may have said them, or it is not their moment yet. */
    noteTry(ids) {
        const tried = this.#loaded().map((one) => (ids.has(one.id) ? { ...one, tries: one.tries + 1 } : one));
        this.#save(tried.filter((one) => one.tries < MAX_TRIES));
    }
    #loaded() {
        if (!this.#waiting) {
            const kept = remembered(this.#path);
            this.#waiting = Array.isArray(kept) ? kept.filter(isWaiting) : [];
        }
        return this.#waiting;
    }
    #save(waiting) {
        this.#waiting = waiting;
        remember(this.#path, waiting);
    }
}
