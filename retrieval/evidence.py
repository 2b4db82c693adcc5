"""From a question and its best hits to the evidence for a verdict: what is asked for, and where it was found."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from retrieval.background import Background
from retrieval.cues import CUE_PATTERNS, number_near
from retrieval.entrytext import EntryText
from retrieval.intents import asked_quantity, asks_in_words, is_comparison
from retrieval.model import Query, QueryTerm
from retrieval.semantic import Floats
from retrieval.text.analysis import terms, tokens
from retrieval.text.spelling import american

__all__ = ["EntryWords", "Evidence", "KeyTerm", "gather"]

_HITS = 3
_GENERAL_WEIGHT = 0.3
_LIKE = 0.6
_SURE_CORRECTION_CHARS = 7
_DURATION = re.compile(r"\bhow long\b|\bhow many (?:hours|days|minutes|seconds)\b", re.IGNORECASE)
_PERSON = re.compile(r"^\W*(?:so |and )?(?:who|whom)\s+(?:is|was|'s)\b(?!.*\b(?:author|behind|wrote))", re.IGNORECASE)
_TIME = re.compile(r"\b\d+\s?(?:ms|s|h|hours?|minutes?|seconds?|days?)\b|latency|faster|speed", re.IGNORECASE)
_SATISFIED_BY = {
    "dataset": CUE_PATTERNS["experiment"],
    "benchmark": CUE_PATTERNS["experiment"],
    "evalu": CUE_PATTERNS["experiment"],
    "test": CUE_PATTERNS["experiment"],
    "code": CUE_PATTERNS["code"],
    "repositori": CUE_PATTERNS["code"],
    "percentag": re.compile("%"),
}


@dataclass(frozen=True, slots=True)
class KeyTerm:
    """A content word of the question and whether the entry has it.

    Attributes:
        word: As asked.
        rarity: How rare the word is in English, from 0 (the commonest) to 1.3 (a rare name).
        weight: rarity squared times its idf in the collection over the highest possible idf, less for words of any
            paper.
        matched: Whether the entry has the term, or the kind of sentence that it asks for.
        likeness: Highest cosine with a word of the entry, where that can be trusted; 0 when it is matched.
        naming: Whether it is (part of) a name that the entry gives to its own work.
        general: Whether it is a word of any paper.
        detail: Whether it is a detail that any paper might give, such as a GPU.
        technical: Whether it is one that nobody says of anything but research.
    """

    word: str
    rarity: float
    weight: float
    matched: bool
    likeness: float
    naming: bool = False
    general: bool = False
    detail: bool = False
    technical: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything that a verdict may look at.

    Attributes:
        about: The entry id of the hit that the question is about.
        size: How many entries the collection has: the best of many likenesses is higher by chance.
        terms: The question's key terms against that entry; for a comparison, against the entries compared, together.
        document: Highest cosine of the question with a hit as a whole.
        sentence: Highest cosine of the question with a sentence of a hit.
        elsewhere: Cosine of the question with the nearest subject that is not the collection's.
        rest: Cosine of the terms that name nothing with the entry; 0 without such terms.
        on_table: Whether the talk is about the entry already.
        quantity_missing: Whether a number (a duration) is asked for that the entry does not give.
        cased: Whether a name is written as the entry writes it, or is nobody else's word.
        asks: Whether it is put as a question rather than as the name of a topic.
        asks_for_person: Whether a person is asked for ("who is …").
    """

    about: str
    size: int
    terms: tuple[KeyTerm, ...]
    document: float = 0.0
    sentence: float = 0.0
    elsewhere: float = 0.0
    rest: float = 0.0
    on_table: bool = False
    quantity_missing: bool = False
    cased: bool = False
    asks: bool = False
    asks_for_person: bool = False


