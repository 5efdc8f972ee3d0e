/** JSON-RPC over the daemon's Unix socket: opened on the first call, again after each loss, never in the way. */
import { createConnection } from "node:net";
import { circuit } from "./circuit.js";
const MAX_PENDING = 64;
const MAX_LINE_CHARS = 16 * 1024 * 1024;
const CONNECT_MS = 2_000;
/** The daemon is not there, or does not answer in time. What was sent may have been done all the same. */
export class Unreachable extends Error {
}
/** The daemon answered that it won't. `retriable`: the same call may succeed later. */
export class Refused extends Error {
    reason;
    retriable;
    hint;
    constructor(message, reason, retriable, hint) {
        super(message);
        this.reason = reason;
        this.retriable = retriable;
        this.hint = hint;
    }
}
/** One connection for all sessions. Calls may run side by side; each has its own limit. */
export class Connection {
    #options;
    #waiting = new Map();
    #circuit = circuit();
    #socket;
    #opening;
    #lastId = 0;
    #rest = "";
    constructor(options) {
        this.#options = options;
    }
    get user() {
        return this.#options.user;
    }
    get isOpen() {
        return this.#socket !== undefined;
    }
    /** The result of a method within `limitMs`. Raises Unreachable or Refused. */
    async call(method, params, limitMs) {
        if (this.#circuit.isOpen())
            throw new Unreachable("memud did not answer lately");
        if (this.#waiting.size >= MAX_PENDING)
            throw new Unreachable("too many calls wait for memud");
        const until = Date.now() + limitMs;
        const socket = await this.#opened(Math.min(limitMs, CONNECT_MS));
        return this.#ask(socket, method, params, Math.max(1, until - Date.now()));
    }
    close() {
        const socket = this.#socket;
        this.#lose(new Unreachable("the connection was closed"));
        socket?.destroy();
    }
    async #opened(limitMs) {
        if (this.#socket)
            return this.#socket;
        this.#opening ??= this.#open(limitMs).finally(() => {
            this.#opening = undefined;
        });
        return this.#opening;
    }
    #open(limitMs) {
        return new Promise((resolve, reject) => {
            const socket = createConnection(this.#options.path());
            const fail = (error) => {
                clearTimeout(timer);
                socket.destroy();
                reject(new Unreachable(error.message));
            };
            const timer = afterReading(limitMs, () => {
                if (this.#socket === socket)
                    return;
                this.#circuit.noteTimeout();
                fail(new Error("memud's socket takes nobody in"));
            });
            socket.once("error", fail);
            socket.once("connect", () => {
                clearTimeout(timer);
                socket.off("error", fail);
                this.#adopt(socket);
                resolve(socket);
            });
        });
    }
    #adopt(socket) {
        this.#socket = socket;
        this.#rest = "";
        socket.setEncoding("utf8");
        socket.unref(); // a command that has its answer must be able to end
        socket.on("data", (chunk) => this.#read(socket, chunk));
        const lost = () => {
            if (this.#socket === socket)
                this.#lose(new Unreachable("memud hung up"));
        };
        socket.on("error", lost);
        socket.on("close", lost);
        this.#greet(socket);
    }
    /** Binds the connection to the user, so that no call can leave it. Nothing waits for the answer. */
    #greet(socket) {
        const { client, user } = this.#options;
        const params = { protocol: "1", client, user_id: user };
        socket.write(frame(++this.#lastId, "hello", params));
    }
    #ask(socket, method, params, limitMs) {
        return new Promise((resolve, reject) => {
            const id = ++this.#lastId;
            const timer = afterReading(limitMs, () => this.#giveUp(id, method, limitMs));
            this.#waiting.set(id, { resolve, reject, timer });
            socket.ref();
            socket.write(frame(id, method, params));
        });
    }
    #giveUp(id, method, limitMs) {
        if (!this.#waiting.has(id))
            return;
        if (this.#circuit.noteTimeout())
            this.#socket?.destroy();
        this.#settle(id)?.reject(new Unreachable(`${method}: no answer within ${limitMs} ms`));
    }
    #settle(id) {
        const waiting = this.#waiting.get(id);
        if (!waiting)
            return undefined;
        clearTimeout(waiting.timer);
        this.#waiting.delete(id);
        if (this.#waiting.size === 0)
            this.#socket?.unref();
        return waiting;
    }
    #read(socket, chunk) {
        const lines = (this.#rest + chunk).split("\n");
        this.#rest = lines.pop() ?? "";
        if (this.#rest.length > MAX_LINE_CHARS)
            socket.destroy();
        for (const line of lines)
            this.#take(line);
    }
    #take(line) {
        const message = parsed(line);
        if (!message)
            return;
        if (typeof message["method"] === "string") {
            this.#options.onNotice?.({ method: message["method"], params: fields(message["params"]) });
            return;
        }
        this.#circuit.noteAnswer();
        const waiting = this.#settle(Number(message["id"]));
        if (message["error"])
            waiting?.reject(refused(fields(message["error"])));
        else
            waiting?.resolve(fields(message["result"]));
    }
    #lose(error) {
        this.#socket = undefined;
        for (const id of [...this.#waiting.keys()])
            this.#settle(id)?.reject(error);
        this.#options.onLoss?.();
    }
}
/** A limit that holds what has arrived for none too late: a busy gateway may look at its sockets after its clocks. */
function afterReading(limitMs, run) {
    return setTimeout(() => setImmediate(run), limitMs);
}
/** Half an emoji, as a cut text ends with, is no Unicode: the daemon could not read the line, nor say whose it was. */
function frame(id, method, params) {
    const whole = (_name, value) => (typeof value === "string" ? value.toWellFormed() : value);
    return `${JSON.stringify({ jsonrpc: "2.0", id, method, params }, whole)}\n`;
}
function parsed(line) {
    try {
        return fields(JSON.parse(line));
    }
    catch {
        return undefined; // half a line of a daemon that was killed
    }
}
function fields(value) {
    return typeof value === "object" && value !== null ? value : {};
}
function refused(error) {
    const data = fields(error["data"]);
    return new Refused(String(error["message"] ?? "memud refused"), String(data["reason"] ?? "internal"), data["retriable"] === true, String(data["hint"] ?? ""));
}
