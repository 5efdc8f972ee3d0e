/** What the log is told: each change once, not each failed call. */

import type { Logger } from "./host.js";
import type { Language } from "./settings.js";
import { phrase } from "./texts.js";

const MAX_SAID = 1_000;

export class Notes {
  readonly #logger: Logger;
  readonly #language: Language;
  #isLost = false;
  #isFull = false;
  readonly #said = new Set<string>();

  constructor(logger: Logger, language: Language) {
    this.#logger = logger;
    this.#language = language;
  }

  /** The daemon can't be had; said once until it is back. */
  lost(error: unknown): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#logger.warn(phrase(this.#language, "lost", { why: reason(error) }));
  }

  /** The daemon answers. */
  found(): void {
    if (this.#isLost) this.#logger.info(phrase(this.#language, "found"));
    this.#isLost = this.#isFull = false;
  }

  full(): void {
    if (!this.#isFull) this.#logger.warn(phrase(this.#language, "full"));
    this.#isFull = true;
  }

  refused(method: string, error: Error): void {
    this.#warnOnce(phrase(this.#language, "refused", { method, why: reason(error) }));
  }

  /** Something that must not be overlooked; said once for each name, whatever is counted in it later. */
  loud(name: string, text: string): void {
    if (this.#said.has(name)) return;
    this.#said.add(name);
    this.#logger.error(`memud: ${text}`);
  }

  /** A fault of ours: a hook must never throw into a reply. */
  fault(where: string, error: unknown): void {
    this.#warnOnce(`memud: ${where}: ${reason(error)}`);
  }

  #warnOnce(text: string): void {
    if (this.#said.has(text) || this.#said.size >= MAX_SAID) return;
    this.#said.add(text);
    this.#logger.warn(text);
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
