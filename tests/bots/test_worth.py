"""What a result is worth by `utility:`, and what bots make of it and of `hints:`."""

from __future__ import annotations

import math
import re
from functools import partial
from pathlib import Path

import pytest

import hoyle
from hoyle.lab.bots import make_bots
from hoyle.lab.bots.evaluation import Worth
from hoyle.lab.bots.reached import Reached
from hoyle.lab.bots.search import SearchBot
from hoyle.play.engine.actions import Action

WORTH = Path(__file__).parents[1] / "language" / "valid" / "worth.game.yaml"
DUEL = """game: duel
title: One card each
players: 2
deck:
  attributes: {suit: {red: R, blue: B}, rank: 1..9}
  cards: [{suit: [red, blue], rank: 1..9}]
zones:
  pack: {shows: nothing}
  hand: {of: seat, shows: owner}
  played: {of: seat, shows: all}
actions:
  play: {text: Play a card., choose: {card: hand}, do: move card to played}
steps:
  match: do round
  round: |
    shuffle pack
    deal 5 cards from pack to each hand, starting left of dealer
    for each seat: seat chooses play
    for each seat: score sum rank of played to seat
winners: (seat in seats with highest score of seat)
"""


def make(folder: Path, said: str) -> hoyle.Game:
    file = folder / "duel.game.yaml"
    file.write_text(DUEL + said, encoding="utf-8")
    return hoyle.load(file)


def play_first(game: hoyle.Game, seed: int = 3) -> hoyle.Match:
    match = game.new(seed)
    while match.decision is not None:
        match.apply(0)
    return match


def rank_of(action: Action) -> int:
    found = re.search(r"\d+", action.text)
    assert found is not None
    return int(found.group())


def rank_chosen(match: hoyle.Match, name: str) -> int:
    """The rank of the card a bot plays."""
    decision = match.decision
    assert decision is not None
    bot = make_bots(name, 5, 2)[decision.seat]
    chosen = bot.choose(decision, partial(match.standpoint, decision.seat))
    return rank_of(decision.choice(decision.index(chosen)))


def list_ranks(match: hoyle.Match) -> list[int]:
    assert match.decision is not None
    return [rank_of(action) for action in match.decision.actions]


@pytest.mark.parametrize("players", (2, 3, 4))
def test_a_result_is_worth_what_the_file_says(players: int) -> None:
    game = hoyle.load(WORTH, players)
    assert (game.utility_range, game.utility_sum) == ((-100.0, 100.0), 0.0)
    match = game.new(seed=2)
    assert match.utilities == [0.0] * players
    match = play_first(game)
    loads = [0] * players
    for zone, pile in enumerate(match.position.zones):
        declared = game.names.zones[zone][0]
        if declared.name == "hand":
            ranks = next(attribute for attribute in game.program.attributes if attribute.name == "rank").table
            loads[zone - declared.base] = sum(ranks[card] or 0 for card in pile)
    assert match.utilities == [sum(loads) - players * load for load in loads]
    assert max(match.utilities) == match.utilities[match.winners[0]]


def test_without_a_utility_it_is_worth_to_win(tmp_path: Path) -> None:
    game = make(tmp_path, "")
    assert (game.utility_range, game.utility_sum) == ((-1.0, 1.0), 0.0)
    match = play_first(game)
    assert sum(match.utilities) == 0 and (max(match.utilities) > 0) == (len(match.winners) == 1)


def test_a_range_and_a_sum_are_told_only_if_the_file_says_them(tmp_path: Path) -> None:
    game = make(tmp_path, "utility: score of seat\n")
    assert (game.utility_range, game.utility_sum) == ((-math.inf, math.inf), None)
    match = play_first(game)
    assert match.utilities == [float(score) for score in match.scores]


@pytest.mark.parametrize(
    ("said", "message"),
    (
        ("utility: {is: score of seat, range: 0..0}", "which is not from 0 to 0"),
        ("utility: {is: score of seat, sum: 0}", "the utilities add up to"),
    ),
)
def test_an_end_that_is_not_as_the_file_says_is_a_fault(said: str, message: str, tmp_path: Path) -> None:
    match = play_first(make(tmp_path, said + "\n"))
    with pytest.raises(hoyle.Fault, match=message) as raised:
        assert match.utilities
    assert raised.value.code == "out-of-range" and "duel.game.yaml:21: utility" in str(raised.value)


@pytest.mark.parametrize("bot", ("greedy", "search:80"))
def test_bots_play_for_what_the_file_says_it_is_worth(bot: str, tmp_path: Path) -> None:
    (tmp_path / "won").mkdir()
    for folder, said, best in ((tmp_path / "won", "", max), (tmp_path, "utility: -(score of seat)\n", min)):
        match = make(folder, said).new(seed=4)
        match.apply(0)  # the last to play decides it
        assert rank_chosen(match, bot) == best(list_ranks(match))


