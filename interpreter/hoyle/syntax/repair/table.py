"""Ways of saying things that the rule language does not have, and how it says them.

In: the near misses in statements. Out: `NEAR_MISSES`, tried in order on a line that cannot be read, and `SILENT`,
mistakes that would be read with another meaning.
"""

from __future__ import annotations

import re

from hoyle.syntax.repair.patterns import (
    BEGIN,
    CONDITIONS,
    EXPR,
    JOINING,
    MENU,
    NAME,
    NOT_CONNECTING,
    NUMBER_WORD,
    NUMBERS,
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
from hoyle.syntax.repair.statement_misses import CHOICE_MISSES, STATEMENT_MISSES


def _apply_word(found: re.Match[str]) -> str:
    word, argument = found["word"], found["argument"].strip()
    if word.lower() in ("empty", "is_empty", "isempty"):
        return f"{argument} is empty"
    if word == "len" or word in ("size", "length"):
        word = "count"
    if not argument:
        return word
    numbered = re.fullmatch(r"(\d+|\w+)\s*,\s*(.+)|(.+?)\s*,\s*(\d+)", argument)
    if word in ("top", "bottom") and numbered:
        number, pile = (numbered[1], numbered[2]) if numbered[1] else (numbered[4], numbered[3])
        return f"{word} {number} of {pile}"
    plain = re.fullmatch(OPERAND, argument)
    return f"{word} of {argument}" if plain else f"{word} of ({argument})"


def _after_the_dot(found: re.Match[str]) -> str:
    first, *rest = found["chain"].split(".")
    words = ["count" if word in ("size", "length") else word for word in rest]
    if words[-1] in ("empty", "is_empty"):
        return " of ".join([*reversed(words[:-1]), first]) + " is empty"
    return " of ".join([*reversed(words), first])


def _singular(found: re.Match[str]) -> str:
    return f"every {found['many'].removesuffix('s')} is"


def _close_parentheses(found: re.Match[str]) -> str:
    text, colon = found["text"], found["colon"] or ""
    missing = text.count("(") - text.count(")")
    return text.rstrip() + ")" * max(0, missing) + colon


def _drop_parentheses(found: re.Match[str]) -> str:
    text = found[0]
    missing = text.count(")") - text.count("(")
    return re.sub(r"\)(?=[^()]*\Z)", "", text, count=1) if missing > 0 else text


_VALUES = (
    miss("wrong-word",
         r"\A(?:if|when)\s+(?P<test>.+?)\s*(?:,|:|\bthen\b)\s*(?:then\s+)?(?P<yes>.+?)\s*,?\s*\b(?:else"
         r"|otherwise)\b:?\s*(?P<no>.+)\Z",
         "a value with a condition is said the other way round: the value comes first",
         r"\g<yes> if \g<test> otherwise \g<no>", EXPR),
    miss("wrong-word", r"\A(?P<test>[^?]+?)\s*\?\s*(?P<yes>[^:]+?)\s*:\s*(?P<no>.+)\Z",
         "a value with a condition is said in words", r"\g<yes> if \g<test> otherwise \g<no>", EXPR),
    miss("wrong-word",
         r"\A(?P<value>(?!.*\bif\b).+?)\s*(?P<bad>,?\s*\b(?:otherwise|else|if\s+none)\b)\s*(?P<rest>.+)\Z",
         "what stands for a value that is none is said with `or else`", r"\g<value> or else \g<rest>", EXPR),
    miss("wrong-word", r"(?P<bad>\s*,?\s*\belse)\b(?=\s+(?!if\b))", "`else` is `otherwise`", " otherwise",
         EXPR | STEPS),
)

_COUNTING = (
    miss("wrong-word",
         r"\b(?:(?:number|amount|count|total)\s+of|how\s+many)\s+(?:cards?)\s+(?:are\s+)?in\s+"
         rf"(?P<what>{OPERAND})\s+where\s+"
         r"(?P<test>[^():]+?)(?=\s*(?::|\Z|\)))", "cards are counted with `count of`",
         r"count of (card in \g<what> where \g<test>)", CONDITIONS),
    miss("wrong-word", r"\b(?:(?:number|amount|count|total)\s+of|how\s+many)\s+cards?\s+(?:are\s+)?(?:in|of)\s+",
         "cards are counted with `count of`", "count of ", CONDITIONS),
    miss("missing-parentheses",
         r"\b(?P<agg>count|sum\s+\w+|sum|highest\s+\w+|lowest\s+\w+|highest|lowest)\s+of\s+(?P<bad>"
         rf"(?P<var>{NAME})\s+in\s+(?P<what>{OPERAND})"
         r"\s+where\s+(?P<test>[^():]+?))(?=\s*(?::|\Z|\)))",
         "a choice among cards stands in parentheses: `(card in hand where …)`", r"\g<agg> of (\g<bad>)", CONDITIONS),
    miss("missing-parentheses",
         r"\b(?P<agg>(?:(?:count|sum|highest|lowest|sum\s+\w+|highest\s+\w+|lowest\s+\w+)\s+of\s+)?)"
         rf"(?P<what>{OPERAND})\s+(?P<bad>where)\s+(?P<test>[^():]+?)(?=\s*(?::|\Z|\)))",
         "a choice among cards names the card and stands in parentheses", r"\g<agg>(card in \g<what> where \g<test>)",
         STEPS | EXPR),
    miss("wrong-word", rf"\b(?P<bad>count)\s+(?={NAME})", "`count` takes `of`, as everything does", "count of ",
         CONDITIONS),
    miss("wrong-word", rf"\b(?:total|added)\s+(?P<word>{NAME})\s+(?:of|in)\b", "what is added up is said with `sum`",
         r"sum \g<word> of", CONDITIONS),
    miss("wrong-word", rf"\b(?:greatest|largest|biggest|maximum|max|most)\s+(?P<word>{NAME})\s+(?:of|in)\b",
         "the greatest is said with `highest`", r"highest \g<word> of", CONDITIONS),
    miss("wrong-word", rf"\b(?:least|smallest|fewest|minimum|min)\s+(?P<word>{NAME})\s+(?:of|in)\b",
         "the least is said with `lowest`", r"lowest \g<word> of", CONDITIONS),
    miss("wrong-word", rf"\b(?P<agg>sum|highest|lowest)\s+(?P<word>{NAME})\s+(?P<bad>in)\b",
         "say `of`, not `{found}`", r"\g<agg> \g<word> of", CONDITIONS),
    miss("wrong-word",
         r"\b(?:all|everything)\s+(?:cards?\s+)?(?:except|but|apart\s+from|besides)\s+(?:for\s+)?(?P<which>top"
         r"|bottom)\s+(?:cards?\s+)?(?:of|from)\b", "say `all but`", r"all but \g<which> of"),
    miss("call-notation",
         rf"\b(?P<word>{NOT_CONNECTING}[A-Za-z]\w*|top|bottom|sum|highest|lowest|distinct)\s?\((?P<argument>[^"
         r"()]*)\)(?!\s+of\b)", "a word is applied with `of`: not `{found}`", _apply_word, throughout=True),
    miss("call-notation", r"\b(?P<chain>[A-Za-z]\w*(?:\.[A-Za-z]\w*)+)(?:\(\))?",
         "a word is applied with `of`: not `{found}`", _after_the_dot, throughout=True),
    miss("missing-parentheses",
         rf"\b(?P<how>some|every|no)\s+(?P<word>{NAME})(?P<where>(?:\s+in\s+{OPERAND})?)\s+(?P<bad>satisfies|has"
         r"|with|such\s+that|where)\s+"
         r"(?P<test>(?!\().+?|\(.+?\)\s+(?:and|or)\s.+?)(?=:|\Z)",
         "what must hold stands in parentheses after `satisfies`", r"\g<how> \g<word>\g<where> satisfies (\g<test>)",
         CONDITIONS),
    miss("missing-parentheses", r"\A(?P<text>[^:]*?)(?P<colon>:.*)?\Z", "a parenthesis is not closed",
         _close_parentheses),
    miss("missing-parentheses", r"\A.*\Z", "a parenthesis is closed that was not opened", _drop_parentheses),
)

_COMPARISONS = (
    instead(r"\b(?:is|are)\s+not\s+(?:equal\s+to|the\s+same\s+as|same\s+as)\b|\bdoes\s+not\s+equal\b|\bnot"
            r"\s+equals?\b|"
            r"\bis\s+different\s+from\b", "!=", CONDITIONS),
    instead(r"\b(?:is|are)\s+(?:equal\s+to|the\s+same\s+as|same\s+as)\b|\bequals?(?:\s+to)?\b", "=", CONDITIONS),
    instead(r"\b(?:(?:is|are)\s+)?(?:more|greater|higher|larger|bigger)\s+than\b|\b(?:is\s+)?(?:above|over)\b", ">",
            CONDITIONS),
    instead(r"\b(?:(?:is|are)\s+)?(?:less|fewer|lower|smaller)\s+than\b|\b(?:is\s+)?below\b", "<", CONDITIONS),
    instead(r"\b(?:(?:is|are)\s+)?at\s+least\b", ">=", CONDITIONS),
    instead(r"\b(?:(?:is|are)\s+)?at\s+most\b(?!.*\btimes\b)", "<=", CONDITIONS),
    instead(r"\b(?:isn['\u2019]t|aren['\u2019]t|is\s+no)\b", "is not", CONDITIONS),
    miss("wrong-word", rf"\bis\s+between\s+(?P<low>{OPERAND})\s+and\s+(?P<high>{OPERAND})",
         "a range is written with two dots", r"is in \g<low>..\g<high>", CONDITIONS),
    instead(r"\bis\s+(?:one\s+of|among|inside(?:\s+of)?|part\s+of|within)\b", "is in", CONDITIONS),
    miss("wrong-word", rf"(?P<bad>\bis\s+not)\s+(?={NAME}\s+of\b|top\b|bottom\b|sum\b|highest\b|lowest\b|\d|\()",
         "`is` stands before a name; values are compared with `!=`", "!= ", CONDITIONS),
    miss("wrong-word", rf"(?P<bad>\bis)\s+(?={NAME}\s+of\b|top\b|bottom\b|sum\b|highest\b|lowest\b|\d|\()",
         "`is` stands before a name; values are compared with `=`", "= ", CONDITIONS),
    miss("wrong-word", rf"(?P<what>{OPERAND})\s+(?:has|have|contains?)\s+no\s+cards?(?:\s+left)?\b",
         "say that it is empty", r"\g<what> is empty", CONDITIONS),
    miss("wrong-word",
         rf"\b(?:there\s+(?:is|are)\s+)?no\s+(?:more\s+)?cards?\s+(?:left\s+)?in\s+(?P<what>{OPERAND})(?=\s*(?::"
         r"|\Z|\band\b|\bor\b))", "say that it is empty", r"\g<what> is empty", CONDITIONS),
    miss("wrong-word", rf"(?P<what>{OPERAND})\s+(?:has|have|contains?)\s+(?P<count>\d+)\s+cards?\b",
         "say how many there are", r"count of \g<what> = \g<count>", CONDITIONS),
    miss("wrong-word", rf"(?P<pile>{OPERAND})\s+(?P<bad>contains?|includes?|holds|has)\s+(?P<what>{OPERAND})",
         "there is no relation `{found}` here; say what is in what", r"\g<what> is in \g<pile>", CONDITIONS),
    miss("wrong-word",
         rf"(?P<pile>{OPERAND})\s+(?P<bad>(?:does\s+not|doesn['\u2019]t)\s+(?:contain|include|hold|have))\s+"
         rf"(?P<what>{OPERAND})", "there is no relation `{found}` here; say what is not in what",
         r"\g<what> is not in \g<pile>", CONDITIONS),
    miss("wrong-word", rf"(?P<what>{OPERAND})\s+(?P<bad>not\s+in)\b", "say `is not in` for `{found}`",
         r"\g<what> is not in", CONDITIONS),
    miss("wrong-word", rf"(?P<what>{OPERAND})\s+(?P<bad>in)\b", "a test is said with `is in`", r"\g<what> is in",
         STEPS | EXPR),
    miss("wrong-word", rf"(?P<what>{OPERAND})\s+(?P<bad>(?:not\s+)?empty)\b", "a test is said with `is`",
         r"\g<what> is \g<bad>", CONDITIONS),
    miss("wrong-word", rf"\b(?:all|each|every)\s+(?P<many>{NAME})\s+(?:are|is)\b",
         "a test of all is said with `every`", _singular, CONDITIONS),
    instead(r"\bare\b", "is", CONDITIONS),
    miss("wrong-word", rf"\b(?P<bad>[Aa]ny|[Aa]nybody's)\s+(?={NAME}\s+(?:is|in|satisfies|can|may)\b)",
         "`{found}` is for choices; a test that holds for one of them is said with `some`", "some "),
)

_SIGNS = (
    instead(r"(?:!==|<>|≠|/=|=/=|~=)", "!="),
    instead(r"={2,3}", "="),
    instead(r"(?:=<|≤)", "<="),
    instead(r"(?:=>|≥)", ">="),
    instead(r"(?:\s*&&\s*|\s+&\s+)", " and "),
    instead(r"(?:\s*\|\|\s*|\s+\|\s+)", " or "),
    instead(r"!(?!=)\s*", "not "),
    instead(r"\s*%\s*", " mod "),
    instead(r"(?<=[\w)])\s*(?:/|÷)\s*(?=[\w(])", " div ", CONDITIONS),
    instead(r"\s*[\u00d7·]\s*", " * "),
    instead(r"(?:\.\.\.|…|\u2013)", ".."),
    instead(r"[\u2212]", "-"),
    miss("missing-quotes", r"(?<!\w)['\u2018\u2019](?P<label>[^'\u2018\u2019\"]+)['\u2018\u2019](?!\w)"
         r"|[“”„](?P<other>[^“”„\"]+)[“”„]",
         "texts stand in straight double quotes: `\"…\"`", lambda found: f'"{found["label"] or found["other"]}"'),
    miss("missing-quotes", r"\"(?P<label>[^\"\ue000-\uf8ff]+)\Z", "the text has no closing quote",
         lambda found: f'"{found["label"].rstrip()}"'),
    miss("call-notation", r"\b(?P<owner>[A-Za-z]\w*)['\u2019]s\s+(?P<word>[A-Za-z]\w*)",
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
         "`top` is a card already: leave out `card`", r"\g<which> of"),
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
    *STATEMENT_MISSES, *_VALUES, *_COUNTING, *_COMPARISONS, *_SIGNS, *CHOICE_MISSES, *_SMALL_WORDS,
)

# What stands here must never be right: these are looked for in every text.
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
         r"(?:\.[A-Za-z]\w*)+)(?![\w.])", "a word is applied with `of`: not `{found}`", _after_the_dot,
         throughout=True),
)
