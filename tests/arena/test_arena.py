"""Bots against each other, and two ways to play beside each other: fair, reproducible, with sound intervals."""

from __future__ import annotations

import csv
import json
import math
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

import hoyle
from hoyle.front.cli.app import run
from hoyle.lab.arena import Plan, run_arena, sum_up
from hoyle.lab.arena.playing import Meeting, find_margin, list_seatings
from hoyle.lab.arena.report import describe_arena
from hoyle.lab.sim.comparing import Paired, Side, compare

ROLLING_STONE = str(Path(__file__).parents[2] / "docs/examples/rolling-stone/rolling-stone.game.yaml")


def meet(pair: tuple[int, int], deal: int, *shares: float) -> Meeting:
    return Meeting(pair, deal, shares, (1, 1), (0.0, 0.0), tuple(10 for _ in shares))


def test_bots_sit_at_all_sides_equally_often() -> None:
    for teams in ((0, 1), (0, 1, 2), (0, 1, 2, 3), (0, 1, 0, 1), (0, 1, 2, 0, 1, 2), (0, 1, 2, 3, 4)):
        seatings = list_seatings(teams)
        for seat in range(len(teams)):
            assert 2 * sum(seating[seat] for seating in seatings) == len(seatings)
        for seating in seatings:
            assert set(seating) == {0, 1}
            by_team = {team: {seating[seat] for seat, own in enumerate(teams) if own == team} for team in teams}
            assert all(len(who) == 1 for who in by_team.values())


def test_all_pairs_play_the_same_deals_and_the_same_again() -> None:
    game = hoyle.load(ROLLING_STONE, players=4)
    meetings = run_arena(game, Plan(("first", "random"), games=4, seed=3))
    assert [meeting.deal for meeting in meetings] == [0, 1]
    again = run_arena(game, Plan(("first", "random"), games=2, seed=3))
    assert again[0].shares == meetings[0].shares and again[0].lengths == meetings[0].lengths


def test_an_arena_stops_in_the_middle_of_a_match() -> None:
    game, asked = hoyle.load("kuhn-poker"), iter(range(1000))
    whole = run_arena(game, Plan(("first", "random"), games=4, seed=3))
    longest = sum(whole[0].decisions)
    stopped = run_arena(game, Plan(("first", "random"), games=4, seed=3), stop=lambda: next(asked) > longest)
    assert [each.shares for each in stopped] == [whole[0].shares], "the second was begun and is not counted"


class Dawdler:
    """Thinks until it is interrupted, from its third decision on."""

    asked = 0

    def __init__(self, seed: int) -> None:
        pass

    def choose(self, decision: hoyle.Decision, look: object) -> hoyle.Action:
        Dawdler.asked += 1
        if Dawdler.asked > 2:
            raise KeyboardInterrupt
        return decision.choice(0)


@pytest.mark.parametrize("is_noted", [True, False])
def test_an_arena_that_was_to_stop_can_be_interrupted_in_a_thought(is_noted: bool) -> None:
    """Ctrl-C is an exception when it is pressed for the second time; whoever has not noted the first gets it."""
    game, Dawdler.asked = hoyle.load("kuhn-poker"), 0
    plan = Plan(("first", f"{__name__}:Dawdler"), games=8, seed=3)

    def stop() -> bool:
        return is_noted and Dawdler.asked > 2

    if not is_noted:
        with pytest.raises(KeyboardInterrupt):
            run_arena(game, plan, stop)
        return
    assert [each.deal for each in run_arena(game, plan, stop)] == [0]


def test_an_arena_without_a_match_rates_nobody() -> None:
    assert describe_arena(sum_up(("first", "random"), []), ("first", "random")) == ["no match was played to its end"]


