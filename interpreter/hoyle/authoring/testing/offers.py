"""Checks the legal actions: `legal`, `offers` and `illegal` of an example.

In: a scene and the nodes. Out: failed expectations, reported with expected and actual actions.
"""

from __future__ import annotations

from hoyle.authoring.testing.action_texts import check_text, expand_any, find_meant, list_choices, tell_where_offered
from hoyle.authoring.testing.comparing import Row, show_rows
from hoyle.authoring.testing.scenes import Scene
from hoyle.base.diagnostics.report import did_you_mean
from hoyle.base.source import Span
from hoyle.language.document.nodes import Entry, Mapping, Scalar, Sequence
from hoyle.play.engine.game import Decision
from hoyle.play.engine.refusals import Refusal


def check_offers(scene: Scene, holder: Mapping) -> None:
    """Check what the example says about legal and illegal actions."""
    entries = [entry for key in ("legal", "offers", "illegal") if (entry := holder.entry(key)) is not None]
    if not entries:
        return
    decision = scene.match.decision
    if decision is None:
        scene.fail("not-as-expected", "nobody is to choose; the match is over", entries[0].key.span)
        return
    for entry in entries:
        if entry.name == "illegal":
            _check_illegal(scene, entry, decision)
        else:
            _check_legal(scene, entry, decision, exactly=entry.name == "legal")


def _read_texts(entry: Entry) -> list[tuple[str, Span]]:
    node = entry.value
    items: list[Scalar] = []
    if isinstance(node, Mapping):
        items = [each.key for each in node]
    elif isinstance(node, Sequence):
        items = [item for item in node if isinstance(item, Scalar)]
    return [(" ".join(item.text.split()), item.span) for item in items]


def _check_legal(scene: Scene, entry: Entry, decision: Decision, exactly: bool) -> None:
    program = scene.game.program
    rows: list[Row] = []
    covered: set[str] = set()
    missing: Span | None = None
    texts = _read_texts(entry)
    known = [check_text(scene.words, text, span) for text, span in texts]
    if not all(known):
        return
    for text, span in texts:
        meant = find_meant(program, decision.actions, text)
        covered.update(action.text for action in meant)
        if not meant:
            missing = missing or span
            rows.append(("-", text, ""))
        else:
            first, *others = [action.text for action in meant]
            rows.append(("", text, first))
            rows += [("", "", other) for other in others]
    extra = [action.text for action in decision.actions if action.text not in covered] if exactly else []
    rows += [("+", "", text) for text in extra]
    if missing is not None or extra:
        said = "what seat {} may do is not what is said" if exactly else "seat {} is not offered this"
        hint = next((found for _, text, _ in rows if text and (found := tell_where_offered(scene, text))), ())
        scene.fail("not-as-expected", said.format(decision.seat), missing or entry.key.span, detail=show_rows(rows),
                   hint=hint)  # fmt: skip


def _check_illegal(scene: Scene, entry: Entry, decision: Decision) -> None:
    clauses = {each.name: each.value for each in entry.value} if isinstance(entry.value, Mapping) else {}
    for text, span in _read_texts(entry):
        if not check_text(scene.words, text, span):
            continue
        clause = next((node for name, node in clauses.items() if " ".join(name.split()) == text), None)
        wanted = clause if isinstance(clause, Scalar) else None
        if wanted is not None and not _know_clause(scene, wanted):
            continue
        if find_meant(scene.game.program, decision.actions, text):
            scene.fail("not-as-expected", f"seat {decision.seat} may `{text}`", span, "said to be illegal",
                       detail=list_choices(decision.actions))  # fmt: skip
            continue
        for each in expand_any(scene.game.program, text):
            refusal = scene.match.explain(each)
            if wanted is not None and not refusal.path:  # a bare `play`, of which no form is legal, has no clause
                scene.fail("bad-action", refusal.text, span)
            elif wanted is not None and not _is_meant(refusal.path, wanted.text):
                _fail_clause(scene, each, refusal, wanted)


def _know_clause(scene: Scene, node: Scalar) -> bool:
    paths = dict.fromkeys(clause.path for clause in scene.game.program.clauses)
    if any(_is_meant(path, node.text) for path in paths):
        return True
    scene.fail("unknown-clause", f"the game has no clause `{node.text}`", node.span,
               hint=did_you_mean(node.text, paths))  # fmt: skip
    return False


def _is_meant(path: str, said: str) -> bool:
    """Whether a text is the path of a clause, or the beginning or end of that path."""
    return path == said or path.startswith(said + ".") or path.endswith("." + said)


def _fail_clause(scene: Scene, text: str, refusal: Refusal, wanted: Scalar) -> None:
    rows = show_rows([("", wanted.text, refusal.path)])
    scene.fail("not-as-expected", f"`{text}` is refused by another clause", wanted.span, detail=f"{rows}\n\n{refusal}",
               hint=tell_where_offered(scene, text))  # fmt: skip
