"""Talk: answer in Slack and in a terminal by quoting what `retrieval` finds."""
