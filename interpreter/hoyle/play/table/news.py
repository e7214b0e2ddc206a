"""The event log of one seat, as sentences.

In: events as told to a seat, in order. Out: `News`. Related events become one sentence: a choice with the cards it
moved and the announcement after it; the rows of one score; equal payments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from hoyle.base.dataclass import dataclass
from hoyle.play.engine.utility import find_best
from hoyle.play.table.address import Speaker
from hoyle.play.table.layout import Layout
from hoyle.play.table.model import Move, News
from hoyle.play.table.moving import decides_first_dealer, list_moving_clauses
from hoyle.play.table.newsworthy import find_doer, join_moves, name_first_dealer, select_events
from hoyle.play.view.event_lines import is_family, say_payment, take_payments
from hoyle.play.view.names import holds_cards
from hoyle.play.view.phrases import DEFAULT
from hoyle.play.view.running_count import count_aloud, count_plainly, find_calls
from hoyle.play.view.seeing import UNKNOWN_CARD
from hoyle.program.ir.nodes import Program
from hoyle.program.ir.types import SEAT, Type, certain
from hoyle.program.model.events import Told

_SEAT = re.compile(r"seat (\d+)")
# Events that can come between a choice and the cards that the player gets by it: told before it, or after it.
_PREPARING = ("moved", "turned_over", "shuffled", "turned")
_FOLLOWING = ("paid", "set")


def tell_news(
    events: Sequence[Told], speaker: Speaker, layout: Layout, *, opening: bool, dealer_told: bool = False
) -> list[News]:
    """Turn the events told to a seat into sentences; `opening`: no round has begun before them, `dealer_told`: but the
    dealer has been set."""
    opens = opening and decides_first_dealer(layout.program)
    complete = name_first_dealer(events, layout.program) if opens and not dealer_told else events
    worth = join_moves(select_events(complete, layout, speaker.locale.labels.told, opens=opens))
    return _Teller(worth, speaker, layout).tell()


def spell_place(written: str) -> str:
    """Convert the name of a zone or pot, as events write it, to its id: `hand of 1` to `hand.1`."""
    return written.replace(" of ", ".").replace(" ", "")


# ------------------------------------------------------------------------------------------------ sentences
@dataclass(slots=True)
class _Teller:
    events: list[Told]
    speaker: Speaker
    layout: Layout
    at: int = 0
    as_clauses: bool = False

    def tell(self) -> list[News]:
        found: list[News] = []
        while self.at < len(self.events):
            event = self.events[self.at]
            self.at += 1
            news = _BY_NAME[event["event"]](self, event)
            if news is not None and news.text:
                found.append(news)
        return found

    def _next(self, name: str, fits: Callable[[Told], bool] = lambda _: True) -> Told | None:
        """Consume and return the next event if it has this name and fits."""
        if self.at < len(self.events) and self.events[self.at]["event"] == name and fits(self.events[self.at]):
            self.at += 1
            return self.events[self.at - 1]
        return None

    def _take_moved(self, fits: Callable[[Told], bool]) -> Told | None:
        """Consume the next fitting move, skipping payments and set states before it, which are told after it."""
        at = self._skip(_FOLLOWING)
        if at < len(self.events) and self.events[at]["event"] == "moved" and fits(self.events[at]):
            return self.events.pop(at)
        return None

    def _take_prepared(self, fits: Callable[[Told], bool]) -> tuple[list[str], Told | None]:
        """Consume the next fitting move together with the moves and turns that prepare it, such as a pile that is
        turned over to be drawn from. Return these as clauses, and the move."""
        start, end = self._skip(_FOLLOWING), self._skip((*_PREPARING, *_FOLLOWING))
        fitting = (at for at in range(start, end) if self.events[at]["event"] == "moved" and fits(self.events[at]))
        target = next(fitting, None)
        if target is None:
            return [], None
        moved = self.events.pop(target)
        before = [self.events.pop(start) for _ in range(target - start)]
        clauses = _Teller(before, self.speaker, self.layout, as_clauses=True).tell()
        return [clause.text for clause in clauses], moved

    def _skip(self, names: Collection[str]) -> int:
        """Find the next event that has none of these names."""
        at = self.at
        while at < len(self.events) and self.events[at]["event"] in names:
            at += 1
        return at

    def _make(self, text: str, event: Told, *moves: Move, cards: Sequence[str] = ()) -> News:
        moved = [card for move in moves for card in move.cards if card]
        # `moved` keeps duplicates: with two packs, it can hold two cards of one code.
        named = [*(card for card in dict.fromkeys(cards) if card not in moved), *moved]
        opened = text if self.as_clauses else self.speaker.begin(text)
        return News(opened, event["event"], event.get("seat"), tuple(named), moves)

    # ---------------------------------------------------------------------------------------------- choices
    def _chose(self, event: Told) -> News:
        """Tell a choice together with the cards it moved and the announcement that follows."""
        speaker, seat = self.speaker, event["seat"]
        if event["action"] is None:
            return self._make(speaker.say("declines", of=seat, who=speaker.who(seat)), event)
        moved = self._take_moved(lambda move: self._is_effect(move, event))
        before: list[str] = []
        if moved is None and not event["secret"]:
            before, moved = self._take_prepared(lambda move: self._is_effect(move, event))
        called = self._next("announced") if moved else None
        text = speaker.locale.join([*before, self._say_choice(event, moved)])
        if called is not None:
            text = speaker.say("called", text=text, called=speaker.announced(called))
        return self._make(text, event, *([_move(moved)] if moved else []), cards=_list_picked(event, speaker))

    def _is_effect(self, moved: Told, chose: Told) -> bool:
        """Whether a move is an effect of a choice: one of the choice's clauses made it, and it involves a zone of the
        player, the zone they picked, or cards they picked, or the choice openly picked cards. With a single player, the
        clause suffices."""
        program = self.speaker.locale.program
        if moved["clause"] not in list_moving_clauses(program, chose["action"]):
            return False
        picked = _list_picked(chose, self.speaker)
        chosen = not chose["secret"] and bool(self._list_picks(chose["action"], holds_cards))
        return chosen or program.players == 1 or _is_done_by(moved, chose) or set(picked) & set(moved["cards"]) != set()

    def _say_choice(self, event: Told, moved: Told | None) -> str:
        speaker, locale, seat = self.speaker, self.speaker.locale, event["seat"]
        seats = self._list_picks(event["action"], lambda kind: certain(kind) == SEAT)
        picks = {
            name: speaker.who(int(pick)) if name in seats and pick.isdecimal() else self._say_pick(pick)
            for name, pick in event["picks"].items()
        }
        cards = speaker.list_cards(self._sort_as_held(moved) if moved else _list_picked(event, speaker))
        template = locale.labels.told.get(event["action"])
        if template is not None:
            parts = dict.fromkeys(self._list_picks(event["action"], holds_cards), cards) | picks | {"cards": cards}
            if moved is not None:
                parts |= {"to": speaker.place(moved["zone"], seat), "origin": self._origin(moved, seat)}
                parts["from"] = self._say_source(moved, seat)
            said = speaker.fill(template, seat, **parts)
            if event["secret"] and moved is None:
                said = self._say_secret(event, " ".join(said.split()))  # no cards may be named as yet
            return speaker.say("does", who=speaker.who(seat), what=said)
        words = [speaker.verb(event["action"], seat)]
        shown = dict(picks)
        if moved is not None:
            words.append(cards)
            target = spell_place(moved["zone"])
            shown = {
                name: text
                for name, text in picks.items()
                if event["picks"][name] != target and not _names_cards(event["picks"][name], moved["cards"])
            }
        words += [text for text in shown.values() if text]
        said = " ".join(words)
        if moved is not None:
            said += self._say_way(moved, seat)
        if event["secret"] and moved is None:
            said = self._say_secret(event, said)
        return speaker.say("acts", who=speaker.who(seat), what=said)

    def _say_secret(self, event: Told, what: str) -> str:
        """Say that a choice is still secret or, where several are asked and one acts, that another has acted."""
        program = self.speaker.locale.program
        windows = {program.clauses[each.clause].path for each in program.decisions if each.window}
        acted = event["clause"] in windows and any(
            each["event"] == "chose" and not each["secret"] and each["clause"] == event["clause"]
            for each in self.events[self.at :]
        )
        return self.speaker.say("unheard" if acted else "secretly", what=what)

    def _sort_as_held(self, moved: Told) -> list[str]:
        """List the moved cards; those from hands in the display order of the hand."""
        cards: list[str] = moved["cards"]
        zones = {zone.partition(" of ")[0] for zone in moved["source"]}
        if len(cards) < 2 or len(zones) > 1 or not all(map(self._is_a_hand, moved["source"])):
            return cards
        return self.layout.sort_some(zones.pop(), cards)

    def _list_picks(self, action: str, is_such: Callable[[Type], bool]) -> list[str]:
        """List the names of the picks of an action whose type satisfies a predicate."""
        declared = next(each for each in self.speaker.locale.program.actions if each.name == action)
        return [pick.name for pick in declared.picks if is_such(pick.type)]

    def _say_way(self, moved: Told, actor: int) -> str:
        """Say where the cards came from and went to, omitting the actor's own hand."""
        said = self._say_source(moved, actor)
        if not self._is_hand_of(moved["zone"], actor):
            said += self._say_target(moved, actor)
        return said

    def _say_source(self, moved: Told, actor: int) -> str:
        if all(self._is_hand_of(zone, actor) for zone in moved["source"]):
            return ""
        return self.speaker.say("from", place=self._origin(moved, actor))

    def _say_target(self, moved: Told, actor: int | None) -> str:
        place = self.speaker.place(moved["zone"], actor)
        return self.speaker.say("to_bottom" if moved["bottom"] else "to", place=place)

    def _origin(self, moved: Told, actor: int | None) -> str:
        places = [self.speaker.place(zone, actor) for zone in dict.fromkeys(moved["source"])]
        return self.speaker.locale.join(places)

    def _is_hand_of(self, zone: str, seat: int) -> bool:
        name, _, owner = zone.partition(" of ")
        shows = next((each.shows for each in self.speaker.locale.program.zones if each.name == name), "")
        return owner == str(seat) and name in self.speaker.locale.of_seats and shows == "owner"

    def _is_a_hand(self, zone: str) -> bool:
        owner = zone.partition(" of ")[2]
        return owner.isdecimal() and self._is_hand_of(zone, int(owner))

    def _say_pick(self, word: str) -> str:
        """Format a pick given as one word, `QS+JD`, `queen_jack`, `surplus2.1`, for display."""
        place = self.speaker.read_place(word)
        if place is not None:
            return self.speaker.place(place)
        return " ".join(self.speaker.pick(part) for part in word.split("+"))

    # ---------------------------------------------------------------------------------------------- cards
    def _dealt(self, event: Told) -> News:
        speaker, locale = self.speaker, self.speaker.locale
        by_zone: dict[str, list[str]] = {}
        for card, zone in zip(event["cards"], event["to"], strict=True):
            by_zone.setdefault(zone, []).append(card)
        sizes = {len(cards) for cards in by_zone.values()}
        names = {zone.partition(" of ")[0] for zone in by_zone}
        if len(by_zone) > 1 and len(sizes) == 1 and len(names) == 1:
            each = locale.zone(names.pop())
            text = speaker.say("dealt_all", cards=locale.count_cards(sizes.pop()), name=each)
        elif len(by_zone) == 1:
            zone, cards = next(iter(by_zone.items()))
            phrase = "dealt_one" if len(cards) == 1 else "dealt_some"
            text = speaker.say(phrase, cards=locale.count_cards(len(cards)), place=speaker.place(zone))
        else:
            parts = [f"{self._name_holder(zone)} {len(cards)}" for zone, cards in by_zone.items()]
            text = speaker.say("dealt_parts", parts=", ".join(parts))
        source = (spell_place(event["source"]),) * len(event["cards"])
        move = Move(_see(event["cards"]), source, tuple(map(spell_place, event["to"])))
        return News(speaker.begin(text), "dealt", None, (), (move,))

    def _name_holder(self, zone: str) -> str:
        """Name the owner of a hand, or any other zone itself."""
        owner = zone.partition(" of ")[2]
        if owner and self._is_hand_of(zone, int(owner)):
            return self.speaker.who(int(owner))
        return self.speaker.place(zone)

    def _moved(self, event: Told) -> News:
        speaker = self.speaker
        cards = event["cards"]
        doer = find_doer(event, speaker.locale.program)
        if doer is not None:
            done: Told = {"event": "chose", "seat": doer[0], "action": doer[1], "picks": {}, "secret": False}
            return self._make(self._say_choice(done, event), done, _move(event))
        if all(_lies_under(speaker.locale.program, zone, event["zone"]) for zone in event["source"]):
            phrase = speaker.say("turned_up", cards=speaker.list_cards(cards), place=speaker.place(event["zone"]))
            return self._make(phrase, event, _move(event))
        unseen = _shows_nothing(speaker.locale.program, event["zone"])
        parts = {
            "cards": speaker.locale.count_cards(len(cards)) if unseen else speaker.list_cards(cards),
            "origin": self._origin(event, None),
        }
        text = self._say_coming(event, parts) or speaker.say(
            "goes" if len(cards) == 1 else "go", of=None, target=self._say_target(event, None), **parts
        )
        return self._make(text, event, _move(event))

    def _say_coming(self, moved: Told, parts: dict[str, str]) -> str:
        """Format the file's `told` phrase for cards that arrive in this zone, with its owner as the subject if it has
        one; empty without a phrase, or if the phrase belongs to an action of the same name."""
        speaker, program = self.speaker, self.speaker.locale.program
        name, _, owner = moved["zone"].partition(" of ")
        template = speaker.locale.labels.told.get(name)
        if template is None or any(action.name == name for action in program.actions):
            return ""
        team = re.fullmatch(r"team (\d+)", owner)
        if team is not None:
            seats = [seat for seat, side in enumerate(program.teams) if side == int(team[1])]
        else:
            seats = [int(owner)] if name in speaker.locale.of_seats else []
        said = speaker.fill(template, seats, **parts, to=speaker.place(moved["zone"]))
        return speaker.say("does", who=speaker.list_seats(seats), what=said) if seats else said

    def _shown(self, event: Told) -> News | None:
        speaker, program = self.speaker, self.speaker.locale.program
        parts = {"cards": speaker.list_cards(event["cards"]), "place": self._origin(event, None)}
        owner = self._find_holder(event["source"])
        shown_to = [seat for seat in event["seats"] if seat != owner]
        if owner is None or not shown_to:  # not from one hand, or shown only to the owner
            owner, shown_to, phrase = None, event["seats"], "cards_shown"
        else:
            phrase, parts["who"] = "shows", speaker.who(owner)
        if len(shown_to) < program.players - (owner is not None):
            phrase, parts["seats"] = f"{phrase}_to", speaker.list_seats(shown_to)
        return self._make(speaker.say(phrase, of=owner, **parts), event, cards=_known(event["cards"]))

    def _find_holder(self, zones: Sequence[str]) -> int | None:
        """Return the seat whose hand the shown cards are in; None if they are not all in one hand."""
        owners = {zone.partition(" of ")[2] for zone in zones}
        owner = owners.pop() if len(owners) == 1 else ""
        seat = int(owner) if owner.isdecimal() else None
        return seat if seat is not None and all(self._is_hand_of(zone, seat) for zone in zones) else None

    def _turned(self, event: Told) -> News:
        phrase = "turned_up" if event["up"] else "turned_down"
        cards, place = self.speaker.list_cards(event["cards"]), self._origin(event, None)
        return self._make(self.speaker.say(phrase, cards=cards, place=place), event, cards=_known(event["cards"]))

    def _swapped(self, event: Told) -> News:
        places = [self.speaker.place(zone) for zone in event["zones"]]
        return self._make(self.speaker.say("swapped_now", places=self.speaker.locale.join(places)), event)

    def _of_zone(self, event: Told) -> News:
        return self._make(self.speaker.say(f"{event['event']}_now", place=self.speaker.place(event["zone"])), event)

    # ---------------------------------------------------------------------------------------------- scores, chips
    def _scored(self, event: Told) -> News | None:
        speaker, locale, scorers = self.speaker, self.speaker.locale, self._list_scorers(event)
        if "table" in event:
            return self._counted(event)
        column = speaker.say("scored_under", column=locale.message(event["under"])) if "under" in event else ""
        label = speaker.say("scored_for", label=locale.message(event["label"])) if event["label"] else ""
        parts = {"who": speaker.list_seats(scorers), "amount": event["amount"], "column": column, "label": label}
        charged = not column and find_best(locale.program) == "lowest"  # what is scored counts against a player
        if charged and event["amount"] == 0:
            return None
        text = speaker.say("is_charged" if charged else "scores_points", of=scorers, **parts)
        return self._make(text, event)

    def _list_scorers(self, event: Told) -> list[int]:
        """List the scoring seats: one, or its whole team if the score is the team's."""
        teams = self.speaker.locale.program.teams
        side = [seat for seat, team in enumerate(teams) if team == teams[event["seat"]]]
        return side if event.get("side") else [event["seat"]]

    def _counted(self, first: Told) -> News:
        """Tell consecutive rows that one seat scored from one table, up to a repeated row, as one count."""
        speaker, locale, seat = self.speaker, self.speaker.locale, first["seat"]
        rows = [first]

        def goes_on(event: Told) -> bool:
            same = event.get("table") == first["table"] and event["seat"] == seat
            return same and event["label"] not in [row["label"] for row in rows]

        while (row := self._next("scored", goes_on)) is not None:
            rows.append(row)
        calls = find_calls(locale.program, first["table"])
        counted = [(locale.message(calls[row["label"]]), _list_parts(row)) for row in rows]
        said = count_aloud(counted) if locale.language == DEFAULT else count_plainly(counted)
        total = sum(row["amount"] for row in rows)
        scorers = self._list_scorers(first)
        who = speaker.list_seats(scorers)
        return self._make(speaker.say("counts", of=scorers, who=who, amount=total, said=said), first)

    def _paid(self, event: Told) -> News:
        payments = take_payments(self.events, self.at - 1)
        self.at += len(payments) - 1
        speaker = self.speaker
        payers, payees = ([*dict.fromkeys(each[side] for each in payments)] for side in ("payer", "payee"))
        amount = event["amount"]
        seats = [self._owner_of(pot) for pot in payers]
        if len(payers) > 1 and len(payees) == 1 and None not in seats and len(seats) < speaker.locale.program.players:
            payee = self._owner_of(payees[0])
            to = speaker.who(payee) if payee is not None else self._pots(payees)
            who = speaker.list_seats(seat for seat in seats if seat is not None)
            return self._make(speaker.say("pay_each", who=who, amount=amount, payee=to), event)
        takers = [self._owner_of(pot) for pot in payees]
        if len(payers) == 1 and len(takers) == speaker.locale.program.players > 1 and None not in takers:
            return self._make(speaker.say("everybody_takes", amount=amount, payer=self._pots(payers)), event)
        if len(payers) == 1 and len(takers) > 1 and None not in takers:
            who = speaker.list_seats(seat for seat in takers if seat is not None)
            return self._make(speaker.say("take_each", who=who, amount=amount, payer=self._pots(payers)), event)
        if len(payments) > 1 and None not in seats and len(seats) == speaker.locale.program.players > 1:
            return self._make(speaker.say("everybody_pays", amount=amount, payee=self._pots(payees)), event)
        named = self._pots(payers), self._pots(payees)
        if len(payments) > 1:
            return self._make(say_payment(speaker.locale, payments, payers, *named), event)
        payer, payee = (self._owner_of(pot) for pot in (event["payer"], event["payee"]))
        if payer is not None:
            to = speaker.who(payee) if payee is not None else self._pots(payees)
            if payer == payee:  # between two pots of one player
                to = speaker.locale.say("the", name=speaker.locale.state(event["payee"].partition(" of ")[0]))
            text = speaker.say("pays", of=payer, who=speaker.who(payer), amount=amount, payee=to)
        elif payee is not None:
            text = speaker.say("takes", of=payee, who=speaker.who(payee), amount=amount, payer=self._pots(payers))
            return replace(self._make(text, event), kind="gained")
        else:
            text = say_payment(speaker.locale, payments, payers, *named)
        return self._make(text, event)

    def _pots(self, pots: Sequence[str]) -> str:
        """List several pots; a complete family becomes `every purse`."""
        locale = self.speaker.locale
        if is_family(locale, pots):
            return locale.say("every", name=locale.state(pots[0].partition(" of ")[0]))
        return locale.join([self._pot(pot) for pot in pots])

    def _pot(self, pot: str) -> str:
        name, _, owner = pot.partition(" of ")
        label = self.speaker.locale.state(name)
        if not owner:
            return self.speaker.locale.say("the", name=label)
        seat = self._owner_of(pot)
        return self.speaker.whose(label, owner if seat is None else seat)

    def _owner_of(self, pot: str) -> int | None:
        """Return the seat that owns a pot, if any."""
        name, _, owner = pot.partition(" of ")
        return int(owner) if name in self.speaker.locale.of_seats and owner else None

    # ---------------------------------------------------------------------------------------------- other events
    def _set(self, event: Told) -> News:
        speaker = self.speaker
        template = speaker.locale.labels.told.get(event["state"])
        if template is not None:
            return self._make(self._say_state(template, event), event)
        label = speaker.locale.state(event["state"])
        name = speaker.whose(label, event["owner"])
        if event["value"] == "true":
            return self._make(name, event)
        kind = next(state.type for state in speaker.locale.program.states if state.name == event["state"])
        cards = event["value"].split(", ") if holds_cards(kind) else ()
        return self._make(speaker.say("is_set", name=name, value=speaker.value(event["value"])), event, cards=cards)

    def _say_state(self, template: str, event: Told) -> str:
        """Format the file's phrase for a state that is set. Seats that are its value, or else its owner, are the
        subject."""
        speaker, value = self.speaker, event["value"]
        seats = [int(seat[1]) for part in value.split(", ") if (seat := _SEAT.fullmatch(part))]
        if not seats and isinstance(event["owner"], int):
            seats = [event["owner"]]
        said = speaker.fill(template, seats, value=speaker.value(value))
        return speaker.say("does", who=speaker.list_seats(seats), what=said) if seats else said

    def _deals_first(self, event: Told) -> News:
        seat = int(event["value"].removeprefix("seat "))
        phrase = "drawn_to_deal" if event["by_lot"] else "deals_first"
        return self._make(self.speaker.say(phrase, of=seat, who=self.speaker.who(seat)), event)

    def _marked(self, event: Told) -> News | None:
        mark = self.speaker.locale.message(event["mark"])
        if not mark:
            return None
        return self._make(self.speaker.say("noted", who=self.speaker.who(event["seat"]), what=mark), event)

    def _announced(self, event: Told) -> News:
        return self._make(self.speaker.announced(event), event)

    def _drawn(self, event: Told) -> News:
        return self._make(self.speaker.say("drawn_lot", what=self.speaker.value(str(event["text"]))), event)

    def _of_seat(self, event: Told) -> News:
        seat = event["seat"]
        return self._make(self.speaker.say(event["event"], of=seat, who=self.speaker.who(seat)), event)

    def _taken_back(self, event: Told) -> News:
        """Tell of a step that is taken back, or of an error that was called, with the sentence of the rule broken."""
        speaker, seat = self.speaker, event["seat"]
        text = speaker.say("was_wrong" if "broke" in event else "taken_back", of=seat, who=speaker.who(seat))
        clauses = (clause.text for clause in speaker.locale.program.clauses if clause.path == event.get("broke"))
        sentence = speaker.locale.translate(next(clauses, "")).rstrip(".")
        return self._make(speaker.say("called", text=text, called=sentence) if sentence else text, event)

    def _of_round(self, event: Told) -> News:
        return self._make(self.speaker.say("round_begins", round=event["round"]), event)

    def _ended(self, event: Told) -> News:
        winners = event["winners"]
        if not winners:
            return self._make(self.speaker.say("match_ended"), event)
        return self._make(self.speaker.say("match_won", winners=self.speaker.list_seats(winners)), event)

    def _nothing(self, event: Told) -> None:
        return None


