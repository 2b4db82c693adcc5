"""The terminal: a prompt with history and completion, and answers that fit its width."""
