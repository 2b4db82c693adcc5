"""Find the passages of a collection of abstracts that answer a question. Knows nothing of chat."""
