"""Function words of other European languages: which question is not in English, and what in it is only grammar."""

from __future__ import annotations

import re
from collections.abc import Mapping

from retrieval.text.analysis import fold
from retrieval.text.stopwords import FUNCTION_WORDS

__all__ = ["foreign_function_words", "is_east_asian"]

_WORDS: Mapping[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "German": """
            aber als am auch auf aus bedeutet bei das dem den der des die doch ein eine einem einen einer eines
            erklar erklare es funktioniert fur gibt hat heisst ich im ist kann mir mit nach nicht oder sind uber um
            und uns von vor warum was welche welcher welches wer wie wird wo wurde zu zum zur
        """,
        "Spanish": """
            al como con cual cuales cuando cuantos de del donde el ella en entre es esta este explica funciona hay
            la las lo los mas me para pero por porque que quien se significa sin sobre son su sus tiene un una unos
            y
        """,
        "French": """
            au aux avec c ce ces cette combien comment d dans de des du elle en entre est et explique expliquez
            fonctionne il j l la le les leur mais marche n ne ou par pas peut plus pour pourquoi qu quand que quel
            quelle quelles quels qui quoi s sa se signifie son sont sur un une y
        """,
        "Italian": """
            al alla anche che chi come con cosa da dal dei del della delle di dove e funziona gli ha i il in la le
            lo nel nella non per perche piu quale quali quando quanti si significa sono spiega su tra un una
        """,
        "Portuguese": """
            ao aos as com como da das de do dos e em entre explica funciona ha mais mas me na nas no nos o os ou
            para pela pelo por porque quais qual quando quantos que quem sao se sem significa sobre um uma
        """,
        "Dutch": """
            aan als bij dat de deze die door een en er gaat het hoe hoeveel ik in is kan leg maar met naar niet of
            om ook op over te tot uit uitleg van voor waar waarom wat welke werkt wie wordt zijn
        """,
    }.items()
}
_WORD = re.compile(r"[^\W\d_]+")


def foreign_function_words(text: str) -> frozenset[str]:
    """Return those words of *text*, folded, that are only grammar, when it is a question in another language.

    Empty for a question in English, and for one in which no other language stands out.
    """
    words = frozenset(fold(word) for word in _WORD.findall(text))
    found = {language: {w for w in words & known if len(w) > 1} for language, known in _WORDS.items()}
    best = max(found, key=lambda language: len(found[language] - FUNCTION_WORDS))
    own, english = found[best] - FUNCTION_WORDS, (words & FUNCTION_WORDS) - found[best]
    return frozenset(found[best]) if len(own) > len(english) else frozenset()


def is_east_asian(character: str) -> bool:
    """Tell whether *character* is Han, kana or hangul."""
    return any(low <= character <= high for low, high in _EAST_ASIAN)


_EAST_ASIAN = (
    ("\u3040", "\u30ff"),
    ("\u3400", "\u4dbf"),
    ("\u4e00", "\u9fff"),
    ("\uac00", "\ud7af"),
    ("\uf900", "\ufaff"),
)
