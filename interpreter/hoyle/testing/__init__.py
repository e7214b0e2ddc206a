"""Examples beside the rules: `<game>.test.yaml` files, found, run and told about.

In: paths. Out: `TestFile`s and their `Example`s; an `Outcome` for each example.
"""

from hoyle.testing.files import TEST_SUFFIX, Example, TestFile, find_tests
from hoyle.testing.running import Outcome, find_problem, run_example, run_file, run_files

__all__ = [
    "TEST_SUFFIX", "Example", "Outcome", "TestFile", "find_problem", "find_tests", "run_example", "run_file",
    "run_files",
]  # fmt: skip
