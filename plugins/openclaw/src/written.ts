/** The time that OpenClaw writes a message down with: while it is answered it bears another, and keys need one. */

import type { Message } from "./host.js";

const MAX_MESSAGES = 1_000;

export class Written {
  readonly #times = new Map<string, unknown>();

  /** Called before each message goes into the transcript. */
  note(message: Message | undefined): void {
    const name = nameOf(message);
    if (name === undefined) return;
    this.#times.set(name, message?.timestamp);
    for (const oldest of this.#times.keys()) {
      if (this.#times.size <= MAX_MESSAGES) break;
      this.#times.delete(oldest);
    }
  }

  /** The messages with the times that an import will find, as far as they are known. */
  dated(messages: readonly unknown[]): unknown[] {
    return messages.map((one) => {
      const written = this.#times.get(nameOf(one as Message) ?? "");
      return written === undefined ? one : { ...(one as Message), timestamp: written };
    });
  }
}

function nameOf(message: Message | undefined | null): string | undefined {
  const name = message?.idempotencyKey;
  return typeof name === "string" && name ? name : undefined;
}
