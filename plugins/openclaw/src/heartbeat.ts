/** Whether OpenClaw may start a turn by itself, and whether anybody would see its reply. The CLI judges alike. */

import type { Fields } from "./host.js";
import { at } from "./settings.js";

const EVERY_DEFAULT = "30m";
const TIME = /^(?:\d+(?:\.\d+)?(?:ms|[smhd]))*(?:\d+(?:\.\d+)?)?$/i; // a last part without a unit means minutes
const SOMETHING = /[1-9]/;

/** Whether a private reminder may start a turn: the heartbeat runs, and its reply can't end up in a group. */
export function mayWake(config: unknown, agentId: string | undefined): boolean {
  return isHeartbeatOn(config, agentId) && target(config, agentId) !== "last";
}

/** Whether a heartbeat's reply is sent to a person; else it stays in the transcript, where nobody looks. */
export function isReplySent(config: unknown, agentId: string | undefined): boolean {
  const to = target(config, agentId) ?? "owner";
  return to === "owner" ? knowsOwner(config) : to !== "none";
}

/** Whether the agent's heartbeat runs. OpenClaw's wakes come without its cron. */
function isHeartbeatOn(config: unknown, agentId: string | undefined): boolean {
  if (!hasHeartbeat(config, agentId)) return false;
  const every = setting(config, agentId, "every") ?? EVERY_DEFAULT;
  return typeof every === "string" && TIME.test(every.trim()) && SOMETHING.test(every);
}

/** Agents that set one of their own have one; else the agent that the defaults name, all of them, or the only one. */
function hasHeartbeat(config: unknown, agentId: string | undefined): boolean {
  const all = agents(config);
  const own = all.filter(([, agent]) => at(agent, "heartbeat"));
  if (own.length) return own.some(([id]) => id === agentId);
  const defaults = at(config, "agents", "defaults", "heartbeat");
  const named = at(defaults, "agentId") ?? (defaults ? undefined : at(config, "agents", "defaults", "systemAgent", "agentId"));
  return named ? named === agentId : Boolean(defaults) || all.length <= 1 || isFirst(config, agentId);
}

/** Of agents in a list the one that is marked, or the first; named agents have no first one. */
function isFirst(config: unknown, agentId: string | undefined): boolean {
  const listed = at(config, "agents", "list");
  if (!Array.isArray(listed)) return false;
  const first: unknown = listed.find((agent) => at(agent, "default") === true) ?? listed[0];
  return at(first, "id") === agentId;
}

/** Without a target OpenClaw writes to its owner, if it knows one on some channel. */
function knowsOwner(config: unknown): boolean {
  const channels = Object.entries((at(config, "channels") ?? {}) as Fields).filter(([name]) => name !== "defaults");
  if (!channels.length) return false;
  return isConcrete(at(config, "commands", "ownerAllowFrom")) || channels.some(([, channel]) => allows(channel));
}

function allows(channel: unknown): boolean {
  const accounts = Object.values((at(channel, "accounts") ?? {}) as Fields);
  return [channel, at(channel, "dm"), ...accounts].some((one) => isConcrete(at(one, "allowFrom")));
}

/** Whether it names somebody, and not only everybody. */
function isConcrete(names: unknown): boolean {
  return Array.isArray(names) && names.map(String).some((name) => name.trim() !== "" && !/(?:^|:)\*$/.test(name.trim()));
}

function target(config: unknown, agentId: string | undefined): unknown {
  return setting(config, agentId, "target");
}

function setting(config: unknown, agentId: string | undefined, name: string): unknown {
  const own = agents(config).find(([id]) => id === agentId)?.[1];
  return at(own, "heartbeat", name) ?? at(config, "agents", "defaults", "heartbeat", name);
}

/** The agents with their settings; older configurations list them, newer ones name them. */
function agents(config: unknown): [string, unknown][] {
  const listed = at(config, "agents", "list");
  const named = at(config, "agents", "entries");
  return [
    ...(Array.isArray(listed) ? listed.map((agent): [string, unknown] => [String(at(agent, "id")), agent]) : []),
    ...(named && typeof named === "object" ? Object.entries(named) : []),
  ];
}
