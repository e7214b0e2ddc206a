"""What a table shows of players, places and rounds."""

from __future__ import annotations

from pathlib import Path

import hoyle
from hoyle.front.terminal.plain_lines import list_facts
from hoyle.play.table import Host, Table
from hoyle.play.table.beats import list_beats

ROWS = """
game: rows
title: Rows
players: 1..2
deck:
  starts_in: pack
  attributes: {number: 1..4}
  cards: [{number: 1..4}]
kinds: {line: 1..3}
zones:
  pack: {shows: nothing}
  row: {of: line, shows: all}
state: {owed: {text: How many are owed., type: number}}
actions:
  lay:
    text: Lay the top card in a row.
    choose: {line: any line}
    do: |
      set owed to 3
      move top of pack to row of line
      set owed to 0
steps:
  match: do round
  round: |
    move top of pack to row of 1
    move top of pack to row of 1
    repeat 2 times: dealer chooses lay
winners: seats
"""


def see(game: str, seed: int, choices: list[str | int], seat: int = 0, **known: int) -> Table:
    match = hoyle.load(game, **known).new(seed=seed)
    for choice in choices:
        match.apply(choice)
    return Host(match.game, names=["Ash", "Bay", "Elm", "Fir"][: match.game.players]).see(match, seat)


def marks(table: Table) -> dict[str, tuple[str, ...]]:
    return {player.name: player.marks for player in table.players if player.marks}


def test_who_plays_dummys_cards_is_marked_though_he_is_asked_too() -> None:
    table = see("bridge", 3, ["bid 1 club", "pass", "pass", "pass", 0], seat=1)
    assert marks(table) == {"Ash": ("dealer", "declarer"), "Elm": ("dummy",), "Fir": ("partner",)}


def test_whose_turn_it_is_and_who_took_the_last_trick_are_no_marks() -> None:
    assert marks(see("go-fish", 3, [0], players=2)) == {"Ash": ("dealer",)}
    assert marks(see("hearts", 3, [0] * 12, players=3)) == {"Ash": ("dealer",)}
    match = hoyle.load("go-fish", players=2).new(seed=3)
    while match.decision is not None:
        match.apply(0)
    assert "player" not in "".join(map(str, marks(Host(match.game).see(match, 0)).values())), "nor at the end"


def test_what_is_used_up_is_said_and_what_has_not_begun_is_not() -> None:
    match = hoyle.load("hanabi", players=2).new(seed=3)
    shown = []
    while match.decision is not None and len(shown) < 9:
        table = Host(match.game).see(match, 0)
        shown.append({fact.label: fact.value for fact in table.facts}["hints left"])
        assert "turns left" not in {fact.label for fact in table.facts}
        match.apply(next(action.text for action in match.decision.actions if "hint" in action.text))
        if not any("hint" in action.text for action in match.decision.actions):
            shown.append({fact.label: fact.value for fact in Host(match.game).see(match, 0).facts}["hints left"])
            break
    assert shown == [str(number) for number in range(8, -1, -1)]


def test_what_is_so_is_said_by_its_name_alone() -> None:
    table = see("hearts", 3, [0] * 44)
    speaker = Host(hoyle.load("hearts")).speak_to(0)
    assert [(fact.label, fact.value) for fact in table.facts if not fact.counted] == [("hearts broken", "")]
    assert "hearts broken" in list_facts(table, speaker)


def test_who_plays_alone_deals_to_nobody() -> None:
    assert marks(see("klondike", 3, [])) == {}


def test_a_match_of_one_round_has_no_number_and_places_are_said_by_theirs(tmp_path: Path) -> None:
    path = tmp_path / "rows.game.yaml"
    path.write_text(ROWS)
    match = hoyle.load(path, players=2).new(seed=1)
    host = Host(match.game, names=["Ash", "Bay"])
    table = host.see(match, match.find_seat())
    assert table.round == 0 and see("hearts", 3, [0], players=3).round == 1
    assert [zone.label for zone in table.zones if zone.name == "row"] == ["row 1", "row 2", "row 3"]
    first = host.tell(match, None)[0]
    assert len(first.cards) == 2 and first.text.endswith(" go from the pack to row 1"), "both went the same way"
    match.apply("lay 2")
    told = [news.text for news in host.tell(match, None)]
    assert told[1:3] == ["Ash lays 2", "Owed: 3"] and told[3].endswith(" goes from the pack to row 2")
    assert len(told) == 4, "nothing is owed any more, and that is no news"


