"""Near misses in statements: other verbs, another order, misplaced conditions.

In: nothing. Out: `STATEMENT_MISSES`. Patterns may be generous, because a correction is offered only if the result
parses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hoyle.base.diagnostics.spelling import NUMBERS
from hoyle.language.syntax.repair.patterns import (
    ACTOR,
    BEGIN,
    COUNT,
    DECK,
    HAND,
    NAME,
    NUMBER_WORD,
    OPERAND,
    PERSON,
    PILE,
    SIMPLE_VERB,
    STATEMENT,
    STEPS,
    STOCK,
    VERB,
    NearMiss,
    by_name,
    instead,
    miss,
)
from hoyle.language.syntax.vocabulary import Vocabulary

_TIMES = {"once": "1", "twice": "2", "thrice": "3"}


_HEAD = r"\A(?P<head>(?:(?:otherwise\s+)?if\s[^:]*|for\s+each\s[^:]*|otherwise\s*|repeat[^:]*):\s)?"


def _two_lines(head: str | None, first: str, second: str) -> str:
    """Two statements on two lines, or as a block after a condition."""
    return f"{head.rstrip()}\n  {first}\n  {second}" if head else f"{first}\n{second}"


def _separate(found: re.Match[str]) -> str:
    return _two_lines(found["head"], found["first"], found["second"])


def _condition_first(found: re.Match[str]) -> str:
    test = f"not ({found['test']})" if found["word"] == "unless" else found["test"]
    return f"if {test}: {found['first']}"


def _moved_out(found: re.Match[str]) -> str:
    """Rewrite `move … from X to Y` with the source as the subject: so many cards are the top of X."""
    what, source, target = found["what"].strip(), found["source"], found["target"]
    number = re.fullmatch(r"(?:the\s+)?(?:(top|bottom)\s+)?(\d+|\w+)?\s*(?:cards?)?", what)
    if re.fullmatch(r"(?:all(?:\s+(?:the\s+)?cards)?|everything|(?:the\s+)?cards)", what):
        return f"move {source} to {target}"
    if re.fullmatch(r"(?:a|an|one|1)\s+cards?|(?:the\s+)?top(?:\s+card)?", what):
        return f"move top of {source} to {target}"
    if number and (number[1] or re.search(r"\bcards?\Z", what)) and number[2] not in (None, "card", "cards"):
        count = NUMBERS.get(number[2], number[2])
        count = count if count.isdigit() else f"({count})"
        return f"move {number[1] or 'top'} {count} of {source} to {target}"
    return f"move {what} to {target}"


def _drawn(found: re.Match[str]) -> str:
    count = NUMBERS.get(found["count"] or "", found["count"] or "1")
    source, target = found["source"] or STOCK, found["target"] or HAND
    if count in ("1", "a", "an", "card"):
        return f"move top of {source} to {target}"
    count = count if count.isdigit() else f"({count})"
    return f"move top {count} of {source} to {target}"


def _dealt_to_all(found: re.Match[str]) -> str:
    source = found["source"] or DECK
    return f"deal {found['count']} cards from {source} to each {HAND}, starting left of dealer"


def _dealt_to_one(found: re.Match[str]) -> str:
    count = found["count"] if found["count"].isdigit() else f"({found['count']})"
    return f"move top {count} of {found['source']} to {found['target']}"


def _shuffled_in(found: re.Match[str]) -> str:
    return _two_lines(found["head"], f"move {found['what']} to {found['zone']}", f"shuffle {found['zone']}")


def _dealt_besides(found: re.Match[str], vocabulary: Vocabulary) -> list[str]:
    """Rewrite `to each hand and table` for shared zones only: a seat's zone would be dealt to twice."""
    return [f"{found['before']} then {found['zone']}"] if found["zone"] in vocabulary.zones else []


def _label(found: re.Match[str]) -> str:
    return f'{found["before"]}"{found["label"].strip()}"'


def _two_statements(found: re.Match[str]) -> str:
    return _two_lines(found["head"], f"{found['first']} {found['what']}", f"{found['second']} {found['what']}")


def _two_sets(found: re.Match[str]) -> str:
    first, second = f"set {found['first']} to {found['value']}", f"set {found['second']} to {found['other']}"
    return _two_lines(found["head"], first, second)


def _for_each_as_other(found: re.Match[str]) -> str:
    """A loop over seats inside a rule about a seat, with another name for the loop variable."""
    return f"for each other in {found['list']}: " + re.sub(r"\bseat\b", "other", found["body"])


def _for_each_seat(found: re.Match[str]) -> str:
    return f"for each seat{found['rest']}" if not found["body"] else (
        f"for each seat{re.sub(r'^player ', 'seat ', found['rest'])}:" + re.sub(r"\bplayer\b", "seat", found["body"])
    )


def _for_the_best(found: re.Match[str]) -> str:
    best = "highest" if found["how"] in ("most", "highest", "greatest", "best") else "lowest"
    body = re.sub(r"\bplayer\b", "seat", found["body"]) if found["name"] == "player" else found["body"]
    return f"for each seat in (seat in seats with {best} {found['key']}):{body}"