def test_as_many_matches_and_processes_as_there_cannot_be_are_refused() -> None:
    game, bots = hoyle.load("kuhn-poker"), ("first", "random")
    side = Side("it", game, "random")
    with pytest.raises(ValueError, match="the number of games is at least 0, not -2"):
        run_arena(game, Plan(bots, games=-2))
    with pytest.raises(ValueError, match="the number of games is at least 0, not -2"):
        compare((side, side), games=-2)
    with pytest.raises(TypeError, match=r"the number of games is a whole number, not 1\.5"):
        compare((side, side), games=1.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="the number of processes is at least 1, or 0 for all processors, not -1"):
        run_arena(game, Plan(bots, games=2, jobs=-1))
    assert run_arena(game, Plan(bots, games=0, jobs=0)) == []


def test_ratings_follow_from_shares() -> None:
    bots = ("good", "fair", "random")
    meetings = [
        *(meet((0, 1), deal, 1.0, 0.0 if deal % 2 else 1.0) for deal in range(40)),
        *(meet((0, 2), deal, 1.0, 1.0) for deal in range(40)),
        *(meet((1, 2), deal, 1.0, 0.0 if deal % 2 else 1.0) for deal in range(40)),
    ]
    arena = sum_up(bots, meetings)
    assert [each.bot for each in arena.ratings] == ["good", "fair", "random"]
    assert arena.ratings[2].rating == pytest.approx(1000)
    for each in arena.ratings[:2]:
        assert each.interval[0] <= each.rating <= each.interval[1]
    pairing = arena.pairings[0]
    assert pairing.share == pytest.approx(0.75)
    assert pairing.interval[0] < 0.75 < pairing.interval[1]
    assert arena.pairings[1].interval[0] > 0.85


def test_points_ahead_are_counted_where_scores_decide() -> None:
    for name, limit, sign in (("hearts", {"limit": "20"}, -1), ("cribbage", {"target": "61"}, 1)):
        game = hoyle.load(name, options=limit)
        match = game.new(1)
        while match.decision is not None:
            match.apply(0)
        first, second = match.scores[::2], match.scores[1::2]
        assert find_margin(game, match, (0, 1) * len(first)) == [sign * (sum(first) - sum(second)) / len(first)]
        assert len(run_arena(game, Plan(("first", "random"), games=2, seed=3))[0].margins) == 2
    assert run_arena(hoyle.load("whist"), Plan(("first", "random"), games=2))[0].margins == ()
    meetings = [replace(meet((0, 1), deal, 1.0), margins=(float(deal % 3),)) for deal in range(30)]
    pairing = sum_up(("first", "random"), meetings).pairings[0]
    assert pairing.margin == 1.0
    assert pairing.margin_interval == pytest.approx((1 - 0.3101, 1 + 0.3101), abs=1e-3)
    few = sum_up(("first", "random"), meetings[:2]).pairings[0].margin_interval
    assert few == pytest.approx((0.5 - 6.353, 0.5 + 6.353), abs=1e-3)
    for alike in (meetings[:1], meetings[:13:3]):
        assert sum_up(("first", "random"), alike).pairings[0].margin_interval is None


@pytest.mark.parametrize("deals", [2, pytest.param(10, marks=pytest.mark.slow)])
def test_ratings_and_shares_of_pairs_cover_the_truth_however_few_the_deals(deals: int) -> None:
    chance, trials = random.Random(deals), 20
    strength = (9.0, 3.0, 1.0)
    shares, ratings = 0, 0
    for _ in range(trials):
        meetings = [
            meet((one, other), deal, *(float(chance.random() * (strength[one] + strength[other]) < strength[one])
                                       for _ in range(2)))
            for one, other in ((0, 1), (0, 2), (1, 2))
            for deal in range(deals)
        ]  # fmt: skip
        arena = sum_up(("good", "fair", "random"), meetings)
        low, high = arena.pairings[0].interval
        shares += low <= 0.75 <= high
        low, high = next(each.interval for each in arena.ratings if each.bot == "good")
        ratings += low <= 1000 + 400 * math.log10(9) <= high
    assert shares / trials > 0.9
    assert ratings / trials > 0.9


def test_a_bot_that_always_wins_is_not_rated_as_if_that_were_certain() -> None:
    arena = sum_up(("good", "random"), [meet((0, 1), deal, 1.0, 1.0) for deal in range(20)])
    low, high = arena.ratings[0].interval
    assert high - low > 100


