"""The score sheet: struck lines, displayed totals of columns, the score of a seat.

In: the declaration of the ledger. Out: its expressions, elaborated.
"""

from __future__ import annotations

from hoyle.base.dataclass import dataclass
from hoyle.language.elaborate.elaborator import Elaborator
from hoyle.language.elaborate.folding import apply, constant
from hoyle.language.elaborate.scope import Frame, Scope
from hoyle.language.syntax import ast
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import LINE, NUMBER, SEAT, TRUTH, Type
from hoyle.program.words import Op


@dataclass(frozen=True, slots=True)
class Sheet:
    """The computations of the score sheet; the frame of each expression begins with the line or the seat."""

    struck: ir.Expr | None
    totals: tuple[ir.Expr, ...]
    standing: ir.Expr | None
    frame: int


def read_sheet(elaborator: Elaborator) -> Sheet:
    """Elaborate the ledger's declarations on struck lines, column totals and scores."""
    env, declared = elaborator.env, elaborator.env.declared
    frames: list[Frame] = []

    def about(node: ast.Expr, name: str, kind: Type, wanted: Type, what: str) -> ir.Expr:
        frames.append(Frame())
        scope, _ = Scope(frames[-1], where="definition").variable(name, kind)
        return elaborator.typed(node, scope, wanted, what)

    struck = about(declared.struck, "line", LINE, TRUTH, "whether a line is struck") if declared.struck else None
    totals = []
    for number, column in enumerate(declared.columns if declared.column_totals else ()):
        if column in declared.column_totals:
            totals.append(about(declared.column_totals[column][1], "seat", SEAT, NUMBER, "the total of a column"))
        else:
            seat = ir.Var(type=SEAT, index=0, name="seat", text="seat")
            totals.append(apply(Op.COLUMN, (seat, constant(number, NUMBER, column)), NUMBER))
    for column, (span, _) in declared.column_totals.items():
        if column not in declared.columns:
            env.report.error(
                "unknown-column",
                f"the ledger has no column `{column}`",
                span,
                "not declared under `ledger: columns:`",
                **env.similar(column, declared.columns, span, "columns"),
            )
    standing = about(declared.standing, "seat", SEAT, NUMBER, "the score of a seat") if declared.standing else None
    return Sheet(struck, tuple(totals), standing, max((frame.size for frame in frames), default=1))
