"""What the argument-less macros of LaTeX stand for, in Unicode.

The names that abstracts use are in a table here, so that reading them costs no import; every name of up to four
letters or with a capital that LaTeX and AMS define is among them. Longer names are looked up in pylatexenc.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

__all__ = ["FUNCTIONS", "LETTERS", "SILENT", "symbol"]

_FUNCTION_NAMES: Final = """
    arccos arcsin arctan arg cos cosh cot coth csc csch deg det dim exp gcd hom inf ker lg lim liminf limsup ln
    log max min mod Pr sec sech sin sinh sup tan tanh argmax argmin bmod
"""
_LETTER_PAIRS: Final = """
    o=ø O=Ø l=ł L=Ł ae=æ AE=Æ oe=œ OE=Œ aa=å AA=Å ss=ß SS=ẞ i=ı j=ȷ dh=ð DH=Ð dj=đ DJ=Đ th=þ TH=Þ ng=ŋ NG=Ŋ
"""
_SILENT_NAMES: Final = """
    bf it em tt sc rm sf sl cal bfseries itshape scshape ttfamily sffamily rmfamily upshape slshape mdseries
    normalfont tiny scriptsize footnotesize small normalsize large Large LARGE huge Huge displaystyle textstyle
    scriptstyle scriptscriptstyle noindent indent centering raggedright left right middle big Big bigg Bigg bigl
    bigr bigm Bigl Bigr Bigm biggl biggr biggm Biggl Biggr Biggm limits nolimits xspace protect relax null strut
    phantomsection maketitle ignorespaces boldmath unboldmath allowbreak nobreak linebreak newblock sloppy
    mathstrut nonumber notag selectfont leavevmode
"""

FUNCTIONS: Final = frozenset(_FUNCTION_NAMES.split())
"""Operators that are written as their own name, set apart from what stands around them."""

LETTERS: Final[Mapping[str, str]] = dict(pair.split("=") for pair in _LETTER_PAIRS.split())
"""Letters: a blank that follows only ends the macro's name and is not text."""

SILENT: Final = frozenset(_SILENT_NAMES.split())
"""Macros that change how text looks and are no text themselves."""

