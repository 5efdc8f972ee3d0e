"""Client of the memud memory daemon."""
