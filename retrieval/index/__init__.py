"""A collection compiled: columns of numbers and text that are read from memory or straight from a file."""
