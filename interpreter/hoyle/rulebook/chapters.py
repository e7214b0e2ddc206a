"""Generates the chapters of a rulebook, each from one part of a game.

In: a rule file and a language. Out: a `Book`. The author's description of a clause comes first, followed by the
verbalized rule; a clause without a description is only verbalized.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from hoyle.compile import compile_file, declare
from hoyle.dataclass import dataclass
from hoyle.declare.calls import statements_in
from hoyle.declare.declarations import (
    ActionDecl,
    AnyCondition,
    Body,
    Condition,
    ConditionGroup,
    Declarations,
    Line,
    OptionDecl,
    StepDecl,
)
from hoyle.diagnostics.report import Report
from hoyle.document.merging import Document, load_file, put_together
from hoyle.document.nodes import Mapping, Scalar
from hoyle.document.reading import shown_path
from hoyle.ir.nodes import Dimension, Program
from hoyle.rulebook.book import Book, Chapter, Point
from hoyle.rulebook.cards import list_cards
from hoyle.rulebook.differing import tell_differences
from hoyle.rulebook.examples import list_examples
from hoyle.rulebook.speaking import Speech, find_speech, sentence
from hoyle.syntax import ast
from hoyle.syntax.wording import renamed
from hoyle.variants.statements import Line as StatementLine
from hoyle.variants.statements import list_lines
from hoyle.view.locale import Locale, find_language


def write_book(path: Path, report: Report, language: str | None = None) -> Book | None:
    """Generate the rulebook of a game; None after reporting errors of its file."""
    file = load_file(path, report)
    document = put_together(file, report) if file is not None else None
    declared = declare(file, Report()) if file is not None and document is not None else None
    program = compile_file(file, None, report) if file is not None and not report.failed else None
    if file is None or document is None or declared is None or program is None:
        return None
    shown, told = find_language(program, language)
    locale = Locale(program, shown)
    spoken = find_speech(declared, program, Locale(program))  # rules are always verbalized in the file's language
    return replace(Writer(path, document, declared, program, locale, spoken).write(), told=told)


@dataclass(frozen=True, slots=True)
class Writer:
    """Generates the chapters of one game."""

    path: Path
    document: Document
    declared: Declarations
    program: Program
    locale: Locale
    speech: Speech

    def write(self) -> Book:
        chapters = (
            ("book_differs", tell_differences(self.document, self.locale, self.speech)),
            ("book_object", self.tell_object()),
            ("book_cards", list_cards(self.declared, self.program, self.locale)),
            ("book_places", self.tell_places()),
            ("book_deal", self.tell_steps(dealing=True)),
            ("book_play", self.tell_steps(dealing=False)),
            ("book_actions", self.tell_actions()),
            ("book_first", self.tell_choices()),
            ("book_words", self.tell_words()),
            ("book_scoring", self.tell_scores()),
            ("book_end", self.tell_ends()),
            ("book_options", self.tell_options()),
            ("book_rulings", self.tell_rules(ruled=True)),
            ("book_numbered", self.tell_rules(ruled=False)),
        )
        parent = next(iter(self.declared.parents), "")
        return Book(
            self.locale.title,
            self._subtitle(),
            self.locale.language,
            tuple(
                Chapter(self.locale.say(phrase, parent=parent) if parent else self.locale.get_phrase(phrase), points)
                for phrase, found in chapters
                if (points := tuple(found))
            ),
            self.locale.say("book_note", file=shown_path(self.path)),
        )

    def _subtitle(self) -> str:
        booklet = self.document.root.get("rulebook")
        if not isinstance(booklet, Mapping):
            return ""
        said = [node.text for name in ("title", "publisher", "year") if isinstance(node := booklet.get(name), Scalar)]
        return self.locale.say("book_by", booklet=", ".join(said)) if said else ""

    # ---------------------------------------------------------------------------------------------- sentences
    def translate(self, text: str) -> str:
        """Translate a description to the language of the book, falling back to the original."""
        return self.locale.translate(text) or text

    def point(self, line: Line | None, rule: str = "", name: str = "", below: tuple[Point, ...] = ()) -> Point:
        """Make the point of a clause: its description and the verbalized rule."""
        spoken = self.speech.say(rule) if rule else ""
        text = self.translate(line.text) if line is not None and line.text else ""
        cite = tuple(word.id for word in line.cite) if line is not None else ()
        if text:
            return Point(text, name, spoken, cite, below)
        return Point(sentence(spoken) if spoken else "", name, "", cite, below)

    # ---------------------------------------------------------------------------------------------- chapters
    def tell_object(self) -> Iterator[Point]:
        text = self.document.root.get("text")
        if isinstance(text, Scalar):
            yield Point(self.translate(" ".join(text.text.split())))
        usual, allowed = self.declared.usual, self.declared.allowed
        cite = tuple(word.id for word in self.declared.players_line.cite) if self.declared.players_line else ()
        phrase = "book_players" if usual[0] != usual[1] else "book_players_of"
        yield Point(self.locale.say(phrase, low=usual[0], high=usual[1]), cite=cite)
        if allowed != usual:
            yield Point(self.locale.say("book_allowed", low=allowed[0], high=allowed[1]), cite=cite)
        for line in (self.declared.players_line, self.declared.teams_line):
            if line is not None and line.text:
                yield self.point(line)
        if self.declared.winners is not None:
            yield from self._winners()

    def _winners(self) -> Iterator[Point]:
        assert self.declared.winners is not None
        winners = self.declared.winners
        name = self.locale.say("book_winner")
        rule = winners.body.expr.span.text if winners.body.expr is not None else ""
        yield self.point(winners.line, rule, name, tuple(self.tell_body(winners.body)) if not rule else ())

    def tell_places(self) -> Iterator[Point]:
        for zone in self.program.zones:
            decl = self.declared.zones[zone.name]
            name = self.locale.zone(zone.name)
            of = ", ".join(self._owner(dimension) for dimension in zone.of)
            name += f" ({self.locale.say('book_one_each', owner=of)})" if of else ""
            whiles = [
                self.locale.say(
                    "book_shows_while", condition=case.when.text, shown=self.locale.say(f"book_shows_{case.shows}")
                )
                for case in zone.cases
            ]
            shown = " ".join([*whiles, self.locale.say(f"book_shows_{zone.shows}")])
            text = f"{self.translate(decl.line.text)} {shown}" if decl.line.text else shown
            yield Point(text, name, cite=tuple(word.id for word in decl.line.cite))

    def _owner(self, dimension: Dimension) -> str:
        if dimension.kind in ("seat", "team"):
            return self.locale.say(f"book_{dimension.kind}")
        return dimension.name.replace("_", " ") or dimension.kind

    def tell_steps(self, *, dealing: bool) -> Iterator[Point]:
        for step in _in_course(self.declared):
            if any(isinstance(one, ast.Deal) for one in statements_in(step.do)) is dealing:
                yield self.point(step.line, name=_spell(step.name), below=tuple(self.tell_statements(step.do)))

    def tell_statements(self, statements: tuple[ast.Statement, ...]) -> Iterator[Point]:
        """Yield statements as points, those of a block below its header."""
        lines = list_lines(statements)
        at = 0
        while at < len(lines):
            end = at + 1
            while end < len(lines) and lines[end].depth > lines[at].depth:
                end += 1
            yield self._statement_point(lines[at:end])
            at = end

    def _statement_point(self, lines: list[StatementLine]) -> Point:
        first = lines[0]
        below: list[Point] = []
        at = 1
        while at < len(lines):
            end = at + 1
            while end < len(lines) and lines[end].depth > lines[at].depth:
                end += 1
            below.append(self._statement_point(lines[at:end]))
            at = end
        return Point(sentence(self.speech.say(first.text)), cite=first.cite, below=tuple(below))

    def tell_actions(self) -> Iterator[Point]:
        for action in self.declared.actions.values():
            below = tuple(self._tell_action(action))
            yield self.point(action.line, name=self.locale.action(action.name), below=below)

    def _tell_action(self, action: ActionDecl) -> Iterator[Point]:
        for pick in action.picks:
            if pick.pick is not None:
                name = self.speech.say(renamed(pick.name)).removeprefix("the ")
                phrase = "book_choose_of" if pick.pick.kind is None and pick.pick.count is None else "book_choose"
                yield Point(self.locale.say(phrase, name=name, what=self.speech.say(pick.pick.span.text)))
        for phrase, conditions in (
            ("book_possible", action.possible),
            ("book_allowed_if", [each for each in action.allowed if not _forbids(each)]),
            ("book_forbidden", [each for each in action.allowed if _forbids(each)]),
        ):
            if conditions:
                told = tuple(self._tell_condition(each) for each in conditions)
                yield Point(f"{self.locale.say(phrase)}:", below=told)
        if action.do:
            yield Point(f"{self.locale.say('book_does')}:", below=tuple(self.tell_statements(action.do)))

    def _tell_condition(self, condition: AnyCondition) -> Point:
        if isinstance(condition, ConditionGroup):
            below = tuple(self._tell_condition(each) for each in condition.parts)
            return Point(f"{self.locale.say(f'book_{condition.op}')}:", below=below)
        if condition.test is None:
            return Point(self.locale.say("book_never"), cite=tuple(word.id for word in condition.line.cite))
        return self.point(condition.line, condition.test.span.text)

    def tell_choices(self) -> Iterator[Point]:
        for choice in self.declared.choices.values():
            tiers = []
            for tier in choice.tiers:
                rule = f"if {tier.when.span.text}: {tier.offer.span.text}" if tier.when else tier.offer.span.text
                tiers.append(self.point(tier.line, rule))
            yield self.point(choice.line, name=_spell(choice.name), below=tuple(tiers))

    def tell_words(self) -> Iterator[Point]:
        for definition in self.declared.definitions.values():
            if not definition.line.path.startswith("definitions."):
                continue  # rows of score tables are in the chapter on scoring
            body = definition.body
            below = tuple(self.tell_body(body)) if body.expr is None else ()
            rule = body.expr.span.text if body.expr is not None else ""
            head = " ".join(definition.pattern.span.text.split()).strip("\"'")
            yield self.point(definition.line, rule, self.speech.say(head).removeprefix("the "), below)

    def tell_body(self, body: Body) -> Iterator[Point]:
        """Yield the cases, conditions or summands of a definition."""
        if body.condition is not None:
            yield self._tell_condition(body.condition)
        for case in body.cases:
            value = case.value.span.text
            rule = f"{value} if {case.when.span.text}" if case.when is not None else f"{value} otherwise"
            yield self.point(case.line, rule)
        if body.each is not None and body.expr is None:
            yield Point(sentence(self.speech.say(body.each.span.text)))

    def tell_scores(self) -> Iterator[Point]:
        for table in self.declared.scores.values():
            rows = []
            for row in table.rows:
                body = self.declared.definitions[f"{table.name}.{row.name}"].body
                if body.each is not None and body.expr is not None:
                    rule = f"{body.expr.span.text} for each {body.each.span.text}"
                else:
                    rule = body.expr.span.text if body.expr is not None else ""
                below = tuple(self.tell_body(body)) if not rule else ()
                rows.append(self.point(row.line, rule, self.locale.message(row.label), below))
            yield self.point(table.line, name=_spell(table.name), below=tuple(rows))
        scored = [
            Point(sentence(self.speech.say(" ".join(one.span.text.split()))), cite=tuple(word.id for word in one.cite))
            for unit in self.declared.units()
            for one in statements_in(unit.do)
            if isinstance(one, ast.Score | ast.Pay)
        ]
        yield from dict.fromkeys(scored)
        examples = tuple(list_examples(self.path, self.declared, self.locale, self.speech))
        if examples:
            yield Point("", self.locale.say("book_examples"), below=examples)

    def tell_ends(self) -> Iterator[Point]:
        for end in self.declared.ends:
            name = self.locale.say("book_ends_when", step=_spell(renamed(end.step)))
            yield self.point(end.line, end.when.span.text, name)
        if self.declared.winners is not None:
            yield from self._winners()

    def tell_options(self) -> Iterator[Point]:
        for option in self.declared.options.values():
            name = f"{option.name.replace('_', ' ')} ({self.locale.say('book_default', value=_default(option))})"
            text = self._say_option(option, "text", option.line.text) + self._say_range(option)
            values = [
                Point(self._say_option(option, value, said), value.replace("_", " "))
                for value, said in zip(option.values, option.sentences, strict=True)
            ]
            cite = tuple(word.id for word in option.line.cite)
            yield Point(text, name, cite=cite, below=tuple(values))

    def _say_option(self, option: OptionDecl, name: str, said: str) -> str:
        labels = self.declared.labels.get(self.locale.language)
        known = labels.options.get(option.name) if labels is not None else None
        return known[0][name][0] if known is not None and name in known[0] else said

    def _say_range(self, option: OptionDecl) -> str:
        if option.kind == "enum":
            return ""
        if option.kind == "truth":
            return self.locale.say("yes_or_no").replace("    ", " ")
        phrase = "bounds_or_none" if option.or_none else "bounds"
        return self.locale.say(phrase, low=option.low, high=option.high).replace("    ", " ")

    def tell_rules(self, *, ruled: bool) -> Iterator[Point]:
        """Yield the numbered rules: either the rulings or all others, with their places in the rulebook."""
        for rule in self.declared.rules.values():
            if (rule.status == "ruling") is ruled:
                place = f" ({rule.place}; {self.locale.say(f'book_{rule.status}')})" if rule.place else ""
                yield Point(self.locale.message(rule.text) + place, rule.id)


def _default(option: OptionDecl) -> str:
    return " ".join(option.default.span.text.split()).replace("_", " ")


def _spell(name: str) -> str:
    text = name.replace(".", ": ").replace("_", " ")
    return text[0].upper() + text[1:]


def _forbids(condition: AnyCondition) -> bool:
    while isinstance(condition, ConditionGroup):
        condition = condition.parts[0]
    assert isinstance(condition, Condition)
    return condition.negated


def _in_course(declared: Declarations) -> list[StepDecl]:
    """List the steps in the order in which play reaches them, then unreachable ones."""
    found: dict[str, None] = {}

    def visit(name: str) -> None:
        step = declared.steps.get(name)
        if step is None or name in found:
            return
        found[name] = None
        for one in statements_in(step.do):
            if isinstance(one, ast.Do):
                visit(renamed(one.step))

    visit("match")
    order = (*found, *(each for each in declared.steps if each not in found))
    return [declared.steps[name] for name in order if not declared.steps[name].is_action]

