"""Whatever comes from outside is answered: nothing is raised, nothing takes long or much memory, and every way of
playing what is accepted gives the same match. What goes wrong is made small and kept in a file."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fuzzing import VALUES, Worker, fuzz, make_case, minimise

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="limits of processes are calls of Unix")

FEW = 4
CASES = 20_000
SHARES = 40


def test_a_few_cases_are_answered(tmp_path: Path) -> None:
    wrong = fuzz(range(FEW), tmp_path, shrink=False)
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("share", range(SHARES))
def test_twenty_thousand_cases_are_answered(share: int, tmp_path: Path) -> None:
    size = CASES // SHARES
    wrong = fuzz(range(share * size, (share + 1) * size), tmp_path)
    assert not wrong, "\n\n".join(wrong)


def test_cases_are_the_same_every_time_and_of_every_kind() -> None:
    cases = [make_case(number) for number in range(200)]
    assert cases == [make_case(number) for number in range(200)]
    assert {case.kind for case in cases} == {"rules", "tests", "format", "transcript", "position", "match"}


def test_a_case_changes_nothing_that_others_are_made_of() -> None:
    before = repr(VALUES)
    for number in range(910, 920):
        make_case(number)
    assert repr(VALUES) == before


def test_what_goes_wrong_is_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Worker, "run", lambda self, case: "Wrong: it says so" if "zones:" in case.text else "")
    case = next(case for case in map(make_case, range(99)) if case.kind == "rules" and "zones:" in case.text)
    assert minimise(case, "Wrong: it says so", Worker()).text.count("\n") < 3


def test_what_does_not_go_wrong_again_is_kept_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Worker, "run", lambda self, case: "")
    case = make_case(0)
    assert minimise(case, "more than 5.0 s of CPU: 5.1", Worker()) == case
