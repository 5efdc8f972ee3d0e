/** The daemon's notices, in order, from where they were left: over restarts of either side. */

import { remember, remembered } from "./files.js";
import type { Fields } from "./host.js";
import { Connection, type Notice } from "./socket.js";
import { CLIENT } from "./version.js";

const LIMIT_MS = 5_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;

interface Options {
  path(): string;
  user: string;
  cursorPath: string;
  onNotice(notice: Fields): Promise<void>;
}

/** Has a connection of its own, so that a slow notice keeps no prompt waiting. */
export class Subscription {
  readonly #options: Options;
  #connection: Connection | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #handled: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Subscribe, again and again until it is stopped. */
  async start(): Promise<void> {
    if (this.#isStopped) return;
    const connection = this.#connect();
    try {
      const cursor = this.#cursor();
      const params = { topics: ["proactive"], ...(cursor !== undefined && { cursor }) };
      const answer = await connection.call("subscribe", params, LIMIT_MS);
      if (cursor === undefined) this.#keep(Number(answer["cursor"])); // a notice may overtake the answer
      this.#pauseMs = FIRST_PAUSE_MS;
    } catch {
      this.#retry(connection); // whoever asks for memory says that the daemon is away
    }
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#connection?.close();
  }

  #connect(): Connection {
    const { path, user } = this.#options;
    const connection: Connection = new Connection({
      path,
      client: CLIENT,
      user,
      onNotice: (notice) => this.#take(connection, notice),
      onLoss: () => this.#retry(connection),
    });
    this.#connection = connection;
    return connection;
  }

  #retry(connection: Connection): void {
    if (this.#isStopped || this.#connection !== connection) return;
    this.#connection = undefined;
    connection.close();
    this.#timer = setTimeout(() => void this.start(), this.#pauseMs);
    this.#timer.unref();
    this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
  }

  #take(connection: Connection, { method, params }: Notice): void {
    if (method === "lagged") return this.#retry(connection); // from the cursor nothing is missed
    if (method !== "event") return;
    this.#handled = this.#handled
      .then(() => this.#handle(connection, params))
      .catch(() => this.#retry(connection)); // the notice comes again, with those behind it
  }

  /** The cursor moves after the notice is handled: a crash in between tells it once more, and claims are single. */
  async #handle(connection: Connection, notice: Fields): Promise<void> {
    if (this.#connection !== connection) return;
    await this.#options.onNotice(notice);
    this.#keep(Number(notice["cursor"]));
  }

  #cursor(): number | undefined {
    const { cursor } = (remembered(this.#options.cursorPath) ?? {}) as { cursor?: unknown };
    return typeof cursor === "number" ? cursor : undefined; // the first time: from now on
  }

  #keep(cursor: number): void {
    if (Number.isInteger(cursor)) remember(this.#options.cursorPath, { cursor });
  }
}
