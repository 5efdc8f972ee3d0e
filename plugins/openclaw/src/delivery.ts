/** Brings calls that must not be lost to the daemon: at once if it is there, by way of the spool if not. */

import type { Fields } from "./host.js";
import type { Notes } from "./notes.js";
import { type Connection, Refused } from "./socket.js";
import type { Spool, Spooled } from "./spool.js";

const FLUSH_LIMIT_MS = 10_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

export class Delivery {
  readonly #connection: Connection;
  readonly #spool: Spool;
  readonly #notes: Notes;
  #flushing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pauseMs = FIRST_PAUSE_MS;

  constructor(connection: Connection, spool: Spool, notes: Notes) {
    this.#connection = connection;
    this.#spool = spool;
    this.#notes = notes;
  }

  get waiting(): number {
    return this.#spool.names().length;
  }

  /** The daemon's answer, or undefined when the call waits in the spool. Raises when not even that has room. */
  async deliver(call: Spooled, limitMs: number): Promise<Fields | undefined> {
    if (!this.#spool.isEmpty) {
      this.#keep(call); // what came first goes first
      await this.flush();
      return undefined;
    }
    try {
      return await this.#send(call, limitMs);
    } catch (error) {
      if (isFinal(error)) throw error;
      this.#notes.lost(error);
      this.#keep(call);
      return undefined;
    }
  }

  /** Send what waits, in order, until the daemon is gone again. */
  flush(): Promise<void> {
    this.#flushing ??= this.#sendAll().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  async #sendAll(): Promise<void> {
    for (const name of this.#spool.names()) {
      const call = this.#spool.read(name);
      if (call && !(await this.#sendKept(name, call))) return;
    }
  }

  async #sendKept(name: string, call: Spooled): Promise<boolean> {
    try {
      await this.#send(call, FLUSH_LIMIT_MS);
      this.#spool.done(name);
      return true;
    } catch (error) {
      if (!isFinal(error)) return false;
      this.#notes.refused(call.method, error);
      this.#spool.setAside(name);
      return true;
    }
  }

  async #send(call: Spooled, limitMs: number): Promise<Fields> {
    const answer = await this.#connection.call(call.method, call.params, limitMs);
    this.#notes.found();
    return answer;
  }

  #keep(call: Spooled): void {
    const owned = { ...call, params: { user_id: this.#connection.user, ...call.params } }; // the setting may change
    if (!this.#spool.keep(owned)) {
      this.#notes.full();
      throw new Error("the spool is full");
    }
    this.#tryLater();
  }

  /** What waits should be found by the next prompt, not only after it. Asking a daemon that is away is cheap. */
  #tryLater(): void {
    if (this.#timer) return;
    this.#timer = setTimeout(() => void this.#retry(), this.#pauseMs);
    this.#timer.unref();
  }

  async #retry(): Promise<void> {
    await this.flush();
    this.#timer = undefined;
    this.#pauseMs = this.#spool.isEmpty ? FIRST_PAUSE_MS : Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
    if (!this.#spool.isEmpty) this.#tryLater();
  }
}

/** Whether sending again would be answered in the same way. */
function isFinal(error: unknown): error is Refused {
  return error instanceof Refused && !error.retriable;
}
