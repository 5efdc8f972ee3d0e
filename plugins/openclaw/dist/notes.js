/** What the log is told: each change once, not each failed call. */
import { phrase } from "./texts.js";
const MAX_SAID = 1_000;
export class Notes {
    #logger;
    #language;
    #isLost = false;
    #isFull = false;
    #said = new Set();
    constructor(logger, language) {
        this.#logger = logger;
        this.#language = language;
    }
    /** The daemon can't be had; said once until it is back. */
    lost(error) {
        if (this.#isLost)
            return;
        this.#isLost = true;
        this.#logger.warn(phrase(this.#language, "lost", { why: reason(error) }));
    }
    /** The daemon answers. */
    found() {
        if (this.#isLost)
            this.#logger.info(phrase(this.#language, "found"));
        this.#isLost = this.#isFull = false;
    }
    full() {
        if (!this.#isFull)
            this.#logger.warn(phrase(this.#language, "full"));
        this.#isFull = true;
    }
    refused(method, error) {
        this.#warnOnce(phrase(this.#language, "refused", { method, why: reason(error) }));
    }
    /** Something that must not be overlooked; said once for each name, whatever is counted in it later. */
    loud(name, text) {
        if (this.#said.has(name))
            return;
        this.#said.add(name);
        this.#logger.error(`memud: ${text}`);
    }
    /** A fault of ours: a hook must never throw into a reply. */
    fault(where, error) {
        this.#warnOnce(`memud: ${where}: ${reason(error)}`);
    }
    #warnOnce(text) {
        if (this.#said.has(text) || this.#said.size >= MAX_SAID)
            return;
        this.#said.add(text);
        this.#logger.warn(text);
    }
}
function reason(error) {
    return error instanceof Error ? error.message : String(error);
}
