"""One file a set: how its data are read, and which figures it gives."""
