"""Where the threads of a block meet on a device, and who goes on first.

In: the blocks and where they lead to. Out: the blocks that are entered from several places or from outside, in the
order in which threads go on. All threads that are in a loop leave it before any goes on behind it, and its head comes
last: whoever is there waits for those who are still on their way round. A match that is over is followed by the next,
which is a loop around everything; its head is that of the largest loop within, so that a new match joins the others
where they begin a round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from hoyle.codegen.lower.control import list_finished

NEXT_MATCH = -1  # the place where a match is over and another begins

Targets = Mapping[int, tuple[int, ...]]


def find_meetings(targets: Targets, entry: int, resumed: Collection[int]) -> list[int]:
    """The blocks where threads meet, and `NEXT_MATCH`, in order. Blocks that lead nowhere end a match."""
    entered = Counter(to for leads in targets.values() for to in leads)
    met = {block for block in targets if entered[block] > 1} | {entry, *resumed, NEXT_MATCH}
    loops = [loop for loop in _find_components(list(targets), targets) if len(loop) > 1 or loop[0] in targets[loop[0]]]
    head = _find_head(max(loops, key=len), targets) if loops else NEXT_MATCH
    around = {NEXT_MATCH: (entry,), **{block: leads or (NEXT_MATCH,) for block, leads in targets.items()}}
    ordered = [*_nest([block for block in around if block != head], around), head]
    return [block for block in ordered if block in met]


def find_returns(targets: Targets, blocks: list[int]) -> set[tuple[int, int]]:
    """The ways that lead on from the head of a loop: there is one in everything that is gone round among the blocks."""
    places = {block: place for place, block in enumerate(_nest(blocks, targets))}
    return {(block, to) for block in blocks for to in targets[block] if places.get(to, len(places)) <= places[block]}


def _nest(blocks: list[int], targets: Targets) -> list[int]:
    """Blocks in the order in which they follow one another, those of a loop together and its head last."""
    ordered: list[int] = []
    for loop in _find_components(blocks, targets):
        head = _find_head(loop, targets)
        ordered += [*(_nest([block for block in loop if block != head], targets) if len(loop) > 1 else ()), head]
    return ordered


def _find_head(loop: list[int], targets: Targets) -> int:
    """The block by which a loop is entered; the first one if there are several."""
    inside = set(loop)
    entered = {to for block, leads in targets.items() if block not in inside for to in leads}
    return next((block for block in loop if block in entered), loop[0])


def _find_components(blocks: list[int], targets: Targets) -> list[list[int]]:
    """The strongly connected components of a part of the blocks, in topological order (Kosaraju)."""
    among = set(blocks)
    forwards = {block: [to for to in targets[block] if to in among] for block in blocks}
    backwards: dict[int, list[int]] = {block: [] for block in blocks}
    for block, leads in forwards.items():
        for to in leads:
            backwards[to].append(block)
    place = {block: at for at, block in enumerate(blocks)}
    seen: set[int] = set()
    finished = reversed(list_finished(blocks, forwards.__getitem__))
    components = (list_finished([block], backwards.__getitem__, seen) for block in finished)
    return [sorted(component, key=place.__getitem__) for component in components if component]
