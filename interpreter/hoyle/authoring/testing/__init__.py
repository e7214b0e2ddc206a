"""The test runner for rule files: finds and runs the examples in `<game>.test.yaml` files.

In: paths. Out: `TestFile`s and their `Example`s; an `Outcome` for each example.
"""

from hoyle.authoring.testing.example_files import TEST_SUFFIX, Example, TestFile, find_tests
from hoyle.authoring.testing.inheriting import Comparison, Inherited, compare_with_parents, short_name
from hoyle.authoring.testing.running import Outcome, find_problem, run_example, run_file, run_files

__all__ = [
    "TEST_SUFFIX", "Comparison", "Example", "Inherited", "Outcome", "TestFile", "compare_with_parents", "find_problem",
    "find_tests", "run_example", "run_file", "run_files", "short_name",
]  # fmt: skip
