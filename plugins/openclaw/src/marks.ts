/** How far each session's transcript was handed over, kept over restarts; losing it costs time, never words. */

import { remember, remembered } from "./files.js";

const MAX_SESSIONS = 500;

/** By session, the key of the last message that is on disk: the daemon's, or the spool's. */
export class Marks {
  readonly #path: string;
  #lastKeys: Map<string, string> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  get(sessionId: string): string | undefined {
    return this.#loaded().get(sessionId);
  }

  set(sessionId: string, key: string): void {
    const keys = this.#loaded();
    keys.delete(sessionId); // the newest stand last, the oldest go first
    keys.set(sessionId, key);
    for (const oldest of keys.keys()) {
      if (keys.size <= MAX_SESSIONS) break;
      keys.delete(oldest);
    }
    remember(this.#path, Object.fromEntries(keys));
  }

  #loaded(): Map<string, string> {
    // The first time, or damaged: everything is offered again, and the daemon knows its keys.
    this.#lastKeys ??= new Map(Object.entries((remembered(this.#path) ?? {}) as Record<string, string>));
    return this.#lastKeys;
  }
}
