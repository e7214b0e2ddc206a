"""Peephole optimisation of the lines of a finished function.

In: the lines of a function. Out: the same lines without what does nothing, and loops over lists as `for`.
"""

from __future__ import annotations

import re
from itertools import islice

from hoyle.engine.generate.writer import Line

_TEST = re.compile(r"if not (s\d+) < len\((s\d+)\):")


def tidy(lines: list[Line]) -> list[Line]:
    """The lines, tidied."""
    lines = [line for line in lines if line.text]
    for at in [number for number, line in enumerate(lines) if line.text == "while True:"]:
        _run_through(lines, at)
    return _leave_out_passes([line for line in lines if line.text])


def _leave_out_passes(lines: list[Line]) -> list[Line]:
    """Leave out a `pass` that does not stand alone."""
    for way in (1, -1):  # those after something, then those before something
        kept: list[Line] = []
        beside: Line | None = None
        for line in lines[::way]:
            alone = beside is None or beside.depth < line.depth or (way < 0 and beside.depth > line.depth)
            if line.text != "pass" or alone:
                kept.append(line)
                beside = beside if line.text.startswith("#") else line
        lines = kept[::way]
    return lines


def _run_through(lines: list[Line], at: int) -> None:
    """A loop that counts a place up to the length of a list and looks up what is there, as a loop over the list. The
    place is counted all the same: it may be needed where the function is left."""
    head, test, out, first = islice((line for line in lines[at:] if line.text and not line.text.startswith("#")), 4)
    found = _TEST.fullmatch(test.text)
    if found is None or out.text != "break":
        return
    place, listed = found.groups()
    element = re.fullmatch(rf"(\w+) = {listed}\[{place}\]", first.text)
    body = _list_body(lines, at)
    if element is None or not _counts_once(body[2:], head.depth + 1, place, listed):
        return
    head.text = f"for {element[1]} in {listed}[{place}:]:"
    test.text = out.text = first.text = ""


def _list_body(lines: list[Line], at: int) -> list[Line]:
    body = []
    for line in lines[at + 1 :]:
        if line.depth <= lines[at].depth:
            break
        body.append(line)
    return [line for line in body if line.text and not line.text.startswith("#")]


def _counts_once(body: list[Line], depth: int, place: str, listed: str) -> bool:
    """Whether the place goes up by one on every way through a loop, and nothing else happens to it or to the list."""
    step = f"{place} = {place} + 1"
    steps = [number for number, line in enumerate(body) if line.text == step]
    changes = [line for line in body if re.search(rf"\b({place}|{listed}) (:=|=(?!=)|[-+*]=)", line.text)]
    own = _list_own(body)
    if len(changes) != len(steps) or any(body[number].text == "break" for number in own):
        return False
    ends = [number for number in own if body[number].text == "continue"]
    if len(steps) == 1 and body[steps[0]].depth == depth:
        return all(end > steps[0] for end in ends)
    # Otherwise the step comes right before the end of each way.
    return len(ends) == len(steps) and all(_follows(body, step_at, ends) for step_at in steps)


def _list_own(body: list[Line]) -> list[int]:
    """The lines that are in no loop inside the loop."""
    own: list[int] = []
    inner: int | None = None  # how deep the loop inside is
    for number, line in enumerate(body):
        if inner is not None and line.depth > inner:
            continue
        own.append(number)
        inner = line.depth if re.match(r"(while|for) ", line.text) else None
    return own


def _follows(body: list[Line], step: int, ends: list[int]) -> bool:
    end = next((number for number in ends if number > step), None)
    return end is not None and all(line.depth >= body[step].depth for line in body[step : end + 1])
