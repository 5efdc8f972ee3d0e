"""The vector index inside SQLite: the real sqlite-vss, in a file of its own."""
