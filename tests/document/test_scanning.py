"""Reading a file again after an edit, through what is kept of its sections, gives what reading it afresh gives."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest
import yaml

from hoyle.base.diagnostics.report import Report
from hoyle.base.shipped import all_games
from hoyle.base.source import Source
from hoyle.language.document.incremental import Kept, keeping
from hoyle.language.document.nodes import Mapping, Node, Scalar, Sequence
from hoyle.language.document.reading import read_nodes

GAMES = sorted(all_games())[::30]
SPLITTING = [  # where a line at the margin begins no section of its own, or seems to
    'a: "x\ny: z"\nb: 1\n', "a: [x,\nb: c]\nd: 1\n", "a: {x: 1,\nb: 2}\nc: 3\n", "a:\n- x\n- y\nb: 1\n",
    "{a: 1,\nb: 2}\n", "a: |\n  x\n\n# c\nb: >\n  y\n", "a: 1\na: 1\n", "# first\n\na: 1\n# last\n",
    "a: 1\n---\nb: 2\n", "a: &x 1\nb: *x\n", "a: !t 1\nb: 2\n", "a: x\n y\nb: 1\n", "a:\nb:\n",
    "a: 1\n? b\n: 2\nc: 3\n", "- a\nb: 1\n", "x\na: 1\n", "a: 'x\n\nb: y'\n", "a: |+\n  x\n\n\nb: 1\n",
    "a: |-\n  x\n\n\n", "a: 1\n  b: 2\nc: 3\n", "a: [\nb: 1\n", "&x\na: 1\nb: 2\n", '"a": 1\nb: 2\n',
]  # fmt: skip


def spell(node: Node | None) -> object:
    """A node with all its places."""
    match node:
        case Mapping():
            return [(spell(each.key), spell(each.value)) for each in node], node.span.start, node.span.end
        case Sequence():
            return [spell(each) for each in node], node.span.start, node.span.end
        case Scalar():
            spans = (node.span.start, node.span.end, node.body.start, node.body.end)
            return node.text, node.value, node.style, node.escaped, spans
    return None


def read(text: str) -> tuple[object, list[tuple[str, str]]]:
    report = Report()
    root = read_nodes(Source("game", text), report)
    return spell(root), [(each.code, each.message) for each in report.diagnostics]


def edit(text: str, chance: random.Random) -> Iterator[str]:
    """Texts as they come about while somebody types."""
    for _ in range(3):
        at = chance.randrange(len(text) + 1)
        text = chance.choice([text[:at] + chance.choice("x:\n -#\"'[]{},|") + text[at:], text[:at] + text[at + 3 :]])
        yield text


@pytest.mark.parametrize("quick", [True, False], ids=["C", "Python"])
def test_an_edited_file_is_read_as_if_nothing_were_kept(quick: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml, "__with_libyaml__", quick and yaml.__with_libyaml__)
    chance = random.Random(52)
    files = GAMES if quick else GAMES[:1]
    texts = [path.read_text() for path in files]
    texts += SPLITTING + [each + "c: |\n  x\n" for each in SPLITTING]
    kept = Kept()
    again = 0
    for text in texts:
        for each in (text, *edit(text, chance), text + "\n", "# c\n" + text):
            before = len(kept.sections)
            with keeping(kept):
                found = read(each)
            assert found == read(each), each
            again += len(kept.sections) - before < len(re.findall(r"^\w+:", each, re.M))
    assert again > len(texts)  # most sections were not scanned again


def test_what_is_kept_stays_bounded() -> None:
    kept = Kept()
    with keeping(kept):
        for number in range(3):
            read("".join(f"k{at}: {number}\n" for at in range(1500)))
    assert len(kept.sections) <= 2500
