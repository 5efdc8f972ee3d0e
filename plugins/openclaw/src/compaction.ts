/** A conversation outlives its window: memud sums it up before OpenClaw shortens or ends it. */

import { capture } from "./capture.js";
import type { AgentContext, ConversationEvent, SessionEndEvent } from "./host.js";
import type { Settings } from "./settings.js";
import type { Shared, WindowUse } from "./shared.js";
import { isHumanSession } from "./turns.js";
import { windowAfter } from "./window.js";

const LIMIT_MS = 3_000; // the daemon itself waits two seconds for the last facts
const FAREWELL_LIMIT_MS = 1_500; // a stopping gateway gives its hooks two seconds in all

/** Before a compaction or a reset: the last words first, then the summary; a second call changes nothing. */
export async function beforeCut(
  shared: Shared,
  settings: Settings,
  reason: string,
  event: ConversationEvent,
  context: AgentContext,
): Promise<void> {
  if (event.messages?.length) await capture(shared, settings, event.messages, context);
  const window = windowAfter(shared, event.messages ?? [], context, event.tokenCount);
  await sumUp(shared, settings, reason, context, LIMIT_MS, window);
}

/** After a compaction the next prompt of the session is offered the summary. */
export function afterCompaction(shared: Shared, context: AgentContext): void {
  if (!isHumanSession(context.sessionKey)) return;
  shared.compacted.add(context.sessionKey);
}

export async function atSessionEnd(
  shared: Shared,
  settings: Settings,
  event: SessionEndEvent,
  context: AgentContext,
): Promise<void> {
  const sessionKey = context.sessionKey ?? event.sessionKey;
  const ended = sessionKey === undefined ? context : { ...context, sessionKey };
  await sumUp(shared, settings, event.reason ?? "session_end", ended, FAREWELL_LIMIT_MS);
}

async function sumUp(
  shared: Shared,
  settings: Settings,
  reason: string,
  context: AgentContext,
  limitMs: number,
  window?: WindowUse,
): Promise<void> {
  if (!settings.capture || !isHumanSession(context.sessionKey)) return;
  const params = {
    session_id: context.sessionKey,
    agent_id: context.agentId,
    reason: reason.slice(0, 64),
    ...(window && { context: window }), // a window that has filled up begins a cycle, whoever tells it first
  };
  try {
    await shared.delivery.deliver({ method: "session.compact", params }, limitMs);
  } catch (error) {
    shared.notes.fault("session.compact", error);
  }
}
