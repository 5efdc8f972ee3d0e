/** The part of OpenClaw's plugin contract (2026.9) that this plugin uses, and nothing more. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Fields = Record<string, unknown>;

export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** Who speaks where: what OpenClaw tells each hook of an agent's turn. */
export interface AgentContext {
  runId?: string;
  jobId?: string;
  agentId?: string;
  sessionKey?: string;
  sessionId?: string;
  trigger?: string;
  senderId?: string;
  chatType?: string;
  channelContext?: { chat?: { type?: string } };
  inputProvenance?: { kind?: string };
  contextTokenBudget?: number;
}

/** One line of a transcript. Anything may be missing: transcripts come from many versions. */
export interface Message {
  role?: unknown;
  content?: unknown;
  timestamp?: unknown;
  idempotencyKey?: unknown;
  toolName?: unknown;
  stopReason?: unknown;
}

export interface PromptEvent {
  messages?: unknown[];
  prompt?: string;
  currentUserMessage?: string;
}

export interface PromptAddition {
  prependContext?: string;
}

export interface ConversationEvent {
  messages?: unknown[];
  tokenCount?: number;
  reason?: string;
}

export interface OutputEvent {
  lastAssistant?: unknown;
  contextTokenBudget?: number;
}

export interface SessionEndEvent {
  sessionKey?: string;
  sessionId?: string;
  reason?: string;
}

export interface ToolContext {
  agentId?: string;
  sessionKey?: string;
  sessionId?: string;
  chatType?: string;
  requesterSenderId?: string;
}

export interface ToolResult {
  content: { type: "text"; text: string }[];
  details: Fields;
}

export interface Tool {
  name: string;
  label: string;
  description: string;
  parameters: Fields;
  execute(callId: string, params: Fields): Promise<ToolResult>;
}

export interface ServiceContext {
  stateDir?: string;
  logger?: Logger;
}

export interface GatewayCall {
  params?: Fields;
  respond(ok: boolean, payload?: unknown, error?: unknown): void;
}

/** As much of commander's Command as the command line needs. */
export interface Command {
  command(name: string): Command;
  description(text: string): Command;
  argument(name: string, text: string): Command;
  option(flags: string, text: string): Command;
  /** `any`: commander gives the arguments in the order they were declared. */
  action(run: (...given: any[]) => Promise<void>): Command;
}

export interface Wake {
  source: "other";
  intent: "immediate";
  reason: string;
  agentId?: string;
  sessionKey?: string;
}

export interface Runtime {
  state?: { resolveStateDir?(env: NodeJS.ProcessEnv): string };
  config?: { current?(): unknown };
  system?: {
    enqueueSystemEvent(
      text: string,
      options: { sessionKey: string; agentId?: string; contextKey?: string; replace?: boolean },
    ): boolean;
    requestHeartbeat(wake: Wake): void;
  };
}

export type Handler<E, R = void> = (event: E, context: AgentContext) => Promise<R | void> | R | void;

export interface Hooks {
  before_prompt_build: Handler<PromptEvent, PromptAddition>;
  agent_end: Handler<ConversationEvent>;
  llm_output: Handler<OutputEvent>;
  before_compaction: Handler<ConversationEvent>;
  after_compaction: Handler<Fields>;
  before_reset: Handler<ConversationEvent>;
  session_end: Handler<SessionEndEvent>;
  message_received: Handler<Fields>;
  before_message_write: (event: { message?: Message }, context: AgentContext) => void;
}

export interface Api {
  id: string;
  registrationMode?: string;
  config?: unknown;
  pluginConfig?: Fields;
  logger: Logger;
  runtime?: Runtime;
  on<K extends keyof Hooks>(hook: K, handler: Hooks[K], options?: { timeoutMs?: number }): void;
  registerTool(factory: (context: ToolContext) => Tool, options: { name: string }): void;
  registerMemoryCapability(capability: {
    promptBuilder(params: { availableTools: Set<string> }): string[];
    flushPlanResolver(): null;
  }): void;
  registerService(service: {
    id: string;
    start(context: ServiceContext): void | Promise<void>;
    stop?(): void | Promise<void>;
  }): void;
  registerGatewayMethod(
    name: string,
    handler: (call: GatewayCall) => Promise<void>,
    options: { scope: "operator.read" | "operator.write" },
  ): void;
  registerCli(
    register: (context: { program: Command }) => void,
    options: { descriptors: { name: string; description: string; hasSubcommands: boolean }[] },
  ): void;
}
