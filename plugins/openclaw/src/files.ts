/** Small files of the plugin's own: written whole or not at all, and readable by their owner alone. */

import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Write a file so that nobody ever reads half of it. Raises when the disk does not take it.
 *
 * No fsync: a reply does not wait for a disk. After a power cut the transcript still has the words.
 */
export function writeWhole(path: string, text: string): void {
  const part = `${path}.${process.pid}.part`;
  try {
    writeFileSync(part, text, { mode: 0o600 });
  } catch {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(part, text, { mode: 0o600 });
  }
  renameSync(part, path);
}

/** Keep a value that is worth trying to keep: a full disk costs what comes of forgetting it, and no reply. */
export function remember(path: string, value: unknown): void {
  try {
    writeWhole(path, JSON.stringify(value));
  } catch {
    // The value in memory serves until the process ends.
  }
}

/** What was kept, or undefined: never written, or damaged. */
export function remembered(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