@pytest.mark.parametrize("bot", ("greedy", "search:24"))
def test_bots_follow_hints_where_nothing_else_tells(bot: str, tmp_path: Path) -> None:
    file = tmp_path / "duel.game.yaml"
    rules = DUEL.replace("for each seat: seat chooses", "repeat 2 times:\n      for each seat: seat chooses")
    file.write_text(rules + "utility: 0\nhints: {is: sum rank of (card in played) - 3 * count of hand}\n", "utf-8")
    game = hoyle.load(file)
    for seed in range(3):
        match = game.new(seed)
        assert rank_chosen(match, bot) == max(list_ranks(match))


def test_a_search_does_not_play_on_where_hints_judge(tmp_path: Path) -> None:
    """Whoever raises has lost, if it is played to the end; the hints say otherwise."""
    raising = "  raise: {text: Raise., do: add seat to raised}\n  pass: {text: Pass.}\nstate:\n  raised: seats\nsteps:"
    rules = DUEL.replace("steps:", raising)
    for before, more in ((": seat", ": seat chooses raise or pass"), (": score", " in raised: score -99 to seat")):
        rules = rules.replace(f"    for each seat{before}", f"    for each seat{more}\n    for each seat{before}")
    file = tmp_path / "duel.game.yaml"
    for said, chosen in (("", "pass"), ("judges: [raise]", "raise")):
        file.write_text(f"{rules}hints:\n  is: 5 if seat is in raised otherwise 0\n  {said}\n", "utf-8")
        match = hoyle.load(file).new(seed=4)
        assert match.decision is not None
        action = make_bots("search:80", 1, 2)[0].choose(match.decision, partial(match.standpoint, match.decision.seat))
        assert isinstance(action, Action)
        assert action.text == chosen


def test_openspiel_is_told_what_the_utilities_add_up_to(tmp_path: Path) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    pytest.importorskip("hoyle.lab.adapters.openspiel")
    kinds = pyspiel.GameType.Utility
    for said, kind in (("", kinds.ZERO_SUM), ("utility: score of seat\n", kinds.GENERAL_SUM)):
        make(tmp_path, said)
        game = pyspiel.load_game("hoyle", {"file": str(tmp_path / "duel.game.yaml"), "seeds": 4})
        assert game.get_type().utility == kind
        pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("name", ["euchre", "spades", "scopa"])
def test_how_sides_stand_is_told_before_the_end(name: str) -> None:
    """Where sides win by their scores, a bot need not play a match to its end to see what a deal has brought."""
    game = hoyle.load(name)
    worth = Worth(game.executor)
    assert worth.is_told_early
    position = game.new(seed=1).position
    position.totals[0][1] += 2
    standing = worth.stand(Reached(game.executor, position))
    assert standing is not None
    assert standing[game.program.teams[1]] == standing[game.program.teams[0]] + 2


def test_how_sides_stand_by_what_is_no_score_is_not_taken_for_that_of_seats() -> None:
    assert not Worth(hoyle.load("whist").executor).is_told_early


def test_what_another_has_staked_is_not_lost_by_giving_up() -> None:
    """Against everything two of a hundred chips are given up with poor cards: that is far from having lost. When it was
    measured from how the purses stood, without the stakes, 3 of 14 such hands were given up, and now 13."""
    game, given_up = hoyle.load("holdem", players=2), []
    for seed in range(60):
        match = game.new(seed)
        assert match.decision is not None
        match.apply("raise 100")
        seat = match.decision.seat
        hand = next(zone.cards for zone in match.view(seat).zones if (zone.name, zone.owner) == ("hand", seat))
        ranks = {card[0] for card in hand if card}
        if len(ranks) < 2 or not ranks <= set("2345678"):
            continue
        weighed = SearchBot(seed, iterations=200).weigh(match.decision, partial(match.standpoint, seat))
        given_up.append(weighed[0].action.text == "fold")
        assert next(each.value for each in weighed if each.action.text == "fold") > 0.4
    assert len(given_up) > 10
    assert sum(given_up) > 0.8 * len(given_up)


def test_a_game_that_is_played_together_is_worth_something() -> None:
    match = hoyle.load("hanabi", options={"all_or_nothing": False}).new(seed=3)
    while (decision := match.decision) is not None:
        match.apply(decision.choice(match.position.decisions * 7 % decision.count))
    assert match.utilities == match.scores == [max(match.scores)] * 2 and match.scores[0] > 0
    assert (match.game.utility_range, match.game.utility_sum) == ((0.0, 25.0), None)
