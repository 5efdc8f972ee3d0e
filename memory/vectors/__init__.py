"""Vector indexes: derived from the stored embeddings, dropped and rebuilt at will."""
