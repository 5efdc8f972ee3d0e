/** JSON-RPC over the daemon's Unix socket: opened on the first call, again after each loss, never in the way. */

import { createConnection, type Socket } from "node:net";

import { circuit, type Circuit } from "./circuit.js";
import type { Fields } from "./host.js";

const MAX_PENDING = 64;
const MAX_LINE_CHARS = 16 * 1024 * 1024;
const CONNECT_MS = 2_000;

/** The daemon is not there, or does not answer in time. What was sent may have been done all the same. */
export class Unreachable extends Error {}

/** The daemon answered that it won't. `retriable`: the same call may succeed later. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly reason: string,
    readonly retriable: boolean,
    readonly hint: string,
  ) {
    super(message);
  }
}

export interface Notice {
  method: string;
  params: Fields;
}

interface Waiting {
  resolve(result: Fields): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

interface Options {
  path(): string;
  client: string;
  user: string;
  onNotice?(notice: Notice): void;
  onLoss?(): void;
}

/** One connection for all sessions. Calls may run side by side; each has its own limit. */
export class Connection {
  readonly #options: Options;
  readonly #waiting = new Map<number, Waiting>();
  readonly #circuit: Circuit = circuit();
  #socket: Socket | undefined;
  #opening: Promise<Socket> | undefined;
  #lastId = 0;
  #rest = "";

  constructor(options: Options) {
    this.#options = options;
  }

  get user(): string {
    return this.#options.user;
  }

  get isOpen(): boolean {
    return this.#socket !== undefined;
  }

  /** The result of a method within `limitMs`. Raises Unreachable or Refused. */
  async call(method: string, params: Fields, limitMs: number): Promise<Fields> {
    if (this.#circuit.isOpen()) throw new Unreachable("memud did not answer lately");
    if (this.#waiting.size >= MAX_PENDING) throw new Unreachable("too many calls wait for memud");
    const until = Date.now() + limitMs;
    const socket = await this.#opened(Math.min(limitMs, CONNECT_MS));
    return this.#ask(socket, method, params, Math.max(1, until - Date.now()));
  }

  close(): void {
    const socket = this.#socket;
    this.#lose(new Unreachable("the connection was closed"));
    socket?.destroy();
  }

  async #opened(limitMs: number): Promise<Socket> {
    if (this.#socket) return this.#socket;
    this.#opening ??= this.#open(limitMs).finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  #open(limitMs: number): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = createConnection(this.#options.path());
      const fail = (error: Error): void => {
        clearTimeout(timer);
        socket.destroy();
        reject(new Unreachable(error.message));
      };
      const timer = afterReading(limitMs, () => {
        if (this.#socket === socket) return;
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

  #adopt(socket: Socket): void {
    this.#socket = socket;
    this.#rest = "";
    socket.setEncoding("utf8");
    socket.unref(); // a command that has its answer must be able to end
    socket.on("data", (chunk: string) => this.#read(socket, chunk));
    const lost = (): void => {
      if (this.#socket === socket) this.#lose(new Unreachable("memud hung up"));
    };
    socket.on("error", lost);
    socket.on("close", lost);
    this.#greet(socket);
  }

  /** Binds the connection to the user, so that no call can leave it. Nothing waits for the answer. */
  #greet(socket: Socket): void {
    const { client, user } = this.#options;
    const params = { protocol: "1", client, user_id: user };
    socket.write(frame(++this.#lastId, "hello", params));
  }

  #ask(socket: Socket, method: string, params: Fields, limitMs: number): Promise<Fields> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      const timer = afterReading(limitMs, () => this.#giveUp(id, method, limitMs));
      this.#waiting.set(id, { resolve, reject, timer });
      socket.ref();
      socket.write(frame(id, method, params));
    });
  }

  #giveUp(id: number, method: string, limitMs: number): void {
    if (!this.#waiting.has(id)) return;
    if (this.#circuit.noteTimeout()) this.#socket?.destroy();
    this.#settle(id)?.reject(new Unreachable(`${method}: no answer within ${limitMs} ms`));
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    if (!waiting) return undefined;
    clearTimeout(waiting.timer);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#socket?.unref();
    return waiting;
  }

  #read(socket: Socket, chunk: string): void {
    const lines = (this.#rest + chunk).split("\n");
    this.#rest = lines.pop() ?? "";
    if (this.#rest.length > MAX_LINE_CHARS) socket.destroy();
    for (const line of lines) this.#take(line);
  }

  #take(line: string): void {
    const message = parsed(line);
    if (!message) return;
    if (typeof message["method"] === "string") {
      this.#options.onNotice?.({ method: message["method"], params: fields(message["params"]) });
      return;
    }
    this.#circuit.noteAnswer();
    const waiting = this.#settle(Number(message["id"]));
    if (message["error"]) waiting?.reject(refused(fields(message["error"])));
    else waiting?.resolve(fields(message["result"]));
  }

  #lose(error: Error): void {
    this.#socket = undefined;
    for (const id of [...this.#waiting.keys()]) this.#settle(id)?.reject(error);
    this.#options.onLoss?.();
  }
}

/** A limit that holds what has arrived for none too late: a busy gateway may look at its sockets after its clocks. */
function afterReading(limitMs: number, run: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(run), limitMs);
}

/** Half an emoji, as a cut text ends with, is no Unicode: the daemon could not read the line, nor say whose it was. */
function frame(id: number, method: string, params: Fields): string {
  const whole = (_name: string, value: unknown): unknown => (typeof value === "string" ? value.toWellFormed() : value);
  return `${JSON.stringify({ jsonrpc: "2.0", id, method, params }, whole)}\n`;
}

function parsed(line: string): Fields | undefined {
  try {
    return fields(JSON.parse(line));
  } catch {
    return undefined; // half a line of a daemon that was killed
  }
}

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function refused(error: Fields): Refused {
  const data = fields(error["data"]);
  return new Refused(
    String(error["message"] ?? "memud refused"),
    String(data["reason"] ?? "internal"),
    data["retriable"] === true,
    String(data["hint"] ?? ""),
  );
}
