"""`hoyle graph`: the course of a game as a picture."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hoyle.authoring.graph import Edge, Graph, Node, build_graph, write_dot, write_mermaid, write_svg
from hoyle.authoring.graph.layered_drawing import place
from hoyle.authoring.graph.svg import measure
from hoyle.base.diagnostics.report import Report
from hoyle.base.shipped import all_games, game_name
from hoyle.front.cli import run
from hoyle.language.compile import read_game
from hoyle.language.declare.calls import Calls
from hoyle.language.declare.declarations import Declarations

SVG = "{http://www.w3.org/2000/svg}"
GAMES = [path for path in all_games() if game_name(path) == path.parent.name]


def declarations(path: Path) -> Declarations:
    declared = read_game(path, Report())
    assert declared is not None
    return declared


def _path_of(unit: str, declared: Declarations) -> str:
    """Where a unit stands in the file: an action that a step does stands under `actions:`."""
    section, name = unit.split(".", 1)
    return declared.steps[name].line.path if section == "steps" else unit


@pytest.mark.share
@pytest.mark.parametrize("path", GAMES, ids=game_name)
def test_every_step_action_and_end_that_can_come_about_is_in_the_picture(path: Path) -> None:
    declared = declarations(path)
    graph = build_graph(declared)
    ids = {node.id for node in graph.nodes}
    calls = Calls(declared)
    assert {_path_of(unit, declared) for unit in calls.reaches["steps.match"] if unit in calls.leads} <= ids
    assert {end.line.path for end in declared.ends} <= ids
    assert {edge.source for edge in graph.edges} | {edge.target for edge in graph.edges} == ids
    root = ElementTree.fromstring(write_svg(graph))
    words = " ".join(text for element in root.iter(f"{SVG}text") for text in element.itertext())
    assert all(node.title in words for node in graph.nodes)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", write_svg(graph)), "it needs no network"


@pytest.mark.share
@pytest.mark.parametrize("path", GAMES, ids=game_name)
def test_nodes_do_not_overlap(path: Path) -> None:
    graph = build_graph(declarations(path))
    sizes = {node.id: measure(node) for node in graph.nodes}
    centres = place(sizes, [(edge.source, edge.target) for edge in graph.edges]).centres
    boxes = [(*centres[key], *sizes[key]) for key in sizes]
    for number, (ax, ay, aw, ah) in enumerate(boxes):
        for bx, by, bw, bh in boxes[number + 1 :]:
            assert abs(ax - bx) >= (aw + bw) / 2 or abs(ay - by) >= (ah + bh) / 2


def test_a_ring_and_an_edge_to_itself_are_drawn() -> None:
    sizes = dict.fromkeys("abcd", (40.0, 20.0))
    placed = place(sizes, [("a", "b"), ("b", "c"), ("c", "a"), ("b", "b"), ("a", "d"), ("d", "c")])
    assert len(placed.routes) == 6
    assert placed.centres["a"][1] < placed.centres["b"][1] < placed.centres["c"][1]


def test_words_of_the_file_never_become_notation() -> None:
    evil = 'x"]; n9["<script>alert(1)</script>&\\'
    graph = Graph(evil, (Node("a", "step", evil, (evil,)), Node("b", "end", "b")), (Edge("a", "b", evil),))
    svg = write_svg(graph)
    assert "<script>" not in svg
    assert ElementTree.fromstring(svg).find(f".//{SVG}script") is None
    assert "<script>" not in write_mermaid(graph)
    assert not re.search(r'(?<!\\)"\]; n9', write_dot(graph))


def test_the_writing_follows_the_name_of_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for suffix, begin in ((".svg", "<svg"), (".mmd", "flowchart TD"), (".dot", "digraph")):
        out = tmp_path / f"x{suffix}"
        assert run(["graph", "bonus-20", "-o", str(out)]) == 0
        assert out.read_text(encoding="utf-8").startswith(begin)
        assert capsys.readouterr().out == f"wrote {out}\n"
    assert run(["graph", "bonus-20", "-o", str(tmp_path / "x.png")]) == 1
    assert "--format" in capsys.readouterr().err
    assert run(["graph", "bonus-20", "-o", str(tmp_path / "no" / "x.svg")]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_a_file_that_does_not_check_gives_its_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.game.yaml"
    path.write_text("game: x\ntitel: X\n", encoding="utf-8")
    assert run(["graph", str(path)]) == 1
    assert "error[" in capsys.readouterr().err


def test_steps_may_follow_each_other_deeper_than_python_calls(tmp_path: Path) -> None:
    path = tmp_path / "chain.game.yaml"
    steps = "".join(f"  s{number}: do s{number + 1}\n" for number in range(900))
    head = "game: chain\ntitle: C\nplayers: 2\ndeck: {starts_in: pack, attributes: {rank: 1..9}, cards: [rank: 1..9]}"
    zones = "zones: {pack: {shows: nothing}}\nwinners: seats"
    path.write_text(f"{head}\n{zones}\nsteps:\n  match: do s0\n{steps}  s900: do match\n")
    declared = read_game(path, Report())
    assert declared is not None
    graph = build_graph(declared)
    assert [node.id for node in graph.nodes][1:4] == ["steps.match", "steps.s0", "steps.s1"]
    assert {Edge("steps.s898", "steps.s899"), Edge("steps.s900", "steps.match")} <= {*graph.edges}
