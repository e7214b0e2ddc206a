"""Near misses in statements: other verbs, another order, conditions in another place.

In: nothing. Out: `STATEMENT_MISSES`. A correction is only offered if the corrected line can be read, so a pattern
may be generous.
"""

from __future__ import annotations

import re

from hoyle.syntax.repair.patterns import (
    BEGIN,
    COUNT,
    MENU,
    NAME,
    NUMBER_WORD,
    NUMBERS,
    OPERAND,
    PICK,
    SIMPLE_VERB,
    STATEMENT,
    STEPS,
    VERB,
    NearMiss,
    instead,
    miss,
)


def _separate(found: re.Match[str]) -> str:
    """Two statements on one line as two lines, or as a block if the line begins with a condition."""
    head, first, second = found["head"] or "", found["first"], found["second"]
    if head:
        return f"{head.rstrip()}\n  {first}\n  {second}"
    return f"{first}\n{second}"


def _condition_first(found: re.Match[str]) -> str:
    test = f"not ({found['test']})" if found["word"] == "unless" else found["test"]
    return f"if {test}: {found['first']}"


def _moved_out(found: re.Match[str]) -> str:
    """`move … from X to Y`: cards know where they lie, so many of them are the top of X."""
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
    source, target = found["source"] or "pack", found["target"] or "hand"
    if count in ("1", "a", "an", "card"):
        return f"move top of {source} to {target}"
    count = count if count.isdigit() else f"({count})"
    return f"move top {count} of {source} to {target}"


def _dealt_to_all(found: re.Match[str]) -> str:
    source = found["source"] or "pack"
    return f"deal {found['count']} cards from {source} to each hand, starting left of dealer"


def _dealt_to_one(found: re.Match[str]) -> str:
    count = found["count"] if found["count"].isdigit() else f"({found['count']})"
    return f"move top {count} of {found['source']} to {found['target']}"


def _label(found: re.Match[str]) -> str:
    return f'{found["before"]}"{found["label"].strip()}"'


_BLOCKS = (
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
         r"\A(?P<head>(?:(?:otherwise\s+)?if\s[^:]*|for\s+each\s[^:]*|otherwise\s*|repeat[^:]*):\s)?(?P<first>"
         rf"(?:{SIMPLE_VERB}|{OPERAND}\s+chooses)[^:]*?)"
         rf"(?P<bad>\s*,?\s+(?:and\s+then|then|and)|\s*[;,])\s+(?P<second>{STATEMENT}.*)\Z",
         "each statement has a line of its own", _separate, STEPS),
)

_MOVING = (
    miss("wrong-word",
         rf"{BEGIN}move\s+(?P<what>[^:]+?)\s+(?P<bad>from\s+(?P<source>{OPERAND}))\s+to\s+(?P<target>[^:]+?)\Z",
         "a card knows where it lies: `move` says only where to", _moved_out, STEPS),
    miss("wrong-word",
         rf"{BEGIN}(?P<bad>(?:draw|take))\s+(?:(?P<count>{COUNT})\s+)?(?:cards?\s+)?(?:from|of|off)\s+"
         rf"(?P<source>{OPERAND})"
         rf"(?:\s+(?:to|into)\s+(?P<target>{OPERAND}))?\Z", "`{found}` is not a statement; cards are moved", _drawn,
         STEPS),
    miss("wrong-word",
         rf"{BEGIN}(?P<bad>draw|take)(?:\s+(?P<count>{COUNT}))?(?:\s+cards?)?(?P<source>)(?P<target>)\Z",
         "`{found}` is not a statement; cards are moved", _drawn, STEPS, guesses=True),
    miss("wrong-word", rf"{BEGIN}(?P<bad>discard|lay|play)\s+(?P<what>{OPERAND})\Z",
         "`{found}` is not a statement; cards are moved", r"move \g<what> to pile", STEPS, guesses=True),
    miss("wrong-word", rf"{BEGIN}(?P<bad>draw|take)\s+(?P<what>(?:top|bottom)\s+[^:]*?)\Z",
         "`{found}` is not a statement; cards are moved", r"move \g<what> to hand", STEPS, guesses=True),
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
         "cards are dealt to a zone of each seat: `to each hand`", r"\g<before>to each hand", STEPS),
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
    miss("wrong-word", rf"{BEGIN}turn\s+(?P<what>{OPERAND})\s+(?P<bad>over|around|face\s+(?:up|down))\Z",
         "the words stand together: `turn over`", r"turn over \g<what>", STEPS),
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
)

