/** memud's plugin for OpenClaw: only registers; nothing is opened or written until a hook is called. */
import { capture } from "./capture.js";
import { noteMessage } from "./check.js";
import { afterCompaction, atSessionEnd, beforeCut } from "./compaction.js";
import { registerCommands } from "./cli.js";
import { registerGateway } from "./gateway.js";
import { memorySection } from "./prompt.js";
import { recall } from "./recall.js";
import { readSettings } from "./settings.js";
import { noteHook, shared } from "./shared.js";
import { registerTools } from "./tools.js";
import { isHumanTurn } from "./turns.js";
import { noteWindow } from "./window.js";
const HOOK_SLACK_MS = 2_000; // the host's limit lies behind ours, so that ours is the one that counts
function register(api) {
    const settings = readSettings(api.pluginConfig, api.config, process.env);
    // Asked for by hooks, not here: while OpenClaw only lists commands there is no runtime to ask for its folder.
    const state = () => shared(api, settings);
    api.registerMemoryCapability({
        promptBuilder: memorySection,
        // The daemon sums a session up itself; a turn of the agent's own for that would cost tokens and write files.
        flushPlanResolver: () => null,
    });
    registerHooks(api, state, settings);
    registerTools(api, state, settings);
    registerGateway(api, state, settings);
    registerCommands(api, state, settings);
}
function registerHooks(api, state, settings) {
    const on = (hook, handler, timeoutMs) => {
        api.on(hook, handler, { timeoutMs });
        noteHook(hook);
    };
    on("before_prompt_build", async (event, context) => {
        noteTurn(state(), context);
        return recall(state(), settings, event, context);
    }, settings.recallTimeoutMs + HOOK_SLACK_MS);
    on("llm_output", (event, context) => noteWindow(state(), event, context), 1_000);
    on("agent_end", (event, context) => afterRun(state(), settings, event, context), 30_000);
    on("before_compaction", (event, context) => beforeCut(state(), settings, "compaction", event, context), 15_000);
    on("after_compaction", (_event, context) => afterCompaction(state(), context), 1_000);
    on("before_reset", (event, context) => beforeCut(state(), settings, event.reason ?? "reset", event, context), 15_000);
    on("session_end", (event, context) => atSessionEnd(state(), settings, event, context), 2_000);
    on("before_message_write", (event) => state().written.note(event.message), 1_000);
    on("message_received", (event, context) => noteMessage(state(), event, context), 1_000);
}
function noteTurn(state, context) {
    if (!isHumanTurn(context))
        return;
    state.counts.turns += 1;
    state.lastPlace.note(context);
}
async function afterRun(state, settings, event, context) {
    if (context.trigger === "heartbeat")
        state.lastHeartbeatAt = Date.now();
    await capture(state, settings, event.messages ?? [], context);
}
export default {
    id: "memud",
    name: "memud",
    description: "Long-term, proactive memory by the memud daemon on this machine",
    register,
};