_BLOCKS = (
    miss("wrong-word",
         rf"{BEGIN}score\s+(?P<value>[^:]+?)\s+to\s+(?:each\s+|the\s+|every\s+)?(?:seats?|players?)\s+(?:with|who\s+has)\s+(?:the\s+)?"
         r"(?P<key>(?:most|highest|greatest|fewest|lowest|least)\s+[^:\"]+?)(?P<label>(?:\s+for\s+\"[^\"]*\")?)\Z",
         "those with the best value are listed by a sentence",
         r"for each seat in (seat in seats with \g<key>): score \g<value> to seat\g<label>", STEPS),
    miss("wrong-word",
         rf"{BEGIN}for\s+(?:each|every|the|all)\s+(?P<name>seat|player)s?\s+(?:with|who\s+has)\s+(?:the\s+)?(?P<how>most|highest|"
         r"greatest|best|fewest|lowest|least|smallest)\s+(?P<key>[^:]+?)\s*:(?P<body>.*)\Z",
         "those with the best value are listed by a sentence", _for_the_best, STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<bad>for\s+(?:each|all|every|any)\s+(?:seats|players))\b",
         "a loop names one of them", "for each seat", STEPS),
    miss("wrong-word", rf"{BEGIN}for\s+each\s+player(?P<rest>[^:]*?):(?P<body>.*)\Z",
         "one of those at the table is a `seat`", _for_each_seat, STEPS),
    miss("wrong-word", rf"{BEGIN}for\s+each\s+seat\s+in\s+(?P<list>{OPERAND}):\s*(?P<body>.+)\Z",
         "`seat` is spoken of already; use another name", _for_each_as_other, STEPS),
    miss("wrong-word", rf"(?P<head>{BEGIN}for\s+each\s+{NAME}(?:\s+in\s+{OPERAND})?)\s+(?P<bad>starting(?:\s+"
         r"(?:with|at|from))?|beginning(?:\s+(?:with|at|from))?)\s+", "where a loop begins is said with `from`",
         r"\g<head> from ", STEPS),
    miss("wrong-word", rf"(?P<head>{BEGIN}for\s+each\s+{NAME}(?:\s+in\s+{OPERAND})?(?:\s+from\s+{OPERAND})?)\s+"
         r"(?P<bad>with|if|when|that\s+has|having)\s+", "a restriction begins with `where`", r"\g<head> where ", STEPS),
    miss("wrong-word",
         rf"(?P<head>{BEGIN}for\s+each\s+(?P<name>{NAME})(?:\s+in\s+{OPERAND})?(?:\s+from\s+{OPERAND})?)\s+"
         rf"(?:but|except(?:\s+for)?|other\s+than)\s+(?P<who>{OPERAND})", "who is left out is said with `where`",
         r"\g<head> where \g<name> != \g<who>", STEPS),
    miss("wrong-word", rf"(?P<head>{BEGIN}for\s+each\s+{NAME})\s+of\s+", "what a loop goes through is said with `in`",
         r"\g<head> in ", STEPS),
    miss("wrong-word",
         rf"{BEGIN}(?:for\s+)?(?:each|every)\s+(?P<name>seat|player)(?P<rest>(?:\s+(?:from|where|in)\s[^:]*?)?)\s+"
         r"(?P<verb>chooses|may\s+choose|choose)\s+(?P<menu>[^:]+?)(?<!together)\Z",
         "a loop begins with `for each`, and what is done comes after a colon",
         r"for each seat\g<rest>: seat \g<verb> \g<menu>", STEPS),
    miss("condition-last",
         rf"{BEGIN}(?P<first>{SIMPLE_VERB}[^:]+?)\s+(?P<bad>for\s+(?:each|every|all)\s+(?P<rest>(?:seats?|players?|"
         rf"{NAME}\s+in\s+{OPERAND})(?:\s+from\s+{OPERAND})?))\Z", "for whom something is done comes first",
         lambda found: f"for each {re.sub(r'^(?:seats?|players?)', 'seat', found['rest'])}: {found['first']}", STEPS),
    miss("wrong-word",
         rf"{BEGIN}score\s+(?P<value>[^:]+?)\s+to\s+(?:each|every|all)\s+(?:seats?|players?)(?P<rest>(?:\s+for\s+"
         r"\"[^\"]*\")?)\Z", "for whom something is done comes first",
         r"for each seat: score \g<value> to seat\g<rest>", STEPS),
    miss("wrong-word", rf"{BEGIN}(?:(?:do|for)\s+)?(?P<count>\d+|{NUMBER_WORD}|{NAME})\s+times\s*:",
         "how often is said with `repeat`", r"repeat \g<count> times:", STEPS),
    miss("wrong-word", rf"{BEGIN}(?:do|for|repeat)?\s*(?P<bad>twice|once|thrice)\b\s*(?=:)",
         "how often is said with `times`",
         lambda found: f"repeat {_TIMES[found['bad']]} times", STEPS),
    miss("wrong-word", rf"{BEGIN}repeat\s+(?P<limit>\S+)\s+times\s+(?:at\s+most|maximum|max)\s*(?=:)",
         "say `at most` first", r"repeat at most \g<limit> times", STEPS),
    miss("wrong-word",
         rf"{BEGIN}repeat\s+until\s+(?P<test>[^:]+?),?\s+(?P<limit>(?:at\s+most|up\s+to|max(?:imum)?)\s+\S+"
         r"\s+times)\s*:", "how often comes before until when",
         lambda found: f"repeat {re.sub(r'^(?:up to|max(?:imum)?)', 'at most', found['limit'])} until {found['test']}:",
         STEPS),
    miss("wrong-word",
         rf"(?P<head>{BEGIN}repeat(?:\s+(?:at\s+most\s+)?\S+\s+times)?)\s+(?P<bad>while|as\s+long\s+as)\s+"
         r"(?P<test>[^:]+?)\s*:", "there is no `while`; say until when", r"\g<head> until not (\g<test>):", STEPS),
    miss("wrong-word",
         rf"{_HEAD}(?P<first>gather|shuffle|cut)\s+and\s+(?:then\s+)?(?P<second>shuffle|cut)\s+(?:the\s+)?(?P<what>"
         rf"{NAME})\Z", "each statement has a line of its own", _two_statements, STEPS),
    miss("wrong-word",
         rf"{_HEAD}(?P<first>gather|shuffle|cut)\s+(?:the\s+)?(?P<what>{NAME})\s*(?:,|\band\b|,\s*and\b)\s*(?:then\s+)?"
         r"(?P<second>shuffle|cut)(?:\s+(?:it|them))?\Z", "each statement has a line of its own", _two_statements,
         STEPS),
    miss("wrong-word",
         rf"{_HEAD}set\s+(?P<first>{OPERAND})\s+to\s+(?P<value>[^:,]+?)\s*(?:,|\band\b)\s*(?P<second>{OPERAND})"
         r"\s+to\s+(?P<other>[^:]+)\Z", "each statement has a line of its own", _two_sets, STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<bad>(?:the\s+)?next\s+player(?:'s\s+turn)?|skip\s+(?:the\s+)?(?:next\s+)?"
         r"(?:player|turn|seat)|pass\s+(?:the\s+)?turn(?:\s+to\s+(?:the\s+)?left)?)\Z",
         "whose turn it is is a state, which is set", f"set {PERSON} to left of {PERSON}", STEPS, guesses=True),
    miss("wrong-word", rf"{BEGIN}skip\s+(?:the\s+)?(?P<who>{NAME})\Z", "whose turn it is is a state, which is set",
         r"set \g<who> to left of \g<who>", STEPS, guesses=True),
    miss("wrong-word",
         rf"{BEGIN}(?:rotate|advance|change|pass|move|shift|turn)\s+(?:the\s+)?(?:deal|dealer|button)(?:\s+(?:on|round|"
         r"around|clockwise))?(?:\s+(?:(?:to|by)\s+)?(?:the\s+|one\s+)?(?:left|next|next\s+(?:player|seat)))?\Z",
         "who deals is a state, which is set", "set dealer to left of dealer", STEPS),
    miss("wrong-word",
         rf"{BEGIN}(?:next\s+dealer|(?:the\s+)?deal(?:er)?\s+(?:passes|moves|rotates|goes|changes)(?:\s+(?:on|round|clockwise))?"
         r"(?:\s+(?:to\s+)?(?:the\s+)?(?:left|next(?:\s+(?:player|seat))?))?)\Z",
         "who deals is a state, which is set", "set dealer to left of dealer", STEPS),
    by_name(rf"{BEGIN}(?P<bad>skip|continue|pass)\Z",
            "where nothing is done, say `nothing`; whose turn it is is a state",
            lambda _found, _vocabulary: ["nothing", f"set {PERSON} to left of {PERSON}"], STEPS, guesses=True),
    miss("wrong-word", rf"{BEGIN}(?P<bad>sort|order|arrange)\s+(?P<what>{OPERAND})(?:\s+by\s+[^:]+)?\Z",
         "cards are never put in order: players see theirs so, and rules ask for the highest or lowest", "nothing",
         STEPS, guesses=True, trusted=True),
    instead(r"\A(?:else|otherwise)\s*,?\s*if\b|\A(?:elif|elsif|elseif)\b", "otherwise if", STEPS),
    miss("wrong-word", r"\A(?:[Ee]lse)\b\s*,?(?:\s*:)?\s*", "`else` is `otherwise`", lambda found: "otherwise: ",
         STEPS),
    miss("wrong-word", r"\A(?P<bad>otherwise)\s*,?\s+(?!if\b)(?=\w)", "a colon stands after `otherwise`",
         "otherwise: ", STEPS),
    miss("wrong-word",
         r"\A(?P<head>(?:otherwise\s+)?if)\s+(?P<test>[^:]+?)(?P<bad>\s*,\s*(?:then\s+)?|\s+then\s+|\s+)"
         rf"(?={STATEMENT})", "a colon ends the condition", r"\g<head> \g<test>: ", STEPS),
    miss("wrong-word", rf"(?P<bad>:\s*then)\s+(?={STATEMENT})", "a colon ends the condition; leave out `then`", ": ",
         STEPS),
    miss("wrong-word", r"(?P<bad>\s*(?:,|\bthen|\bdo)\s*)(?=:\Z)", "the colon comes at once", "", STEPS),
    miss("wrong-word", rf"\A(?P<head>(?:for\s+each|repeat)\s[^:]*?)(?P<bad>\s*,\s*|\s+)(?={STATEMENT})",
         "a colon stands before what is done", r"\g<head>: ", STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<bad>[Ww]hen(?:ever)?)\s+(?P<test>[^:]+?)\s*(?::|,)",
         "a condition begins with `if`", r"if \g<test>:", STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<bad>[Uu]nless)\s+(?P<test>[^:]+?)\s*(?::|,)",
         "there is no `unless`; say `if not`", r"if not (\g<test>):", STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<bad>[Ww]hile)\s+(?P<test>[^:]+?)\s*:", "there is no `while`; say until when",
         r"repeat until not (\g<test>):", STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<bad>[Uu]ntil)\s+(?P<test>[^:]+?)\s*:", "say what is done until then: `repeat`",
         r"repeat until \g<test>:", STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<bad>(?:for\s*)?each|for\s+(?:every|any|all)|for)\s+(?!each\b)(?={NAME})",
         "a loop begins with `for each`", "for each ", STEPS),
    miss("wrong-word", rf"(?P<head>{BEGIN}repeat\s+(?:at\s+most\s+)?{COUNT})(?P<bad>(?:\s+time)?)\s*(?=:)",
         "say how often: `times`", r"\g<head> times", STEPS),
    miss("wrong-word", rf"{BEGIN}repeat\s+(?P<bad>up\s+to|no\s+more\s+than|max(?:imum)?|maximally)\b",
         "say `at most`", "repeat at most", STEPS),
    miss("wrong-word", rf"{BEGIN}(?:repeat\s+(?:forever|always|endlessly)|loop|forever)\s*:",
         "what is repeated until something ends it is `repeat:`", "repeat:", STEPS),
    miss("condition-last", rf"{BEGIN}(?P<first>do\s+[^:]+?)\s+(?P<bad>until\s+(?P<test>[^:]+))\Z",
         "how long comes first, with `repeat`", r"repeat until \g<test>: \g<first>", STEPS),
    miss("condition-last",
         rf"{BEGIN}(?P<first>{SIMPLE_VERB}[^:]+?)\s+(?P<bad>(?P<count>\d+|{NUMBER_WORD}|{NAME})\s+times)\Z",
         "how often comes first, with `repeat`", r"repeat \g<count> times: \g<first>", STEPS),
    miss("condition-last",
         rf"{BEGIN}(?P<first>(?:{SIMPLE_VERB}|{OPERAND}\s+(?:chooses|may\s+choose))[^:]*?)\s*,?\s+(?P<bad>"
         r"(?P<word>if|when|unless)\s+(?P<test>(?!.*\botherwise\b)[^:]+))\Z", "a condition comes first",
         _condition_first, STEPS),
    miss("wrong-word",
         rf"{_HEAD}(?P<first>"
         rf"(?:{SIMPLE_VERB}|{OPERAND}\s+chooses)[^:]*?)"
         rf"(?P<bad>\s*,?\s+(?:and\s+then|then|and)|\s*[;,])\s+(?P<second>{STATEMENT}.*)\Z",
         "each statement has a line of its own", _separate, STEPS),
)

