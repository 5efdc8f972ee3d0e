/** Before the model reads the prompt: what memud recalls goes in front of it, or nothing, in time. */

import { isPrivate } from "./audience.js";
import { block } from "./block.js";
import type { AgentContext, Fields, PromptAddition, PromptEvent } from "./host.js";
import { withNextMessage } from "./proactive.js";
import type { Settings } from "./settings.js";
import type { Shared } from "./shared.js";
import { isHumanTurn, saidSince, withoutOwnBlock } from "./turns.js";
import { languageOf, phrase } from "./texts.js";

const MAX_QUERY_CHARS = 16_000;
const MAX_CONTEXT_CHARS = 100_000; // far more than the tokens that may be asked for
const ANSWER_SLACK_MS = 100; // the daemon answers with what it has; this is the way back

/** What to put before the user's words. Never throws, and never takes longer than the user's limit. */
export async function recall(
  shared: Shared,
  settings: Settings,
  event: PromptEvent,
  context: AgentContext,
): Promise<PromptAddition | undefined> {
  if (!isHumanTurn(context)) return undefined;
  const query = queryOf(event);
  const [remembered, wanted, summary] = await Promise.all([
    settings.recall && query ? remember(shared, settings, query, event, context) : "",
    withNextMessage(shared, context, settings.recallTimeoutMs),
    summaryAfterCompaction(shared, settings, query, context),
  ]);
  const text = [summary, remembered, wanted].filter(Boolean).join("\n\n");
  return text ? { prependContext: text } : undefined;
}

function queryOf(event: PromptEvent): string {
  // An empty current message is a message without words, not a reason to ask with the history.
  const words = withoutOwnBlock(event.currentUserMessage ?? event.prompt ?? "").trim();
  return words.slice(-MAX_QUERY_CHARS);
}

async function remember(
  shared: Shared,
  settings: Settings,
  query: string,
  event: PromptEvent,
  context: AgentContext,
): Promise<string> {
  const since = saidSince(event.messages);
  const params = {
    ...place(shared, context),
    query,
    ...(since !== undefined && { in_prompt_since: since }), // what the model reads anyway is not recalled
    ...(settings.limit && { limit: settings.limit }),
    ...(settings.maxTokens && { max_tokens: settings.maxTokens }),
    deadline_ms: Math.max(50, settings.recallTimeoutMs - ANSWER_SLACK_MS),
  };
  const found = await asked(shared, "recall", params, settings.recallTimeoutMs);
  if (found) {
    shared.counts.recalls += 1;
    shared.counts.uncaptured += 1;
  }
  const text = found?.["context"];
  return typeof text === "string" && text.length <= MAX_CONTEXT_CHARS ? text : "";
}

/** Once after each compaction: the words are gone from the window, their sense comes back. */
async function summaryAfterCompaction(
  shared: Shared,
  settings: Settings,
  query: string,
  context: AgentContext,
): Promise<string> {
  const session = context.sessionKey ?? "";
  if (!shared.compacted.has(session)) return "";
  const found = await asked(shared, "session.resume", { ...place(shared, context), limit: 1 }, settings.recallTimeoutMs);
  if (!found) return "";
  shared.compacted.delete(session);
  const summary = found["summary"];
  if (typeof summary !== "string" || !summary) return "";
  const lines = summary.split("\n").map((line) => line.replace(/^>\s*/, "")); // it quotes turns, a line each
  return block(phrase(languageOf(query), "summaryHead"), lines.filter(Boolean));
}

function place(shared: Shared, context: AgentContext): Fields {
  return {
    session_id: context.sessionKey,
    agent_id: context.agentId,
    private: isPrivate(shared, context),
  };
}

async function asked(shared: Shared, method: string, params: Fields, limitMs: number): Promise<Fields | undefined> {
  try {
    const answer = await shared.connection.call(method, params, limitMs);
    shared.notes.found();
    return answer;
  } catch (error) {
    shared.notes.lost(error);
    return undefined;
  }
}
