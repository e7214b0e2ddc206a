"""Whatever a rule file says, it is checked in a time that grows with its length: definitions and actions that use the
one below them twice would else take twice as long at every storey, and these would never be answered. What takes more
steps than are allowed is told; steps are counted, so tests can do so too."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoyle.authoring.trial_matches import MOST_WORK as MOST_TRIAL
from hoyle.authoring.trial_matches import try_out
from hoyle.base import effort
from hoyle.base.diagnostics.report import Report
from hoyle.base.effort import TooMuchWork, bounded, spend
from hoyle.language import compile as compiling
from hoyle.language import specialise
from hoyle.language.compile import check_file, check_game
from hoyle.language.specialise import MOST_WORK
from hoyle.play.codegen.unsupported import Unsupported
from hoyle.play.engine import printed
from hoyle.play.engine.game import Game
from hoyle.play.engine.printed import write_source

RULES = """
game: tower
title: Tower
players: 2
deck: {{starts_in: pack, attributes: {{rank: 1..9}}, cards: [{{rank: 1..9, copies: 4}}]}}
zones: {{pack: {{shows: all}}, hand: {{of: seat, shows: owner}}}}
state: {{x: {{type: number, start: 1}}}}
definitions:
{definitions}
actions:
{actions}
  nod: {{}}
steps:
  match: |
    shuffle pack
    if {test}: score 1 to dealer
    dealer chooses nod{more}
