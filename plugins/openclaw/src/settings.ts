/** What the user may set under `plugins.entries.memud.config`, with its defaults. */

import type { Api, Fields } from "./host.js";

export type Language = "en" | "zh";

export interface Settings {
  socketPath: string | undefined;
  user: string;
  recall: boolean;
  recallTimeoutMs: number;
  /** Undefined: as the daemon is set. */
  limit: number | undefined;
  maxTokens: number | undefined;
  capture: boolean;
  captureToolResults: boolean;
  proactive: "wake" | "next-turn" | "off";
  language: Language;
  timezone: string | undefined;
}

/** OpenClaw has checked the values against the manifest; a wrong one falls back to its default all the same. */
export function readSettings(given: Fields | undefined, config: unknown, env: NodeJS.ProcessEnv): Settings {
  const from = given ?? {};
  return {
    socketPath: text(from["socketPath"]),
    user: text(from["user"]) ?? "default",
    recall: from["recall"] !== false,
    recallTimeoutMs: whole(from["recallTimeoutMs"]) ?? 800,
    limit: whole(from["limit"]),
    maxTokens: whole(from["maxTokens"]),
    capture: from["capture"] !== false,
    captureToolResults: from["captureToolResults"] === true,
    proactive: proactiveMode(from["proactive"]),
    language: language(from["language"], env),
    timezone: text(at(config, "agents", "defaults", "userTimezone")),
  };
}

/** OpenClaw's configuration as it is now: it can change while the gateway runs. */
export function currentConfig(api: Api): unknown {
  return api.runtime?.config?.current?.() ?? api.config;
}

/** A value deep in a configuration, or undefined. */
export function at(config: unknown, ...path: string[]): unknown {
  return path.reduce((value, name) => (value as Fields | undefined | null)?.[name], config);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() ? value.trim() : undefined;
}

function whole(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;
}

function proactiveMode(value: unknown): Settings["proactive"] {
  return value === "next-turn" || value === "off" ? value : "wake";
}

function language(value: unknown, env: NodeJS.ProcessEnv): Language {
  if (value === "en" || value === "zh") return value;
  const locale = env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "";
  return locale.toLowerCase().startsWith("zh") ? "zh" : "en";
}
