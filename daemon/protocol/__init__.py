"""The wire: JSON-RPC 2.0, one object a line. Types of every method; decoding and encoding alone."""
