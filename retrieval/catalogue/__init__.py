"""What is in the collection beside the lists that it began with: entries, their versions, and where each came from."""
