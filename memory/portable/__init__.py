"""A user's memory on the move: out as records, and in again so that it is the same as before."""
