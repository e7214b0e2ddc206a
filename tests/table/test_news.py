"""What is told at the table, in words for the one who is told."""

from __future__ import annotations

import re
from pathlib import Path

import hoyle
from every_game import play
from hoyle.play.table import Host

VALID = Path(__file__).parent.parent / "language" / "valid"

SHUFFLING = """
game: shuffling
title: Shuffling
players: 2
use: [deck_52]
zones:
  stock: {{shows: nothing}}
  hand: {{of: seat, shows: owner}}
deck: {{starts_in: stock}}
actions:
  play: {{choose: {{card: hand}}, do: move card to stock}}
steps:
  match: |
    gather stock
    shuffle stock
    deal 5 cards from stock to each hand, starting dealer
    {line}
    dealer chooses play
winners: seats
"""


def tell(host: Host, match: hoyle.Match, seat: int | None) -> list[str]:
    return [news.text for news in host.tell(match, seat)]


def test_an_announcement_agrees_with_whom_it_names_and_values_are_words() -> None:
    match = hoyle.load(VALID / "spoken-names.game.yaml", players=2).new(seed=1)
    host = Host(match.game, names=["Ash", "Bay"])
    match.apply("name_wind north_wind")
    said = "name wind north wind", "Weather: south wind", "call north wind", "North wind"
    assert tell(host, match, 0)[-4:] == [f"You {said[0]}", said[1], f"You {said[2]}", said[3]]
    assert tell(host, match, 1)[-4:] == ["Ash names wind north wind", said[1], "Ash calls north wind", said[3]]


def test_a_card_that_was_chosen_is_told_with_the_choice_wherever_it_lay() -> None:
    match = hoyle.load("bridge").new(seed=3)
    host = Host(match.game, names=["Ash", "Bay", "Elm", "Fir"])
    match.apply("bid 1 club")
    for _ in range(3):
        match.apply("pass")
    while match.decision is not None and match.decision.actions[0].name != "play_dummy":
        match.apply(0)
    match.apply(0)
    told = tell(host, match, 1)
    assert any(re.fullmatch(r"Ash plays \w\w from dummy", text) for text in told)
    assert not any("hand to the trick" in text for text in told)


def test_cards_that_are_laid_open_are_told_once_and_with_whose_they_are() -> None:
    match = hoyle.load("bridge").new(seed=3)
    host = Host(match.game, names=["Ash", "Bay", "Elm", "Fir"])
    match.apply("bid 1 club")
    while match.decision is not None and sum("the trick" in text for text in tell(host, match, 1)) < 3:
        match.apply(len(match.decision.actions) - 1)  # pass, then play
    opened = [text for text in tell(host, match, 1) if "show" in text]
    assert len(opened) == 1 and re.fullmatch(r"Elm shows (\w\w(, | and )?){13}", opened[0])
    assert tell(host, match, 2)[tell(host, match, 1).index(opened[0])].startswith("You show ")


def test_of_shuffles_only_those_are_told_that_somebody_would_see(tmp_path: Path) -> None:
    match = hoyle.load("old-maid", players=3).new(seed=4)
    host = Host(match.game, names=["Ash", "Bay", "Elm"])
    for _ in range(6):
        match.apply(match.decision.actions[0].with_number(1))
    assert [event.name for event in match.events].count("shuffled") > 6
    told = tell(host, match, 0)
    assert not any("shuffled" in text for text in told)
    assert any(re.fullmatch(r"\w\w and \w\w go from \w+'s hand to the pairs", text) for text in told)

    returned = "move hand of dealer to stock\n    shuffle stock"
    dealt = "deal 1 cards from stock to each hand, starting dealer"
    again = {
        "shuffle stock": True, returned: True, "shuffle hand of dealer": False, f"shuffle stock\n    {dealt}": False
    }  # fmt: skip
    for line, is_told in again.items():
        file = tmp_path / "again.game.yaml"
        file.write_text(SHUFFLING.format(line=line))
        match = hoyle.load(file, players=2).new(seed=1)
        assert ("The stock is shuffled" in tell(Host(match.game), match, 0)) == is_told, line


