/** How a record reads for a model: one line, its id first, for details are dropped before it sees a result. */

import { harmless } from "./block.js";
import type { Fields } from "./host.js";

/** One match of a search, on one line. */
export function resultLine(one: Fields): string {
  const marks = [one["date"], one["layer"] === "item" ? "fact" : speaker(one)].filter(Boolean).join(", ");
  return `[${String(one["id"])}] ${marks}: ${harmless(String(one["memory"]))}`;
}

function speaker(one: Fields): string {
  const { role } = (one["source"] ?? {}) as { role?: string };
  return role === "assistant" ? "said by the assistant" : role === "tool" ? "said by a tool" : "said";
}

/** A turn as it was said; of a long one the lines asked for. */
export function turnText(turn: Fields, from = 1, lines = 200): string {
  const shown = String(turn["text"] ?? "").split("\n").slice(from - 1, from - 1 + lines);
  return [`[${String(turn["id"])}] ${day(turn["timestamp"])}, ${String(turn["role"])}:`, ...shown.map(harmless)].join("\n");
}

/** A prediction with its state and reason. */
export function predictionText(found: Fields): string {
  return `[${String(found["id"])}] ${String(found["state"])}: ${harmless(String(found["text"]))} (${harmless(String(found["why"]))})`;
}

/** A fact, where it was said, and what took its place. */
export function itemText(item: Fields, sources: Fields[]): string {
  const said = sources.slice(0, 10).map((one) => `said ${day(one["timestamp"])} [${String(one["resource_id"])}]`);
  const replaced = item["superseded_by"] ? `replaced by [${String(item["superseded_by"])}]` : "";
  const marks = [String(item["memory_type"] ?? "fact"), ...said, replaced].filter(Boolean).join(", ");
  return `[${String(item["id"])}] ${harmless(String(item["memory"]))} (${marks})`;
}

function day(timestamp: unknown): string {
  const seconds = Number(timestamp);
  return Number.isFinite(seconds) && seconds > 0 ? new Date(1000 * seconds).toISOString().slice(0, 10) : "";
}
