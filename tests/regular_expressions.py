"""Every regular expression of the package, and how many steps a backtracking matcher takes on texts made to hold it up.

In: the sources of the package. Out: its patterns, each with the methods it is used by; hostile texts for a pattern; the
steps of a match, counted, so that they are the same on every machine.
"""

from __future__ import annotations

import ast
import importlib
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any

import hoyle

PACKAGE = Path(hoyle.__file__).parent
METHODS = {"match", "fullmatch", "search", "sub", "subn", "split", "finditer", "findall"}
ANCHORED = {"match", "fullmatch"}
REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)
ONE_SIGN = (_constants.LITERAL, _constants.NOT_LITERAL, _constants.ANY, _constants.IN)
PREFERRED = "a1 A,.-:#()[]{}\"'\n"
MOST_RUN = 3  # how far a bounded repetition is unrolled in a sample


@dataclass(frozen=True)
class Used:
    """A pattern, where it is written, and whether it is tried at one place of a text or at all of them."""

    pattern: str
    flags: int
    where: str
    anchored: bool


# ------------------------------------------------------------------------------------------------ finding patterns
def list_patterns() -> list[Used]:
    """Each regular expression of the package once, as it is used most widely."""
    found: dict[tuple[str, int], Used] = {}
    for used in (*_in_modules(), *_in_schemas()):
        before = found.get((used.pattern, used.flags))
        if before is None or (before.anchored and not used.anchored):
            found[used.pattern, used.flags] = used
    return list(found.values())


def _in_schemas() -> Iterator[Used]:
    def walk(node: object, where: str) -> Iterator[Used]:
        if isinstance(node, dict):
            if isinstance(pattern := node.get("pattern"), str):
                yield Used(pattern, 0, where, False)
            for name, value in node.items():
                if name == "patternProperties":
                    yield from (Used(pattern, 0, where, False) for pattern in value)
                yield from walk(value, where)
        elif isinstance(node, list):
            for value in node:
                yield from walk(value, where)

    for path in sorted((PACKAGE.parents[1] / "schema").glob("*.json")):
        yield from walk(json.loads(path.read_text(encoding="utf-8")), path.name)


def _in_modules() -> Iterator[Used]:
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}
    methods = _list_methods(trees.values())
    for path, tree in trees.items():
        if path.name == "__main__.py":
            continue
        name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_of_re(node)]
        if not calls and "hoyle.language.syntax.repair" not in name:
            continue
        module = importlib.import_module(name)
        for call in calls:
            assert isinstance(call.func, ast.Attribute)
            if call.func.attr in METHODS:
                pattern, flags = _value_of(call.args[0], module), _flags_of(call, module)
                yield Used(pattern, flags, f"{name}:{call.lineno}", call.func.attr in ANCHORED)
        for held, value in vars(module).items():
            for pattern in _patterns_in(value):
                used = methods.get(held, set())
                yield Used(pattern.pattern, pattern.flags & ~re.U, f"{name}.{held}", bool(used) and used <= ANCHORED)


def _is_of_re(call: ast.Call) -> bool:
    function = call.func
    return isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "re"


def _list_methods(trees: Iterable[ast.Module]) -> dict[str, set[str]]:
    """The methods called on each name, in any module."""
    found: dict[str, set[str]] = {}
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                found.setdefault(node.value.id, set()).add(node.attr)
            elif isinstance(node, ast.Call):  # handed on: anything may be done with it
                for argument in node.args:
                    if isinstance(argument, ast.Name):
                        found.setdefault(argument.id, set()).add("search")
    return found


