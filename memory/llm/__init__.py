"""Language models behind one contract: what a provider says, what it costs, how it fails."""
