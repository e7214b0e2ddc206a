"""Expansion of single operations, and the table of all expansions by opcode.

In: a value and the expander to recurse through. Out: a simple value; statements before it go to the expander.
"""

from __future__ import annotations

from hoyle.play.codegen.low.facts import TRUTH
from hoyle.play.codegen.low.program import Fault, Let, Module, When
from hoyle.play.codegen.low.values import Value
from hoyle.play.codegen.passes.dense_memo import Memos
from hoyle.play.codegen.passes.expand import Expander, Operation
from hoyle.play.codegen.passes.folds import FOLDS
from hoyle.play.codegen.passes.partitioning import expand_coded, expand_divided, expand_surveyed
from hoyle.play.codegen.passes.reducers import REDUCED
from hoyle.play.codegen.passes.reduction_cache import EMPTY_CACHE, ReductionCache


def make_expander(module: Module, memos: Memos, cache: ReductionCache = EMPTY_CACHE) -> Expander:
    """An expander with all operations."""
    return Expander(module, memos, cache, OPERATIONS, FOLDS)


def expand_logic(expander: Expander, value: Value) -> Value:
    """Short-circuit evaluation; a part that needs statements becomes conditional on the result so far."""
    made = expander.value(value.args[0])
    for part in value.args[1:]:
        statements, test = expander.apart(part)
        if not statements:
            made = (expander.build.both if value.op == "and" else expander.build.either)(made, test)
            continue
        register = expander.register(TRUTH)
        undecided = register if value.op == "and" else expander.build.negate(register)
        expander.out += [Let(register, made), When(undecided, (*statements, Let(register, test)))]
        made = register
    return made


def expand_choose(expander: Expander, value: Value) -> Value:
    test = expander.value(value.args[0])
    if test.constant is not None:
        return expander.value(value.args[1 if test.constant else 2])
    (before_yes, yes), (before_no, no) = expander.apart(value.args[1]), expander.apart(value.args[2])
    if not before_yes and not before_no:
        return expander.build.make("if", (test, yes, no), (), value.fact)
    register = expander.register(value.fact)
    expander.out.append(When(test, (*before_yes, Let(register, yes)), (*before_no, Let(register, no))))
    return register


def expand_need(expander: Expander, value: Value) -> Value:
    found = expander.name(expander.value(value.args[0]))
    expander.out.append(When(expander.build.is_none(found), (Fault(value.clause),)))
    return expander.build.false if found.op == "none" else expander.build.sure(found)  # nothing comes after the fault


def expand_check(expander: Expander, value: Value) -> Value:
    expander.refuse_unless(expander.value(value.args[0]), value.clause)
    return expander.value(value.args[1])


def expand_present(expander: Expander, value: Value) -> Value:
    return expander.build.negate(expander.build.is_none(expander.value(value.args[0])))


def expand_of_lists(expander: Expander, value: Value) -> Value:
    """An operation on lists that exist in memory."""
    return expander.build.make(value.op, list(map(expander.operand, value.args)), value.data, value.fact)


OPERATIONS: dict[str, Operation] = {
    "and": expand_logic, "or": expand_logic, "if": expand_choose, "need": expand_need, "check": expand_check,
    "present": expand_present, "equal_lists": expand_of_lists, "less_lists": expand_of_lists,
    "element": expand_of_lists, "memo_place": expand_of_lists, "surveyed": expand_surveyed, "divided": expand_divided,
    "coded": expand_coded,
    **REDUCED,
}  # fmt: skip
