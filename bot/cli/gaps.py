"""`pullquote gaps`: what could not be answered."""

from __future__ import annotations

import json
from contextlib import closing

import click

from bot.bootstrap import open_answers
from bot.model import Verdict
from bot.present import printable
from bot.settings import load_settings

__all__ = ["command"]


@click.command("gaps")
@click.option("--all", "with_related", is_flag=True, help="Also questions that were answered with what comes closest.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON Lines.")
def command(*, with_related: bool, as_json: bool) -> None:
    """List the questions that found nothing, most asked first; nothing is kept of who asked."""
    with closing(open_answers(load_settings())) as answers:
        gaps = [gap for gap in answers.gaps() if with_related or gap.verdict is Verdict.NOTHING]
    for gap in gaps:
        if as_json:
            record = {"question": gap.question, "verdict": gap.verdict.value, "times": gap.times}
            click.echo(json.dumps(record | {"missing_terms": list(gap.missing)}, ensure_ascii=False))
        else:
            missing = f"  (missing: {', '.join(map(printable, gap.missing))})" if gap.missing else ""
            click.echo(f"{gap.times:>5}  {printable(gap.question)}{missing}")
    if not gaps and not as_json:
        click.echo("Every question so far found something.")
