/** Where the user spoke last in private: reminders go there, also after a restart. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isHumanSession, isPublicSession } from "./turns.js";
const FIRST = { sessionKey: "agent:main:main", agentId: "main" };
export class LastPlace {
    #path;
    #place;
    constructor(path) {
        this.#path = path;
    }
    /** The last private session; before the first one the agent's main session. */
    get() {
        this.#place ??= this.#read();
        return this.#place ?? FIRST;
    }
    /** Take note of a turn that a person made. */
    note(context) {
        const { sessionKey, agentId } = context;
        if (!isHumanSession(sessionKey) || isPublicSession(context))
            return;
        if (this.get().sessionKey === sessionKey && this.#place)
            return;
        this.#place = { sessionKey, agentId: agentId ?? agentOf(sessionKey) };
        this.#write(this.#place);
    }
    #read() {
        try {
            const { sessionKey, agentId } = JSON.parse(readFileSync(this.#path, "utf8"));
            return typeof sessionKey === "string" && typeof agentId === "string" ? { sessionKey, agentId } : undefined;
        }
        catch {
            return undefined;
        }
    }
    #write(place) {
        try {
            mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
            writeFileSync(this.#path, JSON.stringify(place), { mode: 0o600 });
        }
        catch {
            // A full disk: known until the process ends.
        }
    }
}
function agentOf(sessionKey) {
    return sessionKey.split(":")[1] ?? FIRST.agentId;
}
