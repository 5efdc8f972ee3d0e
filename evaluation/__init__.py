"""How well memud remembers, measured on public sets and through the public door alone."""
