/** Where the daemon's socket is, by the same rules as the daemon, and where the plugin keeps its own files. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
/** The socket: as configured, else $MEMUD_SOCKET, else the first of the usual places where there is one. */
export function socketPath(configured, env) {
    const given = configured ?? env["MEMUD_SOCKET"];
    if (given)
        return expanded(given);
    const usual = usualSockets(env);
    return usual.find((path) => existsSync(path)) ?? usual[0] ?? "";
}
function usualSockets(env) {
    // A gateway that was not started from a login has no XDG_RUNTIME_DIR, but systemd's folder is there.
    const runtime = [env["XDG_RUNTIME_DIR"], runtimeDirOfUser()].filter(isFolder);
    const state = env["MEMUD_STATE_DIR"] ?? join(stateHome(env), "memud");
    return [...runtime.map((folder) => join(folder, "memud", "memud.sock")), join(expanded(state), "memud.sock")];
}
function runtimeDirOfUser() {
    return process.getuid ? `/run/user/${process.getuid()}` : undefined;
}
function stateHome(env) {
    const given = env["XDG_STATE_HOME"];
    return isFolder(given) ? given : join(home(env), ".local", "state");
}
/** The plugin's own folder in OpenClaw's state: the spool, marks and cursors. */
export function pluginDir(runtime, env) {
    const given = runtime?.state?.resolveStateDir?.(env) ?? env["OPENCLAW_STATE_DIR"];
    return join(given ? expanded(given) : join(home(env), ".openclaw"), "memud");
}
/** Where one user's words, reminders and cursor are. A name may be anything, so other users have a hash of theirs. */
export function userDir(folder, user) {
    if (user === "default")
        return folder;
    return join(folder, "users", createHash("sha256").update(user).digest("hex").slice(0, 16));
}
function isFolder(path) {
    return path !== undefined && isAbsolute(path);
}
function expanded(path) {
    return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;
}
function home(env) {
    return env["HOME"] || homedir();
}
