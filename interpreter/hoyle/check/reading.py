"""From the merged document to declarations: every rule text is parsed here, and nowhere else.

In: a `Document`. Out: `Declarations`, with what could not be read reported and left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from hoyle.check.calls import blocks_of
from hoyle.check.declarations import (
    ActionDecl,
    AnyCondition,
    Body,
    Case,
    ChoiceDecl,
    Condition,
    ConditionGroup,
    Declarations,
    DefinitionDecl,
    EndDecl,
    Line,
    PickDecl,
    StateDecl,
    StepDecl,
    TierDecl,
    ZoneDecl,
)
from hoyle.check.kinds import read_kind
from hoyle.check.labels import read_labels
from hoyle.check.pots import read_pot
from hoyle.check.reading_parts import read_deck, read_option, read_players, read_rules
from hoyle.check.reading_scores import read_scores, read_takes
from hoyle.diagnostics.report import Label, Report, did_you_mean
from hoyle.document.merging import Document
from hoyle.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from hoyle.source import Span
from hoyle.syntax import ast
from hoyle.syntax.parse import Start, parse

MOST_ENTRIES = 1_000
DEEPEST_BLOCKS = 20
NOT_CONDITIONS = {"text", "cite", "after", "before"}


class Reader:
    """Reads sections one after the other; knows the relations, which must be known before any text is parsed."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.relations: frozenset[str] = frozenset()
        self.cited: list[ast.Word] = []

    # -------------------------------------------------------------------------------------------- texts
    def parse(self, start: Start, node: Node) -> Any | None:
        """The AST of a scalar's rule text."""
        if not isinstance(node, Scalar):
            self.report.error("wrong-kind", "a rule is written as a text here", node.span, "expected a text")
            return None
        if node.escaped:
            self.report.error(
                "escaped-text",
                "rule texts may not hold backslash escapes",
                node.span,
                hint="write the text plainly, in single quotes or as a `|` block",
            )
            return None
        lines = node.style in ("literal", "folded")
        found = parse(start, node.body, self.report, relations=self.relations, lines=lines)
        return None if start == "steps" and found is not None and self._is_too_deep(found) else found

    def _is_too_deep(self, statements: tuple[ast.Statement, ...]) -> bool:
        """Report statements inside statements beyond what anybody can follow."""
        inner = list(statements)
        for _ in range(DEEPEST_BLOCKS):
            inner = [one for outer in inner for block in blocks_of(outer) for one in block]
        if inner:
            span = inner[0].span
            self.report.error(
                "too-deep",
                f"statements are nested more than {DEEPEST_BLOCKS} deep",
                Span(span.source, span.start, span.start + len(span.text.split("\n", 1)[0].rstrip())),
                hint="give what is inside a name under `steps:`, and `do` it",
            )
        return bool(inner)

    def expr(self, node: Node) -> ast.Expr | None:
        found: ast.Expr | None = self.parse("expr", node)
        return found

    def line(self, path: str, key: Scalar, value: Node | None) -> Line:
        """The clause at a key: its own `text` and `cite` if it is written as a mapping."""
        text = ""
        cite: tuple[ast.Word, ...] = ()
        if isinstance(value, Mapping):
            said = value.get("text")
            text = said.text if isinstance(said, Scalar) else ""
            cite = self.cite(value.get("cite"))
        return Line(path, key.span, text, cite)

    def cite(self, node: Node | None) -> tuple[ast.Word, ...]:
        nodes = node.items if isinstance(node, Sequence) else (node,) if node is not None else ()
        words = tuple(ast.Word(n.text, n.span) for n in nodes if isinstance(n, Scalar))
        self.cited.extend(words)
        return words

    def one_of(self, node: Node | None, what: str, words: tuple[str, ...]) -> str:
        """One of a few words; the first unless something is written."""
        if node is None:
            return words[0]
        text = node.text if isinstance(node, Scalar) else ""
        if text in words:
            return text
        listed = ", ".join(f"`{word}`" for word in words[:-1])
        wanted = f"{listed} or `{words[-1]}`" if listed else f"`{words[0]}`"
        self.report.error(
            "bad-value",
            f"`{what}` must be {wanted}, not `{text[:60]}`",
            node.span,
            hint=did_you_mean(text, words) or f"write {wanted}",
        )
        return words[0]

    def is_quiet(self, node: Mapping) -> bool:
        """Whether it is not worth a line to players: `quiet: true`."""
        return self.one_of(node.get("quiet"), "quiet", ("false", "true")) == "true"

    def owned(self, node: Node) -> bool:
        """Whether a clause is about a seat: `of: seat`."""
        whose = node.get("of") if isinstance(node, Mapping) else None
        if whose is not None:
            self.one_of(whose, "of", ("seat",))
        return whose is not None

    def owner(self, node: Mapping, kinds: Iterable[str]) -> str:
        """What there is one for each of: `of: seat`, or a kind; nothing for what there is one of."""
        whose = node.get("of")
        return "" if whose is None else self.one_of(whose, "of", ("seat", *kinds))

    # -------------------------------------------------------------------------------------------- conditions
    def conditions(self, path: str, key: Scalar, node: Node, *, negated: bool = False) -> tuple[AnyCondition, ...]:
        """`possible:`, `allowed:`, `forbidden:`: a text, `never`, named conditions, or `any:` / `all:` of them."""
        if isinstance(node, Mapping) and not {"is"} & set(node.keys()):
            return tuple(self._members(path, node, negated=negated))
        found = self._condition(path, key, node, negated=negated)
        return (found,) if found else ()

    def _members(self, path: str, node: Mapping, *, negated: bool) -> Iterator[AnyCondition]:
        for entry in node.entries:
            name = entry.key.text
            if name in NOT_CONDITIONS:
                continue
            if name in ("any", "all"):
                op: Literal["any", "all"] = "any" if name == "any" else "all"
                if isinstance(entry.value, Mapping):
                    parts = tuple(self._members(path, entry.value, negated=False))
                    if negated:
                        self.report.error(
                            "forbidden-group",
                            f"`forbidden` already means that any of its lines forbids; `{name}:` cannot stand under it",
                            entry.key.span,
                            hint="write the lines directly under `forbidden:`, or join them with `and`",
                        )
                    yield ConditionGroup(op, Line(path, entry.key.span), parts)
                continue
            found = self._condition(f"{path}.{name}", entry.key, entry.value, negated=negated)
            if found:
                yield found

    def _condition(self, path: str, key: Scalar, node: Node, *, negated: bool) -> Condition | None:
        line = self.line(path, key, node)
        body = node.get("is") if isinstance(node, Mapping) else node
        if body is None:
            return None
        if isinstance(body, Scalar) and body.text.strip() == "never":
            return Condition(line, None, negated)
        test = self.expr(body)
        if isinstance(body, Scalar) and body.value is True:
            self.report.error("always-true", "this condition always holds", body.span, hint="leave it out")
        return Condition(line, test, negated) if test is not None else None

    # -------------------------------------------------------------------------------------------- definitions
    def body(self, path: str, key: Scalar, node: Node) -> Body | None:
        if isinstance(node, Scalar):
            expr = self.expr(node)
            return Body(expr=expr) if expr is not None else None
        if not isinstance(node, Mapping):
            return None
        form = next((name for name in ("is", "cases", "any", "all") if node.get(name) is not None), "")
        inner = node.get(form)
        if inner is None:
            return None  # reported as a missing key when the file was put together
        if form == "is":
            expr = self.expr(inner)
            return Body(expr=expr) if expr is not None else None
        if not isinstance(inner, Mapping):
            return None
        if form == "cases":
            cases = tuple(self._cases(path, inner))
            return Body(cases=cases) if cases else None
        op: Literal["any", "all"] = "any" if form == "any" else "all"
        group = ConditionGroup(op, Line(path, key.span), tuple(self._members(path, inner, negated=False)))
        return Body(condition=group) if group.parts else None

    def _cases(self, path: str, node: Mapping) -> Iterator[Case]:
        for i, entry in enumerate(node.entries):
            last = i == len(node.entries) - 1
            line = self.line(f"{path}.{entry.key.text}", entry.key, entry.value)
            if isinstance(entry.value, Scalar):
                when_node, value_node = None, entry.value
            elif isinstance(entry.value, Mapping):
                when_node, value_node = entry.value.get("when"), entry.value.get("value")  # type: ignore[assignment]
            else:
                continue
            if value_node is None:
                self.report.error("missing-key", f"the case `{entry.key.text}` has no `value:`", entry.key.span)
                continue
            if (when_node is None) != last:
                self.report.error(
                    "case-order",
                    "the last case has no `when:`, all others have one"
                    if last
                    else f"the case `{entry.key.text}` has no `when:`, so the cases below it are never reached",
                    entry.key.span,
                    hint="the last case says what holds otherwise: give it a `value:` alone",
                )
            when = self.expr(when_node) if when_node is not None else None
            value = self.expr(value_node)
            if value is not None and (when is not None or when_node is None):
                yield Case(line, when, value)

    def pattern(self, key: Scalar) -> ast.Pattern | None:
        """The key of a definition or step; its name is put through the renames of the module it stands in."""
        span = key.span
        if span.text[:1] in "'\"":
            span = Span(span.source, span.start + 1, span.end - 1)
        words = span.text.split()
        relations = frozenset(words[1:2]) if len(words) == 3 and words[1] not in ("of", "is") else frozenset()
        found: ast.Pattern | None = parse("pattern", span, self.report, relations=relations)
        return found


