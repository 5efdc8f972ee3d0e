/** What all instances of the plugin in a process share: OpenClaw loads the module more than once. */
import { join } from "node:path";
import { Delivery } from "./delivery.js";
import { Marks } from "./marks.js";
import { Notes } from "./notes.js";
import { pluginDir, socketPath, userDir } from "./paths.js";
import { Pending } from "./pending.js";
import { LastPlace } from "./place.js";
import { currentConfig } from "./settings.js";
import { Connection } from "./socket.js";
import { Spool } from "./spool.js";
import { CLIENT, VERSION } from "./version.js";
import { Written } from "./written.js";
const KEY = Symbol.for("memud");
/** The state for these settings, made at the first request; no socket is opened and no file touched by it. */
export function shared(api, settings) {
    const folder = pluginDir(api.runtime, process.env);
    const all = registry().states;
    const name = [VERSION, folder, settings.socketPath, settings.user].join("\n");
    let found = all.get(name);
    if (!found)
        all.set(name, (found = made(api, settings, folder)));
    return found;
}
/** A hook was registered; whether OpenClaw calls it is seen by what comes. */
export function noteHook(name) {
    registry().hooks.add(name);
}
/** One for all users of a folder: what one said before another came must not be handed over for the other. */
function marksIn(folder) {
    const { marks } = registry();
    const known = marks.get(folder) ?? new Marks(join(folder, "marks.json"));
    marks.set(folder, known);
    return known;
}
function registry() {
    const holder = globalThis;
    return (holder[KEY] ??= { states: new Map(), marks: new Map(), hooks: new Set() });
}
function made(api, settings, folder) {
    const notes = new Notes(api.logger, settings.language);
    const own = userDir(folder, settings.user);
    const connection = new Connection({
        path: () => socketPath(settings.socketPath, process.env),
        client: CLIENT,
        user: settings.user,
    });
    return {
        folder,
        own,
        connection,
        delivery: new Delivery(connection, new Spool(join(own, "spool")), notes),
        marks: marksIn(folder),
        notes,
        counts: { messages: 0, turns: 0, recalls: 0, captures: 0, uncaptured: 0 },
        hooks: registry().hooks,
        windows: new Map(),
        compacted: new Set(),
        machineKeys: new Set(),
        queues: new Map(),
        written: new Written(),
        pending: new Pending(join(own, "pending.json")),
        lastPlace: new LastPlace(join(own, "place.json")),
        lastHeartbeatAt: 0,
        language: settings.language,
        config: () => currentConfig(api),
    };
}
