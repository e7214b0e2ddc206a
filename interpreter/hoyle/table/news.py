"""The event log of one seat, as sentences.

In: events as told to a seat, in order. Out: `News`. Related events become one sentence: a choice with the cards it
moved and the announcement after it; the rows of one score; equal payments. Bookkeeping is left out: gathering and
shuffling before a deal, shuffled hands, states that say whose turn it is, states set to what a player has just chosen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from hoyle.dataclass import dataclass
from hoyle.ir.nodes import Program, State
from hoyle.ir.types import SEAT, Type, certain
from hoyle.model.events import Told
from hoyle.table.layout import Layout
from hoyle.table.model import Move, News
from hoyle.table.moving import is_chosen_unseen, list_moving_clauses
from hoyle.table.speaking import Speaker
from hoyle.view.counting import count_aloud, count_plainly, find_calls
from hoyle.view.names import holds_cards
from hoyle.view.phrases import DEFAULT
from hoyle.view.seeing import UNKNOWN_CARD
from hoyle.view.telling import take_payments

_BOOKKEEPING = ("gathered", "cut")


def tell_news(events: Sequence[Told], speaker: Speaker, layout: Layout) -> list[News]:
    """Turn the events told to a seat into sentences."""
    teller = _Teller(_join_moves(_leave_out(events, layout)), speaker, layout)
    return teller.tell()


def spell_place(written: str) -> str:
    """Convert the name of a zone or pot, as events write it, to its id: `hand of 1` to `hand.1`."""
    return written.replace(" of ", ".").replace(" ", "")


# ------------------------------------------------------------------------------------------------ filtering
def _leave_out(events: Sequence[Told], layout: Layout) -> list[Told]:
    """Drop the events that are not worth a sentence."""
    program = layout.program
    states = {state.name: state for state in program.states}
    matter = program.table.states if program.table is not None else None
    looks = program.table.zones if program.table is not None else ()
    away = {program.zones[look.zone].name for look in looks if look.at == "away"}
    kept: list[Told] = []
    gathered = ""
    chosen: tuple[str, ...] = ()
    done: Told | None = None
    for at, event in enumerate(events):
        name = event["event"]
        if name == "gathered":
            gathered = event["zone"]
        elif name in ("dealt", "chose"):
            gathered = ""
        elif name == "shuffled" and (event["zone"] == gathered or _is_dealt_now(events, at)):
            continue  # before a deal
        elif name == "shuffled" and _is_held(program, event["zone"]):
            continue  # the owner's hand is displayed sorted anyway
        if name == "chose":
            chosen, done = tuple(event["picks"].values()), event
            if event["secret"] and (_is_told_again(events, at) or _is_done_later(events, at, program)):
                continue
        if name == "set" and event["state"] in layout.marked:
            continue  # shown on the cards as a mark
        if name == "set" and done is not None and _is_said(event, done):
            continue
        if name == "round_began" and not layout.has_rounds:
            continue  # the only round
        if name in _BOOKKEEPING or (name == "set" and not is_news(states[event["state"]], event, chosen, matter)):
            continue
        if name == "drawn_at_random" and ("cards" in event or _is_first(event, events[at + 1 : at + 2])):
            continue  # a later event tells the outcome: where the cards go, or what the seat does
        if name == "moved" and event["zone"].partition(" of ")[0] in away:
            continue  # cleared away
        kept.append(event)
    return kept


def _is_said(event: Told, chose: Told) -> bool:
    """Whether a state set by an action only records that the player took it: `alone`, `folded`."""
    own = f"{event['clause']}.".startswith(f"actions.{chose['action']}.")
    return own and (event["value"] == "true" or f"seat {chose['seat']}" in event["value"].split(", "))


def _join_moves(events: Sequence[Told]) -> list[Told]:
    """Merge consecutive moves by the same clause between the same zones into one move."""
    kept: list[Told] = []
    for event in events:
        last = kept[-1] if kept else {}
        if event["event"] == last.get("event") == "moved" and _list_ends(event) == _list_ends(last):
            kept[-1] = {**last, **{part: [*last[part], *event[part]] for part in ("cards", "source")}}
        else:
            kept.append(event)
    return kept


def _list_ends(moved: Told) -> tuple[object, ...]:
    return moved["clause"], moved["zone"], moved["bottom"], set(moved["source"])


def _is_dealt_now(events: Sequence[Told], at: int) -> bool:
    """Whether the zone shuffled here is dealt from next."""
    return any(each["event"] == "dealt" and each["source"] == events[at]["zone"] for each in events[at + 1 : at + 2])


def _is_first(drawn: Told, following: Sequence[Told]) -> bool:
    """Whether a seat was drawn among several claimants, and makes its choice next."""
    return any(each["event"] == "chose" and drawn["text"] == f"seat {each['seat']}" for each in following)


def _is_told_again(events: Sequence[Told], at: int) -> bool:
    """Whether to omit a secret choice from its own seat's log: it declined, or its next choice is the same action, made
    openly."""
    event = events[at]
    if event["action"] is None:
        return True
    later = (each for each in events[at + 1 :] if each["event"] == "chose" and each["seat"] == event["seat"])
    following = next(later, None)
    return following is not None and not following["secret"] and bool(following["action"] == event["action"])


def _is_done_later(events: Sequence[Told], at: int, program: Program) -> bool:
    """Whether to omit a secret choice from its own seat's log, because its effect is told with the cards once all have
    chosen."""
    event = events[at]
    return any(
        each["event"] == "moved" and _find_doer(each, program) == (event["seat"], event["action"])
        for each in events[at + 1 :]
    )


def _find_doer(moved: Told, program: Program) -> tuple[int, str] | None:
    """Return the seat and the secretly chosen action by which it moved its own cards; None for any other move."""
    owners = {zone.partition(" of ")[2] for zone in moved["source"]}
    owner = owners.pop() if len(owners) == 1 else ""
    for action in program.actions:
        if moved["clause"] == program.clauses[action.clause].path and is_chosen_unseen(program, action.name):
            return (int(owner), action.name) if owner.isdecimal() else None
    return None


def is_news(state: State, event: Told, chosen: tuple[str, ...], matter: tuple[str, ...] | None = None) -> bool:
    """Whether the change of a state is worth a sentence: not if it is quiet, holds seats or a zone, was cleared (a
    number to 0, if it starts at 0), or repeats what a player has just chosen. If the file lists the states that matter,
    only those are worth one, seats and zones included."""
    kind = certain(state.type)
    if state.quiet or (kind.kind == "number" and event["value"] == "0" and not state.start):
        return False
    if matter is not None:
        return state.name in matter and event["value"] not in ("none", "nothing", "false", *chosen)
    about_seats = kind.kind == "seat" or (kind.of is not None and certain(kind.of).kind == "seat")
    if about_seats or kind.kind == "zone":
        return False
    return event["value"] not in ("none", "nothing", "false") and event["value"] not in chosen


# ------------------------------------------------------------------------------------------------ sentences
@dataclass(slots=True)
class _Teller:
    events: list[Told]
    speaker: Speaker
    layout: Layout
    at: int = 0

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
        at = self.at
        while at < len(self.events) and self.events[at]["event"] in ("paid", "set"):
            at += 1
        if at < len(self.events) and self.events[at]["event"] == "moved" and fits(self.events[at]):
            return self.events.pop(at)
        return None

    def _make(self, text: str, event: Told, *moves: Move, cards: Sequence[str] = ()) -> News:
        moved = [card for move in moves for card in move.cards if card]
        # `moved` keeps duplicates: with two packs, it can hold two cards of one code.
        named = [*(card for card in dict.fromkeys(cards) if card not in moved), *moved]
        return News(self.speaker.begin(text), event["event"], event.get("seat"), tuple(named), moves)

    # ---------------------------------------------------------------------------------------------- choices
    def _chose(self, event: Told) -> News:
        """Tell a choice together with the cards it moved and the announcement that follows."""
        speaker, seat = self.speaker, event["seat"]
        if event["action"] is None:
            return self._make(speaker.say("declines", of=seat, who=speaker.who(seat)), event)
        moved = self._take_moved(lambda move: self._is_effect(move, event))
        called = self._next("announced") if moved else None
        text = self._say_choice(event, moved)
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
            said = speaker.fill(template, seat, **parts)
            if event["secret"] and moved is None:
                said = speaker.say("secretly", what=said)
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
            said = speaker.say("secretly", what=said)
        return speaker.say("acts", who=speaker.who(seat), what=said)

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
        said = ""
        if not all(self._is_hand_of(zone, actor) for zone in moved["source"]):
            said += self.speaker.say("from", place=self._origin(moved, actor))
        if not self._is_hand_of(moved["zone"], actor):
            said += self._say_target(moved, actor)
        return said

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
        doer = _find_doer(event, speaker.locale.program)
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
        return self._make(self.speaker.say("swapped", places=self.speaker.locale.join(places)), event)

    def _of_zone(self, event: Told) -> News:
        return self._make(self.speaker.say(f"{event['event']}_now", place=self.speaker.place(event["zone"])), event)

    # ---------------------------------------------------------------------------------------------- scores, chips
    def _scored(self, event: Told) -> News:
        speaker, locale, scorers = self.speaker, self.speaker.locale, self._list_scorers(event)
        if "table" in event:
            return self._counted(event)
        column = speaker.say("scored_under", column=locale.message(event["under"])) if "under" in event else ""
        label = speaker.say("scored_for", label=locale.message(event["label"])) if event["label"] else ""
        parts = {"who": speaker.list_seats(scorers), "amount": event["amount"], "column": column, "label": label}
        text = speaker.say("scores_points", of=scorers, **parts)
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
        if len(payments) > 1:
            text = speaker.say("paid_each", amount=amount, payer=self._pots(payers), payee=self._pots(payees))
            return self._make(text, event)
        payer, payee = (self._owner_of(pot) for pot in (event["payer"], event["payee"]))
        if payer is not None:
            to = speaker.who(payee) if payee is not None else self._pots(payees)
            if payer == payee:  # between two pots of one player
                to = speaker.locale.say("the", name=speaker.locale.state(event["payee"].partition(" of ")[0]))
            text = speaker.say("pays", of=payer, who=speaker.who(payer), amount=amount, payee=to)
        elif payee is not None:
            text = speaker.say("takes", of=payee, who=speaker.who(payee), amount=amount, payer=self._pots(payers))
        else:
            text = speaker.say("paid", amount=amount, payer=self._pots(payers), payee=self._pots(payees))
        return self._make(text, event)

    def _pots(self, pots: Sequence[str]) -> str:
        """List several pots; a complete family becomes `every purse`."""
        locale = self.speaker.locale
        name = pots[0].partition(" of ")[0]
        size = next(state.size for state in locale.program.states if state.name == name)
        if len(pots) == size > 1 and all(pot.startswith(f"{name} of ") for pot in pots):
            return locale.say("every", name=locale.state(name))
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
        label = speaker.locale.state(event["state"])
        name = speaker.whose(label, event["owner"])
        if event["value"] == "true":
            return self._make(name, event)
        kind = next(state.type for state in speaker.locale.program.states if state.name == event["state"])
        cards = event["value"].split(", ") if holds_cards(kind) else ()
        return self._make(speaker.say("is_set", name=name, value=speaker.value(event["value"])), event, cards=cards)

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
    "marked": _Teller._marked,
    "announced": _Teller._announced,
    "drawn_at_random": _Teller._drawn,
    "retired": _Teller._of_seat,
    "taken_back": _Teller._of_seat,
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


def _is_held(program: Program, zone: str) -> bool:
    name = zone.partition(" of ")[0]
    return any(each.shows == "owner" and each.name == name for each in program.zones)


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
