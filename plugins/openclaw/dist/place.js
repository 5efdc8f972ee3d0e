/** Where the user spoke last in private: reminders go there, also after a restart. */
import { remember, remembered } from "./files.js";
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
        remember(this.#path, this.#place);
    }
    #read() {
        const { sessionKey, agentId } = (remembered(this.#path) ?? {});
        return typeof sessionKey === "string" && typeof agentId === "string" ? { sessionKey, agentId } : undefined;
    }
}
function agentOf(sessionKey) {
    return sessionKey.split(":")[1] ?? FIRST.agentId;
}