def costs(table: Table) -> dict[str, str]:
    assert table.menu is not None
    return {way.text: way.note for act in table.menu.acts for way in act.ways if way.note}


def test_what_a_choice_costs_is_said_with_it() -> None:
    assert costs(see("holdem", 3, [], seat=0, players=3)) == {"call": "pay 2"}
    assert costs(see("holdem", 3, ["raise 9"], seat=1, players=3)) == {"call": "pay 8"}
    assert costs(see("leduc-poker", 3, ["call"], seat=1)) == {"raise": "pay 2"}
    assert costs(see("kuhn-poker", 3, ["check", "bet"])) == {"call": "pay 1"}


def test_where_several_cards_lie_is_said_once() -> None:
    menu = see("scopa", 2, [], seat=1).menu
    assert menu is not None
    said = [way.text for act in menu.acts for way in act.ways if way.text.startswith("take several")]
    assert said == ["take several AB 4D from the table 5D", "take several AB 7S from the table JS"]


NEEDED = """
game: fee
title: Fee
players: 2
deck:
  starts_in: pack
  attributes: {number: 1..4}
  cards: [{number: 1..4}]
zones: {pack: {shows: nothing}, hand: {of: seat, shows: owner}}
pots: {purse: {of: seat, start: 9}, bank: {}}
actions:
  look: {text: Pay what is printed on the top card., do: pay (number of top of pack or else 0) from purse to bank}
  guess:
    text: Pay if it is even.
    do: |
      if (number of top of pack or else 0) mod 2 = 0: pay 3 from purse to bank
  wait: {text: Pay one for each card of the pack., do: pay count of pack from purse to bank}
steps: {match: dealer chooses look or guess or wait}
winners: (seat in seats with highest purse of seat)
"""


def test_what_a_choice_costs_tells_nothing_hidden(tmp_path: Path) -> None:
    path = tmp_path / "fee.game.yaml"
    path.write_text(NEEDED)
    assert costs(see(str(path), 3, [])) == {"wait": "pay 4"}


def test_cards_that_are_named_by_their_places_can_be_picked_unseen() -> None:
    table = see("hanabi", 3, [], seat=1, players=2)
    assert table.menu is not None
    placed = {item.text: (item.zone, item.places) for item in table.menu.items if item.kind == "number"}
    assert placed == {str(nth): ("hand.1", (5 - nth,)) for nth in range(1, 6)}
    table = see("old-maid", 3, [], seat=1, players=3)
    assert table.menu is not None
    assert table.menu.acts[0].ways[0].zone == "hand.0"
    table = see("holdem", 3, [], players=3)
    assert table.menu is not None
    assert not any(way.zone for act in table.menu.acts for way in act.ways)


def test_who_gets_the_cards_that_all_pass_on_is_said() -> None:
    table = see("hearts", 3, [], seat=1)
    assert table.menu is None
    menus = [see("hearts", 3, [0] * seat, seat).menu for seat in range(4)]
    assert [menu.acts[0].receiver for menu in menus if menu is not None] == [1, 2, 3, 0]


def test_who_win_together_have_one_score() -> None:
    assert [side.seats for side in see("hanabi", 3, [], players=3).scores.sides] == [(0, 1, 2)]
    assert [side.seats for side in see("hearts", 3, []).scores.sides] == [(0,), (1,), (2,), (3,)]


def test_a_showdown_is_seen_by_all_until_somebody_chooses_again() -> None:
    match = hoyle.load("holdem", players=2).new(seed=3)
    host = Host(match.game)
    while not any(event.name == "shown" for event in match.events):
        before, told, decision = match.position, len(match.events), match.decision
        assert decision is not None
        action = next(each for each in decision.actions if each.name in ("check", "call"))
        match.apply(action)
    beats = list_beats(match.game, host.layout, before, told, action.choice)
    (ended,) = (each for each in beats if each.pause == "round")
    then = type(match)(match.game, ended.position, events=match.events[: ended.told])
    assert [host.see(then, None).find_zone(f"hand.{seat}").shown for seat in range(2)] == [("3D", "6S"), ("7S", "8C")]
    assert host.see(match, None).find_zone("hand.0").shown == (None, None), "the next cards are not shown"


