"""Memoized first legal choices, shared between the tables of a rule file.

In: a match at a decision. Out: the first of its legal choices: computed, or cached from an equal position at a table
with equal rules of legality for this decision. That pays because most options change rules elsewhere.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from hoyle.play.engine.game import Match
from hoyle.play.engine.legality import Choice
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.walk import walk
from hoyle.program.model.position import Position

MOST_KEPT = 2_000  # cached choices
MOST_RULES = 30  # distinct sets of rules per decision, since lookups compare them one by one
Rules = tuple[ir.Program, ir.Decision, dict[int, ir.Action], dict[int, ir.Definition]]


class FirstChoices:
    """The cache shared by the tables of one file."""

    def __init__(self) -> None:
        self.found: dict[tuple[object, ...], Choice] = {}
        self._rules: dict[int, list[Rules]] = defaultdict(list)

    def number_rules(self, decision: int, rules: Rules) -> int:
        """Return an id that equal rules of the decision share; -1 if there are too many distinct ones."""
        known = self._rules[decision]
        for number, others in enumerate(known):
            if rules == others:
                return number
        if len(known) == MOST_RULES:
            return -1
        known.append(rules)
        return len(known) - 1


class Chooser:
    """Finds first choices at one table, through the shared cache."""

    def __init__(self, shared: FirstChoices, program: ir.Program) -> None:
        self._shared = shared
        self._program = program
        self._rules: dict[int, int] = {}  # decision -> id of its rules
        self._slots: dict[int, list[int]] = {}  # decision -> slots that its rules read

    def find(self, match: Match) -> Choice:
        """Return the first legal choice at the current decision of a match."""
        position = match.position
        decide = match.executor.find_decide(position)
        assert decide is not None
        number = decide.decision
        if number not in self._rules:
            rules, slots = self._list_rules(number)
            self._rules[number], self._slots[number] = self._shared.number_rules(number, rules), sorted(slots)
        if self._rules[number] < 0:
            return match.executor.find_first_legal(position)
        seat = match.executor.find_seat(position)
        kept = tuple(position.slots[slot] for slot in self._slots[number])
        key = (number, self._rules[number], seat, kept, *_list_readable(position))
        found = self._shared.found.get(key)
        if found is None:
            found = match.executor.find_first_legal(position)
            if len(self._shared.found) < MOST_KEPT:
                self._shared.found[key] = found
        return found

    @cached_property
    def _setting(self) -> ir.Program:
        """The program reduced to what legality can depend on regardless of the decision: cards, zones, states. Control
        flow is left out, and so are the initial values and ranges of states, which only control flow uses; actions,
        decisions and definitions are added per decision by `_list_rules`."""
        states = tuple(replace(one, start=None, low=None, high=None, debt=False) for one in self._program.states)
        return replace(
            self._program, options={}, blocks=(), entry=0, steps=(), slots=(), states=states, actions=(), decisions=(),
            definitions=(),
        )  # fmt: skip

    def _list_rules(self, decision: int) -> tuple[Rules, set[int]]:
        """Collect all rules that determine legality at a decision, and the slots that they read."""
        declared = self._program.decisions[decision]
        known_actions, known_definitions, known_slots = self._of_setting
        actions, definitions, slots = dict(known_actions), dict(known_definitions), set(known_slots)
        self._add_rules(declared, actions, definitions, slots)
        return (self._setting, declared, actions, definitions), slots

    @cached_property
    def _of_setting(self) -> tuple[dict[int, ir.Action], dict[int, ir.Definition], set[int]]:
        """Actions, definitions and slots to which the setting refers."""
        found = dict[int, ir.Action](), dict[int, ir.Definition](), set[int]()
        self._add_rules(self._setting, *found)
        return found

    def _add_rules(
        self, node: object, actions: dict[int, ir.Action], definitions: dict[int, ir.Definition], slots: set[int]
    ) -> None:
        """Add the transitive closure of actions, definitions and slots to which a node refers."""
        waiting = [node]
        while waiting:
            for node in walk(waiting.pop()):
                if isinstance(node, ir.Item | ir.CanDo) and node.action not in actions:
                    actions[node.action] = _leave_rules(self._program.actions[node.action])
                    waiting.append(actions[node.action])
                elif isinstance(node, ir.Call) and node.definition not in definitions:
                    definitions[node.definition] = self._program.definitions[node.definition]
                    waiting.append(definitions[node.definition])
                elif isinstance(node, ir.Slot):
                    slots.add(node.index)


def _list_readable(position: Position) -> Iterator[object]:
    """Yield all parts of a position that expressions can read, except slots."""
    yield tuple(map(tuple, position.zones))
    yield tuple(position.states)
    yield tuple(map(tuple, position.totals))
    yield position.rounds_played
    yield tuple(position.holders)
    yield tuple(tuple(map(tuple, rows)) for rows in position.lines)
    yield tuple(position.retired)
    yield tuple(position.turned)
    yield position.offence


def _leave_rules(action: ir.Action) -> ir.Action:
    """Reduce an action to its rules of legality, without its effects."""
    return replace(action, entry=0, return_slot=0, seat_slot=0, pick_slots=())
