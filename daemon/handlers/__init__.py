"""One file a group of methods; each handler is a few lines from the wire to a verb of the domain and back."""
