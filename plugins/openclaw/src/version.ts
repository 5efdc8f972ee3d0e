/** The version, as package.json has it; a test holds them together. */

export const VERSION = "0.1.0";
export const CLIENT = `memud-openclaw/${VERSION}`;
