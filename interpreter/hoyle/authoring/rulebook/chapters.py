"""Generates the chapters of a rulebook, each from one part of a game.

In: a rule file and a language. Out: a `Book`. A clause is told by the author's text; one without a text is said from
its rule, as the options stand. With `exact`, the rule follows the text as it is written in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from hoyle.authoring.rulebook.book import Book, Chapter, Point
from hoyle.authoring.rulebook.cards import list_cards
from hoyle.authoring.rulebook.course import Course
from hoyle.authoring.rulebook.differing import list_changed_options, tell_differences
from hoyle.authoring.rulebook.english import in_words, sentence
from hoyle.authoring.rulebook.examples import list_examples
from hoyle.authoring.rulebook.in_force import keep_in_force, list_cites, settle_table
from hoyle.authoring.rulebook.phrasing import Phrasing
from hoyle.authoring.rulebook.reached import is_of_module, list_steps
from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.render import shown_path
from hoyle.base.diagnostics.report import Report
from hoyle.base.shipped import module_folder
from hoyle.language.compile import compile_file, declare
from hoyle.language.declare.calls import statements_in
from hoyle.language.declare.declarations import (
    ActionDecl,
    AnyCondition,
    Body,
    ConditionGroup,
    Declarations,
    DefinitionDecl,
    Line,
    OptionDecl,
)
from hoyle.language.declare.usage import names_in
from hoyle.language.document.merging import Document, load_file, put_together
from hoyle.language.document.nodes import Mapping, Node, Scalar
from hoyle.language.document.reading import read_nodes
from hoyle.language.syntax import ast
from hoyle.language.variants.edited_lines import list_lines
from hoyle.play.view.locale import Locale, find_language
from hoyle.program.ir.nodes import Dimension, Program

# What somebody at a table wants to know first: the goal, a turn, the scoring.
_FIRST_AT_A_TABLE = ("book_object", "book_play", "book_actions", "book_first", "book_scoring", "book_end")


def write_book(
    path: Path, report: Report, language: str | None = None, *, exact: bool = False, text: str | None = None,
    table: Program | None = None,
) -> Book | None:  # fmt: skip
    """Generate the rulebook of a game, or of a text in place of its file; None after reporting errors. With the program
    of a table, it tells only what is in force there."""
    file = load_file(path, report, text=text)
    document = put_together(file, report) if file is not None else None
    declared = declare(file, Report()) if file is not None and document is not None else None
    players, options = (table.players, dict(table.options)) if table is not None else (None, None)
    program = compile_file(file, players, report, options) if file is not None and not report.failed else None
    if file is None or document is None or declared is None or program is None:
        return None
    if table is not None:
        declared = settle_table(declared, program.players, program.options)
    shown, told = find_language(program, language)
    phrasing = Phrasing(declared, program, Locale(program))  # rules are always said in the file's language
    in_force = lasting = declared if exact else keep_in_force(declared, declared.options)
    if table is None:
        own = {name: declared.options[name] for name in list_changed_options(document)}
        lasting = keep_in_force(declared, own) if declared.parents and not exact else declared
    locale, general = Locale(program, shown), table is None
    writer = Writer(path, document, in_force, lasting, declared, program, locale, phrasing, exact, general)
    return replace(writer.write(), told=told)


@dataclass(frozen=True, slots=True)
class Writer:
    """Generates the chapters of one game. `declared` is what is in force as the options stand; `lasting` what remains
    of a variant, whatever is set besides, with the options that it sets; `whole` is all of the game. A book that is not
    `general` is about one table."""

    path: Path
    document: Document
    declared: Declarations
    lasting: Declarations
    whole: Declarations
    program: Program
    locale: Locale
    phrasing: Phrasing
    exact: bool
    general: bool

    def write(self) -> Book:
        chapters = (
            ("book_differs", tell_differences(self.document, self.locale, self.phrasing) if self.general else ()),
            ("book_object", self.tell_object()),
            ("book_cards", list_cards(self.whole, self.program, self.locale)),
            ("book_places", self.tell_places()),
            ("book_deal", self.tell_steps(dealing=True)),
            ("book_play", self.tell_steps(dealing=False)),
            ("book_actions", self.tell_actions()),
            ("book_first", self.tell_choices()),
            ("book_words", self.tell_words()),
            ("book_scoring", self.tell_scores()),
            ("book_end", self.tell_ends()),
            ("book_options", self.tell_options() if self.general else ()),
            ("book_rulings", self.tell_rules(ruled=True)),
            ("book_numbered", self.tell_rules(ruled=False)),
        )
        ordered = sorted(chapters, key=lambda chapter: not self.general and chapter[0] not in _FIRST_AT_A_TABLE)
        parent = next(iter(self.declared.parents), "")
        return Book(
            self.locale.title,
            self._subtitle(),
            self.locale.language,
            tuple(
                Chapter(self.locale.say(phrase, parent=parent) if parent else self.locale.get_phrase(phrase), points)
                for phrase, told in ordered
                if (points := tuple(told))
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
        return _spell_options(self.locale.translate(text) or text)

    def call(self, name: str) -> str:
        """Translate the name of a part of the game, as the book spells it."""
        return self.locale.translate(name) or name

    def point(self, line: Line | None, said: str = "", name: str = "", below: tuple[Point, ...] = (), *,
              rule: ast.Expr | ast.Menu | None = None) -> Point:  # fmt: skip
        """Make the point of a clause: its description, or else what its rule says."""
        text = self.translate(line.text) if line is not None and line.text else sentence(said)
        cite = tuple(word.id for word in line.cite) if line is not None else ()
        written = " ".join(rule.span.text.split()) if self.exact and rule is not None else ""
        return Point(text, name, written, cite, below)

    # ---------------------------------------------------------------------------------------------- chapters
    def tell_object(self) -> Iterator[Point]:
        yield from (Point(self.translate(said)) for said in (self.declared.goal, self.declared.about) if said)
        usual, allowed = self.declared.usual, self.declared.allowed
        cite = tuple(word.id for word in self.declared.players_line.cite) if self.declared.players_line else ()
        phrase = "book_players" if usual[0] != usual[1] else "book_player_of" if usual[0] == 1 else "book_players_of"
        yield Point(self.locale.say(phrase, low=usual[0], high=usual[1]), cite=cite)
        if allowed != usual:
            yield Point(self.locale.say("book_allowed", low=allowed[0], high=allowed[1]), cite=cite)
        for line in (self.declared.players_line, self.declared.teams_line):
            if line is not None and line.text:
                yield self.point(line)
        if not self.declared.goal:
            yield from self._winners()

    def _winners(self) -> Iterator[Point]:
        winners = self.declared.winners
        if winners is None:
            return
        rule = winners.body.expr
        said = self.phrasing.unfold(rule) if rule is not None else ""
        below = tuple(self.tell_body(winners.body)) if rule is None else ()
        yield self.point(winners.line, said, self.locale.say("book_winner"), below, rule=rule)

    def tell_places(self) -> Iterator[Point]:
        for zone in self.program.zones:
            decl = self.declared.zones.get(zone.name)
            if decl is None:
                continue  # as the options stand
            name = self.locale.zone(zone.name)
            of = ", ".join(self._owner(dimension) for dimension in zone.of)
            if decl.many is not None:
                name += f" ({self.locale.say('book_several_each' if of else 'book_several', owner=of)})"
            elif of:
                name += f" ({self.locale.say('book_one_each', owner=of)})"
            shown = self._say_shown(decl.shows)
            text = f"{self.translate(decl.line.text)} {shown}" if decl.line.text else shown
            yield Point(text, name, cite=tuple(word.id for word in decl.line.cite))

    def _say_shown(self, shows: ast.Expr) -> str:
        """Say who sees a zone, as the options stand."""
        if isinstance(shows, ast.Choice):
            settled = self.phrasing.settle(shows.test)
            if settled is not None:
                return self._say_shown(shows.yes if settled else shows.no)
            bound = self.phrasing.bind(seat="the player")
            told = {"condition": bound.clause(shows.test), "shown": self._say_shown(shows.yes)}
            return f"{self.locale.say('book_shows_while', **told)} {self._say_shown(shows.no)}"
        return self.locale.say(f"book_shows_{shows.id}") if isinstance(shows, ast.Name) else ""

    def _owner(self, dimension: Dimension) -> str:
        if dimension.kind in ("seat", "team"):
            return self.locale.say(f"book_{dimension.kind}")
        return dimension.name.replace("_", " ") or dimension.kind

    def tell_steps(self, *, dealing: bool) -> Iterator[Point]:
        for step in list_steps(self.declared, told_only=not self.exact):
            if any(isinstance(one, ast.Deal) for one in statements_in(step.do)) is dealing:
                told = tuple(Course(self.phrasing).tell(step.do))
                name = self.call(_spell(step.name.rpartition(".")[2]))
                leads_on = not step.line.text and all(isinstance(one, ast.Do) for one in step.do)
                if not told or (leads_on and not self.exact):
                    continue  # nothing but bookkeeping, or steps that have their own points
                if self.exact:
                    yield self.point(step.line, name=name, below=tuple(self._write_lines(step.do)))
                elif step.line.text or len(told) > 1:
                    cases = [case for one in step.do if isinstance(one, ast.Cases) for case in one.cases]
                    spelt = not step.line.text or any(case.text for case in cases)
                    yield self.point(step.line, name=name, below=told if spelt else ())
                else:
                    yield replace(told[0], name=name)

    def _write_lines(self, statements: tuple[ast.Statement, ...]) -> Iterator[Point]:
        for line in list_lines(statements):
            yield Point("", exact=str(line).rstrip())

    def tell_actions(self) -> Iterator[Point]:
        for action in self.declared.actions.values():
            below = tuple(self._tell_action(action))
            if action.line.text or below:
                yield self.point(action.line, name=self.locale.action(action.name), below=below)

    def _tell_action(self, action: ActionDecl) -> Iterator[Point]:
        for pick in action.picks if not action.line.text else ():
            if pick.pick is not None and pick.pick.source is not None:
                name = in_words(pick.name.name)
                yield Point(self.locale.say("book_choose", name=name, what=self._say_pick(pick.pick)))
        conditions = action.allowed if action.line.text else (*action.possible, *action.allowed)
        yield from (told for each in conditions if (told := self._tell_condition(each)))
        if action.do and not action.line.text:
            yield from Course(self.phrasing).tell(action.do)
        if self.exact:
            yield from self._write_lines(action.do)

    def _say_pick(self, pick: ast.Pick) -> str:
        assert pick.source is not None
        said = self.phrasing.name(pick.source)
        if pick.count is not None:
            said = f"{self.phrasing.name(pick.count)}{' or more' if pick.or_more else ''} of {said}"
        if pick.where is not None and self.phrasing.settle(pick.where) is None:
            said += f", if {self.phrasing.clause(pick.where)}"
        return said

    def _tell_condition(self, condition: AnyCondition, phrase: str = "book_condition") -> Point | None:
        """Say a condition; None for one that options decide."""
        if isinstance(condition, ConditionGroup):
            below = tuple(told for each in condition.parts if (told := self._tell_condition(each, "book_part")))
            line = condition.line
            if len(below) < 2 and not line.text:
                return below[0] if below else None
            head = line.text or f"{self.locale.say(f'book_{condition.op}')}:"
            return Point(head, cite=tuple(word.id for word in line.cite), below=below)
        if condition.test is None:
            return Point(self.locale.say("book_never"), cite=tuple(word.id for word in condition.line.cite))
        if self.phrasing.settle(condition.test) is not None:
            return None
        if is_of_module(condition.line) and (own := self._find_own(condition.test)) is not None:
            return self.point(own.line, rule=condition.test)
        phrase = "book_forbidden" if condition.negated else phrase
        said = self.locale.say(phrase, condition=self.phrasing.clause(condition.test))
        return self.point(condition.line, said, rule=condition.test)

    def tell_choices(self) -> Iterator[Point]:
        for choice in self.declared.choices.values():
            tiers = []
            for tier in choice.tiers:
                said = Course(self.phrasing).say_menu(tier.offer)
                said = f"if {self.phrasing.clause(tier.when)}: {said}" if tier.when else said
                tiers.append(self.point(tier.line, said, rule=tier.offer))
            yield self.point(choice.line, name=self.call(_spell(choice.name)), below=tuple(tiers))

    def _find_own(self, test: ast.Expr) -> DefinitionDecl | None:
        """The definition by which a game says what a condition of a module means in it, in its own sentence."""
        named = (self.declared.definitions.get(name) for _, name in names_in(test))
        return next((each for each in named if each is not None and self._has_own_text(each)), None)

    def _has_own_text(self, definition: DefinitionDecl) -> bool:
        line = definition.line
        return bool(line.text) and not is_of_module(line) and line.text not in self._module_texts()

    def tell_words(self) -> Iterator[Point]:
        """Yield the words of the game that have a sentence; the others are for the file, not for the table. Of those a
        module brings only the ones with named cases are for the players."""
        conditions = {below.text for action in self.tell_actions() for below in action.below}
        for definition in self.declared.definitions.values():
            if not definition.line.path.startswith("definitions."):
                continue  # rows of score tables are in the chapter on scoring
            head, rule = self.call(self.phrasing.head(definition)), definition.body.expr
            if is_of_module(definition.line):
                if definition.line.text and len(definition.body.cases) > 2:
                    names = (sentence(in_words(case.line.path)) for case in definition.body.cases)
                    below = tuple(Point(self.translate(name)) for name in names)
                    yield self.point(definition.line, name=head, below=below)
            elif self._has_own_text(definition) and (rule is None or self.phrasing.settle(rule) is None):
                if definition.line.text in conditions:
                    continue
                yield self.point(definition.line, name=head, rule=rule)

    def _module_texts(self) -> set[str]:
        """The texts of definitions in the modules used: a game that changes such a definition may keep its text."""
        texts: set[str] = set()
        for source in self.document.sources:
            if module_folder() in Path(source.name).resolve().parents:
                root = read_nodes(source, Report())
                found = root.get("definitions") if root is not None else None
                texts |= {_read_text(entry.value) for entry in found} if isinstance(found, Mapping) else set()
        return texts - {""}

    def tell_body(self, body: Body) -> Iterator[Point]:
        """Yield the cases, conditions or summands of a definition."""
        if body.condition is not None:
            told = self._tell_condition(body.condition)
            yield from told.below if told is not None and told.below else [told] if told is not None else ()
        for case in body.cases:
            settled = self.phrasing.settle(case.when) if case.when is not None else None
            if settled is False:
                continue
            said = self.phrasing.name(case.value)
            if settled is None:
                said += f" if {self.phrasing.clause(case.when)}" if case.when is not None else " otherwise"
            yield self.point(case.line, said, rule=case.value)
            if settled:
                return
        if body.each is not None and body.expr is None:
            yield Point(sentence(self.phrasing.name(body.each)))

    def tell_scores(self) -> Iterator[Point]:
        for table in self.declared.scores.values():
            rows = []
            for row in table.rows:
                body = self.declared.definitions[f"{table.name}.{row.name}"].body
                said = self.phrasing.name(body.expr) if body.expr is not None else ""
                if body.each is not None and body.expr is not None:
                    said += f" for each of {self.phrasing.name(body.each)}"
                below = tuple(self.tell_body(body)) if body.expr is None and not row.line.text else ()
                rows.append(self.point(row.line, said, self.locale.message(row.label), below, rule=body.expr))
            yield self.point(table.line, name=self.call(_spell(table.name)), below=tuple(rows))
        examples = tuple(list_examples(self.path, self.declared, self.locale)) if self.general else ()
        if examples:
            yield Point("", self.locale.say("book_examples"), below=examples)

    def tell_ends(self) -> Iterator[Point]:
        for name in dict.fromkeys(end.step.name for end in self.declared.ends):
            step, told = self.call(_spell(name)), []
            ends = [end for end in self.declared.ends if end.step.name == name]
            for end in ends:
                said = self.locale.say("book_ends_when", step=step, condition=self.phrasing.clause(end.when))
                told.append(self.point(end.line, said, step if end.line.text and len(ends) == 1 else "", rule=end.when))
            yield from told if len(ends) == 1 else [Point("", step, below=tuple(told))]
        if not self.declared.goal or (self.declared.winners is not None and self.declared.winners.line.text):
            yield from self._winners()

    def tell_options(self) -> Iterator[Point]:
        for option in self.lasting.options.values():
            default = _default(option.default, self.locale)
            usual = f" ({self.locale.say('book_default', value=self.call(default))})"
            values: list[Point] = []
            for value, said in zip(option.values, option.sentences, strict=True):
                name = self.call(in_words(value))
                if in_words(value) == default:
                    name, usual = f"{name} ({self.locale.say('book_usual')})", ""
                values.append(Point(_spell_options(self._say_option(option, value, said)), name))
            text = _spell_options(self._say_option(option, "text", option.line.text)) + self._say_range(option)
            cite = tuple(word.id for word in option.line.cite)
            yield Point(text, self.call(in_words(option.name)) + usual, cite=cite, below=tuple(values))

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
        out = list_cites(self.whole) - list_cites(self.lasting)  # about nothing that remains
        for rule in self.declared.rules.values():
            if (rule.status == "ruling") is ruled and rule.id not in out:
                place = f" ({self.call(rule.place)}; {self.locale.say(f'book_{rule.status}')})" if rule.place else ""
                yield Point(_spell_options(self.locale.rule(rule.id, rule.text)) + place, rule.id)


def _default(expr: ast.Expr, locale: Locale) -> str:
    """Say what an option usually is, which may depend on how many play: `13 with 2 players, otherwise 7`."""
    match expr:
        case ast.Choice(
            test=ast.Compare(op="=" | "<=" | "<" as op, left=ast.Name(id="players"), right=ast.Int(value=most))
        ):
            phrase, most = ("book_default_with", most) if op == "=" else ("book_default_to", most - (op == "<"))
            return locale.say(phrase, value=_default(expr.yes, locale), number=most, other=_default(expr.no, locale))
    said = " ".join(expr.span.text.split()).replace("_", " ")
    said = {"true": locale.get_phrase("book_yes"), "false": locale.get_phrase("book_no")}.get(said, said)
    factor = re.fullmatch(r"(\d+) \* players", said)
    return locale.say("book_default_each", number=factor[1]) if factor else said


def _spell_options(text: str) -> str:
    """Spell the options that a text mentions as the book does.

    >>> _spell_options("the option cut_tie")
    'the option cut tie'
    """
    return re.sub(r"(?<=[a-z\d])_(?=[a-z\d])", " ", text)


def _read_text(node: Node) -> str:
    text = node.get("text") if isinstance(node, Mapping) else None
    return " ".join(text.text.split()) if isinstance(text, Scalar) else ""


def _spell(name: str) -> str:
    text = name.replace(".", ": ").replace("_", " ")
    return text[0].upper() + text[1:]
