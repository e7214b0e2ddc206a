"""How a definition was written: its function, or what stands in the place of a call.

In: what a definition sees of its arguments. Out: the keys its results are kept by.
"""

from __future__ import annotations

from hoyle.dataclass import dataclass
from hoyle.engine.generate.facts import substitute
from hoyle.engine.generate.nodes import Kept, Key, View
from hoyle.ir import nodes as ir
from hoyle.ir.types import Type


@dataclass(frozen=True, slots=True)
class Seeing:
    """How a definition sees what it is given: the expressions it is made of over its parameters, each by classes of
    cards and, if their order makes no difference, in any order; where results are kept."""

    kept_in: str
    params: tuple[ir.Var, ...]
    given: tuple[ir.Expr, ...]
    shapes: tuple[tuple[tuple[int, ...] | None, bool], ...]

    def fill(self, args: tuple[ir.Expr, ...]) -> list[ir.Expr]:
        """What is given where these are the arguments."""
        known: dict[ir.Expr, ir.Expr] = dict(zip(self.params, args, strict=True))
        return [substitute(each, known.get) for each in self.given]

    def ask(self, args: tuple[ir.Expr, ...], name: str, kind: Type) -> Kept:
        """The result for these arguments: the one kept, or what the function gives."""
        given = list(zip(self.fill(args), self.shapes, strict=True))
        keys = [Key(type=each.type, of=each, classes=classes, sorts=sorts) for each, (classes, sorts) in given]
        views = [
            each if classes is None else View(type=each.type, of=each, classes=classes) for each, (classes, _) in given
        ]
        return Kept(type=kind, name=name, kept_in=self.kept_in, keys=tuple(keys), views=tuple(views))


@dataclass(frozen=True, slots=True)
class Written:
    """The function of a definition; `seeing`, if its results are kept by what it sees; `part`, if it is one of several
    that are worked out together; `body`, if it is short enough to be written anywhere, and its parameters."""

    name: str
    reads: bool
    seeing: Seeing | None = None
    part: int | None = None
    params: tuple[ir.Var, ...] = ()
    body: ir.Expr | None = None
