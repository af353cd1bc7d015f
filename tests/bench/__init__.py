"""The benchmark: `python -m tests.bench` prints PERF figures as ratios measured within one run.

It drives syncd by its command line only and asserts nothing; a missed goal is a printed "no".
"""