def test_the_rules_that_matter_now_are_told_with_the_cards_by_which_they_do() -> None:
    match = hoyle.load("hearts").new(seed=7)
    for _ in range(4):
        match.apply(0)
    tips = {reason.text: (about, reason) for reason, about in Host(match.game).guide(match)}
    assert list(tips) == ["Such a card may not be led yet.", "No hearts and no queen of spades on the first trick."]
    about, reason = tips["Such a card may not be led yet."]
    assert reason.because == "The lowest club opens, and hearts are led only once one has been played."
    assert "2C" not in about and "2C" in reason.cards
    match.apply(0)
    tips = {reason.text: (about, reason) for reason, about in Host(match.game).guide(match)}
    about, reason = tips["Whoever can must follow the card led."]
    assert "2C" in reason.cards and not any(card.endswith("C") for card in about)


def test_a_suit_that_is_named_with_a_card_stands_on_its_pile() -> None:
    match = hoyle.load("crazy-eights", players=2).new(seed=5)
    taken = ""
    while taken != "eight":
        decision = match.decision
        assert decision is not None
        action = next((each for each in decision.actions if each.name == "eight"), decision.choice(0))
        match.apply(action)
        taken = action.name
    (fact,) = (fact for fact in Host(match.game).see(match, 0).facts if fact.name == "called")
    assert (fact.zone, fact.value) == ("pile", "clubs")
    assert not any(fact.zone for fact in see("gin-rummy", 3, []).facts)


def test_an_action_about_no_card_says_nothing_of_cards_however_many_numbers_it_may_name() -> None:
    game = hoyle.load("bi-jinx", players=2, options={"offer_cap": 1})
    for seed in range(12):
        match = game.new(seed=seed)
        while match.decision is not None and all(each.name != "offer" for each in match.decision.actions):
            match.apply(match.decision.actions[0])
        if match.decision is not None:
            break
    assert match.decision is not None, "nobody has Bi while another has Jinx"
    host = Host(game)
    assert host.guide(match) == []
    offer = next(each for each in match.decision.actions if each.name == "offer")
    match.apply(offer if offer.number is None else offer.with_number(5))
    assert "Only so many offers" in host.explain(match, "offer sell 5").text
    assert host.explain(match, "offer") is not None


def test_what_is_offered_is_told_with_who_offers_it() -> None:
    """By the rules alone: a trade is answered to whoever offered it, a bid of an auction to nobody."""
    game = hoyle.load("bi-jinx", players=2)
    match = game.new(2)
    while match.decision is not None and not any(each.name == "offer" for each in match.decision.actions):
        match.apply(match.decision.actions[0])
    host, maker = Host(game), match.find_seat()
    assert [fact.by for fact in host.see(match, maker).facts if fact.name in ("offered", "price")] == []
    match.apply("offer sell 12")
    terms = [(fact.value, fact.by) for fact in host.see(match, 1 - maker).facts if fact.by is not None]
    assert terms == [("sell", maker), ("12", maker)]
    auction = hoyle.load("bridge").new(1)
    auction.apply(next(each for each in auction.decision.actions if each.name == "bid"))  # type: ignore[union-attr]
    assert all(fact.by is None for fact in Host(auction.game).see(auction, 1).facts)


MARKET = """
game: market
title: Market
players: 2
deck:
  starts_in: pack
  attributes: {price: 0..9}
  cards:
    silver: {short: Si, price: 3, copies: 4, text: It pays 2.}
    stall: {short: St, price: 4, copies: 4}
zones:
  pack: {shows: nothing}
  hand: {of: seat, shows: owner}
  pile: {shows: all}
actions:
  play: {text: Play a card., choose: {card: hand}, do: move card to pile}
steps:
  match: |
    shuffle pack
    deal 2 cards from pack to each hand, starting left of dealer
    for each seat: seat chooses play
winners: seats
labels:
  fr: {messages: {It pays 2.: Il paie 2.}}
"""


def test_what_a_card_does_stands_on_it_in_the_language_of_the_player(tmp_path: Path) -> None:
    path = tmp_path / "market.game.yaml"
    path.write_text(MARKET, encoding="utf-8")
    for language, told in (("en", "It pays 2."), ("fr", "Il paie 2.")):
        faces = Host(hoyle.load(path), language=language).legend.faces
        assert {code: face.note for code, face in faces.items()} == {"Si": told, "St": ""}