def read_declarations(document: Document, report: Report) -> Declarations:
    """All sections of a document, parsed."""
    root = document.root
    reader = Reader(report)
    _check_sizes(root, report)
    reader.relations = _relations(root)
    declared = Declarations()
    named = root.entry("game") or root.entry("module")
    if named is not None and isinstance(named.value, Scalar):
        declared.name = named.value.text
        declared.line = Line("game", named.value.span)
    title = root.get("title")
    declared.title = title.text if isinstance(title, Scalar) else declared.name
    read_labels(reader, root, declared)
    read_players(reader, root.entry("players"), declared)
    teams = root.entry("teams")
    if teams is not None and isinstance(teams.value, Mapping):
        reader.line("teams", teams.key, teams.value)
        size, condition = teams.value.get("size"), teams.value.get("if")
        declared.team_size = reader.expr(size) if size is not None else None
        declared.teams_if = reader.expr(condition) if condition is not None else None
    errors = root.entry("errors")
    if errors is not None:
        reader.line("errors", errors.key, errors.value)
        said = errors.value.get("is") if isinstance(errors.value, Mapping) else errors.value
        declared.errors = reader.expr(said) if said is not None else None
    for entry in _entries(root, "options"):
        option = read_option(reader, entry)
        if option:
            declared.options[option.name] = option
    declared.deck = read_deck(reader, root.entry("deck"))
    for entry in _entries(root, "zones"):
        _read_zone(reader, entry, declared)
    ledger = root.entry("ledger")
    if ledger is not None and isinstance(ledger.value, Mapping):
        reader.line("ledger", ledger.key, ledger.value)
        most = ledger.value.get("at_most")
        declared.most = reader.expr(most) if most is not None else None
        track = ledger.value.get("track")
        declared.track = reader.expr(track) if track is not None else None
        declared.columns = _labels(ledger.value.get("columns"))
        declared.marks = _labels(ledger.value.get("marks"))
        struck, standing = ledger.value.get("struck"), ledger.value.get("standing")
        declared.struck = reader.expr(struck) if struck is not None else None
        declared.standing = reader.expr(standing) if standing is not None else None
        totals = ledger.value.get("totals")
        for entry in totals.entries if isinstance(totals, Mapping) else ():
            total = reader.expr(entry.value)
            if total is not None:
                declared.column_totals[entry.key.text] = (entry.key.span, total)
    for entry in _entries(root, "kinds"):
        read_kind(reader, entry, declared)
    for entry in _entries(root, "state"):
        _read_state(reader, entry, declared)
    for entry in _entries(root, "pots"):
        read_pot(reader, entry, declared)
    for entry in _entries(root, "definitions"):
        definition = _read_definition(reader, entry, "definitions")
        if definition:
            _keep(declared.definitions, definition.name, definition, reader)
    for entry in _entries(root, "scores"):
        read_scores(reader, entry, declared)
    for entry in _entries(root, "actions"):
        _read_action(reader, entry, declared)
    for entry in _entries(root, "choices"):
        _read_choice(reader, entry, declared)
    for entry in _entries(root, "ends"):
        _read_ends(reader, entry, declared)
    for entry in _entries(root, "steps"):
        _read_step(reader, entry, declared)
    winners = root.entry("winners")
    if winners is not None:
        line = reader.line("winners", winners.key, winners.value)
        body = reader.body("winners", winners.key, winners.value)
        if body:
            word = ast.Word("winners", winners.key.span)
            pattern = ast.Pattern("plain", word, (), winners.key.span)
            declared.winners = DefinitionDecl("winners", line, pattern, False, {}, body)
    for entry in _entries(root, "needs"):
        pattern_found = reader.pattern(entry.key)
        if pattern_found:
            declared.needs[_renamed(pattern_found.name)] = Line(f"needs.{entry.key.text}", entry.key.span)
    for entry in _entries(root, "rulings"):
        reader.cited.append(ast.Word(entry.key.text, entry.key.span))
    read_rules(document.rules, declared, report)
    declared.cited = reader.cited
    return declared


