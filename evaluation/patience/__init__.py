"""People who answer what they are told: what they say in three weeks, and how they take it."""
