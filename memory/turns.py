"""What a turn really says: plain words without channel envelopes, and which turns no human made."""

BLOCK_OPEN = "<memud-recall"
BLOCK_CLOSE = "</memud-recall>"
