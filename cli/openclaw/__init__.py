"""`memud openclaw`: the plugin into OpenClaw, out of it again, and whether all is as it should be."""
