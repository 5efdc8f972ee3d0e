"""Embedders: texts to vectors, off the event loop."""
