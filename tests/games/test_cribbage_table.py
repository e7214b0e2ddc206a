"""Cribbage at the table: hands counted aloud, the board, what each player is told and shown, a match to its end."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from contextlib import redirect_stdout

import pytest

import hoyle
from hoyle.front.cli import run
from hoyle.front.terminal.board import FRONT, REAR, draw_board
from hoyle.front.terminal.plain_lines import list_facts
from hoyle.play.engine.game import Match
from hoyle.play.table import Host
from hoyle.play.table.model import Scores, Side
from hoyle.play.view.event_lines import render_events
from hoyle.play.view.running_count import count_aloud, spell_number
from hoyle.play.view.track import place_pegs
from hoyle.program.model.events import Event

GAME = hoyle.load("cribbage")


def scored(seat: int, amount: int, table: str = "", label: str = "") -> Event:
    data = {"amount": amount, "column": 0, "label": label}
    if table:
        data |= {"table": table, "parts": [amount]}
    return Event("scored", seat, data, None, 3)


def play_out(game: hoyle.Game, seed: int) -> Match:
    chance = random.Random(seed)
    match = game.new(seed)
    while (decision := match.decision) is not None:
        match.apply(chance.choice(decision.actions))
    return match


# ------------------------------------------------------------------------------------------------ counting aloud
def test_a_hand_is_counted_aloud_with_the_running_total() -> None:
    said = count_aloud([("fifteen", [2, 2]), ("a pair is", [2])])
    assert said == "fifteen two, fifteen four, and a pair is six"


def test_every_hand_shown_in_a_match_is_counted_to_what_it_scored() -> None:
    match = play_out(GAME, 7)
    words = {spell_number(number): number for number in range(30)}
    lines = [line for line in render_events(GAME, match.events_for(0), 0) if " scored " in line and ": " in line]
    assert len(lines) > 20
    for line in lines:
        head, _, said = line.partition(": ")
        last = said.split()[-1]
        assert (1 if last == "nob" else words[last]) == int(head.split()[-1])  # "one for his nob", alone
    assert sum(int(line.partition(":")[0].split()[-1]) for line in lines) < sum(match.scores)  # last cards, heels


def test_the_rows_of_one_table_are_one_line_and_the_count_is_called_with_the_card() -> None:
    match = GAME.new(3)
    while "play" not in match.decision.actions[0].text:
        match.apply(0)
    told, seat = len(match.events_for(None)), match.decision.seat
    match.apply(0)
    lines = render_events(GAME, match.events_for(None)[told:])
    assert lines[0].startswith(f"seat {seat}: play ")
    assert lines[0].rsplit(", ", 1)[1].isdigit()


def test_what_is_quiet_is_not_told_and_not_shown() -> None:
    match = play_out(GAME, 11)
    lines = render_events(GAME, match.events_for(0), 0)
    assert not [line for line in lines if line.startswith(("player is", "gone is", "cutters is"))]
    assert any(event["event"] == "set" and event["state"] == "player" for event in match.events_for(0))
    host = Host(GAME)
    first = "\n".join(list_facts(host.see(GAME.new(11), 0), host.speak_to(0)))
    assert "player" not in first and "cards played" not in first and "cut card" not in first
    assert "dealer" in first


# ------------------------------------------------------------------------------------------------ what players see
def test_nobody_learns_anything_until_all_have_laid_away() -> None:
    match = GAME.new(5)
    other = match.decision.seat ^ 1
    before = (match.view(other), match.events_for(other), match.view(None))
    match.apply(3)
    after = match.view(other)
    assert (after.zones, after.states, after.totals) == (before[0].zones, before[0].states, before[0].totals)
    assert match.events_for(other) == before[1]
    assert match.view(None).zones == before[2].zones
    assert match.decision.seat == other


def test_each_player_sees_the_cards_he_gave_to_the_crib_and_no_others() -> None:
    match = GAME.new(5)
    given = {}
    for _ in range(2):
        decision = match.decision
        given[decision.seat] = set(decision.actions[4].text.split()[1:])
        match.apply(4)
    for seat in (0, 1):
        crib = next(zone for zone in match.view(seat).zones if zone.name == "crib")
        assert {card for card in crib.cards if card} == given[seat]
    assert not any(next(zone for zone in match.view(None).zones if zone.name == "crib").cards)


# ------------------------------------------------------------------------------------------------ the board
def test_the_pegs_stand_at_the_score_and_at_the_one_before() -> None:
    events = [scored(0, 2, "peg", "fifteen"), scored(0, 3, "peg", "run"), scored(1, 1, label="last card")]
    (mine, theirs) = place_pegs(GAME.program, [5, 1], events)
    assert (mine.front, mine.rear) == (5, 0)  # the rows of a table are one score
    assert (theirs.front, theirs.rear) == (1, 0)
    (mine, theirs) = place_pegs(GAME.program, [7, 1], [*events, scored(0, 2, label="his heels")])
    assert (mine.front, mine.rear) == (7, 5)


def draw(holes: int, *sides: tuple[int, int], width: int = 80) -> list[str]:
    """The board with each side at a score, and at the one before."""
    host = Host(GAME, names=["Ash", "Robin"])
    placed = tuple(Side((seat,), "", score, before) for seat, (score, before) in enumerate(sides))
    return draw_board(Scores(placed, "highest", holes), host.speak_to(0), width)


def test_the_board_is_two_streets_for_each_up_the_outside_and_back_on_the_inside() -> None:
    rows = draw(121, (17, 13), (73, 71))
    assert [row[1:9].strip() for row in rows] == ["you", "17", "73", "Robin"]
    holes = [row[12:].replace(" ", "") for row in rows]
    assert all(len(row) == 60 for row in holes)
    assert (holes[0].index(FRONT), holes[0].index(REAR)) == (16, 12)
    assert (holes[2][::-1].index(FRONT), holes[2][::-1].index(REAR)) == (12, 10)


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_the_board_keeps_within_the_width_and_80_columns(width: int) -> None:
    lines = draw(121, (120, 119), (121, 109), width=width)
    assert max(map(len, lines)) <= min(width, 80)
    holes = "".join(line[10:] for line in lines)
    assert holes.count(FRONT) == holes.count(REAR) == 2


def test_a_score_beyond_the_last_hole_stands_in_it() -> None:
    lines = draw(61, (66, 58), (0, 0))
    assert len(lines) == 4
    assert lines[1].startswith(f" 66       {FRONT} ")
    assert REAR in lines[1]


def test_partners_share_their_pegs() -> None:
    program = hoyle.load("cribbage-partners").program
    pegs = place_pegs(program, [10, 1, 20, 2], [scored(2, 6), scored(0, 4)])
    assert [(each.seats, each.front, each.rear) for each in pegs] == [((0, 2), 30, 26), ((1, 3), 3, 3)]
    host = Host(hoyle.load("cribbage-partners"), names=["Ash", "Robin", "Wren", "Finch"])
    board = draw_board(host.see(host.game.new(1), 0).scores, host.speak_to(0))
    assert any(line.startswith(" you+Wren ") for line in board)


def test_a_game_without_a_track_has_no_board() -> None:
    assert draw(0, (0, 0), (0, 0)) == []


# ------------------------------------------------------------------------------------------------ a whole match
def typed_lines(lines: Iterator[str], arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))
    shown = io.StringIO()
    with redirect_stdout(shown):
        assert run(arguments) == 0
    return shown.getvalue()


@pytest.mark.parametrize("name", ["cribbage", "cribbage-61", "cribbage-three", "cribbage-partners"])
def test_a_match_can_be_played_at_the_terminal_to_its_end(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = typed_lines(iter([".1"] * 2000), ["play", name, "--seed", "4"], monkeypatch)
    lines = text.splitlines()
    assert lines[-2].endswith(("wins", "win together", "You win"))
    assert lines[-1] == "The highest score wins"
    assert any(line.startswith("You score") and "fifteen two" in line for line in lines)
    assert any(line.startswith("count: ") for line in lines)
    assert not any("is now" in line for line in lines)
    board = [line for line in lines if FRONT in line and ":....:" in line]
    assert board
