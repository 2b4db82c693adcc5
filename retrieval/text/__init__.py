"""From raw abstracts to display text, and from display text to sentences, names and labels."""
