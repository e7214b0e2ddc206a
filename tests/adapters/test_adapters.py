"""Games as sequences of tokens, and in the interfaces of other libraries, where those are installed."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

import hoyle
from every_game import GAMES, SAMPLES, begin, each_game, list_players, load, play
from hoyle.lab.adapters.encoding import Encoding, Spelling
from hoyle.lab.adapters.token_match import TokenTable

ROOT = Path(__file__).parents[2]


def play_by_tokens(path: Path, most: int) -> None:
    """Every choice offered has tokens of its own that lead to it, and play goes on by tokens alone."""
    game = load(path, list_players(path)[0])
    encoding, chance = Encoding(game.program), random.Random(1)
    table = TokenTable(game, game.new(seed=1), encoding)
    for _ in range(most):
        if table.is_over:
            break
        if not table.prefix:
            decision = table.match.decision
            assert decision is not None
            spelt = encoding.spell([action.choice for action in decision.actions])
            plain = [action for action in decision.actions if action.number is None]
            assert len(set(spelt.values())) == len(spelt) >= len(plain)
            tokens, choice = chance.choice(list(spelt.items()))
            spelling = Spelling(spelt)
            found = [spelling.add(token) for token in tokens]
            assert found[-1] == choice and found[:-1] == [None] * (len(tokens) - 1)
            assert all(0 <= token < encoding.size for token in tokens)
        seat = table.seat
        assert len(table.observe(seat)) == table.observation_size
        table.add(chance.choice(table.list_tokens()))


@pytest.mark.share
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name.removesuffix(".game.yaml"))
def test_a_sample_is_played_by_tokens(path: Path) -> None:
    play_by_tokens(path, 30)


@pytest.mark.slow
@each_game
def test_every_game_is_played_by_tokens(path: Path) -> None:
    play_by_tokens(path, 400)


def test_what_a_seat_observes_is_the_same_in_all_samples() -> None:
    game = hoyle.load(ROOT / "docs/examples/rolling-stone/rolling-stone.game.yaml", players=4)
    table = TokenTable(game, game.new(seed=3))
    for seat in range(4):
        assert {tuple(table.sample(seat, seed).observe(seat)) for seed in range(5)} == {tuple(table.observe(seat))}


def test_who_has_said_a_part_of_a_choice_sees_what_it_was() -> None:
    game = hoyle.load("hearts")
    first = TokenTable(game, game.new(seed=1))
    first.add(first.list_tokens()[0])
    seat, seen = first.seat, []
    for one, other in ((0, 2), (1, 2)):
        table, cards = first.copy(), first.list_tokens()
        table.add(cards[one])
        table.add(cards[other])
        told = dict(zip(table.observation_names, table.observe(seat), strict=True))
        named = [table.encoding.names[token] for token in table.prefix]
        assert sorted(named) == sorted(name[5:] for name in told if name.startswith("said ") and told[name])
        assert told["tokens said"] == 3 and not any(table.observe(seat ^ 1)[-table.encoding.size :])
        seen.append((tuple(table.observe(seat)), tuple(table.list_tokens())))
    assert seen[0] != seen[1]


def count_seen(match: hoyle.Match, seat: int, encoding: Encoding) -> list[float]:
    """How many of each face the seat's view shows in each zone, and the zone's size."""
    codes = [name.removeprefix("card ") for name in encoding.names if name.startswith("card ")]
    shown = [zone.cards for zone in match.view(seat).zones]
    return [float(number) for cards in shown for number in (*map(cards.count, codes), len(cards))]


def check_observed(path: Path, seed: int, most: int) -> None:
    match = begin(path, seed)
    table = TokenTable(match.game, match)
    for _ in play(match, seed, most):
        for seat in range(match.game.players):
            seen = count_seen(match, seat, table.encoding)
            assert list(table.observe(seat)[: len(seen)]) == seen


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name.removesuffix(".game.yaml"))
def test_a_seat_observes_the_cards_its_view_shows(path: Path) -> None:
    for seed in range(2):
        check_observed(path, seed, 20)


@pytest.mark.slow
@each_game
def test_a_seat_observes_the_cards_its_view_shows_in_every_game(path: Path) -> None:
    check_observed(path, 1, 200)


def test_there_are_tokens_of_numbers_only_where_something_needs_them() -> None:
    few, many = (Encoding(hoyle.load(name).program) for name in ("kuhn-poker", "holdem"))
    assert few.names[-2:] == ["no", "yes"] and many.names[-1] == "number 127"


# ------------------------------------------------------------------------------------------------ other libraries
QUICK = [path for path in SAMPLES if path.name.startswith(("tricks", "secret-choice", "numbers"))]


def check_pettingzoo(path: Path) -> None:
    from pettingzoo.test import api_test, seed_test

    from hoyle.lab.adapters.pettingzoo import HoyleEnv

    api_test(HoyleEnv(path), num_cycles=60)
    seed_test(lambda: HoyleEnv(path), num_cycles=20)


def check_openspiel(path: Path) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    pytest.importorskip("hoyle.lab.adapters.openspiel")
    game = pyspiel.load_game("hoyle", {"file": str(path), "seeds": 16})
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("path", QUICK, ids=lambda path: path.name.removesuffix(".game.yaml"))
def test_pettingzoo_finds_no_fault_with_the_environment(path: Path) -> None:
    pytest.importorskip("pettingzoo")
    check_pettingzoo(path)


def test_pettingzoo_is_told_what_is_wrong() -> None:
    pytest.importorskip("pettingzoo")
    from hoyle.lab.adapters.pettingzoo import HoyleEnv

    env = HoyleEnv("kuhn-poker")
    env.reset(seed=-1)
    before = env.observe("seat_0")["observation"].tolist()
    wrong: list[tuple[Callable[[], object], str]] = [
        *((lambda token=token: env.step(token), "a token is a whole number, not") for token in (0.5, 0.0, "0", None)),
        (lambda: env.step(99), "token 99 cannot come"),
        (lambda: env.observe("seat_9"), "there is no agent 'seat_9'; there are seat_0, seat_1"),
        (lambda: env.reset(seed=1.5), "a seed is a whole number, not 1.5"),
        (lambda: HoyleEnv("kuhn-poker", most_steps=0), "the most steps of a match is at least 1"),
        (lambda: HoyleEnv("kuhn-poker", render_mode="film"), "not `film`"),
    ]
    for ask, message in wrong:
        with pytest.raises((TypeError, ValueError), match=message):
            ask()
    assert env.observe("seat_0")["observation"].tolist() == before
    while env.agents:
        over = env.terminations[env.agent_selection]
        env.step(None if over else int(env.observe(env.agent_selection)["action_mask"].argmax()))
    with pytest.raises(ValueError, match="the match is over; `reset` begins another"):
        env.step(None)


@pytest.mark.parametrize("path", QUICK, ids=lambda path: path.name.removesuffix(".game.yaml"))
def test_openspiel_simulates_the_game(path: Path) -> None:
    check_openspiel(path)


def test_openspiel_asks_for_a_file() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    pytest.importorskip("hoyle.lab.adapters.openspiel")
    with pytest.raises(ValueError, match="say which game"):
        pyspiel.load_game("hoyle")


def test_openspiel_works_out_exactly_what_kuhn_poker_is_worth() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    pytest.importorskip("hoyle.lab.adapters.openspiel")
    from open_spiel.python import policy
    from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

    ours, theirs = pyspiel.load_game("hoyle(file=kuhn-poker,seeds=0)"), pyspiel.load_game("kuhn_poker")
    state = ours.new_initial_state()
    assert [state.action_to_string(-1, place) for place, _ in state.chance_outcomes()] == ["J", "Q", "K"]
    values, answers = [], []
    for game in (ours, theirs):
        blind = policy.UniformRandomPolicy(game)
        values.append(expected_game_score.policy_value(game.new_initial_state(), [blind, blind])[0])
        answers.append(exploitability.nash_conv(game, blind))
    assert values == pytest.approx([0.125, 0.125]) and answers[0] == pytest.approx(answers[1])
    solver = cfr.CFRPlusSolver(ours)
    for _ in range(30):
        solver.evaluate_and_update_policy()
    found = solver.average_policy()
    assert exploitability.nash_conv(ours, found) < 0.1
    value = expected_game_score.policy_value(ours.new_initial_state(), [found, found])[0]
    assert value == pytest.approx(-1 / 18, abs=0.02)


def test_what_openspiel_has_in_c_knows_what_a_player_knows() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    pytest.importorskip("hoyle.lab.adapters.openspiel")
    from open_spiel.python.algorithms import cfr, exploitability
    from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation

    ours, theirs = pyspiel.load_game("hoyle(file=kuhn-poker,seeds=0)"), pyspiel.load_game("kuhn_poker")
    state = ours.new_initial_state()
    for action in (0, 1):
        state.apply_action(action)
    known = make_observation(ours, INFO_STATE_OBS_TYPE)
    assert known.tensor is None and known.string_from(state, 0) == state.information_state_string(0)
    assert pyspiel.State.information_state_string(state, 0) == state.information_state_string(0)
    assert pyspiel.State.observation_string(state, 0) == state.observation_string(0)
    public = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
    assert make_observation(ours, public) is None
    with pytest.raises(ValueError, match="has no parameters"):
        make_observation(ours, None, {"colour": 1})
    far = []
    for game in (ours, theirs):
        slow, quick = cfr.CFRPlusSolver(game), pyspiel.CFRPlusSolver(game)
        for _ in range(10):
            slow.evaluate_and_update_policy()
            quick.evaluate_and_update_policy()
        far.append((exploitability.exploitability(game, slow.average_policy()),
                    pyspiel.exploitability(game, quick.average_policy())))  # fmt: skip
    assert far[0] == pytest.approx(far[1])


@pytest.mark.slow
def test_openspiel_plays_leduc_poker_as_it_plays_its_own() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    pytest.importorskip("hoyle.lab.adapters.openspiel")
    found = []
    for name in ("hoyle(file=leduc-poker,seeds=0,low=-13,high=13)", "leduc_poker"):
        game = pyspiel.load_game(name)
        solver = pyspiel.CFRPlusSolver(game)
        for _ in range(5):
            solver.evaluate_and_update_policy()
        policy = solver.average_policy()
        worth = pyspiel.expected_returns(game.new_initial_state(), policy, -1, False)
        found.append((pyspiel.exploitability(game, policy), *worth))
    assert found[0] == pytest.approx(found[1])


def test_what_openspiel_observes_tells_what_was_said_of_a_choice() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    pytest.importorskip("hoyle.lab.adapters.openspiel")
    state = pyspiel.load_game("hoyle(file=hearts,seeds=4)").new_initial_state()
    state.apply_action(1)
    player = state.current_player()
    state.apply_action(state.legal_actions()[0])
    after = [state.child(action) for action in state.legal_actions()]
    assert len({each.observation_string(player) for each in after}) == len(after)
    assert len({tuple(each.observation_tensor(player)) for each in after}) == len(after)
    assert len({each.observation_string((player + 1) % 4) for each in after}) == 1


def test_openspiel_is_told_how_much_a_match_can_be_worth() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    pytest.importorskip("hoyle.lab.adapters.openspiel")
    for text, low, high in (
        ("hoyle(file=kuhn-poker,seeds=0)", -2, 2),  # of a small tree it is found out
        ("hoyle(file=kuhn-poker,seeds=4)", -1e9, 1e9),
        ("hoyle(file=kuhn-poker,seeds=4,low=-2,high=2)", -2, 2),
        ("hoyle(file=goofspiel,seeds=4)", -1, 1),
    ):
        game = pyspiel.load_game(text)
        assert (game.min_utility(), game.max_utility()) == (low, high)
    game = pyspiel.load_game("hoyle(file=kuhn-poker,seeds=0,low=-1,high=1)")
    state = game.new_initial_state()
    for name in ("K", "J", "action bet", "action call"):
        player = state.current_player()
        names = {state.action_to_string(player, action): action for action in state.legal_actions()}
        state.apply_action(names[name])
    assert str(state) == "K; J; bet; call"
    with pytest.raises(ValueError, match=r"the match is worth .* not from -1 to 1: set `low` and `high`"):
        state.returns()
    for wrong, message in (("low=2,high=1", "is not less than the most"), ("longest=0", "at least one token")):
        with pytest.raises(ValueError, match=message):
            pyspiel.load_game(f"hoyle(file=kuhn-poker,{wrong})")


def test_while_chance_moves_players_know_what_they_knew() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    pytest.importorskip("hoyle.lab.adapters.openspiel")
    state = pyspiel.load_game("hoyle(file=leduc-poker,seeds=0,low=-13,high=13)").new_initial_state()
    assert str(state) == state.information_state_string(0) == "before the deal"
    known = ""
    while not (state.is_chance_node() and known):
        known = known if state.is_chance_node() else state.information_state_string(0).rpartition("\n")[0]
        state.apply_action(state.legal_actions()[0])
    assert state.information_state_string(0) == f"{known}\nchance moves"
    assert state.clone().information_state_string(1) == state.information_state_string(1)


@pytest.mark.parametrize("path", QUICK, ids=lambda path: path.name.removesuffix(".game.yaml"))
def test_openspiel_simulates_the_game_card_by_card(path: Path) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    pytest.importorskip("hoyle.lab.adapters.openspiel")
    game = pyspiel.load_game("hoyle", {"file": str(path), "seeds": 0})
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def test_options_are_set_in_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    pytest.importorskip("hoyle.lab.adapters.openspiel")
    game = pyspiel.load_game("hoyle", {"file": "leduc-poker", "players": 3, "options": "raises:1 deals:2"})
    assert game.num_players() == 3 and game.setup.game.options == {"raises": 1, "deals": 2}
    assert pyspiel.load_game(str(game)).setup.game.options == game.setup.game.options
    with pytest.raises(ValueError, match="options are written `name:value`, with spaces between them, not `raises`"):
        pyspiel.load_game("hoyle", {"file": "leduc-poker", "options": "raises"})


def test_openspiel_needs_some_deals() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    pytest.importorskip("hoyle.lab.adapters.openspiel")
    with pytest.raises(ValueError, match="there are no -3 deals"):
        pyspiel.load_game("hoyle(file=kuhn-poker,seeds=-3)")


def test_openspiels_information_set_search_plays_a_game() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    np = pytest.importorskip("numpy")
    pytest.importorskip("hoyle.lab.adapters.openspiel")
    from open_spiel.python.algorithms import ismcts, mcts

    path = next(path for path in SAMPLES if path.name.startswith("tricks"))
    game = pyspiel.load_game("hoyle", {"file": str(path), "seeds": 16})
    state = game.new_initial_state()
    state.apply_action(3)
    chance = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        game=game, uct_c=1.0, evaluator=mcts.RandomRolloutEvaluator(1, chance), max_simulations=10,
        random_state=chance, final_policy_type=ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        use_observation_string=False, allow_inconsistent_action_sets=True,
    )  # fmt: skip
    assert bot.step(state) in state.legal_actions()


@pytest.mark.slow
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name.removesuffix(".game.yaml"))
def test_other_libraries_find_no_fault_with_any_game(path: Path) -> None:
    pytest.importorskip("pettingzoo")
    check_pettingzoo(path)
    check_openspiel(path)
