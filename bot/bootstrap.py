"""The composition root: settings in, everything wired out. Every part can be replaced by argument."""

from __future__ import annotations

from dataclasses import dataclass

from bot.adapters.clock import SystemClock
from bot.adapters.sqlite import SqliteConversations
from bot.answering import Answering
from bot.ports import Clock, ConversationStore
from bot.settings import Settings
from retrieval.collection import Collection
from retrieval.engine import Engine
from retrieval.formats.abstract_list import read_folder
from retrieval.semantic import load_word_vectors

__all__ = ["App", "build", "build_engine"]


@dataclass(frozen=True, slots=True)
class App:
    """A running Pullquote, whatever it talks through."""

    settings: Settings
    collection: Collection
    engine: Engine
    answering: Answering


def build(
    settings: Settings,
    *,
    collection: Collection | None = None,
    conversations: ConversationStore | None = None,
    clock: Clock | None = None,
) -> App:
    """Wire the application together.

    Raises:
        SourceError: If the seeds cannot be read.
        EmptyCollectionError: If there is nothing in them.
        WordVectorsMissingError: If the word vectors are wanted and not installed.
    """
    clock = clock or SystemClock()
    collection = collection or Collection(read_folder(settings.seeds_dir))
    engine = build_engine(collection, settings)
    conversations = conversations or SqliteConversations(settings.data_dir / "conversations.sqlite3", clock)
    return App(
        settings, collection, engine, Answering(engine, conversations, clock, max_chars=settings.max_question_chars)
    )


def build_engine(collection: Collection, settings: Settings) -> Engine:
    """Index *collection* as the settings say.

    Raises:
        WordVectorsMissingError: If the word vectors are wanted and not installed.
    """
    return Engine(collection, load_word_vectors() if settings.semantic else None)