def test_a_match_of_one_round_has_none_to_number() -> None:
    for deals, is_told in ((1, False), (2, True)):
        match = hoyle.load("kuhn-poker", options={"deals": deals}).new(seed=1)
        host = Host(match.game)
        assert ("Round 1" in tell(host, match, 0)) == is_told
        assert host.see(match, 0).round == (1 if is_told else 0)


def test_of_several_who_want_the_same_only_the_one_who_does_it_is_told() -> None:
    match = hoyle.load("cheat", players=3).new(seed=3)
    host = Host(match.game, names=["Ash", "Bay", "Elm"])
    for _ in range(3):  # one lays a card, and both others want to doubt it
        match.apply(0)
    told = tell(host, match, 1)
    assert "Elm calls cheat" in told and not any("lot" in text for text in told)


def test_what_somebody_who_plays_alone_moves_is_told_with_the_choice() -> None:
    match = hoyle.load("klondike").new(seed=7)
    match.apply("draw")
    assert tell(Host(match.game), match, 0)[-1] == "You draw 5C"


def test_a_choice_is_told_with_its_cards_though_something_was_paid_before_they_were_moved() -> None:
    match = hoyle.load("bonanza", players=3).new(seed=0)
    host = Host(match.game, names=["Ash", "Bay", "Elm"])
    while match.decision is not None and len(match.history) < 200:
        action = match.decision.actions[len(match.decision.actions) // 2]
        match.apply(action if action.number is None else action.with_number(action.number[0]))
    followed = [text for text in tell(host, match, 0) if "follow" in text]
    assert followed and all(re.fullmatch(r"(You follow|\w+ follows) with \w+", text) for text in followed)


def test_a_choice_is_told_with_its_cards_though_something_was_set_before_they_were_moved() -> None:
    match = hoyle.load("rummy-500", players=2).new(seed=5)
    host = Host(match.game, names=["Ash", "Bay"])
    while match.decision is not None and match.decision.actions[-1].name != "take":
        match.apply(len(match.decision.actions) - 1)
    match.apply(len(match.decision.actions) - 1 if match.decision is not None else 0)
    *_, taken, owed = host.tell(match, match.find_seat())
    assert re.fullmatch(r"You take (\w\w(, | and )?)+", taken.text)
    assert owed.text == f"To be laid out: {owed.cards[0]}" and owed.cards[0] in taken.cards


def test_a_side_that_scores_is_told_of_as_several() -> None:
    match = hoyle.load("whist").new(seed=3)
    host = Host(match.game, names=["Ash", "Bay", "Elm", "Fir"])
    while match.rounds == 0:
        match.apply(0)
    scored = {seat: [text for text in tell(host, match, seat) if "for tricks" in text] for seat in (0, 1, None)}
    assert all(len(texts) == 1 for texts in scored.values())
    assert re.fullmatch(r"(Ash and Elm|Bay and Fir) score \d for tricks", scored[None][0])
    side = 0 if scored[None][0].startswith("Ash") else 1
    assert scored[side][0].startswith("You and ")


def test_a_zone_may_say_how_it_is_told_that_cards_come_to_lie_there() -> None:
    match = hoyle.load("euchre").new(seed=3)
    host = Host(match.game, names=["Ash", "Bay", "Elm", "Fir"])
    assert re.fullmatch(r"\w\w is turned up", tell(host, match, 0)[-1])
    while match.rounds == 0:
        match.apply(0)
    for seat in range(4):
        told = tell(host, match, seat)
        taken = [text for text in told if re.fullmatch(r"(You take|(Ash|Bay|Elm|Fir) takes) the trick", text)]
        assert len(taken) == 5 and not any(text.startswith(("Ash", "Bay", "Elm", "Fir")[seat]) for text in taken)


def test_what_is_moved_after_choices_made_together_is_not_told_as_the_last_of_them() -> None:
    match = hoyle.load("hearts", players=3).new(seed=3)
    host = Host(match.game, names=["Ash", "Bay", "Elm"])
    for _ in range(3):
        match.apply(0)
    got = [text for text in tell(host, match, 0) if " get" in text]
    assert [text.partition(" get")[0] for text in got] == ["Bay", "Elm", "You"]


def test_cards_that_a_choice_does_not_move_are_not_told_with_it() -> None:
    match = hoyle.load("blackjack", players=1).new(seed=2)
    match.apply("bet 6")
    told = tell(Host(match.game), match, 0)
    dealt = ["5S and 9H go from the shoe to your hand", "7H goes from the shoe to the bank"]
    assert told[-3:] == ["You bet 6", *dealt]
    match.apply("stand")
    told = tell(Host(match.game), match, 0)
    assert told[told.index("You stand") + 1].endswith("from the shoe to the bank")


def test_what_was_chosen_together_is_told_of_each_when_it_is_done() -> None:
    match = hoyle.load("goofspiel", players=2).new(seed=1)
    host = Host(match.game, names=["Ash", "Bay"])
    match.apply("bid AC")
    assert tell(host, match, 0)[-1] == "You bid AC (secretly)"
    match.apply("bid 4S")
    assert [text for text in tell(host, match, 0) if "bid" in text] == ["You bid AC", "Bay bids 4S"]
    assert [text for text in tell(host, match, 1) if "bid" in text] == ["Ash bids AC", "You bid 4S"]
    assert [text for text in tell(host, match, None) if "bid" in text] == ["Ash bids AC", "Bay bids 4S"]


def test_who_calls_after_another_is_said_not_to_be_heard_once_the_other_has_acted() -> None:
    match = hoyle.load("bunco", players=3, options={"error_mode": "challenge"}).new(seed=6)
    host = Host(match.game, names=["Ash", "Bay", "Elm"])
    match.apply("advise")
    assert tell(host, match, 0)[-1] == "You give advice (secretly)"
    match.apply("advise")
    match.apply("decline")
    revealed = [news.text for news in host.tell(match, None, reveal=True)]
    assert revealed[-2:] == ["Bay gives advice, but another is heard first", "Ash gives advice"]


def test_cards_played_together_are_told_in_the_order_of_the_hand() -> None:
    match = hoyle.load("big-two", players=4).new(seed=3)
    host = Host(match.game)
    while match.decision is not None and "straight" not in "".join(tell(host, match, 0)):
        match.apply(match.decision.actions[-1 if match.decision.actions[-1].text.startswith("five straight") else 0])
    played = next(text for text in tell(host, match, 0) if "straight" in text)
    ranks = [card[0] for card in re.findall(r"\b[2-9TJQKA][CDHS]\b", played)]
    assert len(ranks) == 5 and "".join(ranks) in "3456789TJQKA2"


def test_the_card_with_which_others_are_taken_is_seen_by_everybody() -> None:
    """At Scopa it is played face up, though what is taken lies face down."""
    match = hoyle.load("scopa").new(seed=11)
    host = Host(match.game, names=["Ash", "Bay"])
    while not match.decision or not any(action.name == "take" for action in match.decision.actions):
        match.apply(0)
    taking = next(action for action in match.decision.actions if action.name == "take")
    seat, other = match.decision.seat, 1 - match.decision.seat
    match.apply(taking)
    named = {card for news in host.tell(match, other) for card in news.cards}
    assert {*taking.picks.values()} <= named, (seat, taking)


def test_what_a_choice_sets_of_its_player_is_not_told_beside_it() -> None:
    match = hoyle.load("euchre").new(seed=5)
    for choice in ("order_up", "go_alone"):
        match.apply(choice)
    told = tell(Host(match.game, names=["Ash", "Bay", "Elm", "Fir"]), match, 0)
    assert told[-4:] == ["Bay orders it up", "Trumps: spades", "Bay plays alone", "You pick up TS"]


def test_several_who_pay_the_same_are_told_of_by_their_names() -> None:
    match = hoyle.load("bonanza", players=5).new(seed=7)
    host = Host(match.game, names=["Ash", "Bay", "Elm", "Fir", "Oak"])
    while match.decision is not None and match.rounds == 0:
        action = match.decision.actions[-1]
        match.apply(action if action.number is None else action.with_number(action.number[0]))
    assert "You, Elm, Fir and Oak pay 1 each to Bay" in tell(host, match, 0)


def test_the_first_dealer_is_told_also_where_it_is_the_first_seat() -> None:
    by_lot, by_cut = "Ash is drawn by lot to deal first", "Ash deals first"
    for options, dealing, other in ({}, by_lot, by_cut), ({"first_dealer": "low_cut"}, by_cut, by_lot):
        game = hoyle.load("cribbage", options=options)
        host = Host(game, names=["Ash", "Bay"])
        for seed in range(6):
            told = tell(host, game.new(seed=seed), 1)
            first = told.index("Round 1") - 1
            assert told[first] in (dealing, dealing.replace("Ash is", "You are").replace("Ash deals", "You deal"))
            assert other not in told


def test_the_first_dealer_is_told_once_if_players_choose_before_the_first_round(tmp_path: Path) -> None:
    path = tmp_path / "asked.game.yaml"
    path.write_text(
        "game: asked\ntitle: Asked\nplayers: 2\nuse: [deck_52]\nactions: {nod: {do: nothing}}\n"
        "zones: {pack: {shows: nothing}}\nsteps:\n  match: |\n    pick chosen at random from seats\n"
        "    set dealer to chosen\n    left of dealer chooses nod\n    repeat 2 times:\n      do round\n"
        "      set dealer to left of dealer\n  round: dealer chooses nod\nwinners: seats\n",
        encoding="utf-8",
    )
    game = hoyle.load(path)
    host = Host(game, names=["Ash", "Bay"])
    for seed in range(4):
        match, told, since = game.new(seed=seed), [], 0
        while True:
            told += [news.text for news in host.tell(match, None, since)]
            since = len(match.events)
            if match.decision is None:
                break
            match.apply(match.decision.actions[0])
        dealers = [text for text in told if text.endswith("first")]
        assert len(dealers) == 1, told
        assert told.index(dealers[0]) < told.index("Round 1")


def test_cards_chosen_unseen_are_told_once_when_they_are_shown_and_never_with_a_gap() -> None:
    match = hoyle.load("bonanza", players=3, options={"rounds": 1}).new(seed=4)
    host = Host(match.game, names=["Ash", "Bay", "Elm"])
    ways = ("show_five", "bets.match", "bets.raise", "sell", "sale.pass", "decline")
    while sum(entry.startswith("show_five") for entry in match.history) < 2:
        assert match.decision is not None
        ranked = sorted(match.decision.actions, key=lambda each: (*ways, each.name).index(each.name))
        match.apply(ranked[0] if ranked[0].number is None else ranked[0].with_number(min(ranked[0].number)))
    match.apply("show_best")
    revealed = [news.text for news in host.tell(match, None, reveal=True)]
    winner = next(text.split(" takes ")[0] for text in revealed if text.endswith(" from the Poker space"))
    (shown,) = (text for text in revealed if text.startswith(f"{winner} shows "))
    cards = shown.removeprefix(f"{winner} shows ")
    assert [text for text in revealed if cards in text and "chooses" in text] == []
    assert any(text.endswith("chooses (secretly)") for text in revealed)


def test_a_whole_match_tells_the_first_dealer_once_and_what_several_take_in_one_sentence() -> None:
    options = {"rounds": 1, "auction_to_dealer": "true", "insolvency": "eliminated", "chips": 20}
    match = hoyle.load("bonanza", players=5, options=options).new(seed=5)
    host = Host(match.game, names=["Ash", "Bay", "Elm", "Fir", "Oak"])
    for _ in play(match, 5, 800, by_name=True):
        pass
    told = tell(host, match, 0)
    assert told[-4:-1] == [
        "The Joker space, the Queen-Jack space and the ace of spades space pay 5 each to the Pot space",
        "You, Bay, Elm and Oak take 3 each from the Pot space",
        "Elm takes 3 from the Pot space",
    ]
    assert len([text for text in told if "first" in text]) == 1
