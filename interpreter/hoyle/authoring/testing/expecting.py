"""Checks the expectations of an example after its choices.

In: a scene and `expect`, `log`, `evaluate`. Out: failed expectations, reported with expected and actual value.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from hoyle.authoring.testing.comparing import Row, compare_lists, compare_words, show_rows
from hoyle.authoring.testing.offers import check_offers
from hoyle.authoring.testing.piles import read_piles, say_piles, say_written
from hoyle.authoring.testing.scenes import Scene
from hoyle.authoring.testing.sheets import LINES, check_lines
from hoyle.authoring.testing.vocabulary import MISSING, Vocabulary, Word, split_words, write
from hoyle.authoring.testing.watching import check_events, check_view
from hoyle.base.diagnostics.report import Report
from hoyle.base.effort import spend
from hoyle.language.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from hoyle.language.queries import read_expression
from hoyle.play.engine.executor import EVALUATED_IN_STEP
from hoyle.play.engine.faults import Fault

_SIZE = re.compile(r"(\d{1,4}) cards?")
OFFERS = ("legal", "offers", "illegal")
WORDS = (*OFFERS, "deciding", "offence", "events", "scores", "winners", "over", "rounds_played")


def check_expectations(scene: Scene, expected: Mapping) -> None:
    """Check everything under `expect`."""
    check_offers(scene, expected)
    for entry in expected:
        if entry.name in OFFERS:
            continue
        kind, of, whose = entry.name.partition(" of ")
        if entry.name in _CHECKS:
            _CHECKS[entry.name](scene, entry)
        elif entry.name.startswith(LINES):
            check_lines(scene, entry)
        elif kind == "events" and (of or entry.name == "events"):
            seat = _find_watcher(scene, entry, whose)
            if seat is not MISSING:
                check_events(scene, entry, seat)  # type: ignore[arg-type]  # a seat or None
        elif kind == "view" and of:
            seat = _find_watcher(scene, entry, whose)
            if seat is not MISSING:
                check_view(scene, entry, seat)  # type: ignore[arg-type]  # a seat or None
        else:
            _check_place(scene, entry)


def _find_watcher(scene: Scene, entry: Entry, whose: str) -> object:
    """Read the seat whose view or events are checked; None for a spectator, `MISSING` if it is invalid."""
    if whose in ("", "spectator"):
        return None
    seat = scene.words.read_seat(Word(whose, entry.key.span))
    return MISSING if seat is None else seat


def _differ(scene: Scene, entry: Entry, expected: str, actual: str) -> None:
    if expected != actual:
        scene.fail("not-as-expected", f"`{entry.name}` is not as expected", entry.value.span,
                   detail=compare_words(expected, actual))  # fmt: skip


# ------------------------------------------------------------------------------------------------ zones and states
def _check_place(scene: Scene, entry: Entry) -> None:
    place = scene.words.find_place(entry.key, others=WORDS)
    if place is None:
        return
    position, names = scene.match.position, scene.game.names
    if place.many:
        zones = position.zones[place.index : place.index + place.many]
        standing = [" ".join(names.name_card(card) for card in pile) for pile in zones if pile]
        if read_piles(scene.words, place, entry.value) is not None:
            _differ(scene, entry, say_written(entry.value), say_piles(standing))
        return
    if place.kind == "zone":
        pile = position.zones[place.index]
        size = count_cards(scene.words, entry.value)
        if size is not None:
            _differ(scene, entry, _say_size(size), _say_size(len(pile)))
            return
        codes = scene.words.read_codes(entry.value)
        if codes is not None:
            expected = " ".join(word.text for word in codes) or "empty"
            _differ(scene, entry, expected, " ".join(names.name_card(card) for card in pile) or "empty")
        return
    state, _ = names.states[place.index]
    value = scene.words.read_value(state.type, entry.value)
    if value is not MISSING:
        sides = [
            write(scene.words.canonical(state.type, each, position.zones))
            for each in (value, position.states[place.index])
        ]
        _differ(scene, entry, *sides)


def count_cards(words: Vocabulary, node: Node) -> int | None:
    """Parse the number in `3 cards`; None for any other text."""
    found = _SIZE.fullmatch(" ".join(word.text for word in split_words(node)))
    return None if found is None or "cards" in words.copies else int(found.group(1))


def _say_size(size: int) -> str:
    return "1 card" if size == 1 else f"{size} cards"


# ------------------------------------------------------------------------------------------------ the match
def _check_deciding(scene: Scene, entry: Entry) -> None:
    decision = scene.match.decision
    words = split_words(entry.value)
    if [word.text for word in words] == ["nobody"]:
        expected = "nobody"
    else:
        seat = scene.words.read_seat(words[0]) if words else None
        if seat is None:
            return
        expected = f"seat {seat}"
    _differ(scene, entry, expected, f"seat {decision.seat}" if decision else "nobody")


def _check_numbers(entry: Entry, actual: list[int], scene: Scene) -> None:
    nodes = entry.value.items if isinstance(entry.value, Sequence) else ()
    expected = [node.value for node in nodes if isinstance(node, Scalar)]
    _differ(scene, entry, str(expected), str(actual))


def _check_scalar(entry: Entry, actual: object, scene: Scene) -> None:
    value = entry.value.value if isinstance(entry.value, Scalar) else None
    _differ(scene, entry, str(value).lower(), str(actual).lower())


def _check_offence(scene: Scene, entry: Entry) -> None:
    """Check the clause of the offence that other seats can still call."""
    offence = scene.match.offence
    said = entry.value.text if isinstance(entry.value, Scalar) else ""
    path = "none" if offence is None else offence[1]
    if path != said and not path.endswith(f".{said}"):
        _differ(scene, entry, said, path)


_CHECKS: dict[str, Callable[[Scene, Entry], None]] = {
    "offence": _check_offence,
    "deciding": _check_deciding,
    "scores": lambda scene, entry: _check_numbers(entry, scene.match.scores, scene),
    "winners": lambda scene, entry: _check_numbers(entry, scene.match.winners, scene),
    "over": lambda scene, entry: _check_scalar(entry, scene.match.is_over, scene),
    "rounds_played": lambda scene, entry: _check_scalar(entry, scene.match.rounds, scene),
}


def check_log(scene: Scene, entry: Entry) -> None:
    """Check the choices made; the cards that a seat got are compared only where the example mentions them."""
    node = entry.value
    texts = [item.text for item in node if isinstance(item, Scalar)] if isinstance(node, Sequence) else []
    if isinstance(node, Scalar):
        texts = node.text.split(",")
    expected = [" ".join(text.split()) for text in texts if text.strip()]
    pairs = zip(expected, scene.log, strict=False)
    actual = [each.short if said == each.short else str(each) for said, each in pairs]
    actual += [str(each) for each in scene.log[len(expected) :]]
    if expected != actual:
        scene.fail("not-as-expected", "the choices are not as expected", entry.key.span,
                   detail=compare_lists(expected, actual))  # fmt: skip


# ------------------------------------------------------------------------------------------------ expressions
def check_values(scene: Scene, stage: Mapping) -> None:
    """Check the values of the expressions under `evaluate`."""
    node, gives, whose = stage.get("evaluate"), stage.get("gives"), stage.get("for")
    if node is None:
        return
    seat: int | None = None
    if isinstance(whose, Scalar):
        seat = scene.words.read_seat(Word(whose.text, whose.span))
        if seat is None:
            return
    if isinstance(node, Mapping):
        for entry in node:
            _check_value(scene, entry.key, entry.value, seat)
    elif isinstance(node, Scalar) and gives is not None:
        _check_value(scene, node, gives, seat)
    else:
        scene.fail("missing-key", "nothing says what this should give", node.span, hint=("add `gives: VALUE`",))


def _check_value(scene: Scene, text: Scalar, expected: Node, seat: int | None) -> None:
    if text.escaped:
        scene.fail("escaped-text", "rule texts may not hold backslash escapes", text.span)
        return
    report = Report()
    query = read_expression(scene.table.rules, text.body, report, seat=seat is not None)
    if scene.merge(report) or query is None:
        return
    value = scene.words.read_value(query.expr.type, expected)
    if value is MISSING:
        return
    position, evaluator = scene.match.position, scene.match.executor.evaluator
    try:
        frame = [seat, *[None] * query.frame]
        actual = evaluator.evaluate(query.expr, position, frame)
    except Fault as fault:
        scene.fail_by_fault(fault, text.span)
        return
    finally:
        spend(1 + evaluator.spent // EVALUATED_IN_STEP)
    sides = [write(scene.words.canonical(query.expr.type, each, position.zones)) for each in (value, actual)]
    if sides[0] != sides[1]:
        row: Row = ("", *sides)  # type: ignore[assignment]  # there are two sides
        scene.fail("not-as-expected", f"`{text.text}` does not give this", expected.span, detail=show_rows([row]))