def _value_of(node: ast.expr, module: ModuleType) -> str:
    """The pattern that an expression stands for; what only a call can tell is a short word."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else node.value.decode("latin-1")
    if isinstance(node, ast.JoinedStr):
        return "".join(_value_of(part, module) for part in node.values)
    if isinstance(node, ast.FormattedValue):
        return _value_of(node.value, module)
    if isinstance(node, ast.BinOp):
        return _value_of(node.left, module) + _value_of(node.right, module)
    value = getattr(module, node.id, "word") if isinstance(node, ast.Name) else "word"
    value = value.pattern if isinstance(value, re.Pattern) else value
    return value if isinstance(value, str) else "word"


def _flags_of(call: ast.Call, module: ModuleType) -> int:
    names = {node.attr for argument in (*call.args[1:], *(word.value for word in call.keywords))
             for node in ast.walk(argument) if isinstance(node, ast.Attribute) and node.attr.isupper()}  # fmt: skip
    return sum(int(getattr(re, name)) for name in names if hasattr(re, name))


def _patterns_in(value: object, deep: int = 3) -> Iterator[re.Pattern[str]]:
    """Compiled patterns held by a value, also those that are compiled when they are asked for."""
    if isinstance(value, re.Pattern):
        yield value if isinstance(value.pattern, str) else re.compile(value.pattern.decode("latin-1"), value.flags)
    elif deep and isinstance(value, dict):
        for inner in (*value, *value.values()):
            yield from _patterns_in(inner, deep - 1)
    elif deep and isinstance(value, list | tuple | set | frozenset):
        for inner in value:
            yield from _patterns_in(inner, deep - 1)
    elif isinstance(regex := getattr(value, "regex", None), str):
        yield re.compile(regex)


# ------------------------------------------------------------------------------------------------ hostile texts
def list_pumps(pattern: str, flags: int = 0) -> list[tuple[str, str]]:
    """Texts to begin with and texts to repeat, made from the parts of a pattern: what it can begin with, what its loops
    go over, and what comes up to each of its parts."""
    tree = _parser.parse(pattern, flags)
    pumps: dict[tuple[str, str], None] = dict.fromkeys((("", " "), ("", "a"), ("", "1")))
    for before, node in _walk(tree, ""):
        for body in _samples(node):
            pumps.update(dict.fromkeys(((before, body), ("", before + body), ("", body))))
    return [(before, body) for before, body in pumps if body]


def _walk(tree: Any, before: str) -> Iterator[tuple[str, Any]]:
    """Each part of a pattern that may be repeated, and each sequence up to it, with a sample of what stands before."""
    for operation, given in tree:
        if operation in REPEATS:
            yield before, given[2]
            yield from _walk(given[2], before)
        elif operation in (_constants.ASSERT, _constants.ASSERT_NOT):
            yield from _walk(given[1], before)
        elif operation is _constants.SUBPATTERN:
            yield from _walk(given[-1], before)
        elif operation is _constants.ATOMIC_GROUP:
            yield from _walk(given, before)
        elif operation is _constants.BRANCH:
            for inner in given[1][:3]:
                yield from _walk(inner, before)
        before += _sample([(operation, given)])


def _samples(tree: Any) -> list[str]:
    """Some texts that a part of a pattern goes over."""
    found = {_sample(tree), _sample(tree, last=True)}
    if len(tree) == 1 and tree[0][0] in ONE_SIGN:
        fits = _one_sign(tree[0])
        found |= {sign for sign in PREFERRED if fits(sign)}
    return sorted(found)[:8]


def _sample(tree: Any, last: bool = False) -> str:
    text = ""
    for operation, given in tree:
        if operation in ONE_SIGN:
            fits = _one_sign((operation, given))
            text += next((sign for sign in (*PREFERRED, *map(chr, range(33, 0x2700))) if fits(sign)), "")
        elif operation in REPEATS:
            text += _sample(given[2], last) * max(1 if given[1] else 0, min(given[0], MOST_RUN))
        elif operation is _constants.SUBPATTERN:
            text += _sample(given[-1], last)
        elif operation is _constants.ATOMIC_GROUP:
            text += _sample(given, last)
        elif operation is _constants.BRANCH:
            text += _sample(given[1][-1 if last else 0], last)
    return text


def _one_sign(item: Any) -> Callable[[str], bool]:
    state = _parser.State()
    state.str = ""
    pattern = _compiler.compile(_parser.SubPattern(state, [item]))
    return lambda sign: pattern.match(sign) is not None


# ------------------------------------------------------------------------------------------------ counting steps
class TooManySteps(Exception):  # noqa: N818 - a result
    """The bound is reached."""


Going = Callable[[int], bool]
Matcher = Callable[[int, Going], bool]


class Backtracking:
    """A matcher that tries what Python's does, and counts."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self._flags = flags
        self.text = ""
        self.steps = self.most = 0
        self._start = self._sequence(_parser.parse(pattern, flags))

    def count(self, text: str, most: int, anchored: bool) -> int:
        """The steps to find all matches in a text, or one more than `most`."""
        self.text, self.steps, self.most = text, 0, most
        try:
            at = 0
            while at <= len(text):
                self._spend()
                end = [at]
                self._start(at, lambda place, end=end: end.__setitem__(0, place) or True)  # type: ignore[misc]
                if anchored:
                    self._start(at, lambda place: place == len(text))
                    break
                at = max(at + 1, end[0])
        except TooManySteps:
            return most + 1
        return self.steps

    def _spend(self, steps: int = 1) -> None:
        self.steps += steps
        if self.steps > self.most:
            raise TooManySteps

    def _sequence(self, tree: Any) -> Matcher:
        parts = [self._part(operation, given) for operation, given in tree]
        if not parts:
            return lambda at, go: go(at)
        if len(parts) == 1:
            return parts[0]

        def run(at: int, go: Going, index: int = 0) -> bool:
            if index == len(parts):
                return go(at)
            return parts[index](at, lambda place: run(place, go, index + 1))

        return run

    def _part(self, operation: Any, given: Any) -> Matcher:
        if operation in REPEATS:
            return self._repeat(operation, *given)
        if operation is _constants.SUBPATTERN:
            return self._sequence(given[-1])
        if operation is _constants.ATOMIC_GROUP:
            return self._atomic(self._sequence(given))
        if operation is _constants.BRANCH:
            choices = [self._sequence(inner) for inner in given[1]]
            return lambda at, go: any(choice(at, go) for choice in choices)
        if operation in (_constants.ASSERT, _constants.ASSERT_NOT) and given[0] > 0:
            inner, wanted = self._sequence(given[1]), operation is _constants.ASSERT
            return lambda at, go: inner(at, lambda _: True) == wanted and go(at)
        return self._plain(operation, given)

    def _plain(self, operation: Any, given: Any) -> Matcher:
        """One sign, a place, or what stands before: what Python's own matcher decides at once."""
        state = _parser.State()
        state.str, state.flags = "", self._flags
        pattern = _compiler.compile(_parser.SubPattern(state, [(operation, given)]), self._flags)

        def run(at: int, go: Going) -> bool:
            self._spend()
            found = pattern.match(self.text, at)
            return found is not None and go(found.end())

        return run

    def _atomic(self, inner: Matcher) -> Matcher:
        def run(at: int, go: Going) -> bool:
            end: list[int] = []
            return inner(at, lambda place: end.append(place) or True) and go(end[0])  # type: ignore[func-returns-value]

        return run

    def _repeat(self, operation: Any, low: int, high: Any, body: Any) -> Matcher:
        most = float("inf") if high is _constants.MAXREPEAT else int(high)
        if len(body) == 1 and body[0][0] in ONE_SIGN:
            run = self._run_of_signs(operation, low, most, body)
        else:
            run = self._run_of_groups(operation, low, most, self._sequence(body))
        return self._atomic(run) if operation is _constants.POSSESSIVE_REPEAT else run

    def _run_of_signs(self, operation: Any, low: int, most: float, body: Any) -> Matcher:
        state = _parser.State()
        state.str, state.flags = "", self._flags
        greedy = _compiler.compile(
            _parser.SubPattern(state, [(_constants.MAX_REPEAT, (low, _bound(most), body))]), self._flags
        )

        def run(at: int, go: Going) -> bool:
            found = greedy.match(self.text, at)
            if found is None:
                self._spend()
                return False
            self._spend(1 + (found.end() - at) // 4)
            places = range(at + low, found.end() + 1)
            for place in places if operation is _constants.MIN_REPEAT else reversed(places):
                self._spend()
                if go(place):
                    return True
                if operation is _constants.POSSESSIVE_REPEAT:
                    return False
            return False

        return run

    def _run_of_groups(self, operation: Any, low: int, most: float, inner: Matcher) -> Matcher:
        lazy = operation is _constants.MIN_REPEAT

        def run(at: int, go: Going, times: int = 0) -> bool:
            self._spend()

            def again() -> bool:
                return times < most and inner(
                    at, lambda place: (place > at or times < low) and run(place, go, times + 1)
                )

            if times < low:
                return again()
            return (go(at) or again()) if lazy else (again() or go(at))

        return run


def _bound(most: float) -> Any:
    return _constants.MAXREPEAT if most == float("inf") else int(most)


def list_hostile_texts(used: Used, length: int) -> Iterator[str]:
    for before, body in list_pumps(used.pattern, used.flags):
        for after in ("", "\x00"):
            times = max(1, (length - len(before)) // len(body))
            yield before + body * times + after


def count_most_steps(
    used: Used, length: int, most: int, write: Callable[[str], str] = lambda text: text
) -> tuple[int, str]:
    """The most steps on any hostile text of about a length, and the text; `most + 1` where it is beyond that. Texts
    reach the pattern as `write` has them."""
    matcher = Backtracking(used.pattern, used.flags)
    worst = (0, "")
    for text in dict.fromkeys(map(write, list_hostile_texts(used, length))):
        worst = max(worst, (matcher.count(text, most, used.anchored), text))
        if worst[0] > most:
            break
    return worst


def is_growing(counts: list[int]) -> bool:
    """Whether counts grow by more than the lengths do, which double."""
    return all(after > 2.6 * before for before, after in pairwise(counts))
