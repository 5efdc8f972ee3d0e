-- What of a turn's words repeats a prediction: pairs of [start, end] in its plain text. `whole`: nothing else is left.
CREATE TABLE retold (
  resource_key INTEGER PRIMARY KEY REFERENCES resources (key) ON DELETE CASCADE,
  spans TEXT NOT NULL CHECK (json_valid(spans)),
  whole INTEGER NOT NULL
) STRICT;
CREATE INDEX retold_whole ON retold (resource_key) WHERE whole;