winners: (seat in seats with highest score of seat)
"""
HEIGHT = 45


def tower(first: str, each: str) -> str:
    return "\n".join([f"  d0{first}", *(f"  d{i}{each.format(below=i - 1)}" for i in range(1, HEIGHT))])


CASES = {
    "numbers": (tower(": count of pack", ": d{below} + d{below}"), "d44 > 1"),
    "conditions": (tower(": x > 1", ": d{below} or not d{below}"), "d44"),
    "of a seat": (
        tower(" of seat: count of hand of seat", " of seat: d{below} of left of seat + d{below} of seat"),
        "d44 of dealer > 1",
    ),
    "of a zone": (tower(" of zone: count of zone", " of zone: d{below} of zone + d{below} of pack"), "d44 of pack > 1"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_tower_of_definitions_is_checked(case: str, tmp_path: Path) -> None:
    definitions, test = CASES[case]
    (tmp_path / "tower.game.yaml").write_text(RULES.format(definitions=definitions, actions="", test=test, more=""))
    assert not codes(tmp_path / "tower.game.yaml")


@pytest.mark.parametrize("case", CASES)
def test_a_tower_of_definitions_is_checked_where_cards_are_chosen(case: str, tmp_path: Path) -> None:
    definitions, test = CASES[case]
    actions = f'  take: {{choose: {{card: "(card in hand where {test})"}}, possible: {test}}}'
    text = RULES.format(definitions=definitions, actions=actions, test="x > 1", more=" or take")
    (tmp_path / "tower.game.yaml").write_text(text)
    assert "too-much-to-check" not in codes(tmp_path / "tower.game.yaml")


def test_a_definition_that_asks_for_itself_where_cards_are_chosen_is_told(tmp_path: Path) -> None:
    actions = '  take: {choose: {card: "(card in hand where more > 1)"}}'
    text = RULES.format(definitions="  more: 1 + more + more", actions=actions, test="x > 1", more=" or take")
    (tmp_path / "tower.game.yaml").write_text(text)
    assert "definition-ring" in codes(tmp_path / "tower.game.yaml")


def test_a_tower_of_actions_is_checked(tmp_path: Path) -> None:
    actions = "  a0: {choose: {card: hand}}\n" + "\n".join(
        f"  a{i}: {{choose: {{card: hand}}, possible: {{one: seat can a{i - 1}, two: seat may a{i - 1}}}}}"
        for i in range(1, HEIGHT)
    )
    more = "".join(f" or a{i}" for i in range(HEIGHT))
    text = RULES.format(definitions="  few: 3", actions=actions, test="few > x", more=more)
    (tmp_path / "tower.game.yaml").write_text(text)
    assert not codes(tmp_path / "tower.game.yaml")


# ------------------------------------------------------------------------------------------------ long files
LONG = """
game: long
title: Long
players: {players}
deck: {{starts_in: pack, attributes: {{rank: 1..9}}, cards: [{{rank: 1..9, copies: 20}}]}}
zones: {{pack: {{shows: all}}, hand: {{of: seat, shows: owner}}, pile: {{shows: all}}}}
state: {{x: {{type: number, start: 1}}}}
definitions: {{few: 3}}
actions: {{nod: {{}}}}
ends:
{ends}
steps:
  match: |
    shuffle pack
{match}
    dealer chooses nod
{steps}
winners: (seat in seats with highest score of seat)
"""


def write_long(folder: Path, players: str, lines: list[str], ends: int = 0, each: int = 300) -> Path:
    """A file of many statements, in steps that are not too long, and ends of steps."""
    parts = [lines[i : i + each] for i in range(0, len(lines), each)]
    steps = "".join(f"  p{i}: |\n" + "".join(f"    {line}\n" for line in part) for i, part in enumerate(parts))
    steps += "".join(f"  e{i}: move top of pack to pile\n" for i in range(ends))
    match = [*(f"    do p{i}" for i in range(len(parts))), *(f"    do e{i}" for i in range(ends))]
    file = folder / "long.game.yaml"
    said = "".join(f"  e{i}: count of pile > {i}\n" for i in range(ends)) or "  match: x > 99999\n"
    file.write_text(LONG.format(players=players, ends=said, match="\n".join(match), steps=steps))
    return file


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[effort.Effort]:
    """Every bound that is set while a test runs."""
    found: list[effort.Effort] = []
    begin = effort.Effort.__init__

    def note(self: effort.Effort, left: int) -> None:
        begin(self, left)
        found.append(self)

    monkeypatch.setattr(effort.Effort, "__init__", note)
    return found


def codes(file: Path) -> set[str]:
    return list_codes(check_file(file))


def list_codes(report: Report) -> set[str]:
    """The findings; the files here declare some things to no purpose."""
    return {one.code for one in report.diagnostics} - {"never-used"}


def test_a_megabyte_of_rules_is_answered_after_a_bounded_number_of_steps(
    tmp_path: Path, counted: list[effort.Effort], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "MOST_WORK", MOST_WORK // 10)  # or else a test would take as long as it may
    file = write_long(tmp_path, "2", [f"if x > {i}: score {i % 9} to dealer" for i in range(26_000)])
    assert 900_000 < file.stat().st_size < 1_000_000
    assert codes(file) == {"too-much-to-check"}
    assert all(each.left > -10_000 for each in counted)


def test_sixty_four_numbers_of_players_are_all_checked(
    tmp_path: Path, counted: list[effort.Effort]
) -> None:
    file = write_long(tmp_path, "1..64", [f"if x > {i}: score {i % 9} to dealer" for i in range(250)])
    checked = check_game(file)
    assert not list_codes(checked.report)
    seen = [program.players for program in checked.programs]
    assert seen == list(range(1, 65))
    assert counted[0].left >= 0


def test_rules_that_say_how_many_play_are_checked_at_every_number_or_told_to_be_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write_long(tmp_path, "1..20", [f"if players > {i}: score {i % 9} to dealer" for i in range(40)])
    assert len(check_game(file).programs) == 20
    monkeypatch.setattr(compiling, "MOST_WORK", MOST_WORK // 300)
    assert codes(file) == {"too-much-to-check"}


def test_three_hundred_ends_are_checked(tmp_path: Path) -> None:
    assert codes(write_long(tmp_path, "2", ["shuffle pile"], ends=300)) == set()


def test_looking_for_what_would_mend_a_file_is_bounded(tmp_path: Path, counted: list[effort.Effort]) -> None:
    file = write_long(tmp_path, "2..4", [f"moove tpo of pack too pyle{i}" for i in range(400)])
    assert codes(file)
    assert len(counted) < 5 and all(each.left > -20_000 for each in counted)


def test_trial_matches_take_no_more_than_is_allowed(tmp_path: Path, counted: list[effort.Effort]) -> None:
    busy = ["repeat 20 times:", "  repeat 2000 times: set x to count of pack", "  dealer chooses nod"]
    checked = check_game(write_long(tmp_path, "2..5", busy))
    assert not list_codes(checked.report)
    del counted[:]
    try_out(checked)
    assert not list_codes(checked.report)
    assert sum(MOST_TRIAL // 4 - each.left for each in counted[:4]) < 1.2 * MOST_TRIAL


def test_a_game_too_long_to_write_code_for_is_played_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked = check_game(write_long(tmp_path, "2", ["for each seat: seat chooses nod"] * 40))
    (program,) = checked.programs
    monkeypatch.setattr(printed, "MOST_WRITING", 400)
    with pytest.raises(Unsupported):
        write_source(program)
    results = {Game(program, executor=name).playout(1) for name in ("generated", "reference")}
    assert len(results) == 1


def test_work_is_counted_only_inside_a_bound_and_bounds_inside_another_are_that_one() -> None:
    spend(10**9)
    with bounded(10) as outer, bounded(1_000) as inner:
        assert inner is outer
        spend(10)
        with bounded(5, apart=True), pytest.raises(TooMuchWork):
            spend(6)
        assert not outer.is_spent
        with pytest.raises(TooMuchWork):
            spend()


def test_secrets_are_looked_for_once_for_all_players_and_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked, find_leaks = [], specialise.find_leaks
    monkeypatch.setattr(specialise, "find_leaks", lambda program: looked.append(program) or find_leaks(program))
    assert not check_file("oh-hell").failed
    assert len(looked) == 1


# ------------------------------------------------------------------------------------------------ long values and lines
@pytest.mark.parametrize("said", ["for each rank: set x to 2", "if some rank satisfies (rank > 3): shuffle pack"])
def test_values_are_counted_before_they_are_listed(said: str, tmp_path: Path) -> None:
    for most, told in (("100000000", {"huge-number"}), ("2000", set())):
        text = RULES.format(definitions="  few: 3", actions="", test="x > 1", more="").replace("shuffle pack", said)
        (tmp_path / "a.game.yaml").write_text(text.replace("{rank: 1..9}, cards", f"{{rank: 1..{most}}}, cards"))
        assert codes(tmp_path / "a.game.yaml") == told


LINES = {
    "gaps": "score 1" + " " * 18_000 + "too dealer",
    "a gap in what is right": "score 1" + " " * 18_000 + 'to dealer for "x"',
    "ofs": "move " + "top of " * 2_000 + "x",
    "a list of conditions": "score " + "a if a, or " * 20 + "x",
    "brackets": "score 1 to dealer " + "[" * 5_000,
    "quotes": "score 1 to dealer for " + '" ' * 5_000,
    "one line of many": "score 1 to x" + "a" * 15_000,
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_a_long_line_is_answered_after_a_bounded_number_of_steps(
    line: str, tmp_path: Path, counted: list[effort.Effort]
) -> None:
    text = RULES.format(definitions="  few: 3", actions="", test="x > 1", more="").replace("shuffle pack", line)
    (tmp_path / "a.game.yaml").write_text(text)
    check_file(tmp_path / "a.game.yaml")
    assert counted[0].left > 0


def test_picks_that_multiply_are_counted_rather_than_listed(tmp_path: Path, counted: list[effort.Effort]) -> None:
    choose = "  grab: {choose: {a: 3..13 cards from pack, b: 3..13 cards from pack}}"
    file = tmp_path / "tower.game.yaml"
    file.write_text(RULES.format(definitions="  few: 3", actions=choose, test="few > x", more=" or grab"))
    checked = check_game(file)
    del counted[:]
    try_out(checked)
    assert [error.message for error in checked.report.diagnostics if error.code == "trial-stopped"] == [
        "more than 4294967296 choices are offered, in 1 of 1 trial matches of 2 players"
    ]
    assert not any(effort.is_spent for effort in counted)


# ------------------------------------------------------------------------------------------------ decks
def write_deck(folder: Path, groups: int) -> Path:
    """A deck of 1,900 cards, which are others with every number of players."""
    rows = "".join(f"    - {{rank: 1..1900, row: r{i}, if: players = {i + 2}}}\n" for i in range(groups))
    text = RULES.format(definitions="  few: 3", actions="", test="few > x", more="")
    text = text.replace("players: 2", "players: 2..3")
    deck = text[text.index("deck:") : text.index("zones:")]
    names = ", ".join(f"r{i}" for i in range(groups))
    file = folder / "tower.game.yaml"
    attributes = f"attributes: {{rank: 1..1900, row: [{names}]}}"
    file.write_text(text.replace(deck, f"deck:\n  starts_in: pack\n  {attributes}\n  cards:\n{rows}"))
    return file


def test_cards_that_are_not_in_the_deck_count_as_work(tmp_path: Path) -> None:
    assert "too-much-to-check" in codes(write_deck(tmp_path, 700))
    assert len(codes(write_deck(tmp_path, 2))) == 0
