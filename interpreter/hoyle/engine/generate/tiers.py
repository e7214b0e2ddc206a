"""Code for decisions: what is offered in each tier, and the first tier that has anything.

In: decisions. Out: functions that list the same choices in the same order as the reference, or say whether there is
any.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from hoyle.engine.generate.choices import Choices, Sink, can_be_many, write_choice
from hoyle.engine.generate.module import Function, Module
from hoyle.engine.generate.values import Values
from hoyle.engine.generate.writer import Writer, atom, comment
from hoyle.engine.limits import MOST_CHOICES, MOST_OFFERED
from hoyle.ir import nodes as ir
from hoyle.ir.walk import walk_expression


class Answer:
    """A choice is all that is asked for."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer

    def add(self, choice: str) -> None:
        self.writer.add("return True")

    def add_picks(self, number: int, picks: list[str]) -> None:
        self.writer.add("return True")

    def add_groups(self, number: int, picks: list[str], groups: str) -> None:
        self.writer.add(f"if {groups}.total:")
        with self.writer.indented():
            self.writer.add("return True")

    def check(self) -> None:
        pass


class Joining:
    """A choice joins a list: `again` if the action is offered twice, `many` if there may be too many."""

    def __init__(self, values: Values, found: str, *, again: bool, many: bool) -> None:
        self.values = values
        self.found = found
        self.again = again
        self.many = many
        self.bundled = False

    def add(self, choice: str) -> None:
        writer = self.values.writer
        with only_new(writer, choice, self.found) if self.again else nullcontext():
            writer.add(f"{self.found}.append({choice})")

    def add_picks(self, number: int, picks: list[str]) -> None:
        self.add(write_choice(number, picks))

    def add_groups(self, number: int, picks: list[str], groups: str) -> None:
        writer = self.values.writer
        bundle = writer.fresh("groups")
        writer.add(f"{bundle} = {groups}")
        if self.again:
            group = writer.fresh("group")
            writer.add(f"for {group} in {bundle}:")
            with writer.indented():
                self.add(write_choice(number, [*picks, group]))
            return
        self.bundled = True
        writer.add(f"if {bundle}.total:")
        with writer.indented():
            self.add(write_choice(number, [*picks, bundle]))

    def check(self) -> None:
        if self.many:
            self.values.stop_if(f"len({self.found}) > {MOST_CHOICES}")


def write_can_do(module: Module, action: int, allowed: bool, name: str) -> None:
    """A function that says whether a seat has a choice of an action."""
    writer = Writer()
    choices = Choices(module, Values(module, writer), atom("seat"))

    choices.list_action(action, allowed=allowed, where=None, sink=Answer(writer))
    writer.add("return False")
    how = "allowed" if allowed else "possible"
    about = f"whether {module.program.actions[action].name} is {how}"
    module.add(Function(name, f"{name}(position, seat)", about, writer.lines))


def write_decision(module: Module, block: int, decide: ir.Decide) -> str:
    """A function that lists the legal choices at a block that stops to decide."""
    decision = module.program.decisions[decide.decision]
    writer = Writer()
    values = Values(module, writer)
    seat = values.name(values.value(module.simplifier.simplify(decide.seat)), "seat")
    values.stop_if(f"not 0 <= {seat.text} < {module.program.players}")
    choices = Choices(module, values, seat)
    if module.program.called:
        _write_possible(module, choices, decision)
    else:
        offered = [item.action for tier in decision.tiers for item in tier.items]
        for action in dict.fromkeys(offered):
            if offered.count(action) > 1 and module.program.actions[action].picks:
                writer.add(f"every_{action} = None")
        for tier in decision.tiers:
            _write_tier(module, choices, decision, tier)
    writer.add("return [()]" if decision.optional else "raise Stop")
    name = f"legal_{block}"
    module.add(Function(name, f"{name}(position)", f"what may be chosen at {decision.name}", writer.lines))
    return name


def _write_possible(module: Module, choices: Choices, decision: ir.Decision) -> None:
    """Everything possible, allowed or not: where errors are called, nothing else is asked."""
    writer = choices.writer
    found = writer.fresh("legal")
    writer.add(f"{found} = []")
    bundled = False
    for number in dict.fromkeys(item.action for tier in decision.tiers for item in tier.items):
        action = module.program.actions[number]
        writer.add(comment(action.name))
        sink = Joining(choices.values, found, again=False, many=can_be_many(action, len(module.program.cards)))
        choices.list_action(number, allowed=False, where=None, sink=sink)
        bundled = bundled or sink.bundled
    _write_return(choices.values, found, decision, bundled=bundled)


