"""Other programs for memory, each driven through its own public calls, on the same work as memud."""