_SETTING = (
    miss("wrong-word",
         rf"(?P<before>{BEGIN}set\s+{OPERAND})(?P<bad>\s*(?::=|=|\bas\b|\bequal\s+to\b|\binto\b|\bbe\b|\bis\b))\s*",
         "a value is set with `to`; `=` compares", r"\g<before> to ", STEPS),
    miss("wrong-word", rf"(?P<before>{BEGIN}let\s+{NAME})(?P<bad>\s*(?::=|=|\bto\b|\bis\b|\bas\b))\s*",
         "`let` takes `be`; `=` compares", r"\g<before> be ", STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<what>{OPERAND})\s*(?P<sign>[-+*])=\s*(?P<value>[^:]+)\Z",
         "a value is changed with `set`", r"set \g<what> to \g<what> \g<sign> \g<value>", STEPS),
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
         lambda found: f"set {found['what']} to {found['what']} - {found['value'] or '1'}", STEPS),
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
         rf"(?P<before>{BEGIN}score\s+[^:\"]+?\s+to\s+{OPERAND})\s+(?P<bad>as|because(?:\s+of)?|,|:|labelled"
         r"|named|called)?\s*(?=\")", "the label comes after `for`", r"\g<before> for ", STEPS),
    miss("missing-quotes",
         rf"(?P<before>{BEGIN}score\s+[^:\"]+?\s+to\s+[^:\"]+?\s+for\s+)(?P<bad>(?P<label>[^:\"'\u2018\u2019“”„][^:\"]*?))\Z",
         "a label stands in quotes", _label, STEPS),
    miss("missing-quotes", rf"(?P<before>{BEGIN}announce\s+)(?P<bad>(?P<label>[^:\"'\u2018\u2019“”„][^:\"]*?))\Z",
         "a text stands in quotes", _label, STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<bad>print|say|tell|write|display)\s+", "`{found}` is said `announce`",
         "announce ", STEPS),
)

_TEST = r"(?:(?!\bor\b)[^():,])*(?:\bof\b|\bis\b|[=<>])(?:(?!\bor\b)[^():,])*"


def _enclose_tests(found: re.Match[str]) -> str:
    tests = found["bad"]
    return f"where ({tests.strip()})" + tests[len(tests.rstrip()) :]


