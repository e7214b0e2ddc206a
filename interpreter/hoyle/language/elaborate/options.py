"""Options, and whether offences are possible: the settings of a match.

In: declarations, the number of players, option values from outside. Out: options as constants.
"""

from __future__ import annotations

import re
from typing import Any

from hoyle.base.diagnostics.report import Fix, did_you_mean, respell
from hoyle.language.declare.declarations import OptionDecl
from hoyle.language.elaborate.constants import fixed, fixed_number
from hoyle.language.elaborate.elaborator import Elaborator
from hoyle.language.elaborate.enums import add_enum
from hoyle.language.elaborate.environment import Environment, display
from hoyle.language.elaborate.folding import constant, truth_of
from hoyle.language.elaborate.name_resolution import CONSTANTS
from hoyle.language.elaborate.scope import Frame, Scope
from hoyle.language.syntax import ast
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import NUMBER, TRUTH, Type, enum, maybe
from hoyle.program.model.runtime_values import Value

ERRORS = ("refused", "called")
MOST_NAMED = 12  # options listed in the message about an unknown one
_TRUTHS = {"yes": "true", "on": "true", "true": "true", "no": "false", "off": "false", "false": "false"}


def fill_options(elaborator: Elaborator, given: dict[str, Value]) -> None:
    env = elaborator.env
    for name in given:
        if name not in env.declared.options:
            place = env.declared.line.span if env.declared.line else None
            env.report.error(
                "unknown-option",
                f"the game has no option `{name}`",
                place,
                hint=did_you_mean(name, env.declared.options)
                or did_you_mean(name.lower(), env.declared.options)
                or _say_options(list(env.declared.options)),
            )
    for option in env.declared.options.values():
        if option.kind == "enum":
            add_enum(env, option.name, option.values, option.values)
    for option in env.declared.options.values():
        kind = _option_type(option)
        value = _default(elaborator, option, kind)
        if value is not None and option.kind == "number" and not option.low <= value <= option.high:
            env.report.error(
                "out-of-range",
                f"the default of `{option.name}` is {value}, outside its range {option.low}..{option.high}",
                option.default.span,
                hint=f"choose a number from {option.low} to {option.high}",
            )
        if option.name in given:
            value = read_option_value(env, option, given[option.name], value)
        env.options[option.name] = constant(value, kind, option.name)


def _say_options(names: list[str]) -> str:
    """A list of the options, for when none has a similar name."""
    shown = ", ".join(f"`{name}`" for name in names[:MOST_NAMED])
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"it has {shown}{more}" if names else "it has none"


def _default(elaborator: Elaborator, option: OptionDecl, kind: Type) -> Any:
    """The default value of an option."""
    report, node = elaborator.env.report, option.default
    name = node.id if isinstance(node, ast.Name) else ""
    if option.kind == "enum" and name in option.values:
        return option.values.index(name)
    if option.kind == "enum" and name and name not in elaborator.env.declared.options:
        report.error(
            "bad-option-value",
            f"the default of `{option.name}` cannot be `{name[:60]}`; it is {_one_of(option)}",
            node.span,
            fix=respell(node.span, name, option.values),
        )
        return None
    is_number = isinstance(node, ast.Int)
    is_other = name != "" and name not in CONSTANTS and name not in elaborator.env.declared.options
    if option.kind == "truth" and (is_number or is_other):
        said = "a number" if is_number else "neither true nor false"
        example = "range: 1..9" if is_number else f"values: [{name[:40]}, …]"
        truth = _TRUTHS.get(name.lower())
        report.error(
            "bad-option",
            f"the default of `{option.name}` is {said}, so the option must say what else it can be"
            if truth is None
            else f"yes is `true` and no is `false`, not `{name}`",
            node.span,
            hint=f"add `{example}`" if truth is None else (),
            fix=Fix(node.span, truth) if truth is not None else (),
        )
        return None
    if option.kind == "number" and name.lower() in _TRUTHS:
        report.error(
            "bad-option-value",
            f"the default of `{option.name}` cannot be `{name}`; it is a number from {option.low} to {option.high}",
            node.span,
        )
        return None
    return fixed(elaborator, node, kind, f"the default of `{option.name}`")


def check_requirements(elaborator: Elaborator) -> None:
    """Report violated requirements of options on each other and on the number of players."""
    env = elaborator.env
    for option in env.declared.options.values():
        for test in option.require:
            if test.test is None:
                continue
            holds = elaborator.truth(test.test, Scope(Frame()))
            if truth_of(holds) is False:
                value = display(env, env.options[option.name].value, env.options[option.name].type)
                env.report.error(
                    "option-requires",
                    f"`{option.name}: {value}` with {env.players} players does not meet what it requires",
                    test.test.span,
                    test.line.text or "does not hold",
                    hint="set the option otherwise, or play with another number of players",
                )


def _option_type(option: OptionDecl) -> Type:
    if option.kind == "enum":
        return enum(option.name)
    kind = NUMBER if option.kind == "number" else TRUTH
    return maybe(kind) if option.or_none else kind


def read_option_value(env: Environment, option: OptionDecl, given: Value, otherwise: Value) -> Value:
    """A value from the command line or from Python, in the representation of the option."""
    text = str(given).strip().lower() if not isinstance(given, str) else given.strip()
    if option.kind == "truth" and text in ("true", "yes", "on", "false", "no", "off"):
        return text in ("true", "yes", "on")
    if option.kind == "enum" and text in option.values:
        return option.values.index(text)
    if option.kind == "number":
        if option.or_none and text == "none":
            return None
        if re.fullmatch(r"-?\d{1,9}", text) and option.low <= int(text) <= option.high:
            return int(text)
    env.report.error(
        "bad-option-value",
        f"the option `{option.name}` cannot be `{str(given)[:60]}`; it is {_one_of(option)}",
        option.line.span,
        hint=did_you_mean(text, option.values),
    )
    return otherwise


def _one_of(option: OptionDecl) -> str:
    """The possible values of an option, in words."""
    if option.kind == "enum":
        more = ", …" if len(option.values) > 12 else ""
        return "one of " + ", ".join(f"`{value}`" for value in option.values[:12]) + more
    if option.kind == "truth":
        return "true or false"
    return f"a number from {option.low} to {option.high}" + (" or none" if option.or_none else "")


def fill_errors(elaborator: Elaborator) -> None:
    """Determine whether offences are refused, or can be committed and called."""
    env, node = elaborator.env, elaborator.env.declared.errors
    if node is None:
        return
    kind = enum("what becomes of errors")
    env.enums[kind.name] = ir.Enum(name=kind.name, values=ERRORS, shorts=ERRORS)
    names: dict[str, ir.Expr] = {name: constant(index, kind, name) for index, name in enumerate(ERRORS)}
    found = fixed_number(elaborator, node, kind, "what becomes of errors", Scope(Frame(), names))
    env.called = found is not None and ERRORS[found] == "called"
    del env.enums[kind.name]
