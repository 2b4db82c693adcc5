"""Whether what arrived answers a question that somebody left standing, and what to say then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from bot.compose import quote_entries
from bot.conversation import Conversation
from bot.model import Answer, Verdict
from bot.news import News
from bot.present import printable
from bot.standing import Standing
from bot.subscription import Sent, Watch

__all__ = ["answer_for"]

_MOST_QUOTED = 3


def answer_for(
    watch: Watch, news: News, *, after: int, sent: Mapping[str, Sent], now: datetime
) -> tuple[Answer, Sequence[Sent]] | None:
    """Return the answer that entries new after change *after* give to *watch*, and those entries; None without any.

    Raises:
        QuerySyntaxError: If the question uses an operator wrongly.
    """
    found = Standing(news.engine, news.parse).answered(watch.question, news.arrived(after=after, sent=sent))
    if not found:
        return None
    query = news.engine.understand(news.parse(watch.question).text)
    quotes, _ = quote_entries(news.engine, query, [(one, 0.0) for one in found[:_MOST_QUOTED]], Conversation(""))
    entries = [news.engine.collection.entry(one) for one in found]
    lead = f"New here, and an answer to “{printable(watch.question)}”:"
    answer = Answer(
        "",
        watch.question,
        Verdict.ANSWERED,
        lead=lead,
        quotes=quotes,
        listing=() if quotes else tuple(entries),
        total=len(found),
        left=len(found) - len(quotes) if quotes else 0,
    )
    return answer, [news.sent(entry, now, shown=True) for entry in entries]