_BY_NAME: dict[str, Callable[[_Teller, Told], News | None]] = {
    "chose": _Teller._chose,
    "dealt": _Teller._dealt,
    "moved": _Teller._moved,
    "shown": _Teller._shown,
    "swapped": _Teller._swapped,
    "shuffled": _Teller._of_zone,
    "turned_over": _Teller._of_zone,
    "turned": _Teller._turned,
    "scored": _Teller._scored,
    "paid": _Teller._paid,
    "set": _Teller._set,
    "deals_first": _Teller._deals_first,
    "marked": _Teller._marked,
    "announced": _Teller._announced,
    "drawn_at_random": _Teller._drawn,
    "retired": _Teller._of_seat,
    "taken_back": _Teller._taken_back,
    "round_began": _Teller._of_round,
    "round_ended": _Teller._nothing,
    "match_ended": _Teller._ended,
}


# ------------------------------------------------------------------------------------------------ helpers
def _see(cards: Sequence[str]) -> tuple[str | None, ...]:
    return tuple(None if card == UNKNOWN_CARD else card for card in cards)


def _known(cards: Sequence[str]) -> list[str]:
    return [card for card in cards if card != UNKNOWN_CARD]


def _move(event: Told) -> Move:
    target = (spell_place(event["zone"]),) * len(event["cards"])
    return Move(_see(event["cards"]), tuple(map(spell_place, event["source"])), target)