class EntryWords:
    """What the evidence needs of one entry, each part worked out when it is first asked for.

    Attributes:
        entry_id: Whose words these are.
        names: Terms by which it calls its own work and few other entries use.
    """

    def __init__(self, read: Callable[[], EntryText], background: Background, rare: Callable[[str], bool]) -> None:
        """Find the names in what *read* returns, which is asked again for whatever else is needed.

        Args:
            rare: Tells whether few entries of the collection have a term.
        """
        text = read()
        self.entry_id = text.entry_id
        self.names = frozenset(filter(rare, text.called))
        self._read = read
        self._background = background

    @cached_property
    def text(self) -> str:
        """Title, name and abstract, as shown."""
        text = self._read()
        return " ".join([text.title, text.name, *text.sentences])

    @cached_property
    def terms(self) -> frozenset[str]:
        """All its terms."""
        text = self._read()
        return text.heading.union(*text.terms)

    @cached_property
    def words(self) -> Floats:
        """Unit vectors of its different words."""
        return self._read().words

    @cached_property
    def document(self) -> Floats:
        """Vector of the whole."""
        return self._background.document(self._read())

    @cached_property
    def sentences(self) -> Floats:
        """Vector of each sentence."""
        return self._background.residual(self._read().pooled)


def gather(
    query: Query,
    hits: Sequence[EntryWords],
    *,
    background: Background,
    rareness: Callable[[str], float],
    size: int,
    on_table: bool = False,
) -> Evidence:
    """Return the evidence that *query* and its best *hits* give.

    Args:
        hits: In order of rank, at least one; at most three are looked at.
        rareness: A term's idf in the collection over the highest possible idf.
        size: How many entries the collection has.
        on_table: Whether the talk is about the first hit already.
    """
    hits = hits[:_HITS]
    asked = [term for term in query.terms if term.counted and not _only_asks(term, query, background)]
    vector = background.question(query.text)
    document = max(float(hit.document @ vector) for hit in hits)
    sentence = max(float((hit.sentences @ vector).max()) for hit in hits)
    elsewhere = background.elsewhere(vector)
    asks = asks_in_words(query.text)
    if not asked:
        return Evidence(hits[0].entry_id, size, (), document, sentence, elsewhere, on_table=on_table, asks=asks)
    key_terms, about = _against(asked, query, hits, background, rareness)
    return Evidence(
        about.entry_id,
        size,
        key_terms,
        document,
        sentence,
        elsewhere,
        _rest(key_terms, about, background),
        on_table,
        quantity_missing=_quantity_missing(query.text, about.text),
        cased=_cased(query.text, about, background),
        asks=asks,
        asks_for_person=bool(_PERSON.search(query.text)),
    )


def _only_asks(term: QueryTerm, query: Query, background: Background) -> bool:
    # "study" alone asks; in "user study" it is part of what is asked about.
    return term.term in background.asking and not re.search(r"\b(?:user|case|field) stud", query.text, re.IGNORECASE)


def _against(
    asked: Sequence[QueryTerm],
    query: Query,
    hits: Sequence[EntryWords],
    background: Background,
    rareness: Callable[[str], float],
) -> tuple[tuple[KeyTerm, ...], EntryWords]:
    """Return the key terms against the hit (or the hits compared) that has most of them; named hits go first."""
    vectors = background.words([term.word for term in asked])
    mentioned = set(terms(query.text)) | {other for term in query.terms for other in term.matches}
    named = [hit for hit in hits if hit.names & mentioned]
    groups = [[hit] for hit in (named or hits)]
    if is_comparison(query.text):
        groups.insert(0, list({hit.entry_id: hit for hit in (*named[:3], *hits[:2])}.values()))
    judged = []
    for group in groups:
        key_terms = _key_terms(asked, query.text, vectors, group, background=background, rareness=rareness)
        judged.append((key_terms, group[0]))
        if all(term.matched for term in key_terms):
            break  # no other has more of them, and to look closely at one takes a while
    return max(judged, key=lambda found: sum(t.weight for t in found[0] if t.matched or t.likeness >= _LIKE))


