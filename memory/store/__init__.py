"""The tables of turns and facts. Every function takes a connection, so that several make one transaction."""
