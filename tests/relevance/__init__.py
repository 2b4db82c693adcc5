"""How good the answers and the rankings are, on judged questions and collections, held against `baseline.toml`."""
