"""Reconvergence of GPU threads: where divergent threads of a thread block meet, and which of them run first.

In: the control-flow graph. Out: the merge points (blocks with several predecessors or entered from outside) by
priority: a loop nesting order in which everything in a loop precedes what follows it, and its header comes last in it,
so that threads wait there for the others. Playing match after match is an outermost loop around everything; it shares
the header of the largest loop, so that new matches join the others at a round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from hoyle.play.codegen.lower.control_flow import list_finished

NEXT_MATCH = -1  # the pseudo-block where a match ends and the thread starts another

Targets = Mapping[int, tuple[int, ...]]


def find_reconvergence(targets: Targets, entry: int, resumed: Collection[int]) -> list[int]:
    """The blocks where threads reconverge, and `NEXT_MATCH`, by priority. Blocks without successors end a match."""
    entered = Counter(to for leads in targets.values() for to in leads)
    met = {block for block in targets if entered[block] > 1} | {entry, *resumed, NEXT_MATCH}
    loops = [loop for loop in _find_components(list(targets), targets) if len(loop) > 1 or loop[0] in targets[loop[0]]]
    head = _find_head(max(loops, key=len), targets) if loops else NEXT_MATCH
    around = {NEXT_MATCH: (entry,), **{block: leads or (NEXT_MATCH,) for block, leads in targets.items()}}
    ordered = [*_nest([block for block in around if block != head], around), head]
    return [block for block in ordered if block in met]


def find_retreating(targets: Targets, blocks: list[int]) -> set[tuple[int, int]]:
    """The retreating edges, which leave a loop header in the nesting order: every cycle of the subgraph has one."""
    places = {block: place for place, block in enumerate(_nest(blocks, targets))}
    return {(block, to) for block in blocks for to in targets[block] if places.get(to, len(places)) <= places[block]}


def _nest(blocks: list[int], targets: Targets) -> list[int]:
    """Blocks in topological order with loops contiguous, recursively, and the header of each loop last."""
    ordered: list[int] = []
    for loop in _find_components(blocks, targets):
        head = _find_head(loop, targets)
        ordered += [*(_nest([block for block in loop if block != head], targets) if len(loop) > 1 else ()), head]
    return ordered


def _find_head(loop: list[int], targets: Targets) -> int:
    """The header of a loop: its entry, the first one if it is irreducible."""
    inside = set(loop)
    entered = {to for block, leads in targets.items() if block not in inside for to in leads}
    return next((block for block in loop if block in entered), loop[0])


def _find_components(blocks: list[int], targets: Targets) -> list[list[int]]:
    """The strongly connected components of a subgraph, in topological order (Kosaraju)."""
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
