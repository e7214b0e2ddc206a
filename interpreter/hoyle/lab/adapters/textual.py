"""A match in words, for players that read and write text, such as language models.

In: a game, a seed, and a choice as text. Out: records of plain data: what the seat to choose sees, what it has been
told since it chose last, and its choices; after a text that is no choice, why not, with the rules that say so. A `Skin`
gives every card, zone, action and state another name, so that a game is the same and looks unknown.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from hoyle.play.engine.refusals import IllegalAction

if TYPE_CHECKING:
    from hoyle.play.engine.game import Game
    from hoyle.program.ir.nodes import Program

MOST_LISTED = 400  # choices of a decision
LONGEST = 2000  # characters of a choice
WORD = re.compile(r"[^\W_](?:[\w'-]*\w)?")
HEADS, TAILS = "bdfgklmnprstvz", "aeiou"
PROSE = ("text", "values", "rule", "clause")  # of events and refusals: sentences of the rule file, and where they stand
NAMED = ("totals", "picks")  # whose keys are names
OWN = {"of", "seat", "team", "none"}  # words of Hoyle's
Record = dict[str, Any]


class Skin:
    """Other names for what a program names; the same for the same seed."""

    def __init__(self, program: Program, seed: int) -> None:
        chance = random.Random(seed)
        known = sorted({word for name in _list_names(program) for word in WORD.findall(name)})
        known = [word for word in known if not word.isdecimal() and word not in OWN]
        made = dict.fromkeys(known)
        taken = {word.casefold() for word in known}
        for word in known:
            while not made[word] or made[word] in taken:
                made[word] = "".join(chance.choice(HEADS) + chance.choice(TAILS) for _ in range(3))
            taken.add(str(made[word]))
        self._there = {word: str(other) for word, other in made.items()}
        self._back = {other: word for word, other in self._there.items()}

    def put_on(self, given: Any, *, is_named: bool = False) -> Any:
        """Data with other names; sentences of the rule file are left out, which would tell what is played."""
        if isinstance(given, str):
            return WORD.sub(lambda found: self._there.get(found[0], found[0]), given)
        if isinstance(given, list | tuple):
            return [self.put_on(each) for each in given]
        if isinstance(given, dict):
            return {
                self.put_on(name) if is_named else name:
                each if name == "event" else self.put_on(each, is_named=name in NAMED)
                for name, each in given.items() if is_named or name not in PROSE
            }  # fmt: skip
        return given

    def take_off(self, text: str) -> str:
        """A text in the names of the game."""
        return WORD.sub(lambda found: self._back.get(found[0], found[0]), text)


def _list_names(program: Program) -> Iterator[str]:
    from hoyle.play.view.names import Names

    names = Names(program)
    yield from (card.code for card in program.cards)
    yield from (action.name for action in program.actions)
    yield from (pick.name for action in program.actions for pick in action.picks)
    yield from (enum.name for enum in program.enums)
    yield from (scale.name for scale in program.scales)
    yield from (str(value) for enum in program.enums for value in enum.values)
    yield from (names.name_zone(zone) for zone in range(len(names.zones)))
    yield from (names.name_state(state) for state in range(len(names.states)))
    yield from (*program.columns, *(step.name for step in program.steps))
    yield from (rule for clause in program.clauses for rule in clause.cite)


class TextMatch:
    """A match that is asked and answered in words."""

    def __init__(self, game: Game, seed: int = 0, skin: Skin | None = None) -> None:
        self.match = game.new(seed=seed)
        self._skin = skin
        self._heard = [0] * game.players

    def ask(self) -> Record:
        """What the seat to choose is to know; at the end how it came out."""
        match, decision = self.match, self.match.decision
        if decision is None:
            return self._dress({"over": True, "scores": list(match.scores), "winners": list(match.winners)})
        seat = decision.seat
        standpoint = match.standpoint(seat)
        news = [dict(event) for event in standpoint.events[self._heard[seat] :]]
        many = min(decision.count, MOST_LISTED)
        view = standpoint.view
        return self._dress({
            "seat": seat, "news": news,
            "zones": [{"zone": zone.word, "cards": list(zone.cards)} for zone in view.zones],
            "states": [{"state": state.name, "owner": state.owner, "value": state.value} for state in view.states],
            "totals": {name: list(row) for name, row in view.totals.items()},
            "choices": [decision.choice(place).text for place in range(many)], "of": decision.count,
        })  # fmt: skip

    def answer(self, text: str) -> Record | None:
        """Make a choice for the seat to choose; if it is none, the record of the refusal, and nothing has changed."""
        decision = self.match.decision
        if decision is None:
            return {"refused": "the match is over", "cite": []}
        if len(text) > LONGEST:
            return {"refused": f"a choice has at most {LONGEST} characters", "cite": []}
        told = len(self.match.standpoint(decision.seat).events)
        try:
            self.match.apply(text.strip() if self._skin is None else self._skin.take_off(text.strip()))
        except IllegalAction as illegal:
            why = illegal.refusal
            values = [list(map(str, each)) for each in why.values]
            refused = {"refused": why.path or why.text, "cite": list(why.cite), "because": values}
            return self._dress(refused if self._skin else {**refused, "text": why.text, "rule": list(why.rules)})
        self._heard[decision.seat] = told
        return None

    def _dress(self, record: Record) -> Record:
        return record if self._skin is None else self._skin.put_on(record)


def write_text(record: Record) -> str:
    """A record in lines.

    >>> print(write_text({"refused": "actions.play", "cite": ["R-3"], "because": [["count of hand", "2"]]}))
    refused: actions.play [R-3]
      count of hand: 2
    """
    if "refused" in record:
        cited = f" [{', '.join(record['cite'])}]" if record["cite"] else ""
        lines = [f"refused: {record.get('text') or record['refused']}{cited}"]
        return "\n".join([*lines, *(f"  {name}: {value}" for name, value in record.get("because", []))])
    if "over" in record:
        won = ", ".join(f"seat {seat}" for seat in record["winners"]) or "nobody"
        return f"over: scores {', '.join(map(str, record['scores']))}; {won} won"
    lines = [f"seat {record['seat']} is to choose", "news"]
    for event in record["news"]:
        said = (f"{name} {_say(value)}" for name, value in event.items()
                if name not in ("event", *PROSE, "cite") and value not in (None, [], {}, False, ()))  # fmt: skip
        lines.append(f"  {event['event']} {'; '.join(said)}")
    lines.append("what you see")
    for zone in record["zones"]:
        lines += [f"  {zone['zone']}: {' '.join(card or '?' for card in zone['cards'])}"] if zone["cards"] else []
    for state in record["states"]:
        owner = "" if state["owner"] is None else f" of {state['owner']}"
        lines.append(f"  {state['state']}{owner}: {state['value']}")
    lines += [f"  {name}: {' '.join(map(str, row))}" for name, row in record["totals"].items()]
    more = record["of"] - len(record["choices"])
    lines += ["choices", *(f"  {choice}" for choice in record["choices"]), *([f"  and {more} more"] if more else [])]
    return "\n".join(lines)


def _say(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_say(each)}" for name, each in value.items())
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
