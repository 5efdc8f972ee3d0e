/** The time that OpenClaw writes a message down with: while it is answered it bears another, and keys need one. */
const MAX_MESSAGES = 1_000;
export class Written {
    #times = new Map();
    /** Called before each message goes into the transcript. */
    note(message) {
        const name = nameOf(message);
        if (name === undefined)
            return;
        this.#times.set(name, message?.timestamp);
        for (const oldest of this.#times.keys()) {
            if (this.#times.size <= MAX_MESSAGES)
                break;
            this.#times.delete(oldest);
        }
    }
    /** The messages with the times that an import will find, as far as they are known. */
    dated(messages) {
        return messages.map((one) => {
            const written = this.#times.get(nameOf(one) ?? "");
            return written === undefined ? one : { ...one, timestamp: written };
        });
    }
}
function nameOf(message) {
    const name = message?.idempotencyKey;
    return typeof name === "string" && name ? name : undefined;
}
