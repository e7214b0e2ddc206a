"""Translation of errors of the YAML parser into messages for authors.

In: an exception of the parser. Out: a `yaml-syntax` diagnostic with a location, a message and a hint.
"""

from __future__ import annotations

import re

import yaml

from hoyle.base.diagnostics.report import Label, Report
from hoyle.base.source import Source, Span
from hoyle.language.document.guesses import NAMED_WITHOUT_COLON, guess_lines

_QUOTE = "put a text with signs of YAML in it in quotes, or write it as a `|` block"
_INDENT = "lines of one level begin in the same column; two spaces for each level"

# A part of the parser's message, our message, and the hint.
_SENTENCES = (
    ("mapping values are not allowed", "a colon followed by a space cannot stand inside this text", _QUOTE),
    ("sequence entries are not allowed", "a list cannot begin here", _INDENT),
    ("found unexpected end of stream", "a quote is opened and never closed", "close it with the same sign"),
    ("found unexpected document separator", "a quote is opened and never closed", "close it with the same sign"),
    ("could not find expected ':'", "a name stands here without a colon", "it is written `name: value`"),
    ("expected <block end>", "this line does not belong to what stands above it", _INDENT),
    ("did not find expected '-' indicator", "this line does not belong to the list above it", _INDENT),
    ("did not find expected key", "a name and a colon are wanted here", _INDENT),
    ("expected ',' or ']'", "a list in brackets is not closed here", "put a comma between values, `]` at the end"),
    ("expected ',' or '}'", "a clause in braces is not closed here", _QUOTE),
    ("expected the node content", "a value is wanted here", _QUOTE),
    ("character '\\t'", "a tab cannot stand here", "use spaces"),
    ("that cannot start any token", "a text cannot begin with this sign", "put the text in quotes"),
    ("found unknown escape character", "this escape does not exist", "put the text in single quotes"),
    ("escape sequence", "this escape is not complete", "put the text in single quotes"),
    ("indentation indicator", "the sign after `|` or `>` has no meaning", "`|` stands alone at the end of the line"),
    ("chomping or indentation", "only `|` or `>` may stand at the end of this line", "begin the text on the next line"),
    ("expected a comment or a line break", "only `|` or `>` may stand at the end of this line",
     "begin the text on the next line"),
    ("expected alphabetic or numeric", "a text cannot begin with this sign", "put the text in quotes"),
    ("found undefined tag handle", "a text cannot begin with this sign", "put the text in quotes"),
    ("expected URI", "a text cannot begin with this sign", "put the text in quotes"),
    ("found duplicate", "a directive of YAML stands here twice", "rule files need no directives"),
    ("incompatible YAML document", "this version of YAML is not known", "rule files need no directives"),
    ("directive", "a line that begins with `%` is a directive of YAML", "rule files need no directives"),
    ("special characters are not allowed", "the file holds a character that cannot stand in YAML", "delete it"),
)


_ESCAPE = re.compile(r"\\U[0-9a-fA-F]{8}")


def report_escape(source: Source, report: Report) -> None:
    """Report an escape beyond Unicode, on which the parser itself crashes."""
    places = (Span(source, found.start(), found.end()) for found in _ESCAPE.finditer(source.text))
    span = next((place for place in places if int(place.text[2:], 16) > 0x10FFFF), None)
    report.error("yaml-syntax", "this escape stands for no character", span, hint="put the character itself")


def report_yaml_error(problem: yaml.YAMLError, source: Source, report: Report) -> None:
    """Report an error of the parser at its location."""
    told = str(getattr(problem, "problem", None) or getattr(problem, "reason", None) or "")
    mark = getattr(problem, "problem_mark", None) or getattr(problem, "context_mark", None)
    at = mark.index if mark is not None else getattr(problem, "position", 0)
    message, hint = next(
        ((sentence, remedy) for part, sentence, remedy in _SENTENCES if part in told),
        ("the file is not YAML from here on" + (f": {told}" if told else ""), _QUOTE),
    )
    if "mapping values" in told and _begins_its_line(source, at):
        message, hint = "this line is indented further than what it should belong to", _INDENT
    if "mapping values" in told and NAMED_WITHOUT_COLON.match(source.line_text(source.line_and_column(at)[0])):
        message, hint = "a name stands here without a colon", "it is written `name: value`"
    others = []
    context = getattr(problem, "context_mark", None)
    if context is not None and "never closed" in message:
        at = context.index
    elif context is not None and context.index != at:
        others.append(Label(_sign_at(source, context.index), _describe_context(getattr(problem, "context", None))))
    fixes = guess_lines(source, at, context.index if context is not None else None)
    report.error("yaml-syntax", message, _sign_at(source, at), others=others, hint=hint, fix=fixes)


def _begins_its_line(source: Source, at: int) -> bool:
    """Whether a colon follows the first word of a line other than the first."""
    line, column = source.line_and_column(at)
    return line > 1 and len(source.line_text(line)[: column - 1].split()) == 1


def _sign_at(source: Source, at: int) -> Span:
    """The character at an offset; at the end of the file, the last one that is not whitespace."""
    if at >= len(source.text.rstrip()):
        at = max(0, len(source.text.rstrip()) - 1)
    return Span(source, at, min(at + 1, len(source.text)))


def _describe_context(context: str | None) -> str:
    words = context or ""
    for part, said in (
        ("quoted scalar", "the quote is opened here"),
        ("flow mapping", "the brace is opened here"),
        ("flow sequence", "the bracket is opened here"),
        ("block mapping", "what it should belong to begins here"),
        ("block collection", "the list begins here"),
        ("simple key", "the name begins here"),
    ):
        if part in words:
            return said
    return "it began here"
