/** Calls that the daemon could not take, on disk until it can: bounded, in order, and safe between processes. */

import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";

import { writeWhole } from "./files.js";
import type { Fields } from "./host.js";

const MAX_FILES = 2_000;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_REFUSED_FILES = 100;
const MAX_REFUSED_BYTES = 8 * 1024 * 1024;
const REFUSED = ".refused";

export interface Spooled {
  method: string;
  params: Fields;
}

/** One file a call. Two processes may send the same file at once; its events' keys make that one effect. */
export class Spool {
  readonly #folder: string;
  readonly #gone = new Set<string>(); // what is done with and could not be taken out of the folder
  #written = 0;
  #bytes: number | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get isEmpty(): boolean {
    return this.names().length === 0;
  }

  /** What waits, oldest first. */
  names(): string[] {
    try {
      return readdirSync(this.#folder)
        .filter((name) => name.endsWith(".json") && !this.#gone.has(name))
        .sort();
    } catch {
      return []; // no folder yet
    }
  }

  /** Keep a call for later. False: the spool is full or the disk is; the transcript still has the words. */
  keep(call: Spooled): boolean {
    try {
      const text = JSON.stringify(call);
      if (!this.#hasRoomFor(Buffer.byteLength(text))) return false;
      writeWhole(join(this.#folder, this.#nextName()), text);
      return true;
    } catch {
      return false;
    }
  }

  /** The call in a file; undefined when another process has just sent it, or the file is damaged. */
  read(name: string): Spooled | undefined {
    try {
      const call: unknown = JSON.parse(readFileSync(join(this.#folder, name), "utf8"));
      if (isCall(call)) return call;
    } catch {
      // It is damaged, or gone.
    }
    this.setAside(name);
    return undefined;
  }

  done(name: string): void {
    try {
      unlinkSync(join(this.#folder, name));
    } catch {
      this.#gone.add(name); // another process was quicker, or the folder can't be written
    }
  }

  /** Keep what the daemon will never take out of the way of the rest, for a person to look at. */
  setAside(name: string): void {
    try {
      renameSync(join(this.#folder, name), join(this.#folder, name + REFUSED));
      this.#boundRefused();
    } catch {
      this.#gone.add(name); // another process was quicker, or the folder can't be written
    }
  }

  /** The same for a call that never waited. */
  keepRefused(call: Spooled): void {
    try {
      writeWhole(join(this.#folder, this.#nextName() + REFUSED), JSON.stringify(call));
      this.#boundRefused();
    } catch {
      // The disk is full; the transcript still has the words.
    }
  }

  /** The newest stay: what goes wrong each day must not fill a disk. */
  #boundRefused(): void {
    const newest = readdirSync(this.#folder).filter((name) => name.endsWith(REFUSED)).sort().reverse();
    let bytes = 0;
    newest.forEach((name, index) => {
      bytes += this.#size(name);
      if (index >= MAX_REFUSED_FILES || bytes > MAX_REFUSED_BYTES) rmSync(join(this.#folder, name), { force: true });
    });
  }

  /** Sizes are looked at once while something waits; what others take out meanwhile is counted too long. */
  #hasRoomFor(bytes: number): boolean {
    const names = this.names();
    if (!names.length) this.#bytes = 0;
    this.#bytes ??= names.reduce((sum, name) => sum + this.#size(name), 0);
    if (names.length >= MAX_FILES || this.#bytes + bytes > MAX_BYTES) return false;
    this.#bytes += bytes;
    return true;
  }

  #size(name: string): number {
    return statSync(join(this.#folder, name), { throwIfNoEntry: false })?.size ?? 0;
  }

  /** A name that nobody has: another instance in this process may count from 0 in the same millisecond. */
  #nextName(): string {
    const time = String(Date.now()).padStart(15, "0");
    for (;;) {
      const count = String(this.#written++).padStart(6, "0");
      const name = `${time}-${count}-${process.pid}.json`;
      if (![name, name + REFUSED].some((one) => existsSync(join(this.#folder, one)))) return name;
    }
  }
}

function isCall(value: unknown): value is Spooled {
  const { method, params } = (value ?? {}) as Partial<Spooled>;
  return typeof method === "string" && typeof params === "object" && params !== null;
}
