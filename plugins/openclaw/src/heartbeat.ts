/** Whether OpenClaw may start a turn by itself, and whether anybody would see its reply. */

import type { Fields } from "./host.js";
import { at } from "./settings.js";

const NEVER = /^0+(?:\.0+)?\s*[a-z]*$/i;

/** Whether a private reminder may start a turn: the heartbeat runs, and its reply can't end up in a group. */
export function mayWake(config: unknown, agentId: string | undefined): boolean {
  return isHeartbeatOn(config, agentId) && target(config, agentId) !== "last";
}

/** Whether the agent's heartbeat runs: on unless it is set to 0, or other agents alone have one. */
function isHeartbeatOn(config: unknown, agentId: string | undefined): boolean {
  const own = ownHeartbeat(config, agentId);
  if (own === undefined && otherAgentsHaveOne(config)) return false;
  const every = own?.["every"] ?? at(config, "agents", "defaults", "heartbeat", "every");
  return !NEVER.test(String(every ?? "30m"));
}

/** Whether a heartbeat's reply is sent to a person; with `none` it stays in the transcript. */
export function isReplySent(config: unknown, agentId: string | undefined): boolean {
  return target(config, agentId) !== "none";
}

function target(config: unknown, agentId: string | undefined): unknown {
  return ownHeartbeat(config, agentId)?.["target"] ?? at(config, "agents", "defaults", "heartbeat", "target");
}

function ownHeartbeat(config: unknown, agentId: string | undefined): Fields | undefined {
  const own = agents(config).find(([id]) => id === agentId)?.[1];
  return at(own, "heartbeat") as Fields | undefined;
}

function otherAgentsHaveOne(config: unknown): boolean {
  return agents(config).some(([, agent]) => at(agent, "heartbeat") !== undefined);
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
