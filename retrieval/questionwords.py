"""Words that ask rather than name, in degrees: what is left without them is what a question is about."""

from __future__ import annotations

__all__ = ["ASKING", "DETAILS", "GENERAL", "TECHNICAL"]

ASKING = """
    paper papers work works article articles abstract abstracts study studies publication research researchers
    author authors show list anything something find found tell explain describe define definition use used uses
    using utilise give gives show shown know known say says said talk talks mention discuss look looking like want
    need help please remind stand stands mean means meaning call called name named acronym abbreviation state
    difference differences different differ distinguish distinguishes compare compared comparing comparison versus
    vs method methods approach approaches technique techniques propose proposed introduce present result results
    kind kinds type types sort way ways thing things get gets got make makes made happen happens take takes come
    deal deals handle handles concern concerning regarding related relate cover covers many much long often one two
    three anyone someone everybody everyone people actually really exactly also just even still ever well good best
    better new recent latest interesting short sentence detail details whats example examples question answer
    idea reason evidence suggest suggested try tried able could would might may without within instead rather among
    along across whether else first second main set based via per let possible
"""
"""Never key terms."""

GENERAL = """
    link achieve prior previous existing current different several various certain particular specific general
    common main major key important easily slowly quickly directly rather enough whole every each other
    others another beyond plus imply reveal obtain reach hold evaluate evaluated test tested validate validated host
    motivate keep build built cut cover remove represent apply applied depend choose pick act respect remain
    allow enable support require need lead cause ensure provide offer include contain consist involve consider
    report demonstrate prove solve address tackle perform improve help increase reduce run understand decide detect
    measure compute calculate determine identify select save exist occur become turn put go bring move rely rest
    fail succeed matter percentage percent term terms role point part number amount lot level degree factor case
    situation condition area field subject topic problem issue goal aim purpose algorithm code data model models
    system systems task tasks experiment experiments real train trained training
"""
"""Verbs and nouns of any paper: key terms, but they count little."""

DETAILS = """
    gpu gpus cpu hardware memory ram parameter parameters hyperparameter hyperparameters optimizer optimiser batch
    epoch epochs runtime rate cost costs license licence affiliation university institution lab dataset datasets
    benchmark benchmarks baseline baselines code repository github accuracy seed seeds ablation limitation
    limitations appendix table figure experiment evaluation implementation pytorch tensorflow jax complexity size
    fund funded funding funder citation citations annotators participants survey interview deployment production
    latency throughput flops tokens architecture layers model framework algorithm metric metrics sample
"""
"""Details that any paper might give. Beside a name they show that the name is meant as a paper's; one that the abstract
does not have rules `answered` out."""

TECHNICAL = """
    gpu gpus hyperparameter hyperparameters optimizer optimiser epoch epochs runtime dataset datasets benchmark
    benchmarks baseline baselines ablation ablations appendix pytorch tensorflow jax flops evaluate evaluated
    evaluation validate validated outperform experiment experiments implementation parameters metric metrics
    algorithm framework complexity accuracy architecture perform performance achieve trained optimization improve
    test tested
"""
"""Those that nobody says of a drink, a planet or a person."""