_TABLE: Final[Mapping[str, str]] = {
    name: character
    for character, names in {
        "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ϵ": "epsilon", "ε": "varepsilon", "ζ": "zeta",
        "η": "eta", "θ": "theta", "ϑ": "vartheta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu",
        "ξ": "xi", "π": "pi", "ϖ": "varpi", "ρ": "rho", "ϱ": "varrho", "σ": "sigma", "ς": "varsigma", "τ": "tau",
        "υ": "upsilon", "ϕ": "phi", "φ": "varphi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma",
        "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma", "Υ": "Upsilon", "Φ": "Phi",
        "Ψ": "Psi", "Ω": "Omega", "×": "times texttimes", "÷": "div", "±": "pm textpm", "∓": "mp", "·": "cdot",
        "∗": "ast", "⋆": "star", "∘": "circ", "•": "bullet textbullet", "⊕": "oplus", "⊖": "ominus",
        "⊗": "otimes", "⊘": "oslash", "⊙": "odot", "†": "dag dagger", "‡": "ddag ddagger", "≤": "le leq leqslant",
        "≥": "ge geq geqslant", "≪": "ll", "≫": "gg", "⋘": "lll", "⋙": "ggg", "≠": "ne neq", "≡": "equiv",
        "∼": "sim thicksim", "≃": "simeq", "≈": "approx thickapprox", "≅": "cong", "≍": "asymp", "≐": "doteq",
        "≲": "lesssim", "≳": "gtrsim", "∝": "propto varpropto", "≔": "coloneqq", "≺": "prec", "≻": "succ",
        "≼": "preceq", "≽": "succeq", "∈": "in", "∉": "notin", "∋": "ni", "⊂": "subset", "⊃": "supset",
        "⊆": "subseteq", "⊇": "supseteq", "∪": "cup", "∩": "cap", "⊎": "uplus", "⊔": "sqcup", "⊓": "sqcap",
        "∅": "emptyset varnothing", "∖": "setminus", "∀": "forall", "∃": "exists", "∄": "nexists", "¬": "neg lnot",
        "∧": "wedge land", "∨": "vee lor", "⊤": "top", "⊥": "bot perp", "⊢": "vdash", "⊨": "models vDash",
        "∣": "mid", "∤": "nmid", "∥": "parallel", "‖": "Vert lVert rVert", "|": "vert lvert rvert",
        "→": "to rightarrow", "←": "leftarrow gets", "↔": "leftrightarrow", "⇒": "Rightarrow implies", "⇐": "Leftarrow",
        "⇔": "Leftrightarrow iff", "↦": "mapsto", "⟶": "longrightarrow", "⟵": "longleftarrow", "↑": "uparrow",
        "↓": "downarrow", "⇑": "Uparrow", "⇓": "Downarrow", "↕": "updownarrow", "⇕": "Updownarrow",
        "⟸": "Longleftarrow", "⟹": "Longrightarrow", "⟺": "Longleftrightarrow", "↝": "leadsto", "↗": "nearrow",
        "↘": "searrow", "↖": "nwarrow", "↙": "swarrow", "↪": "hookrightarrow", "∞": "infty", "∂": "partial",
        "∇": "nabla", "∑": "sum", "∏": "prod", "∐": "coprod", "∫": "int", "∮": "oint", "√": "surd", "ℓ": "ell",
        "ℏ": "hbar", "ℜ": "Re", "ℑ": "Im", "ℵ": "aleph", "℘": "wp", "′": "prime", "″": "dprime", "∠": "angle",
        "△": "triangle", "□": "square Box", "◇": "Diamond diamond", "♮": "natural", "♯": "sharp", "♭": "flat",
        "✓": "checkmark cmark", "✗": "xmark", "⟨": "langle", "⟩": "rangle", "⌈": "lceil", "⌉": "rceil",
        "⌊": "lfloor", "⌋": "rfloor", "{": "lbrace", "}": "rbrace", "[": "lbrack", "]": "rbrack",
        "…": "ldots dots textellipsis dotsc dotsb", "⋯": "cdots dotsm", "⋮": "vdots", "⋱": "ddots",
        "°": "degree textdegree",
        "§": "S", "¶": "P", "©": "copyright textcopyright", "®": "textregistered", "™": "texttrademark",
        "£": "pounds", "€": "euro texteuro", "–": "textendash", "—": "textemdash", "“": "textquotedblleft",
        "”": "textquotedblright", "‘": "textquoteleft lq", "’": "textquoteright rq", "‰": "textperthousand",
        "µ": "micro textmu", "~": "textasciitilde", "^": "textasciicircum", "\\": "textbackslash backslash",
        "_": "textunderscore", "<": "lt textless", ">": "gt textgreater", ":": "colon", ";": "semicolon",
        "⋈": "bowtie", "≀": "wr", "⊲": "lhd", "⊳": "rhd", "⊑": "sqsubseteq", "⊒": "sqsupseteq", "∴": "therefore",
        "∵": "because", "⋉": "ltimes", "⋊": "rtimes", "⊞": "boxplus", "⊠": "boxtimes", "ℷ": "gimel", "∁": "complement",
        "⋃": "bigcup", "⋂": "bigcap", "⨁": "bigoplus", "⨂": "bigotimes", "⋁": "bigvee", "⋀": "bigwedge",
        "TeX": "TeX", "LaTeX": "LaTeX", "&": "And", "⫫": "indep Indep independent", "☞": "HandRight",
        " ": "quad qquad space par newline hfill newpage hline nobreakspace thinspace enspace smallskip medskip item",
        "e.g.": "eg", "i.e.": "ie", "et al.": "etal", "etc.": "etc", "w.r.t.": "wrt", "cf.": "cf", "vs.": "vs",
        "a.k.a.": "aka", "i.i.d.": "iid", "s.t.": "st", "resp.": "resp",
    }.items()
    for name in names.split()
}  # fmt: skip


def symbol(name: str) -> str | None:
    """Return the text that the macro *name* (without its backslash) stands for, or None when no one defined it."""
    known = _TABLE.get(name) or LETTERS.get(name)
    if known is not None:
        return known
    return _looked_up(name) if len(name) > 4 and name.islower() else None


@lru_cache(maxsize=1024)
def _looked_up(name: str) -> str | None:
    # Imported here: it takes longer than cleaning a thousand abstracts, and few lists have a name that needs it.
    from pylatexenc.latex2text import get_default_latex_context_db

    meaning = getattr(get_default_latex_context_db().get_macro_spec(name), "simplify_repl", None)
    return meaning if isinstance(meaning, str) and meaning and "%" not in meaning else None
