"""From a question to the few memories that matter, or to silence."""
