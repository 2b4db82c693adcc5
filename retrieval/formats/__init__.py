"""One small reader for each format that abstracts come in: files in, entries and clear faults out."""