def _entries(root: Mapping, section: str) -> tuple[Entry, ...]:
    node = root.get(section)
    return node.entries[:MOST_ENTRIES] if isinstance(node, Mapping) else ()


def _check_sizes(root: Mapping, report: Report) -> None:
    """A section longer than any game needs would take its time; what is beyond the limit is not read."""
    for section in root:
        if isinstance(section.value, Mapping) and len(section.value.entries) > MOST_ENTRIES:
            report.error(
                "too-many-values",
                f"`{section.name}` has {len(section.value.entries):,} entries; at most {MOST_ENTRIES:,} are read",
                section.value.entries[MOST_ENTRIES].key.span,
                "the first that is too many",
                hint="look for what was written out by mistake",
            )


def _labels(node: Node | None) -> dict[str, str]:
    """Names with what is shown for them."""
    if not isinstance(node, Mapping):
        return {}
    return {e.key.text: e.value.text for e in node.entries if isinstance(e.value, Scalar)}


def _renamed(word: ast.Word) -> str:
    return word.span.source.renames.get(word.id, word.id)


def _keep(into: dict[str, Any], name: str, value: Any, reader: Reader) -> None:
    """Two keys may be different texts and yet declare one name (`fits of card`, `card fits pile`)."""
    if name in into:
        reader.report.error(
            "declared-twice",
            f"`{name}` is declared twice",
            value.line.span,
            "again here",
            others=(Label(into[name].line.span, "first here"),),
            hint="rename one of them",
        )
    else:
        into[name] = value


