"""Near misses in expressions: conditional values, counting, comparisons, lists.

In: nothing. Out: `EXPRESSION_MISSES`, and the rewriting of words applied in other notations.
"""

from __future__ import annotations

import re

from hoyle.language.syntax.repair.patterns import (
    ACTOR,
    BEGIN,
    CONDITIONS,
    EXPR,
    HAND,
    NAME,
    NOT_CONNECTING,
    OPERAND,
    STEPS,
    NearMiss,
    by_name,
    instead,
    miss,
)
from hoyle.program.words import SYNONYMS, Op, word_of

_COUNT = word_of(Op.COUNT).name
_OF_EACH = [word_of(op).name for op in (Op.SUM, Op.HIGHEST, Op.LOWEST, Op.DISTINCT)]  # `sum value of hand`


def _apply_word(found: re.Match[str]) -> str:
    said, argument = found["word"], found["argument"].strip()
    if said.lower() in ("empty", "is_empty", "isempty"):
        return f"{argument} is empty"
    said = SYNONYMS.get(said, said)
    if not argument:
        return said
    summed = re.fullmatch(rf"({NAME})\s+of\s+({OPERAND})", argument)
    if said in _OF_EACH and summed:
        return f"{said} {summed[1]} of {summed[2]}"
    numbered = re.fullmatch(r"(\d+|\w+)\s*,\s*(.+)|(.+?)\s*,\s*(\d+)", argument)
    if said in ("top", "bottom") and numbered:
        number, pile = (numbered[1], numbered[2]) if numbered[1] else (numbered[4], numbered[3])
        return f"{said} {number} of {pile}"
    plain = re.fullmatch(OPERAND, argument)
    return f"{said} of {argument}" if plain else f"{said} of ({argument})"


def after_the_dot(found: re.Match[str]) -> str:
    first, *rest = found["chain"].split(".")
    words = [_COUNT if said in ("size", "length") else said for said in rest]
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


def _unfold_tests(found: re.Match[str]) -> str:
    """Expand `A and B are empty`: the test is repeated for each."""
    return f"{found['first']} is {found['test']} {found['join']} {found['second']} is {found['test']}"


def _with_score(found: re.Match[str]) -> str:
    return f"with {'highest' if found['how'] in ('most', 'highest', 'best') else 'lowest'} score of seat"


def _count_where(found: re.Match[str]) -> str:
    """Rewrite `count of seats where …` with a named element."""
    name = {"seats": "seat", "players": "seat"}.get(found["what"], "card")
    listed = "seats" if found["what"] == "players" else found["what"]
    return f"{found['agg']} of ({name} in {listed} where {found['test']}){found['rest'] or ''}"


_COMPARED = r"(?:=|!=|<=|>=|<|>)"
SIGNS = {
    "more than": ">", "over": ">", "at least": ">=", "fewer than": "<", "less than": "<", "under": "<", "at most": "<=",
    "up to": "<=", "exactly": "=", "only": "=",
}  # fmt: skip


def _or_more(found: re.Match[str]) -> str:
    sign = ">=" if found["how"] in ("more", "higher", "greater", "above", "over", "better") else "<="
    return f"{sign} {found['value']}"


def _chain_values(found: re.Match[str]) -> str:
    """Rewrite `4 if A, 3 if B, otherwise 0` as nested conditionals."""
    return re.sub(r"\s*,\s*(?:otherwise\s+|else\s+|or\s+)?|\s+else\s+", " otherwise ", found["all"])


