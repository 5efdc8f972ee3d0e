"""Which threshold to take: by labelled sets and unrelated prompts, or by one's own recall log."""
