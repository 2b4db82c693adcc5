"""The composition root: settings in, everything wired out. Every part can be replaced by argument."""

from __future__ import annotations

from dataclasses import dataclass

from bot.adapters.clock import SystemClock
from bot.adapters.sqlite import SqliteAnswers, SqliteConversations
from bot.answering import Answering
from bot.ports import Clock, ConversationStore
from bot.settings import Settings
from retrieval.catalogue.joining import Joined
from retrieval.catalogue.store import Catalogue
from retrieval.collection import Collection
from retrieval.engine import Engine
from retrieval.formats.abstract_list import read_folder
from retrieval.model import Entry
from retrieval.semantic import load_word_vectors

__all__ = ["App", "build", "build_engine", "open_catalogue", "read_collection", "read_seeds"]

_KEPT = "pullquote.sqlite3"
_CATALOGUE = "catalogue.sqlite3"


@dataclass(frozen=True, slots=True)
class App:
    """A running Pullquote, whatever it talks through."""

    settings: Settings
    collection: Collection
    engine: Engine
    answering: Answering
    answers: SqliteAnswers
    conversations: ConversationStore

    def close(self) -> None:
        """Let go of the files."""
        self.answers.close()
        if isinstance(self.conversations, SqliteConversations):
            self.conversations.close()


def build(
    settings: Settings,
    *,
    collection: Collection | None = None,
    conversations: ConversationStore | None = None,
    clock: Clock | None = None,
    recording: bool = True,
) -> App:
    """Wire the application together.

    Args:
        settings: The configuration.
        collection: What is searched; the seeds and what was imported when left out.
        conversations: Where conversations are kept; the data folder when left out.
        clock: The system's when left out.
        recording: Whether answers are kept, to be checked and given again.

    Raises:
        SourceError: If the seeds cannot be read.
        EmptyCollectionError: If there is nothing in them.
        WordVectorsMissingError: If the word vectors are wanted and not installed.
    """
    clock = clock or SystemClock()
    collection = collection or read_collection(settings)
    engine = build_engine(collection, settings)
    kept = settings.data_dir / _KEPT
    conversations = conversations or SqliteConversations(kept, clock)
    answers = SqliteAnswers(kept, clock)
    answering = Answering(
        engine, conversations, clock, answers=answers if recording else None, max_chars=settings.max_question_chars
    )
    return App(settings, collection, engine, answering, answers, conversations)


def read_seeds(settings: Settings) -> tuple[Entry, ...]:
    """Return the entries that the collection begins with.

    Raises:
        SourceError: If the seeds cannot be read.
        EmptyCollectionError: If there is nothing in them.
    """
    return read_folder(settings.seeds_dir)


def open_catalogue(settings: Settings, *, in_memory: bool = False) -> Catalogue:
    """Open what was imported; the caller closes it.

    Args:
        in_memory: Where nothing was imported yet, make no file.

    Raises:
        CatalogueError: If it cannot be opened.
    """
    path = settings.data_dir / _CATALOGUE
    return Catalogue(None if in_memory and not path.exists() else path)


def read_collection(settings: Settings) -> Collection:
    """Return what is searched: the seeds, and what was imported and is none of them.

    Raises:
        SourceError: If the seeds cannot be read.
        EmptyCollectionError: If there is nothing in them.
        CatalogueError: If there is a catalogue that cannot be read.
    """
    seeds = read_seeds(settings)
    if not (settings.data_dir / _CATALOGUE).exists():
        return Collection(seeds)
    with open_catalogue(settings) as catalogue:
        return Collection(Joined(seeds).entries(catalogue.entries()))


def build_engine(collection: Collection, settings: Settings) -> Engine:
    """Index *collection* as the settings say.

    Raises:
        WordVectorsMissingError: If the word vectors are wanted and not installed.
    """
    return Engine(collection, load_word_vectors() if settings.semantic else None)
