"""What is kept between runs, in SQLite files in the data folder."""

from bot.adapters.sqlite.answers import SqliteAnswers
from bot.adapters.sqlite.conversations import SqliteConversations

__all__ = ["SqliteAnswers", "SqliteConversations"]
