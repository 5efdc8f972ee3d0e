import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { isReplySent, mayWake } from "../dist/heartbeat.js";

const CASES = JSON.parse(readFileSync(new URL("heartbeats.json", import.meta.url), "utf8"));

for (const { name, config, becomes } of CASES) {
  test(`what becomes of a due reminder: ${name}`, () => {
    const wakes = mayWake(config, "main");
    const found = wakes ? (isReplySent(config, "main") ? "on" : "unsent") : "waits";
    assert.equal(found, ["off", "last"].includes(becomes) ? "waits" : becomes);
  });
}
