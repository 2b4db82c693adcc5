"""Slack: questions come in from a workspace, answers go back into their threads."""
