"""Notes in files, such as MEMORY.md: read, taken in line by line, and kept in step. Never written to."""
