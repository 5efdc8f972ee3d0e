"""Turns to facts: the rules here, a model in its adapters; one contract for all."""
