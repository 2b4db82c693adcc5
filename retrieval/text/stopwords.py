"""Words too common to choose an abstract by."""

from __future__ import annotations

__all__ = ["FUNCTION_WORDS", "STOP_WORDS"]

FUNCTION_WORDS = frozenset(
    """
    a about above after again against all am an and any are as at be because been before being below between both but by
    can could d did do does doing don down during each few for from further had has have having he her here hers him his
    how i if in into is it its itself just ll m may me might more most must my no nor not now of off on once only or
    other
    our ours out over own re s same shall she should so some such t than that the their theirs them themselves then
    there
    these they this those through to too under until up upon us ve very was we were what when where which while who whom
    why will with within without would you your yours
    """.split()
)
"""What joins other words; means nothing alone, and is left out of vectors too."""

STOP_WORDS = FUNCTION_WORDS | frozenset(
    "anyone anything explain know please remind someone something tell".split()  # how one asks, not what
)
"""What is neither indexed nor looked up."""
