/** A fenced block of memud's own making; its text can't close the fence, open a line, or hide anything. */
const MAX_LINE_CHARS = 2_000;
/** The daemon strips what stands between these marks from every captured turn. */
export function block(head, lines) {
    return ["<memud-recall>", head, ...lines.map((line) => `- ${harmless(line)}`), "</memud-recall>"].join("\n");
}
/** One line, without angle brackets, control and invisible characters. */
export function harmless(text) {
    return text
        .replace(/\s+/g, " ")
        .replace(/[\p{Cc}\p{Cf}]/gu, "")
        .replace(/[<＜]/g, "‹")
        .replace(/[>＞]/g, "›")
        .trim()
        .slice(0, MAX_LINE_CHARS)
        .toWellFormed();
}
