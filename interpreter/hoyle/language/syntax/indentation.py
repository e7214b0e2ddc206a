"""Layout (off-side rule): line breaks and indentation of rule text, between lexer and parser.

In: lark's tokens. Out: tokens in which a line break ends a statement, indentation after a colon opens a block, any
other deeper line continues the statement above it, and names of relations are a token type of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

from lark import Token
from lark.lark import PostLex


class Layout(PostLex):
    """Shared by all texts; `prepare` configures it for the next one."""

    always_accept = ("_NL", "NAME")

    def __init__(self) -> None:
        self.relations: frozenset[str] = frozenset()
        self.statements = False
        self.lines = False
        self.base = 0
        self.end = 0

    def prepare(self, relations: frozenset[str], *, statements: bool, lines: bool, base: int, end: int) -> None:
        """`statements`: the text contains statements; `lines`: line breaks are significant (a `|` block); `base`: its
        indentation; `end`: the length of the text."""
        self.relations = relations
        self.statements = statements
        self.lines = lines
        self.base = base
        self.end = end

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        # A line break must be yielded before the next token is requested: the contextual lexer depends on it.
        indents = [self.base]
        depth = 0
        last = Token("_NL", "")
        for token in stream:
            if token.type == "_NL":
                if self.lines and depth == 0 and last.type != "_NL" and token.end_pos != self.end:
                    yield from self._new_line(token, indents, last)
                continue
            if token.type == "LPAR":
                depth += 1
            elif token.type == "RPAR":
                depth -= 1
            elif token.type == "NAME" and str(token) in self.relations:
                token = Token.new_borrow_pos("REL", str(token), token)
            if token.type != "CITE":
                last = token
            yield token
        if not self.statements:
            return
        end = Token.new_borrow_pos("_NL", "", last)
        yield end
        for _ in indents[1:]:
            yield Token.new_borrow_pos("_DEDENT", "", end)

    def _new_line(self, line_end: Token, indents: list[int], last: Token) -> Iterator[Token]:
        indent = len(str(line_end).rsplit("\n", 1)[1])
        if indent > indents[-1]:
            if last.type == "COLON":
                indents.append(indent)
                yield line_end
                yield Token.new_borrow_pos("_INDENT", "", line_end)
            return
        yield line_end
        while indent < indents[-1] and len(indents) > 1:
            indents.pop()
            yield Token.new_borrow_pos("_DEDENT", "", line_end)
