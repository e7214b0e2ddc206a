"""Near misses in decisions, picks and calls of steps.

In: nothing. Out: `CHOICE_MISSES`.
"""

from __future__ import annotations

import re

from hoyle.language.syntax.repair.patterns import (
    BEGIN,
    HAND,
    MENU,
    NAME,
    NUMBER_WORD,
    OPERAND,
    PERSON,
    PICK,
    STEPS,
    VERB,
    NearMiss,
    miss,
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
    miss("wrong-word", rf"\bor(?P<bad>\s+to)\s+(?={NAME})", "the actions are named alone", "or ", STEPS | MENU,
         throughout=True),
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
    miss("wrong-word",
         rf"{BEGIN}(?:(?:all|both)\s+(?:the\s+)?)?(?P<seats>seats|players|{NAME}s)\s+choose\s+(?P<menu>(?!.*"
         r"\btogether\Z)[^:]+)\Z", "several choose one after the other, or together",
         r"for each seat in \g<seats>: seat chooses \g<menu>", STEPS, guesses=True),
    miss("wrong-word",
         rf"{BEGIN}(?:(?:all|both)\s+(?:the\s+)?)?(?P<seats>seats|players|{NAME}s)\s+choose\s+(?P<menu>(?!.*"
         r"\btogether\Z)[^:]+)\Z", "several choose one after the other, or together",
         r"\g<seats> choose \g<menu> together", STEPS, guesses=True),
    miss("wrong-word",
         rf"{BEGIN}(?:each|every|all)\s+(?:of\s+)?(?:the\s+)?(?:seats?|players?)\s+(?:chooses?)\s+(?P<menu>[^:]+?)"
         r"(?:\s+together)?\Z", "those who choose at once are `seats`", r"seats choose \g<menu> together", STEPS,
         guesses=True),
    miss("wrong-word", rf"{BEGIN}(?:everyone|everybody|all)\s+(?:chooses?)\s+(?P<menu>[^:]+?)\s+together\Z",
         "those who choose at once are `seats`", r"seats choose \g<menu> together", STEPS),
    miss("wrong-word", r"\s+(?P<bad>simultaneously|at\s+the\s+same\s+time|at\s+once)\Z", "at once is said `together`",
         " together", STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<seats>seats|players)\s+(?!choose\b)(?P<menu>{NAME})\s+together\Z",
         "a decision is said with `choose`", r"seats choose \g<menu> together", STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<seat>(?!seats\b|players\b){OPERAND})\s+(?P<bad>choose)\s+(?!.*\btogether\Z)",
         "one seat `chooses`; several choose `together`", r"\g<seat> chooses ", STEPS),
    miss("wrong-word",
         rf"{BEGIN}(?P<seat>{OPERAND})\s+(?P<bad>chooses)\s+(?P<menu>[^:]+?)\s+or\s+(?:nothing|none|not)\Z",
         "an offer is said with `may choose`", r"\g<seat> may choose \g<menu>", STEPS),
    miss("wrong-word",
         rf"{BEGIN}(?P<seat>{OPERAND})\s+(?P<bad>can\s+choose|could\s+choose|might\s+choose|optionally\s+chooses|is"
         r"\s+allowed\s+to\s+choose)\s+", "an offer is said with `may choose`", r"\g<seat> may choose ", STEPS),
    miss("wrong-word", r"(?P<head>\bchooses|\bchoose)\s*:\s*", "no colon stands after `chooses`", r"\g<head> ", STEPS),
    miss("wrong-word", r"\s*;\s*(?=otherwise\b)", "a comma stands before `otherwise` between choices", ", ",
         STEPS | MENU),
    miss("wrong-word",
         rf"(?P<head>{BEGIN}offer\s+[^:]+?\s+to)\s+(?P<bad>(?:all|each|every|any)\s+(?:of\s+)?(?:the\s+)?"
         r"(?:seats?|players?)|seats|players|everyone|everybody|anyone|anybody)\b", "an offer goes `to any seat`",
         r"\g<head> any seat", STEPS),
    miss("wrong-word", rf"(?P<head>{BEGIN}offer\s+[^:]+?\s+to\s+any)\s+player(?P<rest>\b.*)\Z",
         "one of those at the table is a `seat`",
         lambda found: f"{found['head']} seat"
         + re.sub(r"\bwhere\s+player\s*!=\s*seat\b", "where seat != player", found["rest"]),
         STEPS),
    miss("wrong-word",
         rf"(?P<head>{BEGIN}offer\s+[^:]+?\s+to\s+any)\s+other\s+(?:seat|player)\s+(?P<from>from\s+(?:left\s+of"
         rf"\s+)?(?P<who>{OPERAND}))", "who is left out is said with `where`",
         r"\g<head> seat \g<from> where seat != \g<who>", STEPS),
    miss("wrong-word",
         rf"(?P<head>{BEGIN}offer\s+[^:]+?\s+to\s+any\s+{NAME}(?:\s+in\s+{OPERAND})?)\s+(?P<where>where\s+[^:]+?)"
         rf"\s+(?P<from>from\s+{OPERAND})\Z", "who comes first is said before what must hold",
         r"\g<head> \g<from> \g<where>", STEPS),
    miss("unfinished",
         rf"(?P<head>{BEGIN}offer\s+[^:]+?\s+to\s+any\s+(?P<name>{NAME})(?:\s+in\s+seats)?)(?!\s+(?:in|from)\b)(?="
         r"\s+where\b|\s+until\b|\Z)", "say who comes first", rf"\g<head> from left of {PERSON}", STEPS, guesses=True),
    miss("wrong-word",
         rf"{BEGIN}any\s+(?P<who>(?:seat|other|player)(?:\s+in\s+{OPERAND})?(?:\s+from\s+{OPERAND})?)\s+(?:may|can)"
         rf"\s+(?:choose\s+)?(?P<menu>{NAME}(?:\s+or\s+{NAME})*)(?P<where>(?:\s+where\s+[^:]+)?)\Z",
         "what any seat may do is an offer", r"offer \g<menu> to any \g<who>\g<where>", STEPS),
    miss("wrong-word", r"\A(?P<low>\d+)\s*(?:-|\u2013|to|until|through)\s*(?P<high>\d+|\w+)(?=\s+cards?\b|\Z)",
         "a range is written with two dots", r"\g<low>..\g<high>", PICK),
    miss("wrong-word", r"\Afrom\s+(?P<low>\S+)\s+(?:to|until|up\s+to)\s+(?P<high>.+)\Z",
         "a range is written with two dots", r"\g<low>..\g<high>", PICK),
    miss("wrong-word", r"\A(?P<low>\w+\s*\+\s*\d+)\s+(?:to|until|up\s+to)\s+(?P<high>.+)\Z",
         "a range is written with two dots", r"\g<low>..\g<high>", PICK),
    miss("wrong-word", r"\A(?P<bad>up\s+to|at\s+most)\s+(?P<high>\w+)\s+(?=cards?\b)", "how many is a range",
         r"1..\g<high> ", PICK, guesses=True),
    miss("wrong-word",
         rf"\A(?:(?:at\s+least|minimum)\s+(?P<low>\d+|{NUMBER_WORD})|(?P<few>\d+)\s*\+)"
         r"\s+cards?\s+(?:from|in|of)\s+", "a least number is said with `or more`",
         lambda found: f"{found['low'] or found['few']} or more cards from ", PICK),
    miss("wrong-word", rf"\A(?P<low>\d+|{NUMBER_WORD})\s+or\s+more\s+(?:(?:cards?\s+)?(?:of|in)|card\s+from|from)\s+",
         "after `or more` comes `cards from`", r"\g<low> or more cards from ", PICK),
    miss("wrong-word", r"\A(?:some|any\s+number\s+of|several|any)\s+(?:of\s+(?:the\s+)?)?cards\s+(?:from|in|of)\s+",
         "how many may be chosen is said", "1 or more cards from ", PICK, guesses=True),
    miss("wrong-word", r"\A(?P<low>\d+)\s+or\s+(?P<high>\d+)\s+(?=cards?\s+from\b)", "how many is a range",
         r"\g<low>..\g<high> ", PICK),
    miss("wrong-word", rf"\A(?P<count>\d+(?:\.\.\d+)?|{NUMBER_WORD})\s+cards?\Z", "say where they are chosen from",
         rf"\g<count> cards from {HAND}", PICK, guesses=True),
    miss("wrong-word", r"\A(?P<bad>from|in|of|out\s+of)\s+(?=\w)", "the place is named alone", "", PICK),
    miss("wrong-word", r"\A(?:any\s+|some\s+)?(?:other|another)\s+(?:seats?|players?)\Z",
         "who is left out is said with `where`", "seats where other != seat", PICK, guesses=True),
    miss("wrong-word", r"\A(?:all\s+|any\s+)?(?:the\s+)?(?:other|another)\s+(?:seats?|players?)\Z",
         "who is left out is said with `where`", "seats where other != seat", PICK, guesses=True),
    miss("wrong-word", r"\A(?P<count>\d+(?:\.\.\d+)?)\s+from\s+(?=\w)", "after the number comes `cards`",
         r"\g<count> cards from ", PICK),
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
    miss("wrong-word", rf"{BEGIN}(?:end|finish|stop)\s+(?:the\s+)?(?P<bad>game)\Z", "the whole is the step `match`",
         "end match", STEPS),
    miss("wrong-word", rf"{BEGIN}end\s+(?P<bad>of)\s+", "the step that ends is named alone", "end ", STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<bad>stop|finish|quit|exit|leave|break)\s+(?={NAME}\Z)",
         "`{found}` is said `end`", "end ", STEPS),
    miss("wrong-word", rf"{BEGIN}(?P<bad>(?!{VERB}){NAME})\Z", "a step is carried out with `do`", r"do \g<bad>",
         STEPS, guesses=True),
)


CHOICE_MISSES: tuple[NearMiss, ...] = (*_CHOOSING, *_CARRYING_OUT)
