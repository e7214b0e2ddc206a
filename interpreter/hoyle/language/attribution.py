"""Blame: errors located in lines of a parent are attributed to the variant that caused them.

In: a file, its diagnostics, and a function that checks a file. Out: the same diagnostics, each at the line of the file
that caused it, with the parent's line as a note; diagnostics with the same cause are merged.

The cause is found by leaving out changes one by one: a change causes an error if the error disappears without it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Diagnostic, Label
from hoyle.base.source import Span
from hoyle.language.document.clauses import declared_name
from hoyle.language.document.files import GameFile
from hoyle.language.document.nodes import Mapping
from hoyle.language.document.variant_changes import Change, list_changes, without_change

Check = Callable[[GameFile], list[Diagnostic]]
Key = tuple[str, str, int]

MOST_TRIALS = 12
MOST_NOTES = 3
_SAY_INSTEAD = "say there what holds if there is none: `… or else …`"
_CLAUSE = re.compile(r"^  (?P<name>\w[^\n:]*):(?P<rest>[^\n]*(?:\n    [^\n]*)*)", re.MULTILINE)


def blame(file: GameFile, found: list[Diagnostic], check: Check) -> list[Diagnostic]:
    """The diagnostics attributed to their causes; `check` gives the diagnostics of another file."""
    errors = [one for one in found if one.severity == "error"]
    own_sources = {file.source, *(used.source for used in file.modules if used.is_own)}
    foreign = [one for one in errors if one.primary is not None and one.primary.span.source not in own_sources]
    if not foreign:
        return found
    rest = [one for one in found if one not in foreign]
    if not file.parents:
        return [*rest, *_blame_uses(file, foreign)]
    inherited = _inherited(file, check)
    if inherited:
        return [*rest, *inherited]
    return [*rest, *_blame_changes(file, foreign, rest, check)]


def key_of(found: Diagnostic) -> Key:
    """A key that identifies a diagnostic across repeated checks of a file."""
    if found.primary is None:
        return found.code, "", -1
    return found.code, found.primary.span.source.name, found.primary.span.start


def _inherited(file: GameFile, check: Check) -> list[Diagnostic]:
    """The errors of the parents themselves, for which a variant is not to blame."""
    found: dict[Key, Diagnostic] = {}
    for parent in file.parents:
        errors = [replace(one, candidates=()) for one in check(parent) if one.severity == "error"]
        for one in blame(parent, errors, check) if errors else ():
            found.setdefault(key_of(one), one)
    return list(found.values())


# ------------------------------------------------------------------------------------------------ changes of a variant
@dataclass(frozen=True, slots=True)
class _Trial:
    """The effect of leaving out a change: the errors that disappear, and the number of new ones."""

    change: Change
    gone: frozenset[Key]
    more: int


def _blame_changes(
    file: GameFile, foreign: list[Diagnostic], rest: list[Diagnostic], check: Check
) -> list[Diagnostic]:
    waiting = {key_of(one): one for one in foreign}
    known = {*waiting, *map(key_of, rest)}
    trials: list[_Trial] = []
    for change in _by_relevance(list_changes(file), foreign)[:MOST_TRIALS]:
        without = {key_of(one) for one in check(without_change(file, change)) if one.severity == "error"}
        trials.append(_Trial(change, frozenset(waiting.keys() - without), len(without - known)))
        if trials[-1].gone == waiting.keys() and not trials[-1].more:
            break
    told = []
    for trial in sorted(trials, key=lambda one: (one.more, -len(one.gone))):
        gone = [one for key, one in waiting.items() if key in trial.gone]
        if gone:
            told.append(_tell(file, trial.change, gone))
            waiting = {key: one for key, one in waiting.items() if key not in trial.gone}
    if waiting:  # caused by several changes together, or by one that was not tried
        at = file.extends[0]
        told += [_turn(one, Label(at.span, f"as `{file.name}` changes it"), one.message) for one in waiting.values()]
    return told


def _by_relevance(changes: list[Change], errors: list[Diagnostic]) -> list[Change]:
    """The changes, those whose names the errors mention first."""
    words = set(re.findall(r"\w+", " ".join(_said_in(errors))))
    scored = [(sum(word in words for word in re.findall(r"\w+", change.name)), change) for change in changes]
    ranked = sorted(scored, key=lambda pair: (-pair[0], pair[1].verb != "removes"))
    return [change for _, change in ranked]


def _said_in(errors: list[Diagnostic]) -> Iterable[str]:
    for one in errors:
        yield one.message
        for label in (*((one.primary,) if one.primary else ()), *one.others):
            yield label.span.source.line_text(label.span.line)


def _tell(file: GameFile, change: Change, errors: list[Diagnostic]) -> Diagnostic:
    """The errors caused by a change, as one diagnostic."""
    head = errors[0]
    name = change.name.removeprefix("use.") if change.verb == "uses" else change.name
    cause = f"`{file.name}` {change.verb} `{name}`"
    label = Label(change.span, f"{change.verb.removesuffix('s').removesuffix('e')}ed here")
    notes = [one.primary for one in errors if one.primary is not None]
    shown = tuple(Label(note.span, note.text or "which does not agree with this") for note in notes[:MOST_NOTES])
    more = len(notes) - len(shown)
    hints = (f"lines of its parents that do not agree with this, besides those shown: {more}",) if more else ()
    message = f"{cause}: {head.message}"
    return replace(
        head, message=message, primary=label, others=shown, hints=hints, candidates=(), fix=None, suggestions=()
    )


def _turn(found: Diagnostic, primary: Label, message: str) -> Diagnostic:
    """A diagnostic moved to another location; the original one becomes a note."""
    assert found.primary is not None
    notes = (found.primary, *found.others)
    return replace(found, message=message, primary=primary, others=notes, candidates=(), fix=None, suggestions=())


# ------------------------------------------------------------------------------------------------ modules of a game
def _blame_uses(file: GameFile, foreign: list[Diagnostic]) -> list[Diagnostic]:
    """Errors in lines of a module, attributed to the clause of the game that does not fit the module. Errors caused by
    the same clause are merged."""
    told: list[Diagnostic] = []
    by_clause: dict[Span, int] = {}
    for one in foreign:
        assert one.primary is not None
        source = one.primary.span.source
        clause = _read_last(file, one.trail) or _said_for(file, one.primary)
        place = clause or next((used.use for used in file.modules if used.source is source), None)
        if clause is not None and clause in by_clause:
            told[by_clause[clause]] = _with_note(told[by_clause[clause]], one.primary)
        elif place is None:
            told.append(one)
        else:
            if clause is not None:
                by_clause[clause] = len(told)
            turned = _turn(one, Label(place, "the module does not agree with this"), one.message)
            at_clause = clause is not None and one.code == "may-be-none"
            told.append(replace(turned, hints=(_SAY_INSTEAD,)) if at_clause else turned)
    return told


def _with_note(found: Diagnostic, note: Label) -> Diagnostic:
    enough = sum(label.text == note.text for label in found.others) >= MOST_NOTES
    return found if enough else replace(found, others=(*found.others, note))


def _read_last(file: GameFile, trail: tuple[str, ...]) -> Span | None:
    """The last definition through which a line of a module reads something, if the game declares it."""
    entries = file.root.get("definitions")
    for entry in entries if isinstance(entries, Mapping) else ():
        if declared_name(entry.name) in trail[-1:]:
            return entry.key.span
    return None


def _said_for(file: GameFile, place: Label) -> Span | None:
    """A declaration of the game for a module, if the line of the module mentions it."""
    source = place.span.source
    words = re.findall(r"\w+", source.line_text(place.span.line))
    names = dict.fromkeys(source.renames.get(word, word) for word in words)
    for clause in _CLAUSE.finditer(source.text):  # also through definitions of the module that the line uses
        if declared_name(clause["name"]) in words:
            names |= dict.fromkeys(source.renames.get(word, word) for word in re.findall(r"\w+", clause["rest"]))
    for section in ("definitions", "steps", "state", "zones", "options"):
        entries = file.root.get(section)
        for entry in entries if isinstance(entries, Mapping) else ():
            if declared_name(entry.name) in names:
                return entry.key.span
    return None