def _is_done_by(moved: Told, chose: Told) -> bool:
    """Whether a move starts or ends in a zone of the player, or ends in the zone they picked."""
    own = f" of {chose['seat']}"
    places = (moved["zone"], *moved["source"])
    return any(zone.endswith(own) for zone in places) or spell_place(moved["zone"]) in chose["picks"].values()


def _names_cards(pick: str, cards: Sequence[str]) -> bool:
    return sorted(pick.split("+")) == sorted(cards)


def _list_picked(event: Told, speaker: Speaker) -> list[str]:
    """List the cards that a choice picked."""
    actions = speaker.locale.program.actions
    picks = next(action.picks for action in actions if action.name == event["action"])
    named = [event["picks"].get(pick.name, "") for pick in picks if holds_cards(pick.type)]
    return [part for pick in named for part in pick.split("+") if part not in ("", "nothing")]


def _shows_nothing(program: Program, zone: str) -> bool:
    name = zone.partition(" of ")[0]
    return any(each.shows == "nothing" and not each.cases and each.name == name for each in program.zones)


def _lies_under(program: Program, lower: str, upper: str) -> bool:
    """Whether the layout shows `lower` stacked under `upper`."""
    names = [zone.partition(" of ") for zone in (lower, upper)]
    looks = program.table.zones if program.table is not None else ()
    under = {
        (program.zones[look.zone].name, program.zones[look.under].name) for look in looks if look.under is not None
    }
    return names[0][2] == names[1][2] and (names[0][0], names[1][0]) in under


def _list_parts(row: Told) -> list[int]:
    """List the points of each group of a row; just their sum where the score entered differs from it (a capped one)."""
    parts: list[int] = row["parts"]
    return parts if sum(parts) == row["amount"] else [row["amount"]]