@pytest.mark.parametrize("deals", [3, *(pytest.param(deals, marks=pytest.mark.slow) for deals in (10, 40))])
@pytest.mark.parametrize("share", [0.8, 0.97, 0.99])
def test_a_rating_covers_the_truth_however_much_better_a_bot_is(deals: int, share: float) -> None:
    chance, covered, trials = random.Random(f"{deals} {share}"), 0, 20
    truth = 1000 + 400 * math.log10(share / (1 - share))
    for _ in range(trials):
        meetings = []
        for deal in range(deals):
            first, other = (float(chance.random() < share) for _ in range(2))
            meetings.append(meet((0, 1), deal, first, first if chance.random() < 0.5 else other))
        low, high = next(each.interval for each in sum_up(("good", "random"), meetings).ratings if each.bot == "good")
        covered += low <= truth <= high
    assert covered / trials >= 0.9


@pytest.mark.parametrize("games", [2, 3, 5, 10, 60])
def test_an_interval_covers_the_truth_about_as_often_as_it_says(games: int) -> None:
    chance, covered = random.Random(1), 0
    for _ in range(1000):
        paired = Paired()
        for _ in range(games):
            luck = chance.gauss(0, 5)
            paired.add(luck + chance.gauss(0, 1), luck + chance.gauss(0.5, 1))
        low, high = paired.interval
        covered += low <= 0.5 <= high
    assert 0.93 < covered / 1000 < 0.97


@pytest.mark.parametrize("games", [2, 3, 5, 10, 60])
@pytest.mark.parametrize("chances", [(0.5, 0.5), (0.9, 0.9), (0.25, 0.5), (0.9, 0.4), (0.05, 0.1)])
def test_the_interval_of_wins_covers_the_truth_at_least_as_often_as_it_says(
    games: int, chances: tuple[float, float]
) -> None:
    chance, covered = random.Random(1), 0
    for _ in range(500):
        paired = Paired(shares=True)
        for _ in range(games):
            luck = chance.random()  # in part the same for both
            first, second = (float((luck if chance.random() < 0.5 else chance.random()) < each) for each in chances)
            paired.add(first, second)
        low, high = paired.interval
        covered += low <= chances[1] - chances[0] <= high
    assert covered / 500 > 0.92


@pytest.mark.parametrize("games", [2, 5])
def test_few_games_that_differ_all_by_the_same_tell_nothing(games: int, capsys: pytest.CaptureFixture[str]) -> None:
    sides = ["cribbage target=31", "cribbage target=121"]
    assert run(["compare", *sides, "--games", str(games), "--seed", "3", "--json"]) == 0
    measures = {each["name"]: each for each in json.loads(capsys.readouterr().out)["measures"]}
    for name in ("wins of seat 0", "wins of seat 1"):
        low, high = measures[name]["interval"]
        assert not measures[name]["told"] and high - low > 0.5
    assert not any(each["interval"][0] == each["interval"][1] for each in measures.values() if each["interval"][0])


@pytest.mark.slow
def test_an_arena_is_told_as_text_and_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["arena", ROLLING_STONE, "--players", "4", "--bots", "search:2,first,random", "--games", "2"]
    assert run(arguments) == 0
    text = capsys.readouterr().out
    assert "Rolling Stone, 4 players, seed 0\n6 matches" in text
    assert re.search(r"search:2 : random +[\d.]+% +[\d.]+% to [\d.]+% +2", text)
    assert run([*arguments, "--json", "--jobs", "2"]) == 0
    data = json.loads(capsys.readouterr().out)
    pairs = [["search:2", "first"], ["search:2", "random"], ["first", "random"]]
    assert [pair["bots"] for pair in data["pairs"]] == pairs
    assert data["matches"] == 6
    share = f"{data['pairs'][1]['share']:.1%}"
    assert re.search(rf"search:2 : random +{re.escape(share)}", text), "processes give the same matches"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--bots", "easy"], "two bots at least"),
        (["--bots", "easy,easy"], "`easy` is named twice"),
        (["--bots", "easy,wizard"], "no bot named `wizard`"),
        (["--bots", "first,random", "--think", "1"], "cannot be told how long to think"),
    ],
)
def test_an_arena_that_cannot_be_is_refused(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["arena", ROLLING_STONE, *arguments]) == 1
    err = capsys.readouterr().err
    assert told in err and err.count("\n") == 1


