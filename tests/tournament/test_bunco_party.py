"""The progressive party, and other formats: who is punched, who moves, who wins; the same again from the same seed."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from hoyle.base.diagnostics.codes_tournament import TOURNAMENT_CODES
from hoyle.base.diagnostics.report import Report
from hoyle.base.shipped import find_game
from hoyle.front.cli.group import commands
from hoyle.lab.tournament import Plan, Setup, find_format, list_formats, read_format, run_tournament, set_up
from hoyle.lab.tournament.bot_table import Table
from hoyle.lab.tournament.cutting import cut_among, lift_from_seed
from hoyle.lab.tournament.running import settle
from hoyle.lab.tournament.seating import move_awarded, pair_equals, pair_everybody
from hoyle.lab.tournament.standings import rank_sides
from hoyle.lab.tournament.standings_text import describe_standings, outcome_data

SHORT = {"bunco_pile_size": "5"}


def prepare(game: str, form: str, seats: int, options: dict[str, str] | None = None) -> Setup:
    path = find_game(game)
    assert path is not None
    report = Report()
    found = find_format(form, path.parent)
    assert found is not None
    read = read_format(found, report)
    assert read is not None, report.diagnostics
    setup = set_up(read, path, seats, dict(options or {}), report)
    assert setup is not None, [each.message for each in report.diagnostics]
    return setup


def leave(setup: Setup, sizes: list[int]) -> Table:
    """A table left with Bunco piles of these sizes."""
    table = Table(setup.game, "first", 0, 0.0)
    names, position = setup.game.names, table.position
    piles = [z for z, (zone, _) in enumerate(names.zones) if zone.name == "bunco_pile"]
    stock = position.zones[0]
    for zone, size in zip(piles, sizes, strict=True):
        pile = position.zones[zone]
        while len(pile) > size:
            stock.insert(0, pile.pop())
    return table


# ------------------------------------------------------------------------------------------------ one game
def test_v41_the_fewest_are_punched_and_move_on() -> None:
    setup = prepare("bunco", "progressive", 4)
    plan = Plan(tables=2, games=10)
    executor = setup.game.executor
    first, second = leave(setup, [0, 4, 6, 2]), leave(setup, [5, 3, 7, 3])
    assert setup.stops(executor, first.position)
    assert not setup.stops(executor, second.position)
    cuts: list[list[int]] = []

    def cut(equal: list[int]):  # type: ignore[no-untyped-def]  # the type of a cut is not the point here
        cuts.append(equal)
        return cut_among(equal, setup.ranks, "highest", lift_from_seed(1, len(setup.ranks)))

    at_first = settle(setup, plan, (0, 1, 2, 3), first, cut)
    at_second = settle(setup, plan, (4, 5, 6, 7), second, cut)
    assert (at_first.awarded, at_first.mover, at_first.cut) == ((0,), 0, None)
    assert at_second.equal == (5, 7)
    assert cuts == [[5, 7]]
    assert at_second.mover in (5, 7)
    assert at_second.awarded == (at_second.mover,)
    seating = move_awarded(((0, 1, 2, 3), (4, 5, 6, 7)), {0: 0, 1: 7})
    assert seating == ((7, 1, 2, 3), (4, 5, 6, 0))


def test_all_who_tie_are_punched_if_so_agreed_and_one_of_them_moves() -> None:
    setup = prepare("bunco", "progressive", 4)
    table = leave(setup, [5, 3, 7, 3])
    lift = lift_from_seed(2, len(setup.ranks))
    result = settle(
        setup, Plan(2, 10, tie="all"), (4, 5, 6, 7), table, lambda equal: cut_among(equal, setup.ranks, "highest", lift)
    )
    assert result.awarded == (5, 7)
    assert result.mover in (5, 7)


def test_v37_in_a_cut_the_highest_number_wins_and_other_cards_count_nothing() -> None:
    setup = prepare("bunco", "progressive", 4)
    codes = [card.code for card in setup.game.program.cards]
    seven, stop, bunco = codes.index("7"), codes.index("S"), codes.index("B")
    assert [setup.ranks[card] for card in (seven, stop, bunco)] == [7, 0, 0]
    cut = cut_among([4, 5, 6], setup.ranks, "highest", lambda number: [seven, stop, bunco])
    assert (cut.winner, len(cut.rounds)) == (4, 1)
    lifted = iter([[stop, bunco], [stop, seven]])
    again = cut_among([4, 5], setup.ranks, "highest", lambda number: next(lifted))
    assert (again.winner, len(again.rounds)) == (5, 2)


def test_with_partners_the_pair_with_the_fewest_together_is_punched() -> None:
    setup = prepare("bunco-partners", "progressive", 4)
    assert setup.sides == 2
    table = leave(setup, [0, 4, 6, 1])
    result = settle(setup, Plan(2, 10), (6, 7), table, lambda equal: pytest.fail("no cut is needed"))
    assert result.awarded == (7,)
    assert not setup.stops(setup.game.executor, leave(setup, [0, 4, 6, 1]).position)
    assert setup.stops(setup.game.executor, leave(setup, [0, 4, 0, 1]).position)


# ------------------------------------------------------------------------------------------------ whole tournaments
def test_a_party_runs_to_a_winner_and_again_from_its_seed() -> None:
    setup = prepare("bunco", "progressive", 2, SHORT)
    plan = Plan(tables=2, games=3, seed=11)
    heard: list[tuple[int, int]] = []
    outcome = run_tournament(setup, plan, lambda number, game, points: heard.append((number, sum(points))))
    assert heard == [(1, 2), (2, 4), (3, 6)]
    assert sum(each.points for each in outcome.standings) == 6
    assert [each.rank for each in outcome.standings][:2] == [1, 2]
    for before, after in zip(outcome.games, outcome.games[1:], strict=False):
        for table in range(2):
            mover = before.tables[table].mover
            assert mover in after.tables[(table + 1) % 2].sides
    assert outcome_data(run_tournament(setup, plan)) == outcome_data(outcome)
    assert outcome_data(run_tournament(setup, Plan(2, 3, seed=12))) != outcome_data(outcome)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), [("bunco", 4), ("bunco-partners", 4)])
def test_the_party_of_four_tables_plays_ten_games_to_a_winner(game: str, seats: int) -> None:
    setup = prepare(game, "progressive", seats)
    outcome = run_tournament(setup, Plan(tables=4, games=10, seed=7))
    assert len(outcome.games) == 10
    assert sum(each.points for each in outcome.standings) == 40
    assert [each.rank for each in outcome.standings].count(1) == 1
    assert outcome_data(run_tournament(setup, Plan(tables=4, games=10, seed=7))) == outcome_data(outcome)
    for game_result in outcome.games:
        assert game_result.stopped_by is not None or all(table.over for table in game_result.tables)


def test_when_one_table_stops_no_other_makes_a_further_decision() -> None:
    setup = prepare("bunco", "progressive", 2, SHORT)
    outcome = run_tournament(setup, Plan(tables=3, games=2, seed=4))
    for game in outcome.games:
        assert game.stopped_by is not None
        made = [table.decisions for table in game.tables if not table.over]
        stopper = game.tables[game.stopped_by].decisions
        assert all(stopper - 1 <= number <= stopper for number in made)


def test_in_a_round_robin_everybody_meets_everybody_once() -> None:
    for sides in (2, 4, 6, 8):
        met = [frozenset(pair) for game in range(sides - 1) for pair in pair_everybody(sides, game)]
        assert len(met) == len(set(met)) == sides * (sides - 1) // 2
    setup = prepare("bonus-20", "round-robin", 2, {"match_length": "some_deals", "match_deals": "1"})
    outcome = run_tournament(setup, Plan(tables=2, games=None, seed=3))
    assert len(outcome.games) == 3
    assert sum(each.points for each in outcome.standings) == 2 * 2 * 3


def test_in_a_swiss_event_equals_meet_and_nobody_meets_twice_while_that_can_be_helped() -> None:
    setup = prepare("bonus-20", "swiss", 2, {"match_length": "some_deals", "match_deals": "1"})
    outcome = run_tournament(setup, Plan(tables=4, games=3, seed=5))
    met = [frozenset(table.sides) for game in outcome.games for table in game.tables]
    assert len(met) == len(set(met)) == 12
    points = [0] * 8
    for table in outcome.games[0].tables:
        for side in table.awarded:
            points[side] += 2
    assert all(points[a] == points[b] for a, b in pair_equals(points, set(), (2, 2, 2, 2)))


def test_a_cut_settles_the_first_place_and_points_of_opponents_go_before_nothing() -> None:
    met = [{1}, {0}, {3}, {2}]
    standings, cut = rank_sides(
        [3, 1, 3, 0], met, ("cut",), lambda equal: cut_among(equal, [1, 2, 3], "highest", lambda number: [0, 2])
    )
    assert cut is not None
    assert [(each.rank, each.side) for each in standings] == [(1, 2), (2, 0), (3, 1), (4, 3)]
    standings, cut = rank_sides([3, 1, 3, 0], met, ("opponents", "shared"), lambda equal: pytest.fail("no cut"))
    assert cut is None
    assert [(each.rank, each.side) for each in standings][:2] == [(1, 0), (2, 2)]
    standings, _ = rank_sides([3, 1, 3, 1], [{1}, {0}, {3}, {2}], ("shared",), lambda equal: pytest.fail("no cut"))
    assert [each.rank for each in standings] == [1, 1, 3, 3]


# ------------------------------------------------------------------------------------------------ people and tables
def test_players_who_do_not_divide_evenly_sit_at_tables_of_unequal_size() -> None:
    asked = ("bunco", "--players", "5", "--tables", "2", "--games", "3", "--seed", "2", "-s", "bunco_pile_size=5")
    code, shown = run(*asked)
    assert code == 0, shown
    assert "5 players at 2 tables of 2 or 3" in flat(shown)
    code, data = run(*asked, "--json")
    games = json.loads(data)["games"]
    for game in games:  # who goes is replaced by who comes, so that tables keep their sizes
        assert [len(table["sides"]) for table in game["tables"]] == [3, 2]
        assert sorted(side for table in game["tables"] for side in table["sides"]) == list(range(5))
    assert sum(each["points"] for each in json.loads(data)["standings"]) == 2 * len(games)


def test_people_sit_at_the_tables_and_are_asked() -> None:
    asked = ("bunco", "--players", "4", "--tables", "2", "--games", "1", "--seed", "3", "-s", "bunco_pile_size=5")
    # Lines of a long menu have keys of two letters; a key that the menu does not have is refused and the next one read.
    keys = "\n".join([key for letter in "acdefghijklmno" for key in (letter, f"a{letter}")] * 40)
    told = CliRunner().invoke(commands, ["tournament", *asked, "--name", "Ann", "--name", "Bob"], input=keys)
    assert told.exit_code == 0, told.output
    assert "It is Bob's turn" in told.output
    assert {"Ann", "Bob", "player"} <= {line.split()[1] for line in told.output.splitlines()[-7:] if line[:1].isdigit()}
    left = CliRunner().invoke(commands, ["tournament", *asked, "--name", "Ann"], input="q\n")
    assert left.exit_code == 0
    assert left.output.splitlines()[-1] == "The tournament is left; nothing of it is kept."


def test_what_people_ask_for_and_cannot_be_is_said() -> None:
    five = tuple(part for number in range(5) for part in ("--name", str(number)))
    for arguments, said in (
        (("bunco", "--players", "5", "--seats", "2"), "cannot sit at tables of 2"),
        (("bunco", "--name", "Ann", "--name", "Ann"), "the same name"),
        (("bunco", "--name", "Ann", "--json"), "nobody to ask"),
        (("bonus-20", "--format", "round-robin", "--players", "5", "--tables", "2"), "pairs two sides"),
        (("bunco", "--players", "4", "--tables", "2", *five), "5 people"),
    ):
        result = CliRunner().invoke(commands, ["tournament", *arguments])
        assert result.exit_code != 0
        assert said in str(result.exception) or said in result.output


# ------------------------------------------------------------------------------------------------ files and commands
def test_every_shipped_format_can_be_read() -> None:
    folder = find_game("bunco")
    assert folder is not None
    formats = list_formats(folder.parent)
    assert [path.name.split(".")[0] for path in formats] == ["progressive", "round-robin", "swiss"]
    for path in formats:
        report = Report()
        assert read_format(path, report) is not None, report.diagnostics


FORMAT = """format: sample
title: A sample
tables: {default: 2}
seats: {default: 2}
games: {default: 2}
award: {to: winners, tie: shared, shared: 1}
seating: {then: stay}
ranking: {ties: [shared]}
"""
MISTAKES = [
    ("format-number", "games: {default: 2}", "games: {default: 0}"),
    ("format-number", "games: {default: 2}", "games: {default: everybody}"),
    ("format-number", "tables: {default: 2}", "tables: {default: 2, range: 3..5}"),
    ("format-cut", "ties: [shared]", "ties: [cut]"),
    ("format-cut", "then: stay", "then: awarded_move"),
    ("format-sides", "then: stay", "then: round_robin"),
    ("wrong-type", "to: winners", "to: count of seats"),
    ("unknown-name", "to: winners", "to: wnners"),
    ("bad-value", "then: stay", "then: sideways"),
    ("missing-key", "ranking: {ties: [shared]}\n", ""),
    ("unknown-key", "format: sample", "format: sample\nprize: money"),
]


@pytest.mark.parametrize(("code", "right", "wrong"), MISTAKES)
def test_a_mistake_in_a_format_is_reported_at_its_place(code: str, right: str, wrong: str, tmp_path: Path) -> None:
    assert right in FORMAT
    file = tmp_path / "sample.format.yaml"
    file.write_text(FORMAT.replace(right, wrong), encoding="utf-8")
    report = Report()
    read = read_format(file, report)
    game = find_game("bonus-20")
    assert game is not None
    if read is not None:
        set_up(read, game, 3, {}, report)
    assert code in [each.code for each in report.diagnostics]
    assert all(each.primary is not None for each in report.diagnostics)


def test_every_code_of_tournaments_is_shown_by_a_mistake() -> None:
    assert {code.slug for code in TOURNAMENT_CODES} <= {code for code, _, _ in MISTAKES}


def flat(text: str) -> str:
    return " ".join(text.split())


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(commands, ["tournament", *arguments], catch_exceptions=True)
    return result.exit_code, result.output


def test_the_command_shows_games_and_standings() -> None:
    asked = ("bunco", "--tables", "2", "--seats", "2", "--games", "2", "--seed", "5", "-s", "bunco_pile_size=5")
    code, shown = run(*asked)
    assert code == 0, shown
    lines = shown.splitlines()
    assert lines[0] == "Progressive Bunco, Bunco: 4 players at 2 tables of 2, bot random, seed 5"
    assert sum(line.startswith("game ") for line in lines) == 2
    assert lines[-1].endswith(("wins", "win together"))
    code, data = run(*asked, "--json")
    assert code == 0
    assert len(json.loads(data)["games"]) == 2


def test_the_command_says_what_cannot_be() -> None:
    for arguments, said in (
        (("bunco", "--tables", "99"), "2 to 50"),
        (("bonus-20",), "round-robin"),
        (("bonus-20", "--format", "swis"), "did you mean `swiss`?"),
    ):
        result = CliRunner().invoke(commands, ["tournament", *arguments])
        assert result.exit_code != 0
        assert said in str(result.exception) or said in result.output


def test_what_is_shown_in_the_end_names_the_winner() -> None:
    setup = prepare("bonus-20", "swiss", 2, {"match_length": "some_deals", "match_deals": "1"})
    outcome = run_tournament(setup, Plan(tables=1, games=1, seed=random.Random(1).randrange(100)))
    assert describe_standings(outcome)[0].split() == ["points", "opponents"]