def _added(found: re.Match[str]) -> str:
    """Rewrite `move A, B and C to` with `+`."""
    return found["before"] + " + ".join(re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", found["all"])) + " "


def _numbered(found: re.Match[str], _vocabulary: Vocabulary) -> Iterator[str]:
    """Rewrite `top 6 - count of hand of pack` with parentheses around the number; every `of` that may end it is
    tried."""
    for of in reversed(list(re.finditer(r"\s+of\s+", found["rest"]))):
        number, pile = found["rest"][: of.start()], found["rest"][of.end() :]
        if re.search(r"\s[-+*]\s", number):
            yield f"{found['end']} ({number}) of {pile}"


def _filled(found: re.Match[str]) -> str:
    """Rewrite `draw cards from pack until hand has 6` as moving the missing number."""
    source, target = found["source"] or STOCK, found["target"] or HAND
    number = NUMBERS.get(found["number"], found["number"])
    return f"move top ({number} - count of {target}) of {source} to {target}"


def _laid(found: re.Match[str], vocabulary: Vocabulary) -> list[str]:
    """Rewrite `discard card`: move it to a pile with the name of the verb, else to any pile."""
    verb = found["bad"]
    called = [name for name in vocabulary.zones if name in (verb, f"{verb}s", f"{verb}_pile", f"{verb}ed")]
    return [f"move {found['what']} to {name}" for name in (*called, PILE)]


def _top_out(found: re.Match[str]) -> str:
    return f"move top of {found['source']} to {found['target']}"


_MOVING = (
    miss("wrong-word",
         rf"(?P<before>{BEGIN}(?:move|show|put|place|discard|play|lay|give)\s+)(?:(?:all\s+)?(?:the\s+)?cards\s+(?:of|in|from)\s+|all\s+"
         rf"(?:of\s+)?)?(?P<all>{OPERAND}(?:\s*,\s*{OPERAND})*(?:\s*,\s*|\s+and\s+){OPERAND})(?:\s+(?=to\b|on\b|onto\b|in\b|into\b)|\Z)",
         "cards are joined with `+`", _added, STEPS),
    by_name(r"\b(?P<end>top|bottom)\s+(?P<rest>(?!of\b|\()[^():]+?\s[-+*]\s[^():]+?)(?=\s+to\b)",
            "how many is reckoned in parentheses", _numbered, STEPS),
    miss("wrong-word",
         rf"{BEGIN}move\s+(?P<number>[^():]+?\s[-+*]\s[^():]+?)\s+cards?\s+from\s+(?P<source>{OPERAND})\s+(?=to\b)",
         "how many is reckoned in parentheses", r"move top (\g<number>) of \g<source> ", STEPS),
    miss("wrong-word",
         rf"{BEGIN}(?:draw|take|move|deal)(?:\s+cards?)?(?:\s+from\s+(?P<source>{OPERAND}))?(?:\s+to\s+{OPERAND})?\s+until\s+"
         rf"(?P<target>{OPERAND})\s+(?:has|holds|contains)\s+(?P<number>\w+)(?:\s+cards?)?\Z",
         "as many cards are moved as are missing", _filled, STEPS, guesses=True),
    miss("wrong-word",
         rf"{BEGIN}(?:re)?fill\s+(?:up\s+)?(?P<target>{OPERAND})\s+(?:up\s+)?to\s+(?P<number>\w+)(?:\s+cards?)?(?:\s+from\s+"
         rf"(?P<source>{OPERAND}))?\Z", "as many cards are moved as are missing", _filled, STEPS, guesses=True),
    miss("wrong-word",
         rf"{_HEAD}shuffle\s+(?P<what>{OPERAND})\s+(?:back\s+)?(?:into|in|to|with)\s+(?:the\s+)?(?P<zone>{OPERAND})\Z",
         "cards are moved first, and then shuffled", _shuffled_in, STEPS),
    by_name(rf"(?P<before>{BEGIN}deal\s+[^,]+?\s+to\s+each\s+{OPERAND})\s+(?P<bad>and(?:\s+(?:to|the))*)\s+(?P<zone>{NAME})(?=\s*(?:,|\Z))",
            "what gets a card each time round as well comes after `then`", _dealt_besides, STEPS),
    miss("wrong-word",
         rf"{BEGIN}move\s+(?:an?\s+|one\s+|the\s+)?card\s+from\s+(?P<source>{OPERAND})\s+to\s+(?P<target>[^:]+?)\Z",
         "a card knows where it lies: `move` says which, and where to", _top_out, STEPS),
    miss("wrong-word", rf"(?P<before>{BEGIN}(?:move|show)\s+)(?P<zone>{NAME})\s+(?P<bad>top|bottom)(?=\s+to\b)",
         "`{found}` comes first and takes `of`", r"\g<before>\g<bad> of \g<zone>", STEPS),
    miss("wrong-word",
         rf"(?P<before>{BEGIN}(?:move|show)\s+)(?P<which>top|bottom)\s+(?=(?!of\b|\d|cards?\b|{NUMBER_WORD}\b)"
         rf"{NAME}\s+to\b)", "`{{found}}` takes `of`, as everything does".replace("{{", "{").replace("}}", "}"),
         r"\g<before>\g<which> of ", STEPS),
    miss("missing-parentheses",
         rf"(?P<before>{BEGIN}pay\s+)(?P<number>(?!\()[^():]+?\s+if\s+[^:]+?\s+otherwise\s+[^:]+?)(?=\s+from\s)",
         "which of two numbers is paid stands in parentheses", r"\g<before>(\g<number>)", STEPS),
    miss("missing-parentheses",
         rf"(?P<before>{BEGIN}(?:move|show)\s+)(?:all\s+(?:the\s+)?(?:cards\s+)?(?:of|in|from)\s+|cards?\s+in"
         rf"\s+|all\s+cards\s+in\s+)?(?P<what>(?!\(|all\b|cards?\b){OPERAND})\s+where\s+(?P<test>[^:]+?)\s+(?=to\s+"
         rf"{OPERAND}\Z)", "a choice among cards names the card and stands in parentheses",
         r"\g<before>(card in \g<what> where \g<test>) ", STEPS),
    miss("wrong-word", rf"{BEGIN}move\s+all\s+(?:of\s+)?(?P<what>(?!but\b){OPERAND})\s+to\s+(?P<target>{OPERAND})\Z",
         "all cards of a zone are named by the zone", r"move \g<what> to \g<target>", STEPS),
    miss("wrong-word", rf"{BEGIN}move\s+(?P<what>{OPERAND})\s+(?:except|but|without)\s+(?:for\s+)?(?:the\s+)?"
         rf"(?P<which>top|bottom)(?:\s+cards?)?\s+to\s+(?P<target>{OPERAND})\Z", "say `all but`",
         r"move all but \g<which> of \g<what> to \g<target>", STEPS),
    miss("wrong-word", rf"{BEGIN}move\s+(?P<what>[^:]+?)\s+to\s+(?P<target>{NAME})\s+(?P<which>bottom)\Z",
         "under a pile is `to bottom of`", r"move \g<what> to bottom of \g<target>", STEPS),
    miss("wrong-word",
         rf"{BEGIN}(?:gather|collect)\s+(?:all\s+|the\s+)*(?:cards\s+)?(?:in|into|to|on)\s+(?P<what>{NAME})\Z",
         "the zone is named alone", r"gather \g<what>", STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<bad>collect)\s+(?P<what>{NAME})\Z",
         "`{{found}}` is said `gather`".replace("{{", "{").replace("}}", "}"), r"gather \g<what>", STEPS),
    miss("wrong-word",
         rf"{BEGIN}deal\s+(?:the\s+)?(?:whole\s+|entire\s+|all\s+(?:of\s+)?(?:the\s+)?)?(?P<source>(?!cards\b|up\b)"
         rf"{NAME})\s+to\s+(?=each\b)", "say how many, and from where", r"deal all cards from \g<source> to ", STEPS),
    miss("wrong-word", rf"{BEGIN}deal\s+(?:all(?:\s+of)?(?:\s+the)?|everything)(?:\s+cards)?\s+from\s+",
         "after `all` comes `cards`", "deal all cards from ", STEPS),
    miss("unfinished",
         rf"(?P<before>{BEGIN}deal\s+(?:up\s+to\s+)?(?:\d+|all|{NAME})\s+cards)\s+(?P<bad>to)\s+(?=each\b|{OPERAND})",
         "say from where", rf"\g<before> from {DECK} to ", STEPS, guesses=True),
    miss("wrong-word",
         rf"(?P<before>{BEGIN}deal\s+(?:up\s+to\s+)?(?:\d+|all|{NAME})\s+cards)\s+(?P<to>to\s+(?:each\s+)?"
         rf"{OPERAND})\s+(?P<from>from\s+{OPERAND})", "where cards come from is said first",
         r"\g<before> \g<from> \g<to>", STEPS),
    miss("wrong-word",
         rf"(?P<before>{BEGIN}deal\s+(?:up\s+to\s+)?(?:\d+|all|{NAME})\s+cards)\s+each\s+(?P<from>from\s+{OPERAND})",
         "to whom is said after from where", rf"\g<before> \g<from> to each {HAND}", STEPS, guesses=True),
    miss("wrong-word", rf"(?P<start>\s*,?\s*starting\s+{OPERAND})(?P<packets>\s*,?\s*in\s+packets\s+of\s+\S+)\Z",
         "packets come before who begins", r"\g<packets>\g<start>", STEPS),
    miss("wrong-word", rf"\s*,\s*(?P<who>{OPERAND})\s+(?:goes\s+)?first\Z", "say `, starting` and the seat",
         r", starting \g<who>", STEPS),
    miss("wrong-word", r"\bof\s+each\s+(?:seat|player)\b", "in a loop each is `seat`", "of seat", STEPS),
    miss("wrong-word", r"\s*,\s*(?=in\s+packets\b)", "no comma stands before `in packets`", " ", STEPS),
    miss("wrong-word", r"\bin\s+(?:an?\s+)?packets?\s+of\b", "it is `in packets of`", "in packets of", STEPS),
    miss("wrong-word",
         rf"(?P<before>{BEGIN}deal\s+(?P<count>\d+|{NAME})\s+cards\s+[^,]+?)\s+(?P<bad>all\s+at\s+once|at"
         r"\s+once|together)\b", "all at once is a packet", r"\g<before> in packets of \g<count>", STEPS),
    miss("wrong-word", rf"{BEGIN}move\s+(?P<count>\d+|{NUMBER_WORD})\s+cards?\s+to\s+(?P<target>{OPERAND})\Z",
         "say which cards",
         lambda found: f"move top {NUMBERS.get(found['count'], found['count'])} of {STOCK} to {found['target']}",
         STEPS, guesses=True),
    miss("unfinished", rf"{BEGIN}(?P<verb>show|reveal|expose)\s+(?P<what>{OPERAND})\Z", "say to whom",
         r"show \g<what> to seats", STEPS),
    miss("wrong-word", rf"{BEGIN}tell\s+(?P<who>{NAME})\s+(?P<what>\(.+\)|{OPERAND})\Z", "cards are shown",
         r"show \g<what> to \g<who>", STEPS),
    miss("wrong-word",
         rf"{BEGIN}(?P<bad>remove|eliminate|drop|kick\s+out|knock\s+out|take\s+out)\s+(?P<who>{OPERAND})\Z",
         "who leaves the match is said with `retire`", r"retire \g<who>", STEPS),
    miss("wrong-word", rf"{BEGIN}(?:pick|choose|draw|select)\s+(?P<what>{NAME})\s+(?:randomly\s+|at\s+random\s+)?"
         r"(?:from|of|in|out\s+of)\s+(?P<source>[^:]+?)(?:\s+(?:at\s+random|randomly))?\Z",
         "what chance chooses is said with `at random`", r"pick \g<what> at random from \g<source>", STEPS),
    miss("wrong-word",
         rf"{BEGIN}let\s+(?P<what>{NAME})\s+be\s+(?:an?\s+)?random\s+(?:\w+\s+)?(?:of|from|in)\s+(?P<source>[^:]+?)\Z",
         "what chance chooses is said with `pick`", r"pick \g<what> at random from \g<source>", STEPS),
    miss("wrong-word",
         rf"{BEGIN}move\s+(?P<what>[^:]+?)\s+(?P<bad>from\s+(?P<source>{OPERAND}))\s+to\s+(?P<target>[^:]+?)\Z",
         "a card knows where it lies: `move` says only where to", _moved_out, STEPS, trusted=True),
    miss("wrong-word", rf"{BEGIN}(?P<bad>take|draw)\s+(?P<what>(?!cards?\b|\d|{NUMBER_WORD}\b|an?\b|the\b){NAME})\Z",
         "`{found}` is not a statement; cards are moved", rf"move \g<what> to {HAND}", STEPS, guesses=True),
    miss("wrong-word",
         rf"{BEGIN}(?P<bad>(?:draw|take))\s+(?:(?P<count>{COUNT})\s+)?(?:cards?\s+)?(?:from|of|off)\s+"
         rf"(?P<source>{OPERAND})"
         rf"(?:\s+(?:to|into)\s+(?P<target>{OPERAND}))?\Z", "`{found}` is not a statement; cards are moved", _drawn,
         STEPS),
    miss("wrong-word",
         rf"{BEGIN}(?P<bad>draw|take)(?:\s+(?P<count>{COUNT}))?(?:\s+cards?)?(?P<source>)(?P<target>)\Z",
         "`{found}` is not a statement; cards are moved", _drawn, STEPS, guesses=True),
    by_name(rf"{BEGIN}(?P<bad>discard|lay|play)\s+(?P<what>{OPERAND}(?:\s+\+\s+{OPERAND})*)\Z",
            "`{found}` is not a statement; cards are moved", _laid, STEPS, guesses=True),
    miss("wrong-word", rf"{BEGIN}(?P<bad>draw|take)\s+(?P<what>(?:top|bottom)\s+[^:]*?)\Z",
         "`{found}` is not a statement; cards are moved", rf"move \g<what> to {HAND}", STEPS, guesses=True),
    miss("wrong-word",
         rf"{BEGIN}(?P<bad>put|place|play|lay|discard|give|return|take|draw|transfer|move)\s+(?P<what>[^:]+?)\s+"
         rf"(?:under|beneath|below|at\s+bottom\s+of|on\s+bottom\s+of)\s+(?P<target>{OPERAND})\Z",
         "cards are moved: `move … to bottom of …`", r"move \g<what> to bottom of \g<target>", STEPS),
    miss("wrong-word",
         rf"{BEGIN}(?P<bad>move)\s+(?P<what>[^:]+?)\s+(?:onto|on\s+top\s+of|on|into|in)\s+(?P<target>{OPERAND})\Z",
         "cards are moved `to` a place", r"move \g<what> to \g<target>", STEPS),
    miss("wrong-word",
         rf"{BEGIN}(?P<bad>put|place|play|lay|discard|give|return|take|draw|transfer|pass)\s+(?P<what>[^:]+?)\s+"
         rf"(?:onto|on\s+top\s+of|on|into|in|to)\s+(?P<target>{OPERAND})\Z",
         "`{found}` is not a statement; cards are moved", r"move \g<what> to \g<target>", STEPS),
    miss("unfinished",
         rf"{BEGIN}deal\s+(?P<count>{COUNT})\s+(?:cards?\s+)?(?:from\s+(?P<source>{OPERAND})\s+)?(?P<bad>to\s+"
         r"(?:each|every|all|everyone|everybody)(?:\s+(?:players?|seats?|hands|of\s+\w+))|each)\Z",
         "say from where, to each hand, and who gets the first card", _dealt_to_all, STEPS, guesses=True),
    miss("unfinished",
         rf"{BEGIN}deal\s+(?:each|every)\s+(?:players?|seats?|hand)\s+(?P<count>{COUNT})(?:\s+cards?)?(?:\s+from"
         rf"\s+(?P<source>{OPERAND}))?\Z", "say from where, to each hand, and who gets the first card",
         _dealt_to_all, STEPS, guesses=True),
    miss("wrong-word",
         rf"(?P<before>{BEGIN}deal\s+.+?\s+)(?P<bad>to\s+(?:(?:each|every)\s+(?:player|seat)|all(?:\s+players|"
         r"\s+seats)?|everyone|everybody))(?=\s*,|\s+starting|\s+in\b|\Z)",
         "cards are dealt to a zone of each seat: `to each hand`", rf"\g<before>to each {HAND}", STEPS),
    miss("wrong-word", rf"(?P<before>{BEGIN}deal\s+(?:up\s+to\s+)?{COUNT})\s+(?P<bad>card)\b",
         "the word is `cards`, for one card too", r"\g<before> cards", STEPS),
    miss("unfinished", rf"(?P<before>{BEGIN}deal\s+(?:up\s+to\s+)?(?:\d+|(?!cards\b){NAME}))\s+(?=from\b|to\b)",
         "after the number comes `cards`", r"\g<before> cards ", STEPS),
    miss("wrong-word",
         rf"{BEGIN}deal\s+(?P<count>\d+|{NAME})\s+cards\s+from\s+(?P<source>{OPERAND})\s+to\s+(?P<target>"
         rf"(?!each\b){OPERAND})\Z", "`deal` goes round the table; to one place cards are moved", _dealt_to_one,
         STEPS),
    miss("wrong-word", r"\s*,?\s+(?:starting|beginning)\s+(?:with|from|at|to)?\s*(?=\S)",
         "say `, starting` and the seat", ", starting ", STEPS),
    miss("wrong-word", rf"{BEGIN}turn\s+(?P<what>{OPERAND})\s+(?P<bad>over|around)\Z",
         "the words stand together: `turn over`", r"turn over \g<what>", STEPS),
    miss("wrong-word",
         rf"{BEGIN}(?:turn|flip)\s+(?P<what>(?!over\b|up\b|down\b){OPERAND})\s+(?P<bad>(?:face\s*-?\s*)?(?P<way>up|down))\Z",
         "which way comes first: `turn up` or `turn down`", r"turn \g<way> \g<what>", STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<bad>(?:turn|flip)\s+face\s*-?\s*(?P<way>up|down))\s+(?P<what>{OPERAND})\Z",
         "`{found}` is said `turn up` or `turn down`", r"turn \g<way> \g<what>", STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<bad>(?:flip|reverse)(?:\s+over)?)\s+(?P<what>{OPERAND})\Z",
         "`{found}` is said `turn over`", r"turn over \g<what>", STEPS),
    miss("wrong-word",
         rf"{BEGIN}(?P<verb>swap|exchange|switch)\s+(?P<first>{OPERAND})\s+(?:and|for|with)\s+"
         rf"(?P<second>{OPERAND})\Z", "zones are swapped `with` each other", r"swap \g<first> with \g<second>",
         STEPS),
    miss("wrong-word",
         rf"{BEGIN}(?:show|reveal|expose)\s+(?P<what>[^:]+?)\s+to\s+(?P<bad>all(?:\s+(?:players|seats))?|everyone"
         r"|everybody|each\s+(?:player|seat))\Z", "those at the table are `seats`", r"show \g<what> to seats", STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<bad>reveal|expose)\s+(?P<what>{OPERAND})\Z", "`{found}` is said `show … to …`",
         r"show \g<what> to seats", STEPS, guesses=True),
    miss("wrong-word",
         rf"{BEGIN}(?:pick|choose|draw)\s+(?P<what>{NAME})\s+from\s+(?P<source>[^:]+?)\s+at\s+random\Z",
         "`at random` comes before `from`", r"pick \g<what> at random from \g<source>", STEPS),
    miss("wrong-word",
         rf"{BEGIN}(?:pick|choose|draw)\s+(?:an?\s+)?random\s+(?P<what>{NAME})\s+(?:from|of|in)\s+"
         r"(?P<source>[^:]+?)\Z", "`at random` comes after the name", r"pick \g<what> at random from \g<source>",
         STEPS),
    by_name(rf"{BEGIN}(?:pick|choose|draw|select)\s+(?:an?\s+)?random\s+(?P<what>seat|player)\Z",
            "`at random` comes after the name, and then from where",
            lambda _found, _vocabulary: [f"pick {name} at random from seats" for name in ("seat", "other")], STEPS,
            guesses=True, trusted=True),
)

