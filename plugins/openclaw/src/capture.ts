/** After each turn: what was said since the last one goes to memud, each message once, under its own key. */

import type { AgentContext, Fields } from "./host.js";
import type { Settings } from "./settings.js";
import type { Shared, WindowUse } from "./shared.js";
import { isHumanSession, isMachineTurn, isPublicSession, saidIn, type Said } from "./turns.js";
import { windowAfter } from "./window.js";

const EVENTS_A_CALL = 100;
const CHARS_A_CALL = 1_000_000; // well under the daemon's line of 4 MiB, whatever the script
const LIMIT_MS = 2_000; // what takes longer waits in the spool, and its keys make it one effect
const MAX_MACHINE_KEYS = 10_000;
const MAX_TOOL_CHARS = 4_000;

/** Hand over a transcript's new messages. One session's calls go one after the other. Never throws. */
export function capture(
  shared: Shared,
  settings: Settings,
  messages: readonly unknown[],
  context: AgentContext,
): Promise<void> {
  const session = context.sessionId ?? context.sessionKey ?? "";
  const before = shared.queues.get(session) ?? Promise.resolve();
  const done = before
    .then(() => takeTurn(shared, settings, messages, context))
    .catch((error: unknown) => shared.notes.fault("capture", error))
    .finally(() => {
      if (shared.queues.get(session) === done) shared.queues.delete(session);
    });
  shared.queues.set(session, done);
  return done;
}

async function takeTurn(
  shared: Shared,
  settings: Settings,
  messages: readonly unknown[],
  context: AgentContext,
): Promise<void> {
  const { sessionKey, sessionId } = context;
  if (!settings.capture || !isHumanSession(sessionKey) || !sessionId) return;
  const said = saidIn(shared.written.dated(messages), sessionId);
  const known = [shared.marks.get(sessionId), shared.marks.get(machineMark(sessionId))];
  const fresh = said.slice(said.findLastIndex((one) => known.includes(one.key)) + 1);
  if (isMachineTurn(context)) return noteMachineTurn(shared, sessionId, fresh);
  const last = fresh.at(-1);
  if (!last) return;
  const events = fresh.filter((one) => isKept(one, shared, settings)).map((one) => eventOf(one, context, settings));
  nameSpeaker(events, context);
  const refusedBefore = shared.delivery.refusals;
  await send(shared, events, context, windowAfter(shared, messages, context));
  shared.marks.set(sessionId, last.key);
  if (!events.length || shared.delivery.refusals > refusedBefore) return;
  shared.counts.captures += 1;
  shared.counts.uncaptured = 0;
}

/** A heartbeat's messages stand in the transcript of the session it ran in; they are not to be sent later. */
function noteMachineTurn(shared: Shared, sessionId: string, fresh: readonly Said[]): void {
  const start = Math.max(0, fresh.findLastIndex((one) => one.role === "user"));
  const last = fresh.at(-1);
  if (start === 0 && last) return shared.marks.set(machineMark(sessionId), last.key); // no person's words wait before it
  for (const one of fresh.slice(start)) shared.machineKeys.add(one.key);
  for (const oldest of shared.machineKeys) {
    if (shared.machineKeys.size <= MAX_MACHINE_KEYS) break;
    shared.machineKeys.delete(oldest);
  }
}

/** A mark of its own: OpenClaw takes a heartbeat out of the transcript again, and the person's mark must stay. */
function machineMark(sessionId: string): string {
  return `${sessionId}#machine`;
}

function isKept(one: Said, shared: Shared, settings: Settings): boolean {
  const isWanted = one.role !== "tool" || settings.captureToolResults;
  return isWanted && one.isHuman && one.text.trim() !== "" && !shared.machineKeys.has(one.key);
}

function eventOf(one: Said, context: AgentContext, settings: Settings): Fields {
  const isTool = one.role === "tool";
  return {
    key: one.key,
    role: one.role,
    content: isTool ? one.text.slice(0, MAX_TOOL_CHARS) : one.text,
    private: !isPublicSession(context),
    ...(isTool && { modality: "tool" }),
    ...(one.timestampMs !== undefined && { timestamp: Math.floor(one.timestampMs / 1000) }),
    ...(settings.timezone && { tz: settings.timezone }),
  };
}

/** In a group OpenClaw names the sender of the message that began the run; older ones name theirs themselves. */
function nameSpeaker(events: Fields[], context: AgentContext): void {
  const asked = events.findLast((event) => event["role"] === "user");
  if (asked && context.senderId && isPublicSession(context)) asked["sender"] = context.senderId.slice(0, 256);
}

async function send(
  shared: Shared,
  events: readonly Fields[],
  context: AgentContext,
  window: WindowUse | undefined,
): Promise<void> {
  const scope = { session_id: context.sessionKey, agent_id: context.agentId };
  const parts = chunks(events);
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const params = { ...scope, events: part, ...(isLast && window && { context: window }) };
    const answer = await shared.delivery.deliver({ method: "capture", params }, LIMIT_MS);
    const { due } = (answer?.["compaction"] ?? {}) as { due?: boolean };
    if (due && window) await compactAtThreshold(shared, scope, window);
  }
}

/** The window has filled up: what was said is summed up before OpenClaw cuts it. */
async function compactAtThreshold(shared: Shared, scope: Fields, window: WindowUse): Promise<void> {
  const params = { ...scope, reason: "threshold", context: window };
  await shared.delivery.deliver({ method: "session.compact", params }, LIMIT_MS);
}

function chunks(events: readonly Fields[]): Fields[][] {
  const parts: Fields[][] = [];
  let chars = 0;
  for (const event of events) {
    const size = String(event["content"]).length;
    const part = parts.at(-1);
    if (part && part.length < EVENTS_A_CALL && chars + size <= CHARS_A_CALL) {
      part.push(event);
      chars += size;
    } else {
      parts.push([event]);
      chars = size;
    }
  }
  return parts;
}
