"""Our measures are those of trec_eval."""

from __future__ import annotations

import io

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import RR, R, Success, nDCG

from retrieval.evaluation import MEASURES, mean_measures, write_trec_run

_IDS = st.sampled_from([f"d{n}" for n in range(30)])
_QRELS = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]), st.dictionaries(_IDS, st.integers(0, 3), min_size=1), min_size=1
)
_RANKINGS = st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), st.lists(_IDS, unique=True, max_size=30))
_THEIRS = {"nDCG@10": nDCG @ 10, "R@100": R @ 100, "RR@10": RR @ 10, "Success@1": Success @ 1, "Success@5": Success @ 5}


@given(qrels=_QRELS, rankings=_RANKINGS)
def test_measures_agree_with_ir_measures(qrels: dict[str, dict[str, int]], rankings: dict[str, list[str]]) -> None:
    # A query whose judgements are all 0 is left out by trec_eval's providers; we count it with 0.
    qrels = {q: judged for q, judged in qrels.items() if any(judged.values())}
    run = {q: [(d, float(-rank)) for rank, d in enumerate(ids)] for q, ids in rankings.items()}
    theirs = (
        ir_measures.calc_aggregate(
            list(_THEIRS.values()), qrels, {q: dict(hits) for q, hits in run.items() if q in qrels}
        )
        if qrels
        else {}
    )

    ours = mean_measures(run, qrels)

    assert set(ours) == set(MEASURES)
    for name, measure in _THEIRS.items():
        assert ours[name] == pytest.approx(theirs.get(measure, 0.0))


def test_a_query_without_hits_counts_as_zero() -> None:
    qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}

    measures = mean_measures({"q1": [("d1", 1.0)]}, qrels)

    assert measures["Success@1"] == 0.5


def test_gain_is_the_judged_grade() -> None:
    qrels = {"q": {"best": 2, "good": 1}}

    measures = mean_measures({"q": [("good", 2.0), ("best", 1.0)]}, qrels)

    assert measures["nDCG@10"] == pytest.approx((1 + 2 / 1.5849625) / (2 + 1 / 1.5849625))


def test_equal_scores_are_written_in_the_order_that_was_meant() -> None:
    file = io.StringIO()

    write_trec_run({"q": [("b", 1.5), ("a", 1.5), ("c", 1.0)]}, file, tag="pullquote")

    rows = [line.split() for line in file.getvalue().splitlines()]
    scores = [float(row[4]) for row in rows]
    assert [row[2] for row in rows] == ["b", "a", "c"]
    assert scores == sorted(set(scores), reverse=True)
    assert rows[0] == ["q", "Q0", "b", "1", "1.5", "pullquote"]
