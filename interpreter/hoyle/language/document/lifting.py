"""Normalisation of end conditions: those written with a step are moved to the section `ends:`.

In: the nodes of one file. Out: the same with `steps: {NAME: {ends: …}}` as `ends: {NAME: …}`, the form on which merging
and paths are based.
"""

from __future__ import annotations

from dataclasses import replace

from hoyle.base.diagnostics.report import Report
from hoyle.language.document.marks import report_twice
from hoyle.language.document.nodes import Entry, Mapping, Node, Scalar

ENDS = "ends"


def lift_ends(root: Mapping, report: Report) -> Mapping:
    """A file with all end conditions in one section; a step with ends in both places is reported."""
    steps, ends = root.entry("steps"), root.entry(ENDS)
    if steps is None or not isinstance(steps.value, Mapping):
        return root
    kept: list[Entry] = []
    lifted: list[Entry] = []
    heading: Scalar | None = None
    for step in steps.value:
        own = step.value.entry(ENDS) if isinstance(step.value, Mapping) else None
        if own is None:
            kept.append(step)
            continue
        heading = heading or own.key
        name = step.name.split(" ")[0]  # without a parameter: `settle of cards`
        lifted.append(Entry(replace(step.key, text=name, value=name), own.value, step.mark))
        rest = _without(step.value, own)
        kept += [replace(step, value=rest)] if rest is not None else []
    if heading is None:
        return root
    said = ends.value if ends is not None and isinstance(ends.value, Mapping) else Mapping((), steps.value.span)
    for entry in lifted:
        if (twice := said.entry(entry.name)) is not None:
            report_twice(twice.key, entry.key, report)
    apart = {entry.name for entry in said}
    every = Mapping((*said, *(entry for entry in lifted if entry.name not in apart)), said.span)
    section = replace(ends, value=every) if ends is not None else Entry(heading, every)
    others = [entry for entry in root if entry is not steps and entry is not ends]
    steps_left = replace(steps, value=Mapping(tuple(kept), steps.value.span))
    return Mapping((*others, section, *([steps_left] if kept else [])), root.span)


def _without(node: Node, own: Entry) -> Node | None:
    """A step without its ends: just its statements if nothing else is left, None if nothing is."""
    assert isinstance(node, Mapping)
    rest = tuple(entry for entry in node if entry is not own)
    if len(rest) == 1 and rest[0].name == "do" and not rest[0].mark:
        return rest[0].value
    return Mapping(rest, node.span) if rest else None
