"""What an instruction changes of a position is declared with it, and it changes no more than that: the leak check, the
analyses of effects and the generator believe it."""

from __future__ import annotations

import random
from collections.abc import Iterator

from every_game import GAMES, SAMPLES, list_players, load
from hoyle.play.engine.executor import ReferenceExecutor
from hoyle.play.engine.legality import take_least
from hoyle.program.effects import written_by
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.parts import Part, Region
from hoyle.program.model.position import Position

MOST_DECISIONS = 60
WHOLE = {
    "holders": Part.HOLDERS, "turned": Part.FACES, "lines": Part.LINES, "rounds_played": Part.ROUNDS,
    "retired": Part.SEATS, "offence": Part.OFFENCE,
}  # fmt: skip


def list_changed(program: ir.Program, before: Position, after: Position) -> Iterator[Region]:
    """What differs between two positions, in the terms in which effects are declared."""
    for name, part in WHOLE.items():
        if getattr(before, name) != getattr(after, name):
            yield Region(part)
    for part, old, new in (
        (Part.SLOTS, before.slots, after.slots),
        (Part.TOTALS, before.totals, after.totals),
    ):
        yield from (Region(part, at) for at in range(len(old)) if old[at] != new[at])
    for part, held, families in (
        (Part.ZONES, (before.zones, after.zones), program.zones),
        (Part.STATES, (before.states, after.states), program.states),
    ):
        for number, family in enumerate(families):
            members = slice(family.base, family.base + family.size)
            if held[0][members] != held[1][members]:
                yield Region(part, number)


class Watching(ReferenceExecutor):
    """Notes what it carries out, and refuses what changes more than is declared."""

    carried_out: set[type[ir.Instruction]]

    def _carry_out(self, instruction: ir.Instruction, position: Position) -> None:
        before = position.copy()
        super()._carry_out(instruction, position)
        self.carried_out.add(type(instruction))
        declared = written_by(instruction, self.program.states)
        for region in list_changed(self.program, before, position):
            assert any(region.overlaps(each) for each in declared), (instruction, region)


def test_an_instruction_changes_what_it_declares_and_nothing_else() -> None:
    """Every instruction there is, in matches of the samples and of a game that marks its score sheet."""
    marking = next(path for path in GAMES if "marks:" in path.read_text(encoding="utf-8"))
    carried_out: set[type[ir.Instruction]] = set()
    for path in (*SAMPLES, marking):
        executor = Watching(load(path, list_players(path)[-1]).program)
        executor.carried_out = carried_out
        choices, position = random.Random(1), executor.start(1)
        executor.run(position)
        while not position.over and position.decisions < MOST_DECISIONS:
            legal = executor.list_legal(position)
            executor.apply(position, take_least(legal[choices.randrange(len(legal))]))
            executor.run(position)
    kinds = {kind for kind in vars(ir).values() if isinstance(kind, type) and issubclass(kind, ir.Instruction)}
    assert {kind.__name__ for kind in kinds - {ir.Instruction} - carried_out} == set()
