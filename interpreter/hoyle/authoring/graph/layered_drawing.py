"""Layered graph drawing, from top to bottom.

In: sizes of nodes, and edges between them. Out: the position of each node and the points of each edge. It is Sugiyama's
method: layer assignment by longest paths, dummy nodes for edges across several layers, crossing reduction by the
barycentre heuristic, then coordinate assignment.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import pairwise

from hoyle.base.dataclass import dataclass

SWEEPS = 12
GAP = 26.0
LAYER_GAP = 34.0
BEND_WIDTH = 8.0

Key = Hashable
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Placed:
    """A layout: centres of nodes, points of edges, and the total size."""

    centres: dict[Key, Point]
    routes: list[list[Point]]
    width: float
    height: float


def place(sizes: Mapping[Key, tuple[float, float]], edges: Sequence[tuple[Key, Key]]) -> Placed:
    """Lay out all nodes and edges; edges that lead back up are routed through the same layers."""
    forward = _drop_cycles(list(sizes), edges)
    layer = _assign_layers(list(sizes), forward)
    layers, links, chains = _break_long(sizes, edges, layer)
    _order(layers, links)
    widths = {key: sizes[key][0] if key in sizes else BEND_WIDTH for row in layers for key in row}
    across = _assign_columns(layers, links, widths)
    down, height = _assign_rows(layers, sizes)
    left = min((across[key] - widths[key] / 2 for key in across), default=0.0)
    right = max((across[key] + widths[key] / 2 for key in across), default=0.0)
    centres = {key: (across[key] - left, down[level]) for level, row in enumerate(layers) for key in row}
    routes = [[centres[key] for key in chain] for chain in chains]
    return Placed({key: centres[key] for key in sizes}, routes, right - left, height)


def _drop_cycles(nodes: list[Key], edges: Sequence[tuple[Key, Key]]) -> list[tuple[Key, Key]]:
    """Make the graph acyclic by reversing the back edges of a depth-first search."""
    following: dict[Key, list[Key]] = {node: [] for node in nodes}
    for source, target in edges:
        if source != target:
            following[source].append(target)
    state: dict[Key, int] = {}
    back: set[tuple[Key, Key]] = set()
    for root in nodes:
        if root in state:
            continue
        stack: list[tuple[Key, int]] = [(root, 0)]
        state[root] = 1
        while stack:
            node, number = stack.pop()
            if number == len(following[node]):
                state[node] = 2
                continue
            stack.append((node, number + 1))
            child = following[node][number]
            if child not in state:
                state[child] = 1
                stack.append((child, 0))
            elif state[child] == 1:
                back.add((node, child))
    return [(b, a) if (a, b) in back else (a, b) for a, b in edges if a != b]


def _assign_layers(nodes: list[Key], edges: list[tuple[Key, Key]]) -> dict[Key, int]:
    """Assign each node to the layer below the lowest of its predecessors."""
    before: dict[Key, list[Key]] = {node: [] for node in nodes}
    for source, target in edges:
        before[target].append(source)
    layer: dict[Key, int] = {}
    for root in nodes:
        stack = [root]
        while stack:
            node = stack[-1]
            missing = [each for each in before[node] if each not in layer]
            if node in layer or not missing:
                layer.setdefault(node, max((layer[each] + 1 for each in before[node]), default=0))
                stack.pop()
            else:
                stack.extend(missing)
    return layer


def _break_long(
    sizes: Mapping[Key, tuple[float, float]], edges: Sequence[tuple[Key, Key]], layer: dict[Key, int]
) -> tuple[list[list[Key]], list[tuple[Key, Key]], list[list[Key]]]:
    """Insert a dummy node in each layer that an edge crosses; return the layers, the links between adjacent layers, and
    each edge as a chain of nodes."""
    rows: list[list[Key]] = [[] for _ in range(max(layer.values(), default=-1) + 1)]
    for node in sizes:
        rows[layer[node]].append(node)
    links: list[tuple[Key, Key]] = []
    chains: list[list[Key]] = []
    for number, (source, target) in enumerate(edges):
        if layer[source] == layer[target]:
            chains.append([source, target])
            continue
        step = 1 if layer[source] < layer[target] else -1
        chain: list[Key] = [source]
        for level in range(layer[source] + step, layer[target], step):
            bend: Key = ("bend", number, level)
            rows[level].append(bend)
            chain.append(bend)
        chain.append(target)
        chains.append(chain)
        links += [(a, b) if step > 0 else (b, a) for a, b in pairwise(chain)]
    return rows, links, chains


def _order(layers: list[list[Key]], links: list[tuple[Key, Key]]) -> None:
    """Order the nodes of each layer to reduce crossings, by sweeps that sort them by the mean place of neighbours."""
    above: dict[Key, list[Key]] = {}
    below: dict[Key, list[Key]] = {}
    for source, target in links:
        below.setdefault(source, []).append(target)
        above.setdefault(target, []).append(source)
    best, fewest = [row[:] for row in layers], _count_crossings(layers, below)
    for sweep in range(SWEEPS):
        downwards = sweep % 2 == 0
        neighbours = above if downwards else below
        for row in layers if downwards else reversed(layers):
            place = {key: number for line in layers for number, key in enumerate(line)}
            order = {key: _middle([place[each] for each in neighbours.get(key, ())], place[key]) for key in row}
            row.sort(key=lambda key: order[key])
        crossings = _count_crossings(layers, below)
        if crossings < fewest:
            best, fewest = [row[:] for row in layers], crossings
    for row, kept in zip(layers, best, strict=True):
        row[:] = kept


def _middle(places: Sequence[float], otherwise: float) -> float:
    return sum(places) / len(places) if places else otherwise


def _count_crossings(layers: list[list[Key]], below: dict[Key, list[Key]]) -> int:
    total = 0
    for row, following in pairwise(layers):
        place = {key: number for number, key in enumerate(following)}
        ends = [place[each] for key in row for each in sorted(below.get(key, ()), key=lambda k: place[k])]
        total += sum(1 for i, a in enumerate(ends) for b in ends[i + 1 :] if a > b)
    return total


def _assign_columns(
    layers: list[list[Key]], links: list[tuple[Key, Key]], widths: dict[Key, float]
) -> dict[Key, float]:
    """Assign x coordinates: as near to the mean of connected nodes as the adjacent nodes in the layer permit."""
    near: dict[Key, list[Key]] = {}
    for source, target in links:
        near.setdefault(source, []).append(target)
        near.setdefault(target, []).append(source)
    across: dict[Key, float] = {}
    for row in layers:
        at = 0.0
        for key in row:
            across[key] = at + widths[key] / 2
            at += widths[key] + GAP
    for sweep in range(SWEEPS * 2):
        for row in layers if sweep % 2 == 0 else reversed(layers):
            wishes = [_middle([across[each] for each in near.get(key, ())], across[key]) for key in row]
            across.update(zip(row, _spread(wishes, [widths[key] for key in row]), strict=True))
    return across


def _spread(wishes: list[float], widths: list[float]) -> list[float]:
    """Place nodes in the given order without overlaps, as near to the wished coordinates as possible; runs of nodes
    that would overlap are merged and moved together."""
    runs: list[tuple[float, int, list[float]]] = []  # summed wishes for the first node, count, offsets
    for wish in wishes:
        runs.append((wish, 1, [0.0]))
        while len(runs) > 1:
            first_total, first_number, first_offsets = runs[-2]
            last_total, last_number, last_offsets = runs[-1]
            index = sum(each[1] for each in runs[:-1])
            needed = (widths[index - 1] + widths[index]) / 2 + GAP
            first_end = first_total / first_number + first_offsets[-1]
            if last_total / last_number + last_offsets[0] >= first_end + needed:
                break
            shift = first_offsets[-1] + needed
            joined = [*first_offsets, *(shift + each for each in last_offsets)]
            runs[-2:] = [(first_total + last_total - shift * last_number, first_number + last_number, joined)]
    return [total / number + offset for total, number, offsets in runs for offset in offsets]


def _assign_rows(layers: list[list[Key]], sizes: Mapping[Key, tuple[float, float]]) -> tuple[list[float], float]:
    """Return the y coordinate of each layer's centre, and the total height."""
    down, at = [], 0.0
    for row in layers:
        tallest = max((sizes[key][1] for key in row if key in sizes), default=0.0)
        down.append(at + tallest / 2)
        at += tallest + LAYER_GAP
    return down, max(0.0, at - LAYER_GAP)
