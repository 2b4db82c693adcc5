"""What is kept between runs, in SQLite files in the data folder."""

from bot.adapters.sqlite.answers import SqliteAnswers
from bot.adapters.sqlite.conversations import SqliteConversations
from bot.adapters.sqlite.deliveries import SqliteDeliveries
from bot.adapters.sqlite.opinions import SqliteOpinions
from bot.adapters.sqlite.subscriptions import SqliteSubscriptions

__all__ = ["SqliteAnswers", "SqliteConversations", "SqliteDeliveries", "SqliteOpinions", "SqliteSubscriptions"]
