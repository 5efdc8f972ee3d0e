/** Keeps replies quick beside a daemon that takes calls and answers none: after a few, nobody waits for it. */
const TIMEOUTS_TO_OPEN = 2;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
/** A daemon that is not there needs no circuit: the kernel refuses in microseconds. */
export function circuit(now = Date.now) {
    let timeouts = 0;
    let pauseMs = FIRST_PAUSE_MS;
    let openUntil = 0;
    return {
        isOpen: () => now() < openUntil,
        noteTimeout() {
            timeouts += 1;
            if (timeouts < TIMEOUTS_TO_OPEN)
                return false;
            openUntil = now() + pauseMs;
            pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
            timeouts = TIMEOUTS_TO_OPEN - 1; // the first call after the pause is a trial
            return true;
        },
        noteAnswer() {
            timeouts = 0;
            pauseMs = FIRST_PAUSE_MS;
            openUntil = 0;
        },
    };
}