def _relations(root: Mapping) -> frozenset[str]:
    """The relations (`card fits pile`), found in the keys before anything is parsed."""
    found = set()
    for entry in _entries(root, "definitions") + _entries(root, "needs"):  # score tables are never relations
        words = entry.key.span.text.strip("'\"").split()
        if len(words) == 3 and words[1] not in ("of", "is"):
            found.add(words[1])
    return frozenset(found)


def _read_zone(reader: Reader, entry: Entry, declared: Declarations) -> None:
    line = reader.line(f"zones.{entry.key.text}", entry.key, entry.value)
    node = entry.value
    shows: ast.Expr | None = ast.Name(id="nothing", span=entry.key.span)
    owned = quiet = remembered = False
    many: ast.Expr | None = None
    if isinstance(node, Mapping):
        said = node.get("shows")
        if said is None:
            reader.report.error(
                "who-sees",
                f"the zone `{entry.key.text}` does not say who sees its cards",
                entry.key.span,
                hint="add `shows: nothing`, `owner`, `last_holder`, `top_card` or `all`",
            )
        else:
            shows = reader.expr(said)
        owned = reader.owned(node)
        quiet = reader.is_quiet(node)
        number = node.get("many")
        many = reader.expr(number) if number is not None else None
        remembered = reader.one_of(node.get("remembered"), "remembered", ("nothing", "all")) == "all"
    if shows is not None:
        declared.zones[entry.key.text] = ZoneDecl(entry.key.text, line, owned, shows, quiet, many, remembered)


