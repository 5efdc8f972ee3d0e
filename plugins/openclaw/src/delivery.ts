/** Brings calls that must not be lost to the daemon: at once if it is there, by way of the spool if not. */

import type { Fields } from "./host.js";
import type { Notes } from "./notes.js";
import { type Connection, Refused } from "./socket.js";
import type { Spool, Spooled } from "./spool.js";

const FLUSH_LIMIT_MS = 10_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
const MAY_BE_PART = new Set(["invalid", "too_large"]); // of the events; what else is refused is refused for all

export class Delivery {
  readonly #connection: Connection;
  readonly #spool: Spool;
  readonly #notes: Notes;
  #flushing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #refusals = 0;

  constructor(connection: Connection, spool: Spool, notes: Notes) {
    this.#connection = connection;
    this.#spool = spool;
    this.#notes = notes;
  }

  get waiting(): number {
    return this.#spool.names().length;
  }

  /** How many calls the daemon has refused for good since the process began. */
  get refusals(): number {
    return this.#refusals;
  }

  /**
   * The daemon's answer, or undefined when the call waits in the spool, or was refused for good and is set aside.
   * Raises when not even the spool has room.
   */
  async deliver(call: Spooled, limitMs: number): Promise<Fields | undefined> {
    if (!this.#spool.isEmpty) {
      this.#keep(call); // what came first goes first
      await this.flush();
      return undefined;
    }
    try {
      return await this.#sendParts(call, limitMs);
    } catch (error) {
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
      await this.#sendParts(call, FLUSH_LIMIT_MS);
      this.#spool.done(name);
      return true;
    } catch {
      return false;
    }
  }

  /** What is refused for good is sent in halves, until what is bad stands alone: it must not cost the rest. */
  async #sendParts(call: Spooled, limitMs: number): Promise<Fields | undefined> {
    try {
      return await this.#send(call, limitMs);
    } catch (error) {
      if (!isFinal(error)) throw error;
      const halves = MAY_BE_PART.has(error.reason) ? inHalves(call) : undefined;
      if (!halves) return this.#refuse(call, error);
      await this.#sendParts(halves[0], limitMs);
      return this.#sendParts(halves[1], limitMs);
    }
  }

  /** Nobody's words are thrown away: they lie beside the spool for a person to look at. */
  #refuse(call: Spooled, error: Refused): undefined {
    this.#refusals += 1;
    this.#notes.refused(call.method, error);
    if (call.method === "capture") this.#spool.keepRefused(this.#owned(call));
  }

  async #send(call: Spooled, limitMs: number): Promise<Fields> {
    const answer = await this.#connection.call(call.method, call.params, limitMs);
    this.#notes.found();
    return answer;
  }

  #keep(call: Spooled): void {
    if (!this.#spool.keep(this.#owned(call))) {
      this.#notes.full();
      throw new Error("the spool is full");
    }
    this.#tryLater();
  }

  /** A call that knows its user: the setting may change. */
  #owned(call: Spooled): Spooled {
    return { ...call, params: { user_id: this.#connection.user, ...call.params } };
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

/** A capture of several events as two; the window is told with the last. */
function inHalves({ method, params }: Spooled): [Spooled, Spooled] | undefined {
  const events: unknown = params["events"];
  if (method !== "capture" || !Array.isArray(events) || events.length < 2) return undefined;
  const { context, ...scope } = params;
  const middle = Math.floor(events.length / 2);
  const last = { ...scope, events: events.slice(middle), ...(context !== undefined && { context }) };
  return [{ method, params: { ...scope, events: events.slice(0, middle) } }, { method, params: last }];
}

/** Whether sending again would be answered in the same way. */
function isFinal(error: unknown): error is Refused {
  return error instanceof Refused && !error.retriable;
}