_VALUES = (
    miss("wrong-word", rf"\A(?P<what>cards?|seat|team|number|pile|zone)\s+(?P<name>(?!of\b|is\b){NAME})\Z",
         "a test of one thing is written with `is`", r"\g<what> is \g<name>", frozenset({"pattern"})),
    miss("wrong-word",
         r"\A(?P<all>[^,()]+\sif\s[^,()]+(?:,\s*(?:or\s+|otherwise\s+)?[^,()]+\sif\s[^,()]+)+,?\s*\b(?:otherwise|else)\s+[^,()]+)\Z",
         "one value after the other is said with `otherwise`", _chain_values, EXPR),
    miss("wrong-word",
         r"\A(?P<bad>(?:when(?:ever)?|if|once|as\s+soon\s+as))\s+(?!.*\b(?:otherwise|else|then)\b|.*[,:])",
         "the condition stands alone", "", EXPR),
    miss("wrong-word", r"\A(?P<bad>[Nn]o|NO|[Oo]ff)\Z", "no is `false`", "false", EXPR),
    miss("wrong-word", r"\b(?P<join>and|or)\s+(?P<bad>if)\s+", "one `if` stands before all that must hold",
         r"\g<join> ", CONDITIONS),
    miss("wrong-word", rf"\b(?P<value>{NAME})\s+if\s+(?P=value)\s+(?:otherwise|else)\s+",
         "what stands for a value that is none is said with `or else`", r"\g<value> or else ", EXPR | STEPS),
    miss("wrong-word", r"\s+when\s+(?=.*\b(?:otherwise|else)\b)", "a value with a condition is said with `if`", " if ",
         EXPR),
    miss("wrong-word", r"\botherwise\s*:\s*", "a value with a condition has no colon", "otherwise ", EXPR),
    miss("wrong-word", r"\A(?P<value>.+?)\s+unless\s+(?P<test>.+?)\s*,?\s+(?:otherwise|else|then)\s+(?P<no>.+)\Z",
         "a value with a condition is said with `if`", r"\g<no> if \g<test> otherwise \g<value>", EXPR),
    miss("wrong-word", r"\A(?P<value>(?!.*\b(?:if|and|is)\b)[^=<>]+?)\s+or\s+(?!else\b)(?P<rest>[^=<>]+)\Z",
         "what stands for a value that is none is said with `or else`", r"\g<value> or else \g<rest>", EXPR),
    miss("unfinished", r"\A(?P<all>(?!.*\botherwise\b).+?\sif\s.+)\Z", "say what holds otherwise",
         r"\g<all> otherwise 0", EXPR, guesses=True),
    miss("wrong-word", r"\A(?P<bad>seats|players)\s+if\s+(?P<test>(?!.*\botherwise\b).+)\Z",
         "those for whom something holds are listed by a sentence", r"(seat in seats where \g<test>)", EXPR),
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
    miss("wrong-word", r"\b(?:number|count|amount)\s+of\s+players(?!\s*where)\b",
         "the number of players is `players`", "players", CONDITIONS),
    miss("wrong-word", rf"\b(?:number|amount|size|length)\s+of\s+(?={NAME})", "how many is said with `count of`",
         "count of ", CONDITIONS),
    miss("missing-parentheses",
         rf"\b(?P<agg>count)\s+of\s+(?P<what>{NAME})\s+where\s+(?P<test>[^():]+?)(?P<rest>\s+{_COMPARED}\s+\w+)?(?="
         r"\s*(?::|\Z|\)))", "what is counted stands in parentheses and names each of them", _count_where, CONDITIONS),
    miss("wrong-word",
         rf"\b(?P<agg>sum|highest|lowest|distinct)\s+(?:of\s+)?(?P<word>{NAME})\s+of\s+(?:all\s+)?(?P<bad>cards?)\s+(?:in|of)"
         rf"\s+(?P<zone>{OPERAND})", "the cards of a zone are said by its name", r"\g<agg> \g<word> of \g<zone>",
         CONDITIONS),
    miss("wrong-word", rf"\b(?P<agg>sum|highest|lowest|distinct)\s+of\s+(?P<word>(?!\(){NAME})\s+(?:of|in)\s+",
         "what is put together stands before `of`", r"\g<agg> \g<word> of ", CONDITIONS),
    miss("wrong-word", r"\b(?:max|maximum|greatest|largest|biggest)\s+of\b", "the greatest is said with `highest`",
         "highest of", CONDITIONS),
    miss("wrong-word", r"\b(?:min|minimum|least|smallest|fewest)\s+of\b", "the least is said with `lowest`",
         "lowest of", CONDITIONS),
    by_name(r"\bwith\s+(?:the\s+)?(?P<bad>best|worst)\s+", "the best are said with `highest` or `lowest`",
            lambda found, _: ["with highest ", "with lowest "], CONDITIONS, guesses=True),
    miss("wrong-word",
         r"\bwith\s+(?:the\s+)?(?P<how>most|highest|best|fewest|lowest|least)\s+(?P<bad>points?|scores?)(?!\s+of\b)",
         "what somebody has scored is `score of` him", _with_score, CONDITIONS),
    miss("wrong-word", r"\A(?:max|maximum|most|highest|best)\s*\(?\s*(?:of\s+)?(?:scores?|points?)"
         r"(?:\s+of\s+(?:(?:all|each|every)\s+)?(?:seats?|players?))?\s*\)?\Z",
         "those who have it are named, not how much it is", "(seat in seats with highest score of seat)", EXPR),
    miss("wrong-word", r"\A(?:min|minimum|fewest|lowest|least)\s*\(?\s*(?:of\s+)?(?:scores?|points?)"
         r"(?:\s+of\s+(?:(?:all|each|every)\s+)?(?:seats?|players?))?\s*\)?\Z",
         "those who have it are named, not how much it is", "(seat in seats with lowest score of seat)", EXPR),
    miss("wrong-word", r"\bwith\s+(?:the\s+)?(?P<bad>most|max|maximum|greatest|largest|biggest|top)\s+",
         "the best are said with `highest` or `lowest`", "with highest ", CONDITIONS),
    miss("wrong-word", r"\bwith\s+(?:the\s+)?(?P<bad>fewest|least|min|minimum|smallest)\s+",
         "the best are said with `highest` or `lowest`", "with lowest ", CONDITIONS),
    miss("wrong-word", r"\bwith\s+(?P<how>highest|lowest)\s+cards\b", "how many cards is counted",
         rf"with \g<how> count of {HAND}", CONDITIONS, guesses=True),
    miss("missing-parentheses",
         r"\b(?P<agg>lowest|highest|min|max|sum)\s+(?:of\s+)?(?P<first>[^,()]+),\s*(?P<second>[^,()]+)\Z",
         "several values stand in parentheses",
         lambda found: f"{SYNONYMS.get(found['agg'], found['agg'])} of "
         f"({found['first'].strip()}, {found['second'].strip()})",
         EXPR),
    miss("missing-parentheses", rf"\bof\s+(?P<first>{NAME})\s+\+\s+(?P<second>{NAME})\b",
         "what is joined stands in parentheses", r"of (\g<first> + \g<second>)", CONDITIONS),
    miss("missing-parentheses", rf"\A(?P<all>{NAME}\s+in\s+[^()]+)\Z",
         "a list made by a sentence stands in parentheses", r"(\g<all>)", EXPR),
    miss("wrong-word", r"\((?P<name>seat|player)\s+(?=with\b|where\b|from\b)", "say of which: `seat in seats`",
         "(seat in seats ", CONDITIONS),
    miss("wrong-word", r"\A(?P<name>seats?|players?)\s+(?P<rest>(?:with|where|from)\s.+)\Z",
         "those are listed by a sentence", r"(seat in seats \g<rest>)", EXPR),
    miss("wrong-word", r"\((?:seats|players)\s+(?=with\b|where\b|from\b)", "say of which: `seat in seats`",
         "(seat in seats ", CONDITIONS),
    miss("wrong-word", rf"\((?P<what>(?!seats\b|players\b){OPERAND})\s+where\s+", "each of them is named: `card in …`",
         r"(card in \g<what> where ", CONDITIONS),
    miss("wrong-word", r"\((?:cards|all\s+cards)\s+in\s+", "each of them is named: `card in …`", "(card in ",
         CONDITIONS),
    miss("wrong-word", r"\bin\s+(?:seat|players)\b(?=\s+(?:where|with|from))", "all at the table are `seats`",
         "in seats", CONDITIONS),
    miss("wrong-word", rf"(?P<name>\((?P<word>{NAME})\s+)(?P<bad>from|of|among)(?=\s+{OPERAND}\s+(?:where|with)\b)",
         "what a list is made of is said with `in`", r"\g<name>in", CONDITIONS),
    miss("wrong-word",
         rf"\((?P<name>{NAME})\s+in\s+(?P<what>{OPERAND}(?:\s+from\s+{OPERAND})?)\s+(?:with|if|when|having|that\s+has|such\s+that)\s+"
         r"(?!highest\b|lowest\b)", "a restriction begins with `where`", r"(\g<name> in \g<what> where ", CONDITIONS),
    miss("wrong-word",
         rf"\((?P<name>{NAME})\s+in\s+(?P<what>{OPERAND})\s+with\s+(?P<word>{NAME})\s+(?P<value>{OPERAND})\)",
         "a restriction begins with `where`", r"(\g<name> in \g<what> where \g<word> of \g<name> = \g<value>)",
         CONDITIONS),
    miss("wrong-word", rf"\((?P<name>{NAME})\s+in\s+(?P<what>{OPERAND})\s+without\s+(?P<value>{NAME})\)",
         "a restriction begins with `where`", r"(\g<name> in \g<what> where \g<name> is not \g<value>)", CONDITIONS),
    miss("wrong-word",
         rf"\((?P<name>{NAME})\s+in\s+(?P<what>{OPERAND})\s+where\s+(?P<test>[^()]+?)\s+(?P<bad>from\s+{OPERAND})\)",
         "where the list begins comes before what must hold", r"(\g<name> in \g<what> \g<bad> where \g<test>)",
         CONDITIONS),
    miss("wrong-word",
         rf"\((?P<name>{NAME})\s+in\s+(?P<what>{OPERAND})\s+where\s+(?P<key>{OPERAND})\s+(?:is|=)\s+(?:the\s+)?"
         r"(?P<how>highest|lowest)\)", "the best are kept by `with`", r"(\g<name> in \g<what> with \g<how> \g<key>)",
         CONDITIONS),
    miss("wrong-word", rf"\bfor\s+each\s+(?={NAME}\s+in\b)(?<=\w\sfor\seach\s)", "inside a list it is `for`", "for ",
         CONDITIONS),
    miss("wrong-word", rf"\((?P<value>(?:top|bottom|{NAME})\s+of\s+(?P<name>{NAME}))\s+in\s+",
         "a value for each is said with `for`", r"(\g<value> for \g<name> in ", CONDITIONS),
    miss("wrong-word", r"\b(?P<which>first|last)\s+\(", "`first` takes `of`, as everything does", r"\g<which> of (",
         CONDITIONS),
    miss("missing-parentheses",
         rf"\b(?P<which>first|last)\s+(?P<list>(?!of\b){NAME}\s+in\s+.+?)(?=\s+or\s+else\b|\Z|:)",
         "a list made by a sentence stands in parentheses", r"\g<which> of (\g<list>)", CONDITIONS),
    miss("missing-parentheses",
         r"\b(?P<which>first|last)\s+of\s+(?:seats|players)\s+(?P<rest>(?:from|where|with)\s+[^()]+?)(?=\s*(?::|\Z))",
         "a list made by a sentence stands in parentheses", r"\g<which> of (seat in seats \g<rest>)", CONDITIONS),
    miss("wrong-word", r"\A(?P<name>seat)\s+(?:where|who)\s+(?P<test>.+)\Z", "the first of those is said so",
         r"first of (seat in seats where \g<test>)", EXPR, guesses=True),
    miss("wrong-word",
         rf"\b(?P<word>{NAME})\s+of\s+(?P<list>{OPERAND})\s+(?:is|are)\s+(?:the\s+|all\s+)*(?:same|equal|alike)\b",
         "things are alike if there is one value of them", r"count of distinct \g<word> of \g<list> = 1", CONDITIONS),
    miss("wrong-word", rf"\ball\s+(?P<list>{OPERAND})\s+(?:have|has|are\s+of)\s+(?:the\s+)?same\s+(?P<word>{NAME})",
         "things are alike if there is one value of them", r"count of distinct \g<word> of \g<list> = 1", CONDITIONS),
    miss("wrong-word", r"\b(?P<how>[Aa]ll|[Ee]ach)\s+(?:cards?)\s+(?P<rest>in\s)", "a test of all is said with `every`",
         r"every card \g<rest>", CONDITIONS),
    miss("wrong-word", rf"\b(?P<bad>[Aa]ll|[Ee]ach)\s+(?P<word>{NAME})\s+(?=is\b|satisfies\b|in\b|can\b|may\b|are\b)",
         "a test of all is said with `every`", r"every \g<word> ", CONDITIONS),
    miss("wrong-word", r"\bsatisfy\b", "each of them `satisfies`", "satisfies", CONDITIONS),
    miss("wrong-word",
         rf"\b(?P<how>some|every|no)\s+(?P<name>seat|player)\s+(?:has|with)\s+(?P<word>{NAME})\s+(?P<rest>{_COMPARED}\s*"
         r"[^:()]+?)(?=\s*(?::|\Z|\)))", "what must hold stands in parentheses after `satisfies`",
         r"\g<how> seat satisfies (\g<word> of seat \g<rest>)", CONDITIONS),
    miss("wrong-word",
         rf"\b(?P<how>every|some|no)\s+(?P<name>{NAME})\s+in\s+(?P<list>{OPERAND})\s+has\s+(?P<word>{NAME})\s+"
         rf"(?P<value>{OPERAND})", "what must hold stands in parentheses after `satisfies`",
         r"\g<how> \g<name> in \g<list> satisfies (\g<word> of \g<name> = \g<value>)", CONDITIONS),
    miss("wrong-word",
         rf"\bthere\s+(?:is|are)\s+(?:an?\s+)?(?P<name>{NAME})\s+in\s+(?P<list>{OPERAND})\s+(?:with|where|such\s+that)\s+"
         r"(?P<test>[^:]+?)(?=\s*(?::|\Z))", "a test that holds for one of them is said with `some`",
         r"some \g<name> in \g<list> satisfies (\g<test>)", CONDITIONS),
    miss("wrong-word",
         r"\b(?:somebody|someone|some\s+player|any\s+player|a\s+player|some\s+seat)\s+(?:has|reaches|gets)\s+"
         r"(?P<value>\w+)\s+points(?:\s+or\s+more)?", "what must hold of a seat stands after `satisfies`",
         r"some seat satisfies (score of seat >= \g<value>)", CONDITIONS, guesses=True),
    miss("wrong-word", rf"(?P<who>{OPERAND})\s+has\s+(?P<word>{NAME})\s+(?={_COMPARED})",
         "what belongs to somebody is said with `of`", r"\g<word> of \g<who> ", CONDITIONS),
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
         rf"(?P<what>(?!seats\b|players\b){OPERAND})\s+(?P<bad>where)\s+(?P<test>[^():]+?)(?=\s*(?::|\Z|\)))",
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
    miss("call-notation", rf"\b(?P<word>{NOT_CONNECTING}[A-Za-z]\w*|top|bottom|sum|highest|lowest|distinct)\s?\("
         r"(?P<argument>(?:[^\"()]|\([^\"()]*\))*)\)(?!\s+of\b)", "a word is applied with `of`: not `{found}`",
         _apply_word, throughout=True),
    miss("call-notation", r"\b(?P<chain>[A-Za-z]\w*(?:\.[A-Za-z]\w*)+)(?:\(\))?",
         "a word is applied with `of`: not `{found}`", after_the_dot, throughout=True),
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
    miss("wrong-word", rf"\b(?P<bad>(?:nobody|no\s+one|noone)\s+is)\s+(?P<what>{OPERAND})", "nobody is `none`",
         r"\g<what> is none", CONDITIONS),
    miss("wrong-word", rf"(?P<what>{OPERAND})\s+(?:is|=)\s+(?:nobody|no\s+one|nothing|null|nil)\b", "nobody is `none`",
         r"\g<what> is none", CONDITIONS),
    miss("wrong-word", rf"(?P<what>{OPERAND})\s+(?:is|=)\s+(?P<bad>no|off)\b(?!\s+\w)", "no is `false`",
         r"\g<what> is false", CONDITIONS),
    miss("wrong-word", rf"(?P<what>{OPERAND})\s+(?:is|=)\s+(?P<bad>yes|on)\b(?!\s+\w)", "yes is `true`",
         r"\g<what> is true", CONDITIONS),
    miss("wrong-word", r"\b(?:is\s+|=\s*)?(?P<value>\w+)\s+or\s+"
         r"(?P<how>more|higher|greater|above|over|better|less|fewer|lower|below|under)\b",
         "a bound is said with `>=` or `<=`", _or_more, CONDITIONS),
    miss("wrong-word", rf"(?P<what>{OPERAND})\s*=\s*(?P<range>{OPERAND}\s*\.\.\s*{OPERAND})",
         "whether it is one of a range is said with `is in`", r"\g<what> is in \g<range>", CONDITIONS),
    miss("wrong-word", rf"\b(?P<no>not\s+)?(?:an?\s+)?empty\s+(?P<what>{OPERAND})", "a test is said with `is`",
         lambda found: f"{found['what']} is {'not ' if found['no'] else ''}empty", CONDITIONS),
    miss("wrong-word",
         rf"(?P<first>(?:some\s+|every\s+|no\s+)?{OPERAND})\s+(?P<join>and|or)\s+(?P<second>{OPERAND})\s+(?:are|is)\s+"
         r"(?P<test>(?:not\s+)?\w+)\b(?!\s+of)", "each side says what it is", _unfold_tests, CONDITIONS),
    miss("wrong-word", rf"(?P<what>{OPERAND})\s+not\s+(?P<value>\d+|{NAME})(?=\s*(?::|\Z|\)|\band\b|\bor\b))",
         "values that differ are said with `!=`", r"\g<what> != \g<value>", CONDITIONS),
    miss("wrong-word", rf"(?P<who>{OPERAND})\s+(?P<how>may|can)\s*not\s+(?P<action>{NAME})",
         "what cannot be done is said with `not` before it", r"not (\g<who> \g<how> \g<action>)", CONDITIONS),
    miss("wrong-word", r",\s*(?!or\b|and\b|otherwise\b|starting\b)(?=\w)", "conditions are joined with `and`", " and ",
         EXPR),
    miss("wrong-word", r"\bbut\s+(?=not\b)", "conditions are joined with `and`", "and ", CONDITIONS),
    miss("wrong-word", rf"\b(?P<join>or|and)\s+is\s+(?P<no>not\s+)?(?P<name>{NAME})",
         "what follows is a condition by itself",
         lambda found: f"{found['join']} {'not ' if found['no'] else ''}{found['name']}", CONDITIONS),
    instead(r"\bplus\b", "+", CONDITIONS),
    miss("wrong-word", r"\bminus\s+(?=\d)", "a number below nothing is written `-`", "-", CONDITIONS),
    instead(r"(?<=\w)\s+minus\s+(?=\w)", " - ", CONDITIONS),
    miss("wrong-word", r"(?<=\d)\s+(?:x|times)\s+(?=[A-Za-z(])(?!.*\btimes\s*:)", "it is multiplied with `*`", " * ",
         CONDITIONS),
    miss("wrong-word", rf"\b(?P<top>\d+)\s*/\s*(?P<bottom>\d+)\s*\*\s*(?P<what>{OPERAND})",
         "what is divided comes first", r"\g<top> * \g<what> div \g<bottom>", CONDITIONS),
    instead(r"\beither\s+(?=.*\bor\b)", "", CONDITIONS),
    miss("wrong-word", rf"(?P<a>{NAME})\s+(?P<rel>{NAME})\s+(?P<bad>on|to|with|onto|in)\s+(?P<b>{OPERAND})",
         "a relation stands between two things", r"\g<a> \g<rel> \g<b>", CONDITIONS),
    miss("wrong-word",
         rf"(?P<head>{BEGIN}set\s+{OPERAND}\s+to\s+)(?:the\s+)?(?:seat|player)\s+(?:with|who\s+has)\s+(?P<rest>.+)\Z",
         "the first of those with the best value is said so", r"\g<head>first of (seat in seats with \g<rest>)", STEPS,
         guesses=True),
    miss("wrong-word", rf"(?P<head>{BEGIN}set\s+(?P<who>{NAME})\s+to\s+)(?P<bad>(?:the\s+)?next\s+(?:player|seat))\Z",
         "the next player is `left of` somebody", r"\g<head>left of \g<who>", STEPS),
    miss("wrong-word",
         r"\b(?:the\s+)?(?P<bad>(?:next|left(?:-hand)?)\s+player|player\s+(?:on|to|at)\s+(?:the\s+)?(?:his\s+|her"
         r"\s+|their\s+)?left|next\s+one)\b", "the next player is `left of` somebody", f"left of {ACTOR}", CONDITIONS,
         guesses=True),
    miss("wrong-word", r"\b(?P<bad>next)\s+of\b", "the next player is `left of` somebody", "left of", CONDITIONS),
    miss("wrong-word", rf"\b(?P<who>{NAME}?)(?:['\u2019]?s?)\s+left\b(?!\s+of)",
         "the seat at the left is said with `of`", r"left of \g<who>", CONDITIONS),
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
    miss("wrong-word",
         rf"(?P<head>\b(?:where|and|or|if|not|until|satisfies\s\()\s*)(?P<what>{OPERAND})\s+(?P<bad>in)\b",
         "a test is said with `is in`", r"\g<head>\g<what> is in", CONDITIONS),
    miss("wrong-word", rf"\A(?P<what>{OPERAND})\s+(?P<bad>in)\b", "a test is said with `is in`", r"\g<what> is in",
         STEPS | EXPR),
    miss("wrong-word", rf"(?P<what>{OPERAND})\s+(?P<bad>(?:not\s+)?empty)\b", "a test is said with `is`",
         r"\g<what> is \g<bad>", CONDITIONS),
    miss("wrong-word", rf"\b(?:all|each|every)\s+(?P<many>{NAME})\s+(?:are|is)\b",
         "a test of all is said with `every`", _singular, CONDITIONS),
    instead(r"\bare\b", "is", CONDITIONS),
    miss("wrong-word", rf"\b(?P<bad>[Aa]ny|[Aa]nybody's)\s+(?={NAME}\s+(?:is|in|satisfies|can|may)\b)",
         "`{found}` is for choices; a test that holds for one of them is said with `some`", "some "),
)


# Cards separated by spaces, as in `given` and `expect` of examples; in an expression they must be a list.
_CARD = r"(?:\d{1,2}|[A-Z])[A-Z]\b"


def _part_cards(found: re.Match[str]) -> str:
    return f"({', '.join(found['cards'].split())})"


_LISTS: tuple[NearMiss, ...] = tuple(
    miss("wrong-word", pattern, "cards of a list are parted by commas, in parentheses", _part_cards, EXPR | STEPS)
    for pattern in (rf"\(\s*(?P<cards>{_CARD}(?:\s+{_CARD})+)\s*\)", rf"\b(?P<cards>{_CARD}(?:\s+{_CARD})+)")
)

EXPRESSION_MISSES: tuple[NearMiss, ...] = (*_VALUES, *_COUNTING, *_COMPARISONS, *_LISTS)