def _read_state(reader: Reader, entry: Entry, declared: Declarations) -> None:
    line = reader.line(f"state.{entry.key.text}", entry.key, entry.value)
    node = entry.value
    name = entry.key.text
    if isinstance(node, Scalar):
        declared.states[name] = StateDecl(name, line, "", node.body, None, "all", "round")
        return
    if not isinstance(node, Mapping):
        return
    kind, start, shows, lasts = node.get("type"), node.get("start"), node.get("shows"), node.get("lasts")
    if not isinstance(kind, Scalar):
        reader.report.error("missing-key", f"the state `{name}` has no `type:`", entry.key.span)
        return
    declared.states[name] = StateDecl(
        name,
        line,
        reader.owner(node, declared.kinds),
        kind.body,
        reader.expr(start) if start is not None else None,
        reader.one_of(shows, "shows", ("all", "owner", "nothing")),
        "match" if reader.one_of(lasts, "lasts", ("round", "match")) == "match" else "round",
        shows.span if shows is not None else None,
        reader.is_quiet(node),
    )


def _read_definition(reader: Reader, entry: Entry, section: str) -> DefinitionDecl | None:
    pattern = reader.pattern(entry.key)
    if pattern is None:
        return None
    name = _renamed(pattern.name)
    path = f"{section}.{name}"
    line = reader.line(path, entry.key, entry.value)
    body = reader.body(path, entry.key, entry.value)
    if body is None:
        return None
    return DefinitionDecl(
        name,
        line,
        pattern,
        reader.owned(entry.value),
        read_takes(entry.value) if isinstance(entry.value, Mapping) else {},
        body,
    )


def _read_action(reader: Reader, entry: Entry, declared: Declarations) -> None:
    node, name = entry.value, entry.key.text
    path = f"actions.{name}"
    line = reader.line(path, entry.key, node)
    if not isinstance(node, Mapping):
        return
    picks = []
    chosen = node.get("choose")
    if isinstance(chosen, Mapping):
        for one in chosen.entries:
            pick = reader.parse("pick", one.value)
            if pick is not None:
                word = ast.Word(one.key.text, one.key.span)
                picks.append(
                    PickDecl(word, Line(f"{path}.choose.{one.key.text}", one.key.span, line.text, line.cite), pick)
                )
    conditions: dict[str, tuple[AnyCondition, ...]] = {}
    for section in ("possible", "allowed", "forbidden"):
        found = node.entry(section)
        if found is not None:
            negated = section == "forbidden"
            conditions[section] = reader.conditions(f"{path}.{section}", found.key, found.value, negated=negated)
    do = node.get("do")
    statements = reader.parse("steps", do) if do is not None else ()
    declared.actions[name] = ActionDecl(
        name,
        line,
        tuple(picks),
        conditions.get("possible", ()),
        conditions.get("allowed", ()) + conditions.get("forbidden", ()),
        statements or (),
    )


