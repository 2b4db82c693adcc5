"""Display text: what LaTeX, Markdown, JATS and HTML become, and what must stay as it is."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from retrieval.text.cleaning import display_text
from retrieval.text.emphasis import plain_emphasis

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
MARKUP = (
    "\\", "{", "}", "$", "$$", "*", "**", "_", "`", "``", "''", "&", "&amp;", "&lt;", ";", "<", ">", "</", "<b>",
    "</b>", "~", "--", "---", "\\textbf{", "\\todo{", "\\'", '\\"', "\\frac", "\\hat", "\\bos{}", "\\(", "\\)",
    "^{", "\\textbackslash", "https://a.io/x_y", "a", "b", "e\u0301", " ", "\n", "1", "5", ",", ".", "(", ")",
    "\x00", "\x01", "\x02", "\x05", "\u200b", "\u202e", "\u2011", "\ud800", "\xe9", "\u8bba", "[x](",
)  # fmt: skip
MARKED_UP = st.lists(st.sampled_from(MARKUP), max_size=30).map("".join)
ANY_TEXT = st.text(st.characters(), max_size=120)


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        (r"\emph{x} and \textbf{y}", "x and y"),
        (r"by $48.7\%$ and $100\times$ lower", "by 48.7% and 100× lower"),
        (r"only 0.8\% of it", "only 0.8% of it"),
        (r"as slowly as $n^{-1/4}$.", "as slowly as n^(-1/4)."),
        (r"$p<10^{-9}$ on $x_{i}^2$", "p<10^-9 on x_i^2"),
        ("8%--17% and $6.9\\%$--$24.0\\%$", "8%–17% and 6.9%–24.0%"),
        ("Search---a method---finds", "Search—a method—finds"),
        ("RL tasks~-~including", "RL tasks - including"),
        (r"Gemini-\{2.5,3\}-pro", "Gemini-{2.5,3}-pro"),
        (r"\textit{Masked Models }(NCMs), a", "Masked Models (NCMs), a"),
        (r"system. \todo{make more convincing}We prove", "system. We prove"),
        (r"maps the \bos{} and \nbos{} to (BOS)", "maps the BOS and NBOS to (BOS)"),
        (r"remains $\Winf(z;0)$; a", "remains Winf(z;0); a"),
        (r"$\textbf{Co}$ntribution", "Contribution"),
        (r"via dual Profiles}), a", "via dual Profiles), a"),
        (r"{\"o} \'{e} na\"{\i}ve Erd\H{o}s \c{c} S\o ren \AA", "ö é naïve Erdős ç Søren Å"),
        (r"$\mathcal{H}(\phi_u,\phi_i)$ in $\mathbb{R}^d$", "H(ϕ_u,ϕ_i) in ℝ^d"),
        (r"$\frac{1}{2}$, $\frac{a+b}{c}$, $\sqrt{n}$, $\hat\theta$", "1/2, (a+b)/c, √n, θ̂"),
        (r"\(O(n\log n)\) and \[x = y\] hold", "O(n log n) and x = y hold"),
        (r"90$^\circ$, R$^2$, 3$^{rd}$", "90°, R^2, 3rd"),
        (r"models~\citep{a,b}, and \cite{c}.", "models, and."),
        (r"ours\footnote{See A.} wins", "ours (See A.) wins"),
        (r"\href{https://a.io/x_y}{here}", "here (https://a.io/x_y)"),
        (r"\textcolor{red}{new} {\bf bold} {BERT}", "new bold BERT"),
        (r"\begin{itemize}\item one\item two\end{itemize}Then", "one two Then"),
        (r"$\gtrsim$ \coloneqq", "≳ ≔"),
        (r"\\( \\alpha \\)-fair", "α-fair"),
        ("``quoted'' and `so'", "“quoted” and ‘so’"),
    ],
)
def test_latex_becomes_plain_text(raw: str, shown: str) -> None:
    assert display_text(raw) == shown


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("**Pre**ference **Diff**usion", "Preference Diffusion"),
        ("_Neural Effect Search_, a", "Neural Effect Search, a"),
        ("*FD‑DR‑Learner* and *FD‑R‑Learner*.", "FD‑DR‑Learner and FD‑R‑Learner."),
        ("***both*** and `code`", "both and code"),
        ("[here](https://a.io/x_y)", "here (https://a.io/x_y)"),
    ],
)
def test_markdown_is_dissolved_also_inside_words(raw: str, shown: str) -> None:
    assert display_text(raw) == shown


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("<jats:p>A <jats:italic>b</jats:italic></jats:p>", "A b"),
        ("H<sub>2</sub>O, 10<sup>9</sup>, <i>E. coli</i>", "H2O, 10^9, E. coli"),
        ("x &lt; 5 &amp;amp; y", "x < 5 & y"),
        ("&lt;b&gt;bold&lt;/b&gt;", "bold"),
        ("&#x3b1;-helix&nbsp;<!-- no -->ok", "α-helix ok"),
        ("<script>alert(1)</script>text", "text"),
    ],
)
def test_tags_and_entities_are_resolved(raw: str, shown: str) -> None:
    assert display_text(raw) == shown


@pytest.mark.parametrize(
    "text",
    [
        "p < 0.05 and q > 3",
        "a<b, s<t and n<p",
        "the <EOS> token and </think>",
        "p * q, x_1, snake_case, A* and B*",
        "2*3*4 and 2**3**4",
        "$5 million and $10, US$5 and US$6, $3M–$5M",
        "50% of R&D at AT&T #1",
        "about ~100 samples, 5~10 of them",
        "https://anonymous.4open.science/r/HEDRA-8A2F.",
        "https://a.io/x_y_z~u/__init__--v?q=%20&r=*",
        "github.com/a__b/c_d",
        "front‑door and soft\u00adhyphen",
        "a lone \\",
        "sets {0, 1} and {yes, no}",
        "论文列表",
    ],
)
def test_what_is_no_markup_stays(text: str) -> None:
    assert display_text(text) == text


def test_characters_that_cannot_be_seen_are_removed() -> None:
    raw = "a\x00b\x07c\x9fd\u200be\u202ef\u2066g\ufeffh"

    assert display_text(raw) == "abcdefgh"


def test_white_space_is_folded_and_text_composed() -> None:
    assert display_text("  e\u0301\t\n a\u00a0b \u2003c ") == "é a b c"


def test_half_a_surrogate_becomes_a_replacement_character() -> None:
    assert display_text("a\ud800b") == "a\ufffdb"


@pytest.mark.parametrize(
    "raw", [r"\todo{never closed", "{{a", "a}}", "$a", r"\textbf", r"\frac{a", r"\hat", "^{a", r"\(a"]
)
def test_unbalanced_markup_loses_no_word(raw: str) -> None:
    kept = re.sub(r"\\[a-z]+", "", raw)

    assert re.findall(r"\w+", display_text(raw)) == re.findall(r"\w+", kept)


@settings(max_examples=300, deadline=None)
@given(MARKED_UP | ANY_TEXT)
@example("&amp;amp;lt;b&amp;gt;x</b>")
@example(r"\textbackslash{}emph{x}")
@example("\\" * 9 + "$" * 7 + "*" * 5)
def test_display_text_is_its_own_display_text(raw: str) -> None:
    shown = display_text(raw)

    assert display_text(shown) == shown


@settings(max_examples=300, deadline=None)
@given(MARKED_UP | ANY_TEXT)
def test_display_text_is_composed_printable_and_singly_spaced(raw: str) -> None:
    shown = display_text(raw)

    assert unicodedata.is_normalized("NFC", shown)
    assert shown == " ".join(shown.split())
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]", shown)


@given(st.lists(st.from_regex(r"[A-Za-z0-9]{1,9}[,.;:!?)%]?", fullmatch=True), max_size=30).map(" ".join))
def test_plain_prose_comes_back_unchanged(prose: str) -> None:
    assert display_text(prose) == prose


@settings(max_examples=300)
@given(st.lists(st.sampled_from(("*", "**", "_", "__", " ", "a", "b.", "(", ")", "-")), max_size=16).map("".join))
def test_emphasis_is_what_commonmark_says_it_is(text: str) -> None:
    assume(text == text.strip() and not re.search(r"\w\*+\w", text))
    (inline,) = MarkdownIt("zero").enable("emphasis").parseInline(text)
    expected = "".join(token.content for token in inline.children or () if token.type == "text")

    shown = plain_emphasis(text)

    assert shown == expected


@pytest.mark.parametrize(
    "unit",
    ["{", "}", "$", "*", "<", "\\", "&", "_", "`", "~", "-", "$a ", "**a*", "\\hat", "\\textbf{", "<b>", "<!--", "\\("],
)
def test_hostile_text_takes_time_in_proportion_to_its_length(unit: str) -> None:
    def seconds(size: int) -> float:
        started = time.process_time()
        display_text(unit * (size // len(unit)))
        return time.process_time() - started

    short, long = min(seconds(20_000) for _ in range(2)), seconds(160_000)

    # Eight times the text; a quadratic rule would take 64 times as long.
    assert long < 24 * short + 0.2


def test_plain_text_imports_no_library_for_markup() -> None:
    program = (
        "import sys; from retrieval.text.cleaning import display_text; display_text('Plain words, 50% of them.');"
        "print([m for m in sys.modules if m.startswith(('pylatexenc', 'markdown_it', 'retrieval.text.latex'))])"
    )

    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_every_gold_sentence_is_found_in_its_entry() -> None:
    questions = SHARED / "eval" / "seed_questions.jsonl"
    if not questions.is_file():
        pytest.skip(f"{questions.name} is not beside the project")
    texts = {
        (path.name, ordinal): display_text(raw)
        for path in (ROOT / "seeds").glob("*.txt")
        for ordinal, raw in enumerate(path.read_text(encoding="utf-8").split("\n\n")[1:])
    }
    checked = 0

    for line in questions.read_text(encoding="utf-8").splitlines():
        question = json.loads(line)
        places = [texts[each["file"], each["ordinal"]] for each in question["relevant"]]
        for gold in question["gold_sentences"]:
            checked += 1
            assert any(display_text(gold) in text for text in places), f"{question['id']}: {gold}"

    assert checked > 100
