/** The part of OpenClaw's plugin contract (2026.9) that this plugin uses, and nothing more. */
export {};
