/** Whether what is private may be said: where it can't be told who listens, it stays unsaid. */

import type { AgentContext, Fields } from "./host.js";
import { at } from "./settings.js";
import type { Shared } from "./shared.js";
import { phrase } from "./texts.js";
import { isPublicSession } from "./turns.js";

type Listeners = Pick<AgentContext, "sessionKey" | "chatType" | "channelContext">;

/** With `session.scope: "global"` all chats are one session, whose key names none of them. */
const SHARED_SESSION = /^(?:agent:[^:]+:)?(?:global|unknown)$/;
const DIRECT_CHATS = new Set(["direct", "dm", "private"]);

/** Whether the user alone listens, for all that OpenClaw tells. */
export function isPrivate(shared: Shared, context: Listeners): boolean {
  if (isPublicSession(context)) return false;
  if (!SHARED_SESSION.test(context.sessionKey ?? "")) return true;
  const chat = context.chatType ?? context.channelContext?.chat?.type ?? "";
  if (DIRECT_CHATS.has(chat) || !hasChannels(shared.config())) return true;
  shared.notes.loud("shared", phrase(shared.language, "sharedSession"));
  return false;
}

/** Without a channel nobody but the user at this machine can write. */
export function hasChannels(config: unknown): boolean {
  const channels = (at(config, "channels") ?? {}) as Fields;
  return Object.keys(channels).some((name) => name !== "defaults");
}
