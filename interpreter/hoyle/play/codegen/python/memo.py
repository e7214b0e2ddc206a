"""Code for memoised values: a dictionary lookup by key, and the function that computes and stores on a miss.

In: a value with a `HashedMemo`. Out: its code. Values fused by `HashedMemos.gather` share dictionary and function.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from hoyle.play.codegen.low.facts import between, list_of
from hoyle.play.codegen.low.values import Table, Value
from hoyle.play.codegen.passes.hashed_memo import HashedMemo
from hoyle.play.codegen.passes.inputs import strip_checks
from hoyle.play.codegen.python.code import ATOM, NAME, Assign, Code, Line, Nest, Statement, define
from hoyle.play.codegen.python.printing import Values

MOST_KEPT = 1 << 17  # entries of a dictionary, which is cleared when full


def recall(p: Values, value: Value) -> Code:
    """A memoised value."""
    memos = p.constants.memos(p.build)
    values = memos.find_together(value)
    described = [each for each in map(memos.find, values) if each is not None]
    inputs = dict.fromkeys(strip_checks(given) for each in described for given in (*each.lists, *each.single))
    write = partial(_write_function, p, values, described, inputs)
    function = p.constants.define(("memo", values), "m", write, noted="M")
    kept = f"M{function[1:]}"  # the dictionary
    own = described[values.index(value)]
    for test in own.tests:
        p.refuse_unless(p.test(test))
    key = _spell_key(p, own.key)
    kind = "bool" if value.fact.is_truth else "int"

    def look_up(found: str, missing: str) -> Code:
        name = p.fresh()
        p.out.append(Assign(name, found))
        with p.scope() as out:
            for listed in dict.fromkeys(listed for each in described for listed in each.lists):
                p.record(strip_checks(listed), p.name(p.value(listed)))  # with its fault checks
            given = [p.name(p.value(each)).text for each in inputs]
            p.out.append(Assign(name, f"{function}({key}, {', '.join(given)})"))
        p.out.append(Nest(f"if {name} is {missing}:", out))
        return p.given(name, kind)

    if len(values) == 1:
        return look_up(f"{kept}.get({key}, {kept})", kept)
    together = p.build.read("items", list_of(between(0, 0), len(values)), *own.key, data=(kept,))
    found = p.find(together) or p.record(together, look_up(f"{kept}.get({key})", "None"))
    return p.name(Code(f"{found.text}[{values.index(value)}]", ATOM, kind))


def _spell_key(p: Values, key: tuple[Value, ...]) -> str:
    keys = [p.record(each, p.name(p.value(each))) for each in key]
    return p.name(keys[0] if len(keys) == 1 else Code(f"({', '.join(each.text for each in keys)})"), "k").text


def _write_function(
    p: Values, values: tuple[Value, ...], described: list[HashedMemo], inputs: Iterable[Value], function: str
) -> Iterator[str]:
    """The function that computes values and stores them; tuples of results are interned (`S`) to save memory."""
    places = {each: f"a{place}" for place, each in enumerate(inputs)}
    number, found, mapped = function[1:], list[str](), dict[tuple[str, Table], str]()
    kept = [f"M{number}", f"S{number}"] if len(values) > 1 else [f"M{number}"]
    yield from (f"{each} = {{}}" for each in kept)
    body: list[Statement] = []
    for value, memo in zip(values, described, strict=True):
        table, inner = memo.mapped or (None, value)
        given: dict[Value, Code] = {}
        for each in (*memo.lists, *memo.single):
            name = places[strip_checks(each)]
            given[each] = Code(name, NAME, "tuple" if each.fact.is_list else "")
            if table is not None and each in memo.lists:
                if (name, table) not in mapped:
                    mapped[name, table] = f"{name}_{len(mapped)}"
                    body.append(Assign(mapped[name, table], f"[{p.constants.table(table)}[e] for e in {name}]"))
                given[each] = Code(mapped[name, table], NAME, "list")
        statements, code = p.print_apart(inner, given)
        found.append(f"v{len(found)}")
        body += [*statements, Assign(found[-1], code.text)]
    body.append(Line(f"if len(M{number}) >= {MOST_KEPT}: {'; '.join(f'{each}.clear()' for each in kept)}"))
    if len(found) > 1:
        body.append(Assign("v", f"({', '.join(found)})"))
        found = [f"S{number}.setdefault(v, v)"]
    body += [Assign(f"M{number}[key] = found", found[0]), Line("return found")]
    yield from define(f"{function}(key, {', '.join(places.values())})", body)