def _write_tier(module: Module, choices: Choices, decision: ir.Decision, tier: ir.Tier) -> None:
    """The choices of a tier; if there are any they are what is legal."""
    writer = choices.writer
    writer.add(comment(f"tier {tier.name}"))
    env = choices.seat_env()
    with choices.only_if((tier.when,) if tier.when is not None else (), env):
        found = writer.fresh("legal")
        writer.add(f"{found} = []")
        bundled = False
        offered = [item.action for each in decision.tiers for item in each.items]
        actions = [item.action for item in tier.items]
        for item in tier.items:
            action = module.program.actions[item.action]
            writer.add(comment(action.name))
            many = can_be_many(action, len(module.program.cards))
            sink = Joining(choices.values, found, again=actions.count(item.action) > 1, many=many)
            before = writer.fresh("before") if item is not tier.items[0] else ""
            asked = item.where is None and asks_again(module.program, decision, item.action)
            if asked and before:
                writer.add(f"{before} = len({found})")
            if action.picks and offered.count(item.action) > 1:
                _write_again(module, choices, item, sink)
            else:
                choices.list_action(item.action, allowed=True, where=item.where, sink=sink)
            if asked:
                choices.know_possible(item.action, f"len({found}) > {before}" if before else f"{found} != []")
            bundled = bundled or sink.bundled
        _write_return(choices.values, found, decision, bundled=bundled)


def _write_return(values: Values, found: str, decision: ir.Decision, *, bundled: bool) -> None:
    """Return what was found, if that is anything."""
    writer = values.writer
    writer.add(f"if {found}:")
    with writer.indented():
        if decision.optional:
            writer.add(f"{found}.append(())")
        if bundled:
            writer.add(f"{found} = settle({found})")
            values.stop_if(f"type({found}) is Offered and {found}.total > {MOST_OFFERED - MOST_CHOICES}")
        writer.add(f"return {found}")


def _write_again(module: Module, choices: Choices, item: ir.Item, sink: Sink) -> None:
    """The choices of an action that is offered in several tiers: listed when first needed, and then only looked at."""
    writer = choices.writer
    every = f"every_{item.action}"
    writer.add(f"if {every} is None:")
    with writer.indented():
        writer.add(f"{every} = {write_every(module, item.action)}(position, {choices.seat.text})")
    choice = writer.fresh("choice")
    writer.add(f"for {choice} in {every}:")
    with choices.values.scope(), writer.indented():
        if item.where is None:
            sink.add(choice)
        else:
            choices.filter_choices(item.action, choice, item.where, sink)


def write_every(module: Module, action: int) -> str:
    """A function that lists every choice of an action that is possible and allowed."""
    name = f"all_{action}"
    if name not in module.written:
        module.written.add(name)
        writer = Writer()
        values = Values(module, writer)
        choices = Choices(module, values, atom("seat"))
        declared = module.program.actions[action]
        writer.add("found = []")
        many = can_be_many(declared, len(module.program.cards))
        sink = Joining(values, "found", again=False, many=many)
        choices.list_action(action, allowed=True, where=None, sink=sink)
        writer.add("return settle(found)" if sink.bundled else "return found")
        module.add(Function(name, f"{name}(position, seat)", f"every choice of {declared.name}", writer.lines))
    return name


def asks_again(program: ir.Program, decision: ir.Decision, action: int) -> bool:
    """Whether a condition of what is offered asks if the action may be done."""
    offered = {item.action for tier in decision.tiers for item in tier.items}
    tests = [test for each in offered for test in (*program.actions[each].possible, *program.actions[each].allowed)]
    return any(
        isinstance(node, ir.CanDo) and node.action == action and node.how == "may"
        for test in tests
        for node in walk_expression(test)
    )


@contextmanager
def only_new(writer: Writer, choice: str, found: str) -> Iterator[None]:
    writer.add(f"if {choice} not in {found}:")
    with writer.indented():
        yield
