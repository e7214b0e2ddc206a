"""The table of near misses: common phrasings that are not part of the rule language.

In: the tables for statements, expressions, choices and names. Out: `NEAR_MISSES`, tried in order on lines that do not
parse, and `SILENT`, mistakes that would parse with an unintended meaning.
"""

from __future__ import annotations

import re

from hoyle.base.diagnostics.spelling import NUMBERS
from hoyle.language.syntax.repair.choice_misses import CHOICE_MISSES
from hoyle.language.syntax.repair.expression_misses import EXPRESSION_MISSES, after_the_dot
from hoyle.language.syntax.repair.naming_misses import NAMING_MISSES
from hoyle.language.syntax.repair.patterns import (
    BEGIN,
    CONDITIONS,
    EXPR,
    JOINING,
    MENU,
    NAME,
    NUMBER_WORD,
    OPERAND,
    PICK,
    STEPS,
    VERB,
    NearMiss,
    instead,
    miss,
    one_of,
    write_digits,
)
from hoyle.language.syntax.repair.statement_misses import STATEMENT_MISSES

_SIGNS = (
    instead(r"(?:!==|<>|≠|/=|=/=|~=)", "!="),
    instead(r"={2,3}", "="),
    instead(r"(?:=<|≤)", "<="),
    instead(r"(?:=>|≥)", ">="),
    instead(r"(?:\s*&&\s*|\s+&\s+)", " and "),
    instead(r"(?:\s*\|\|\s*|\s+\|\s+)", " or "),
    instead(r"!(?!=)\s*", "not "),
    instead(r"\s*%\s*", " mod "),
    instead(r"(?<=[\w)])\s*(?:/|÷)\s*(?=[\w(])(?!\d+\s*\*)", " div ", CONDITIONS),
    instead(r"\s*[\u00d7·]\s*", " * "),
    instead(r"(?:\.\.\.|…|\u2013)", ".."),
    instead(r"[\u2212]", "-"),
    miss("missing-quotes", r"(?<!\w)['\u2018\u2019](?P<label>[^'\u2018\u2019\"]+)['\u2018\u2019](?!\w)"
         r"|[“”„](?P<other>[^“”„\"]+)[“”„]",
         "texts stand in straight double quotes: `\"…\"`", lambda found: f'"{found["label"] or found["other"]}"'),
    miss("missing-quotes", r"\"(?P<label>[^\"\ue000-\uf8ff]+)\Z", "the text has no closing quote",
         lambda found: f'"{found["label"].rstrip()}"'),
    miss("call-notation", r"\b(?P<owner>(?:\w+\s+of\s+)*+[A-Za-z]\w*)['\u2019]s\s+(?P<word>[A-Za-z]\w*)",
         "what belongs to something is said with `of`, not `{found}`", r"\g<word> of \g<owner>", throughout=True),
)