def _key_terms(
    asked: Sequence[QueryTerm],
    question: str,
    vectors: Floats,
    group: Sequence[EntryWords],
    *,
    background: Background,
    rareness: Callable[[str], float],
) -> tuple[KeyTerm, ...]:
    names = frozenset().union(*(hit.names for hit in group))
    parts = _parts_of_names(question, names)
    matched = [any(_has(hit, term, background) for hit in group) for term in asked]
    alike = np.zeros(len(asked))
    if not all(matched):
        alike = np.max([(vectors @ hit.words.T).max(axis=1, initial=0) for hit in group], axis=0)
    return tuple(
        KeyTerm(
            word=term.shown,
            rarity=(rarity := background.rarity(term.correction or term.word)),
            weight=rarity**2
            * _rareness(term, rareness, background)
            * (_GENERAL_WEIGHT if _is_general(term, background) else 1.0),
            matched=there,
            likeness=float(likeness) if not there and _trusted(term, background) else 0.0,
            naming=bool(names & {term.term, *_stand_ins(term, background)}) or term.term in parts,
            general=_is_general(term, background),
            detail=term.term in background.details,
            technical=term.term in background.technical,
        )
        for term, there, likeness in zip(asked, matched, alike, strict=True)
    )


def _is_general(term: QueryTerm, background: Background) -> bool:
    """Tell whether *term* is a word of any paper: "identify" is, "identifiability", which shares its stem, is not."""
    return term.term in background.general and not term.word.endswith(("ability", "ibility"))


def _stand_ins(term: QueryTerm, background: Background) -> tuple[str, ...]:
    """Return the terms that are as good as *term* itself.

    Not those that are only near it in meaning, nor a common word that a short one was corrected to: "latte" is not a
    slip of "latter".
    """
    doubtful = term.correction and len(term.word) < _SURE_CORRECTION_CHARS and not background.in_pieces(term.correction)
    return () if term.by_meaning or doubtful else tuple(term.matches)


def _rareness(term: QueryTerm, rareness: Callable[[str], float], background: Background) -> float:
    return max((rareness(other) for other in _stand_ins(term, background)), default=rareness(term.term))


def _parts_of_names(question: str, names: frozenset[str]) -> frozenset[str]:
    """Return the parts of hyphenated words of the *question* that, written as one, are *names*."""
    if not names:
        return frozenset()
    listed = list(tokens(question))
    joined = [token for token in listed if token.kind == "joined" and token.term in names]
    return frozenset(token.term for token in listed for whole in joined if whole.start <= token.start < whole.end)


def _trusted(term: QueryTerm, background: Background) -> bool:
    """Tell whether a likeness says something: not for numbers, details, or pieces that unlike words share."""
    doubtful = term.term in background.details or any(c.isdigit() for c in term.word)
    return not doubtful and not background.in_pieces(term.word)


def _has(hit: EntryWords, term: QueryTerm, background: Background) -> bool:
    """Tell whether *hit* has *term*; a detail must stand there as asked: to optimize is not to name an optimizer."""
    if term.term in background.details and term.term in hit.terms:
        as_asked = re.escape(american(term.word).rstrip("s")).replace("z", "[sz]")
        if re.search(rf"\b{as_asked}", hit.text, re.IGNORECASE):
            return True
    elif any(other in hit.terms for other in _stand_ins(term, background)) or (
        bool(term.long_form) and hit.terms >= set(term.long_form)
    ):
        return True
    cue = _SATISFIED_BY.get(term.term)
    return cue is not None and bool(cue.search(hit.text))


def _rest(key_terms: Sequence[KeyTerm], about: EntryWords, background: Background) -> float:
    others = [term for term in key_terms if not term.naming]
    if not others:
        return 0.0
    weights = np.array([term.weight for term in others], np.float32)
    return float(background.residual(weights @ background.words([term.word for term in others])) @ about.document)


def _quantity_missing(question: str, text: str) -> bool:
    if _DURATION.search(question):
        return not _TIME.search(text)
    counted = asked_quantity(question)
    return bool(counted) and not number_near(counted).search(text)


def _cased(question: str, about: EntryWords, background: Background) -> bool:
    words = [word for word in re.findall(r"[^\s?.,;:!()\"]+", question) if about.names & set(terms(word)[:1])]
    return any(word in about.text or background.is_strange(word) for word in words)
