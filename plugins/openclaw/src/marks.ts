/** How far each session's transcript was handed over, kept over restarts; losing it costs time, never words. */

import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

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
    this.#save(keys);
  }

  #loaded(): Map<string, string> {
    this.#lastKeys ??= new Map(Object.entries(this.#read()));
    return this.#lastKeys;
  }

  #read(): Record<string, string> {
    try {
      return JSON.parse(readFileSync(this.#path, "utf8")) as Record<string, string>;
    } catch {
      return {}; // the first time, or damaged: everything is offered again, and its keys are known
    }
  }

  #save(keys: Map<string, string>): void {
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      writeFileSync(`${this.#path}.${process.pid}`, JSON.stringify(Object.fromEntries(keys)), { mode: 0o600 });
      renameSync(`${this.#path}.${process.pid}`, this.#path);
    } catch {
      // A full disk: the mark in memory serves until the process ends.
    }
  }
}