_SMALL_WORDS = (
    miss("article", r"\b(?:[Tt]he|[Aa]n?)\s+(?=[A-Za-z0-9(])",
         "rules are written without articles: leave out `{found}`", "", throughout=True),
    miss("article", r"\b(?:his|her|their|my|your)\s+(?=[A-Za-z])",
         "what belongs to the acting seat is named alone: leave out `{found}`", "", throughout=True),
    miss("article", rf"\bits\s+(?P<word>{NAME})", "say whose: `{found}`", r"\g<word> of card", throughout=True),
    miss("spelled-number", rf"\b(?i:{NUMBER_WORD})\b", "numbers are written in figures: `{found}`", write_digits,
         throughout=True),
    miss("filler", r"\b(?P<which>top|bottom)\s+cards?\s+(?:of|from|in|on)\b",
         "`top` and `bottom` say cards already: leave out `card`", r"\g<which> of"),
    miss("filler",
         rf"\b(?P<which>top|bottom)\s+(?P<count>\d+|{NUMBER_WORD})\s+(?P<bad>cards?\s+(?:of|from|in|on)|from)\b",
         "after the number comes `of`, where `{found}` stands", r"\g<which> \g<count> of"),
    miss("missing-parentheses",
         rf"\b(?P<which>top|bottom)\s+(?P<bad>(?!{NUMBER_WORD}\b|cards?\b){NAME})\s+(?:cards?\s+)?of\b",
         "a number that is not in figures stands in parentheses here: `({found})`", r"\g<which> (\g<bad>) of"),
    miss("filler", rf"(?P<before>{BEGIN}score\s+.+?)(?P<bad>\s+points?)(?=\s+(?:to|for)\b)",
         "what is scored are points anyway: leave out `{found}`", r"\g<before>", STEPS),
    miss("filler", r"\s*,?\s*\bone\s+at\s+a\s+time\b",
         "cards are dealt one at a time unless packets are named: leave out "
         "`{found}`", "", STEPS),
    miss("filler", rf"{BEGIN}(?:[-*•]|\d+[.)])\s+", "a line begins with its verb: leave out `{found}`", "", STEPS),
    miss("filler", r"\s*:\Z", "a condition or value has no colon at its end", "", EXPR | PICK | MENU),
    miss("filler", r"(?<=[\w)\"])\s*(?:;|\.)\Z", "a line ends without a sign: leave out `{found}`", ""),
    miss("filler", rf"{BEGIN}(?:first|then|next|now|finally|also|and)\s*,?\s+(?={VERB})",
         "statements follow one another anyway: leave out `{found}`", "", STEPS),
    miss("filler", r",\s*(?=or\s+else\b)", "no comma stands before `or else`", " "),
    miss("filler", r",\s*(?=otherwise\b(?!\s*:))", "no comma stands before `otherwise`, except between choices", " ",
         CONDITIONS),
    miss("wrong-word", rf"{BEGIN}(?P<word>(?i:{VERB}))", "words are written in small letters: `{found}`",
         lambda found: found["word"].lower(), STEPS),
)

NEAR_MISSES: tuple[NearMiss, ...] = (
    *STATEMENT_MISSES, *EXPRESSION_MISSES, *_SIGNS, *CHOICE_MISSES, *NAMING_MISSES, *_SMALL_WORDS,
)

# These are searched for in every text, so they must never match correct rules.
_WORDS = one_of(
    "count sum highest lowest distinct descending first last top bottom place zone left right size length empty "
    "is_empty"
)
SILENT: tuple[NearMiss, ...] = (
    miss("spelled-number", rf"(?<=\bdeal\s)(?:up\s+to\s+)?{NUMBER_WORD}(?=\s+cards\b)",
         "numbers are written in figures: `{found}`",
         lambda found: re.sub(NUMBER_WORD + r"\Z", lambda inner: NUMBERS[inner[0]], found[0]), STEPS),
    miss("spelled-number", rf"(?<=\bpackets\sof\s){NUMBER_WORD}(?=\s*,)",
         "numbers are written in figures: `{found}`", write_digits, STEPS),
    miss("spelled-number", rf"(?<=\bscore\s){NUMBER_WORD}(?=\s+to\b)", "numbers are written in figures: `{found}`",
         write_digits, STEPS),
    miss("spelled-number", rf"(?:(?<=\brepeat\s)|(?<=\bmost\s)){NUMBER_WORD}(?=\s+times\b)",
         "numbers are written in figures: `{found}`", write_digits, STEPS),
    miss("spelled-number", rf"\A{NUMBER_WORD}(?=\s+cards\s+from\b)", "numbers are written in figures: `{found}`",
         write_digits, PICK),
    miss("spelled-number",
         rf"(?P<before>\bcount\s+of\s+{OPERAND}\s*(?:=|!=|<=|>=|<|>)\s*)(?P<bad>{NUMBER_WORD})\b(?!\s+of\b)",
         "numbers are written in figures: `{found}`", lambda found: found["before"] + NUMBERS[found["bad"]],
         CONDITIONS),
    miss("article", rf"\b(?:the|an)\b\s*(?=\Z|[^\sA-Za-z0-9_.(]|{one_of(JOINING)}\b)",
         "rules are written without articles, and `{found}` is not a name", ""),
    miss("call-notation",
         rf"(?<![\w.])(?P<chain>[A-Za-z]\w*(?:\.[A-Za-z]\w*)*\.{_WORDS}|(?:card|seat)"
         r"(?:\.[A-Za-z]\w*)+)(?![\w.])", "a word is applied with `of`: not `{found}`", after_the_dot,
         throughout=True),
)
