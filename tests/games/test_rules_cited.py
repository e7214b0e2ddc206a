"""Every numbered rule of a shipped game is cited: by a clause of one of its rule files or by one of its examples."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hoyle.authoring.testing import TEST_SUFFIX, find_tests
from hoyle.base.diagnostics.report import Report
from hoyle.base.shipped import GAME_SUFFIX, games_folder
from hoyle.language.compile import read_game
from hoyle.language.declare.calls import statements_in
from hoyle.language.document.reading import read_nodes, read_source

RULES = sorted(games_folder().glob("*/rules.yaml"))


def list_rules(path: Path) -> set[str]:
    report = Report()
    source = read_source(path, report)
    root = read_nodes(source, report) if source else None
    assert root is not None, report.diagnostics
    return set(root.keys())


def list_cited_by_clauses(folder: Path) -> set[str]:
    cited: set[str] = set()
    for path in folder.glob("*" + GAME_SUFFIX):
        report = Report()
        declared = read_game(path, report)
        assert declared is not None, [each.message for each in report.diagnostics]
        cited |= {word.id for word in declared.cited}
        cited |= {word.id for unit in declared.units() for line in statements_in(unit.do) for word in line.cite}
    return cited


def list_cited_by_examples(folder: Path) -> set[str]:
    files = find_tests([folder])
    assert not any(tests.report.failed for tests in files)
    return {rule for tests in files for example in tests.examples for rule in example.cites}


def list_cited_by_formats(folder: Path) -> set[str]:
    """What the formats of tournaments in the folder cite."""
    texts = [path.read_text(encoding="utf-8") for path in folder.glob("*.format.yaml")]
    lines = [line for text in texts for line in re.findall(r"cite: (.*)", text)]
    return {rule for line in lines for rule in re.findall(r"[A-Z]+-A?\d+", line)}


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.parent.name)
def test_every_rule_of_a_game_is_cited_by_a_clause_or_an_example(path: Path) -> None:
    folder = path.parent
    if not list(folder.glob("*" + TEST_SUFFIX)):
        pytest.skip("a draft: it has no examples yet")
    cited = list_cited_by_clauses(folder) | list_cited_by_examples(folder) | list_cited_by_formats(folder)
    missing = list_rules(path) - cited
    assert not missing, f"rules that nothing cites: {', '.join(sorted(missing))}"


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.parent.name)
def test_every_rule_an_example_cites_exists(path: Path) -> None:
    unknown = list_cited_by_examples(path.parent) - list_rules(path)
    assert not unknown, f"examples cite what is no rule: {', '.join(sorted(unknown))}"


def test_there_are_rules_to_look_at() -> None:
    assert RULES


HEAD = re.compile(
    r"# How to read this file\. A citation such as \[(?P<rule>[A-Z0-9-]+)\] .*`hoyle cite (?P=rule)` prints it\.\n"
    r"# What is not explained here, `hoyle words (?P<game>[a-z0-9-]+)` tells: .*\.\n"
    r"(?P<legend>(#.*\n)+?)# Cards are dealt one at a time if no packets are said\. Who deals first is .*\.\ngame: "
)
# What a reader who knows neither the language nor its documents has to be told, and how a file says it.
TO_TELL = {
    "use:": r"^use:", "of: seat": r"\bof: seat\b", "lasts: match": r"\blasts: match\b", "quiet": r"\bquiet: true\b",
    "possible": r"\bpossible:", "allowed": r"\ballowed:", "forbidden": r"\bforbidden:", "cases": r"\bcases:",
    "choices": r"^choices:", "ends": r"\bends:", "waits_for": r"\bwaits_for:", "offer": r"^ +offer .*\n? *to any\b",
    "called": r"^errors:", "offender": r"\boffender\b", "call": r"^ +call: ", "table": r"^table:",
    "labels": r"^labels:",
}  # fmt: skip


def test_the_head_of_every_game_with_a_booklet_tells_how_to_read_it() -> None:
    for path in RULES:
        name = path.parent.name
        text = (path.parent / f"{name}{GAME_SUFFIX}").read_text(encoding="utf-8")
        found = HEAD.search(text)
        assert found, f"{name} does not begin with how it is read"
        assert found["rule"] in list_rules(path)
        assert found["game"] == name
        body = text[found.end() :]
        for word, said in TO_TELL.items():
            told = re.search(rf"`{word}(?!\w)", found[0]) is not None
            assert told == (re.search(said, body, re.M) is not None), f"`{word}` in {name}: told {told}"
