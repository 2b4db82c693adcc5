"""Words too common to choose an abstract by."""

from __future__ import annotations

__all__ = ["STOP_WORDS"]

_TEXT = """
a about above after again against all also am an and any are as at be because been before being below between both but
by can cannot could did do does doing don down during each few for from further had has have having he her here hers
herself him himself his how i if in into is it its itself just me more most my myself nor not of off on once only or
other our ours ourselves out over own same she should so some such than that the their theirs them themselves then
there these they this those through to too under until up upon us very was we were what when where which while who whom
whose why will with would you your yours yourself yourselves
"""

STOP_WORDS = frozenset(_TEXT.split())