def _read_choice(reader: Reader, entry: Entry, declared: Declarations) -> None:
    tiers = []
    path = f"choices.{entry.key.text}"
    if isinstance(entry.value, Mapping):
        for one in entry.value.entries:
            if one.key.text in ("text", "cite"):
                continue
            line = reader.line(f"{path}.{one.key.text}", one.key, one.value)
            offer = one.value.get("offer") if isinstance(one.value, Mapping) else one.value
            when = one.value.get("when") if isinstance(one.value, Mapping) else None
            if offer is None:
                reader.report.error(
                    "missing-key",
                    f"the tier `{one.key.text}` offers nothing",
                    one.key.span,
                    hint="add `offer:` with the actions",
                )
                continue
            menu: ast.Menu | None = reader.parse("menu", offer)
            if menu is None:
                continue
            if len(menu.tiers) > 1:
                later = menu.tiers[1][0].action.span
                reader.report.error(
                    "tier-in-tier",
                    "`otherwise` begins another tier; write it as a line of its own",
                    later.to(menu.span),
                    "another tier",
                    hint=f"below this tier: `NAME: {{offer: {' '.join(later.to(menu.span).text.split())}}}`",
                )
            tiers.append(TierDecl(one.key.text, line, reader.expr(when) if when is not None else None, menu))
    line = reader.line(path, entry.key, entry.value)
    declared.choices[entry.key.text] = ChoiceDecl(entry.key.text, line, tuple(tiers))


def _read_ends(reader: Reader, entry: Entry, declared: Declarations) -> None:
    step = ast.Word(entry.key.text, entry.key.span)
    node = entry.value
    found: list[tuple[str, Scalar, Node]] = []
    if isinstance(node, Scalar) or (isinstance(node, Mapping) and node.get("when") is not None):
        found.append((f"ends.{step.id}", entry.key, node))
    elif isinstance(node, Mapping):
        found.extend((f"ends.{step.id}.{e.key.text}", e.key, e.value) for e in node.entries)
    for path, key, value in found:
        when = value.get("when") if isinstance(value, Mapping) else value
        test = reader.expr(when) if when is not None else None
        if test is not None:
            declared.ends.append(EndDecl(step, reader.line(path, key, value), test))


def _read_step(reader: Reader, entry: Entry, declared: Declarations) -> None:
    pattern = reader.pattern(entry.key)
    if pattern is None:
        return
    name = _renamed(pattern.name)
    line = reader.line(f"steps.{name}", entry.key, entry.value)
    if pattern.form not in ("plain", "function"):
        reader.report.error(
            "step-name",
            "a step is called `NAME` or `NAME of SOMETHING`",
            entry.key.span,
            hint="adjectives and relations stand under `definitions:`",
        )
        return
    cases = entry.value.get("cases") if isinstance(entry.value, Mapping) else None
    if isinstance(cases, Mapping):
        statements: tuple[ast.Statement, ...] | None = (_step_cases(reader, line, entry.key, cases),)
    else:
        do = entry.value.get("do") if isinstance(entry.value, Mapping) else entry.value
        statements = reader.parse("steps", do) if do is not None else None
    step = StepDecl(
        name,
        line,
        pattern,
        reader.owned(entry.value),
        read_takes(entry.value) if isinstance(entry.value, Mapping) else {},
        statements or (),
    )
    _keep(declared.steps, name, step, reader)


def _step_cases(reader: Reader, line: Line, key: Scalar, node: Mapping) -> ast.Statement:
    """The cases of a step, as one statement."""
    found = []
    for i, entry in enumerate(node.entries):
        clause = entry.value
        when_node = clause.get("when") if isinstance(clause, Mapping) else None
        do = clause.get("do") if isinstance(clause, Mapping) else clause
        when = reader.expr(when_node) if when_node is not None else None
        said = reader.line(f"{line.path}.{entry.key.text}", entry.key, clause)
        if when_node is None and i < len(node.entries) - 1:
            reader.report.error(
                "case-order",
                f"the case `{entry.key.text}` has no `when:`, so the cases below it are never reached",
                entry.key.span,
                hint="only the last case, which says what is done otherwise, has no `when:`",
            )
        statements = reader.parse("steps", do) if do is not None else None
        word = ast.Word(entry.key.text, entry.key.span)
        found.append(ast.StepCase(word, when, statements or (), said.text, said.cite))
    return ast.Cases(cases=tuple(found), span=key.span)
