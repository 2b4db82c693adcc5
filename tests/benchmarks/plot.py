"""One picture of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt

from tests.benchmarks.answers import AnswerTimes
from tests.benchmarks.report import CoreResults

__all__ = ["draw"]


def draw(path: Path, cores: Sequence[CoreResults], answers: Mapping[str, AnswerTimes]) -> None:
    """Write a PNG to *path*: queries a second of each core by collection size, and the answers' distributions."""
    mpl.use("agg")
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    sizes = [result.documents for result in cores]
    for name in cores[0].timings:
        left.plot(sizes, [result.timings[name].per_second for result in cores], marker="o", label=name)
    left.set(xscale="log", yscale="log", xlabel="documents", ylabel="queries per second", title="Ranking cores, top 10")
    left.grid(visible=True, which="both", alpha=0.2)
    left.legend()
    for name, taken in answers.items():
        for kind, timing, style in (("cold", taken.cold, "--"), ("warm", taken.warm, "-")):
            samples = sorted(timing.samples_ms)
            shares = [(number + 1) / len(samples) for number in range(len(samples))]
            right.step(samples, shares, style, label=f"{name}, {kind}")
    right.set(xscale="log", xlabel="milliseconds", ylabel="share of the questions", title="Whole answers")
    right.grid(visible=True, which="both", alpha=0.2)
    right.legend()
    figure.savefig(path, dpi=120)
    plt.close(figure)