def _grouped(value: str) -> str:
    """A value as an operand: in parentheses if it is compound."""
    value = value.strip()
    return f"({value})" if re.search(r"\s[-+]\s|\b(?:if|otherwise|else)\b", value) else value


def _lost(found: re.Match[str]) -> str:
    return f"score 0 - {_grouped(found['value'])} to {found['seat']}"


def _less(found: re.Match[str]) -> str:
    return f"set {found['what']} to {found['what']} - {_grouped(found['value'] or '1')}"


def _changed_by(found: re.Match[str]) -> str:
    value = found["value"] if found["sign"] == "+" else _grouped(found["value"])
    return f"set {found['what']} to {found['what']} {found['sign']} {value}"


SCORED = "what is scored is written with `score`"

_SETTING = (
    miss("wrong-word", rf"{BEGIN}set\s+(?P<what>{OPERAND})\s+(?P<value>true|false|none|\d+)\Z",
         "a value is set with `to`", r"set \g<what> to \g<value>", STEPS),
    miss("wrong-word", rf"(?P<head>{BEGIN}set\s+{OPERAND}\s+to\s+)(?P<bad>yes|on)\Z", "yes is `true`", r"\g<head>true",
         STEPS),
    miss("wrong-word", rf"(?P<head>{BEGIN}set\s+{OPERAND}\s+to\s+)(?P<bad>no|off)\Z", "no is `false`",
         r"\g<head>false", STEPS),
    miss("wrong-word", rf"(?P<head>{BEGIN}set\s+{OPERAND}\s+to\s+)(?P<bad>nobody|no\s+one|nothing|null|nil|unknown)\Z",
         "nobody is `none`", r"\g<head>none", STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<what>(?!{VERB}){OPERAND})\s+(?:is|becomes)\s+(?P<value>true|false|none)\Z",
         "a value is given with `set`", r"set \g<what> to \g<value>", STEPS),
    miss("wrong-word",
         rf"{BEGIN}(?P<what>(?!{VERB}){NAME}(?:\s+of\s+{NAME})?)\s+(?:is|becomes)\s+(?P<value>(?!not\b){OPERAND})\Z",
         "a value is given with `set`", r"set \g<what> to \g<value>", STEPS),
    miss("unfinished", rf"{BEGIN}set\s+(?P<what>{OPERAND})\Z", "say to what", r"set \g<what> to true", STEPS,
         guesses=True),
    miss("wrong-word", rf"{BEGIN}set\s+(?P<what>{OPERAND})\s+if\s+(?P<test>[^:]+)\Z", "say to what",
         r"set \g<what> to \g<test>", STEPS, guesses=True),
    miss("wrong-word",
         rf"{BEGIN}subtract\s+(?P<value>\d+|{OPERAND})(?:\s+points?)?\s+from\s+(?P<seat>seat|player|dealer)\b",
         "what somebody loses is a score below nothing", _lost, STEPS),
    miss("wrong-word", rf"{BEGIN}(?:score|points?)\s+of\s+(?P<seat>{OPERAND})\s*\+=\s*(?P<value>[^:]+)\Z", SCORED,
         r"score \g<value> to \g<seat>", STEPS),
    miss("wrong-word", rf"{BEGIN}(?:score|points?)\s+of\s+(?P<seat>{OPERAND})\s*-=\s*(?P<value>[^:]+)\Z", SCORED,
         _lost, STEPS),
    miss("wrong-word", rf"{BEGIN}(?:score|points?)\s+of\s+(?P<seat>{OPERAND})\s*\+\+\Z", SCORED,
         r"score 1 to \g<seat>", STEPS),
    miss("wrong-word",
         rf"{BEGIN}(?:add|give)\s+(?P<value>[^:]+?)\s+to\s+(?:the\s+)?(?:score|points?)\s+of\s+(?P<seat>{OPERAND})\Z",
         SCORED, r"score \g<value> to \g<seat>", STEPS),
    miss("wrong-word",
         rf"{BEGIN}(?:increase|raise)\s+(?:the\s+)?(?:score|points?)\s+of\s+(?P<seat>{OPERAND})\s+by\s+"
         r"(?P<value>[^:]+)\Z", SCORED, r"score \g<value> to \g<seat>", STEPS),
    miss("wrong-word",
         rf"{BEGIN}(?:subtract|take|deduct)\s+(?P<value>[^:]+?)\s+from\s+(?:the\s+)?(?:score|points?)\s+of\s+"
         rf"(?P<seat>{OPERAND})\Z", SCORED, _lost, STEPS),
    miss("wrong-word",
         rf"{BEGIN}(?:decrease|reduce|lower)\s+(?:the\s+)?(?:score|points?)\s+of\s+(?P<seat>{OPERAND})\s+by\s+"
         r"(?P<value>[^:]+)\Z", SCORED, _lost, STEPS),
    miss("wrong-word",
         rf"{BEGIN}set\s+(?:the\s+)?(?:score|points?)\s+of\s+(?P<seat>{OPERAND})\s+to\s+(?:the\s+)?(?:score|points?)"
         r"\s+of\s+(?P=seat)\s*(?P<sign>[-+])\s*(?P<value>[^:]+)\Z", SCORED,
         lambda found: f"score {'0 - ' if found['sign'] == '-' else ''}{found['value']} to {found['seat']}", STEPS),
    miss("wrong-word", rf"{BEGIN}subtract\s+(?P<value>[^:]+?)\s+from\s+(?P<what>{OPERAND})\Z",
         "a value is changed with `set`", _less, STEPS),
    miss("wrong-word", rf"{BEGIN}add\s+(?P<value>[^:]+?)\s+to\s+(?P<what>{OPERAND})\Z",
         "a value is changed with `set`", r"set \g<what> to \g<what> + \g<value>", STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<what>{OPERAND})\s*(?:--|\u2212\u2212)\Z", "a value is changed with `set`",
         r"set \g<what> to \g<what> - 1", STEPS),
    miss("wrong-word", rf"{BEGIN}set\s+(?P<what>{OPERAND})\s+to\s+(?:one|1)\s+less\Z", "a value is changed with `set`",
         r"set \g<what> to \g<what> - 1", STEPS),
    miss("wrong-word", rf"{BEGIN}set\s+(?P<what>{OPERAND})\s+to\s+(?:one|1)\s+more\Z", "a value is changed with `set`",
         r"set \g<what> to \g<what> + 1", STEPS),
    miss("wrong-word", rf"{BEGIN}make\s+(?P<value>{OPERAND})\s+(?:the\s+)?(?P<what>{NAME})\Z",
         "a value is given with `set`", r"set \g<what> to \g<value>", STEPS),
    miss("wrong-word",
         rf"{BEGIN}(?:append|push|insert|put)\s+(?P<value>{OPERAND})\s+(?:to|into|in|on)\s+(?P<what>{OPERAND})\Z",
         "a list grows with `add`", r"add \g<value> to \g<what>", STEPS),
    miss("wrong-word", rf"(?P<head>{BEGIN}add\s+{OPERAND})\s+(?P<bad>in|into|on)\s+", "it is `add … to`",
         r"\g<head> to ", STEPS),
    miss("wrong-word", rf"{BEGIN}set\s+(?P<what>{NAME})\s+to\s+(?P<way>left|right)\Z",
         "whose left it is stands after `of`", r"set \g<what> to \g<way> of \g<what>", STEPS),
    miss("wrong-word",
         rf"{BEGIN}(?P<seat>{OPERAND})\s+(?:loses?|pays)\s+(?P<value>[^:\"]+?)(?:\s+points?)?(?=\s+for\b|\Z)",
         "what somebody loses is a score below nothing", _lost, STEPS),
    miss("wrong-word",
         rf"{BEGIN}(?:give|award|grant)\s+(?P<seat>{OPERAND})\s+(?P<value>[^:\"]+?)\s+points?(?=\s+for\b|\Z)",
         "what is scored comes first, then who scores it", r"score \g<value> to \g<seat>", STEPS),
    miss("wrong-word", rf"{BEGIN}score\s+(?P<value>(?!.*\sto\s)[^:\"]+?)\s+for\s+(?P<seat>{OPERAND})(?=\s+for\b|\Z)",
         "who scores is said with `to`", r"score \g<value> to \g<seat>", STEPS),
    miss("wrong-word", rf"{BEGIN}score\s+(?:for|to)\s+(?P<seat>{OPERAND})\s+(?P<value>\d+)(?=\s+for\b|\Z)",
         "what is scored comes first, then who scores it", r"score \g<value> to \g<seat>", STEPS),
    miss("unfinished", rf"{BEGIN}score\s+(?P<value>(?!.*\sto\s)[^:\"]+?)(?=\s+for\s+\"|\Z)", "say who scores",
         rf"score \g<value> to {ACTOR}", STEPS, guesses=True),
    miss("wrong-word",
         rf"(?P<before>{BEGIN}set\s+{OPERAND})(?P<bad>\s*(?::=|=|\bas\b|\bequal\s+to\b|\binto\b|\bbe\b|\bis\b))\s*",
         "a value is set with `to`; `=` compares", r"\g<before> to ", STEPS),
    miss("wrong-word", rf"(?P<before>{BEGIN}let\s+{NAME})(?P<bad>\s*(?::=|=|\bto\b|\bis\b|\bas\b))\s*",
         "`let` takes `be`; `=` compares", r"\g<before> be ", STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<what>{OPERAND})\s*(?P<sign>[-+*])=\s*(?P<value>[^:]+)\Z",
         "a value is changed with `set`", _changed_by, STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<what>{OPERAND})\s*(?:\+\+)\Z", "a value is changed with `set`",
         r"set \g<what> to \g<what> + 1", STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<what>(?!{VERB}){OPERAND})\s*(?:=|:=|\bbecomes\b)\s*(?P<value>[^:=]+)\Z",
         "a value is given with `set`; `=` compares", r"set \g<what> to \g<value>", STEPS),
    miss("wrong-word", rf"{BEGIN}(?:increase|raise|increment)\s+(?P<what>{OPERAND})(?:\s+by\s+(?P<value>[^:]+))?\Z",
         "a value is changed with `set`",
         lambda found: f"set {found['what']} to {found['what']} + {found['value'] or '1'}", STEPS),
    miss("wrong-word",
         rf"{BEGIN}(?:decrease|reduce|lower|decrement)\s+(?P<what>{OPERAND})(?:\s+by\s+(?P<value>[^:]+))?\Z",
         "a value is changed with `set`",
         _less, STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<bad>change|make|assign)\s+(?=[^:]+\sto\s)", "`{found}` is said `set`", "set ",
         STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<bad>reset|erase|unset)\s+(?={NAME})", "`{found}` is said `clear`", "clear ",
         STEPS),
    miss("wrong-word",
         rf"{BEGIN}(?P<seat>{OPERAND})\s+(?P<bad>scores?|gets?|gains?|wins?|pegs?|earns?|receives?)\s+"
         r"(?P<value>[^:\"]+?)(?:\s+points?)?(?=\s+for\b|\Z)", "the verb comes first: `score … to …`",
         r"score \g<value> to \g<seat>", STEPS),
    miss("wrong-word",
         rf"{BEGIN}(?P<bad>score|give|award|grant|pay)\s+(?P<seat>{OPERAND})\s+(?P<value>\d+)(?:\s+points?)?(?="
         r"\s+for\b|\Z)", "what is scored comes first, then who scores it", r"score \g<value> to \g<seat>", STEPS),
    miss("wrong-word",
         rf"{BEGIN}(?P<bad>give|award|grant|count|peg)\s+(?P<value>[^:\"]+?)(?:\s+points?)?\s+(?:to|for)\s+"
         rf"(?P<seat>{OPERAND})", "`{found}` is said `score`", r"score \g<value> to \g<seat>", STEPS),
    miss("wrong-word", rf"(?P<before>{BEGIN}score\s+(?:\d+|{OPERAND}))\s+(?P<bad>for)\s+(?=\w)(?!.*\sto\s)",
         "who scores is said with `to`", r"\g<before> to ", STEPS),
    miss("wrong-word",
         rf"(?P<before>{BEGIN}score\s+[^:\"]+?\s+to\s+{OPERAND})\s*(?P<bad>\bas\b|\bbecause(?:\s+of)?\b|,|:|\blabelled"
         r"\b|\bnamed\b|\bcalled\b)?\s*(?=\")", "the label comes after `for`", r"\g<before> for ", STEPS),
    miss("missing-quotes", rf"(?P<before>{BEGIN}score\s+[^:\"]+?\s+to\s+[^:\"]+?\s+for\s+)(?P<bad>"
         r"(?P<label>[^:\"'\u2018\u2019“”„][^:\"]*?))\Z", "a label stands in quotes", _label, STEPS),
    miss("missing-quotes", rf"(?P<before>{BEGIN}announce\s+)(?P<bad>(?P<label>[^:\"'\u2018\u2019“”„][^:\"]*?))\Z",
         "a text stands in quotes", _label, STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<bad>print|say|tell|write|display)\s+", "`{found}` is said `announce`",
         "announce ", STEPS),
)


STATEMENT_MISSES: tuple[NearMiss, ...] = (*_BLOCKS, *_MOVING, *_SETTING)
