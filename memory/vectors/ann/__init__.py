"""Approximate nearest neighbours for users with very many vectors, by faiss; said to be approximate."""