_CHOOSING = (
    miss("wrong-word", rf"\bwhere\s+(?P<bad>{_TEST}(?:\bor\s+{_TEST})+)",
         "between actions `or` joins choices; conditions joined with `or` stand in parentheses", _enclose_tests,
         STEPS | MENU),
    miss("wrong-word", r"(?P<bad>,?\s+(?:or\s+)?else)\s+(?=\w)", "the next best choice comes after `, otherwise`",
         ", otherwise ", STEPS | MENU),
    miss("wrong-word", r"(?<![,\s])(?P<bad>\s+otherwise)\b(?!\s*:)",
         "a comma stands before `otherwise` between choices", ", otherwise", STEPS | MENU),
    miss("wrong-word",
         rf"(?P<head>\bchooses|\bchoose|\A)(?P<bad>\s*\b(?:either|between|from|to|one\s+of))\s+(?={NAME})",
         "the actions are named alone", r"\g<head> ", STEPS | MENU),
    miss("wrong-word",
         rf"(?<=\w)(?P<bad>\s*,\s*(?:or\s+|and\s+)?|\s*/\s*|\s+and\s+)(?=(?!otherwise\b){NAME}\s*(?:,|/|\bor\b"
         r"|\band\b|\Z))", "actions are joined with `or`", " or ", STEPS | MENU, throughout=True),
    miss("wrong-word",
         rf"{BEGIN}(?P<seat>{OPERAND})\s+(?P<bad>(?:must|has\s+to|shall|should|will)(?:\s+choose)?|plays?|picks?"
         rf"|selects?|decides?)\s+(?={NAME})", "a decision is said with `chooses`", r"\g<seat> chooses ", STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<seat>{OPERAND})\s+(?P<bad>may|can|could)\s+(?!choose\b)(?={NAME})",
         "an offer is said with `may choose`", r"\g<seat> may choose ", STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<seat>{OPERAND})\s+(?P<bad>chooses)\s+(?=.*\btogether\Z)",
         "several seats `choose`", r"\g<seat> choose ", STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<seat>{OPERAND})\s+(?P<bad>choose)\s+(?!.*\btogether\Z)",
         "one seat `chooses`; several choose `together`", r"\g<seat> chooses ", STEPS),
    miss("wrong-word", r"\A(?:an?\s+|one\s+|1\s+|any\s+|some\s+)?(?P<bad>card\s+(?:in|from|of))\s+",
         "the key names the card; say only where it is chosen from", "", PICK),
    miss("wrong-word", rf"\A(?P<bad>{NAME}\s+in)\s+(?={NAME}\Z)",
         "the key names what is chosen; say `any` and what it is, or only the place it is chosen from", "any ", PICK,
         guesses=True),
    miss("wrong-word", rf"\A(?P<bad>{NAME}\s+in)\s+",
         "the key names what is chosen; say only where it is chosen from", "", PICK),
    miss("wrong-word", rf"(?P<count>\d+|{NUMBER_WORD}|{NAME})\s+(?P<bad>cards?\s+(?:in|of|out\s+of|from))\b",
         "cards are chosen `from` a zone", r"\g<count> cards from", PICK),
    miss("wrong-word", rf"\A(?P<bad>some|every|each|an?|one|all)\s+(?=(?!card\b){NAME}\Z)",
         "a free choice of a value is said with `any`", "any ", PICK),
    miss("wrong-word", r"\s+(?P<bad>(?:that|which)\s+(?:is|are))\s+", "a restriction begins with `where`",
         " where card is ", PICK),
    miss("wrong-word", r"\s+(?P<bad>with|if|when|such\s+that)\s+", "a restriction begins with `where`", " where ",
         PICK),
)

_CARRYING_OUT = (
    miss("wrong-word", rf"{BEGIN}(?P<bad>call|run|perform|execute|go\s*to|start|begin|carry\s+out)\s+(?={NAME})",
         "a step is carried out with `do`", "do ", STEPS),
    miss("wrong-word", rf"(?P<before>{BEGIN}do\s+{NAME}(?:\s+of\s+{OPERAND})?)\s+(?P<bad>for|by)\s+(?=\w)",
         "who carries out a step is said with `as`", r"\g<before> as ", STEPS),
    miss("wrong-word", rf"(?P<before>{BEGIN}do\s+{NAME})\s+(?P<bad>with|on|to)\s+(?=\w)",
         "what a step works on is said with `of`", r"\g<before> of ", STEPS),
    miss("wrong-word", rf"{BEGIN}end\s+(?P<bad>of)\s+", "the step that ends is named alone", "end ", STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<bad>stop|finish|quit|exit|leave|break)\s+(?={NAME}\Z)",
         "`{found}` is said `end`", "end ", STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<bad>(?!{VERB}){NAME})\Z", "a step is carried out with `do`", r"do \g<bad>",
         STEPS, guesses=True),
)

STATEMENT_MISSES: tuple[NearMiss, ...] = (*_BLOCKS, *_MOVING, *_SETTING)
CHOICE_MISSES: tuple[NearMiss, ...] = (*_CHOOSING, *_CARRYING_OUT)