def test_a_bot_that_breaks_down_loses_and_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "frail_bot.py").write_text(
        "class Frail:\n"
        "    def __init__(self, seed): pass\n"
        "    def choose(self, decision, look): raise ValueError('no')\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    bots = ["--bot", "random", "--bot", "frail_bot:Frail"]
    assert run(["arena", ROLLING_STONE, "--players", "4", *bots, "-n", "2"]) == 1
    out = capsys.readouterr().out
    assert "random : frail_bot:Frail" in out
    assert re.search(r"random : frail_bot:Frail +100.0%", out)
    assert "broke down: ValueError: no" in out


# ------------------------------------------------------------------------------------------------ comparing
def test_two_settings_are_compared_on_common_seeds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    sides = [f"{ROLLING_STONE} players=4", f"{ROLLING_STONE} players=5"]
    assert run(["compare", *sides, "--games", "30", "--html", str(page)]) == 0
    text = capsys.readouterr().out
    assert re.search(r"^decisions +[\d.]+ +[\d.]+ +[+-][\d.]+ +[+-][\d.]+ to [+-][\d.]+", text, re.MULTILINE)
    assert "rolling-stone players=5" in text.splitlines()[-1] and "30 games" in text
    html = page.read_text()
    assert html.count("<svg") >= 3 and "http" not in html and "<script" not in html
    assert run(["compare", *sides, "--games", "30", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["games"] == 30 and data["sentence"] in text
    decisions = data["measures"][0]
    assert decisions["difference"] == pytest.approx(decisions["means"][1] - decisions["means"][0])


@pytest.mark.parametrize(
    ("sides", "told"),
    [
        (("cribbage-61", "cribbage-61"), "the same"),
        (("cribbage-61", "cribbage-61 bot=wizard"), "no bot named `wizard`"),
        (("cribbage-61", "cribbage-61 players"), "is not of the form option=value"),
        (("cribbage-61", "cribbage-61 players=x"), "not a number of players"),
        (("cribbage-61", "cribage"), "did you mean"),
    ],
)
def test_a_comparison_that_cannot_be_is_refused(
    sides: tuple[str, str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["compare", *sides, "--games", "2"]) == 1
    assert told in capsys.readouterr().err


def test_of_what_few_games_cannot_tell_it_is_not_said_that_it_is_chance(capsys: pytest.CaptureFixture[str]) -> None:
    sides = [ROLLING_STONE, f"{ROLLING_STONE} deals=9"]
    assert run(["compare", *sides, "--games", "3", "--seed", "3"]) == 0
    text = capsys.readouterr().out
    assert re.search(r"^rounds +3\.00 +9\.00 +\+6\.00 +unknown$", text, re.MULTILINE)
    assert re.search(r"; of rounds( and [\w ]+)? so few games do not tell; the other", text)


# ------------------------------------------------------------------------------------------------ reports
def test_a_simulation_is_plotted_and_written_as_page_and_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, table = tmp_path / "sim.html", tmp_path / "sim.csv"
    arguments = ["sim", ROLLING_STONE, "--players", "4", "--games", "20", "--plot", "--html", str(page)]
    assert run([*arguments, "--out", str(table)]) == 0
    out = capsys.readouterr().out
    assert "wins by seat" in out and "█" in out and "scores, seat 2" in out
    assert "choices at a decision, mean of a game" in out
    html = page.read_text()
    assert html.count("<svg") == 5 and "http" not in html and "<script" not in html
    with table.open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 20
    assert all(sum(float(row[f"win_{seat}"]) for seat in range(4)) == pytest.approx(1) for row in rows)
    assert run(["sim", ROLLING_STONE, "--games", "1", "--out", str(table)]) == 1
    assert "is there already" in capsys.readouterr().err
