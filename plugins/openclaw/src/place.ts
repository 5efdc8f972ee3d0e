/** Where the user spoke last in private: reminders go there, also after a restart. */

import { remember, remembered } from "./files.js";
import type { AgentContext } from "./host.js";
import { isHumanSession, isPublicSession } from "./turns.js";

export interface Place {
  sessionKey: string;
  agentId: string;
}

const FIRST: Place = { sessionKey: "agent:main:main", agentId: "main" };

export class LastPlace {
  readonly #path: string;
  #place: Place | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** The last private session; before the first one the agent's main session. */
  get(): Place {
    this.#place ??= this.#read();
    return this.#place ?? FIRST;
  }

  /** Take note of a turn that a person made. */
  note(context: AgentContext): void {
    const { sessionKey, agentId } = context;
    if (!isHumanSession(sessionKey) || isPublicSession(context)) return;
    if (this.get().sessionKey === sessionKey && this.#place) return;
    this.#place = { sessionKey, agentId: agentId ?? agentOf(sessionKey) };
    remember(this.#path, this.#place);
  }

  #read(): Place | undefined {
    const { sessionKey, agentId } = (remembered(this.#path) ?? {}) as Partial<Place>;
    return typeof sessionKey === "string" && typeof agentId === "string" ? { sessionKey, agentId } : undefined;
  }
}

function agentOf(sessionKey: string): string {
  return sessionKey.split(":")[1] ?? FIRST.agentId;
}
