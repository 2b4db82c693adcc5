"""How fast Pullquote is, beside other engines and by itself: `python -m tests.benchmarks`, or `make bench`."""
