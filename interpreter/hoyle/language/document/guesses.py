"""Fixes for keys and values that are invalid YAML, or violate the schema.

In: a key, a value, or the place at which the YAML parser failed. Out: candidate fixes. They may be generous, since each
is verified by checking the file before it is shown.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from hoyle.base.diagnostics.report import Fix
from hoyle.base.diagnostics.spelling import NUMBERS, is_near, near_names
from hoyle.base.source import Source, Span
from hoyle.language.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from hoyle.program.words.statements import STATEMENTS

# Keys common in other notations, with the keys of rule files that may be meant: the first that is valid there.
_SAID_KEYS = {
    "if": "when", "condition": "when allowed", "conditions": "allowed", "when": "allowed", "until": "when",
    "test": "when", "then": "do", "does": "do", "effect": "do", "effects": "do", "action": "do", "default": "start",
    "initial": "start", "starts": "start", "begin": "start", "start": "default", "range": "type", "kind": "type",
    "show": "shows", "visible": "shows", "visibility": "shows", "seen_by": "shows", "reveals": "shows", "owner": "of",
    "per": "of", "for": "of", "each": "of", "owned_by": "of", "winner": "winners", "utilities": "utility",
    "payoff": "utility", "hint": "hints", "heuristic": "hints", "based_on": "extends", "base": "extends",
    "parent": "extends", "variant_of": "extends", "inherits": "extends", "win": "winners", "team": "teams",
    "player": "players", "allow": "allowed", "legal": "allowed", "permitted": "allowed", "not_allowed": "forbidden",
    "disallowed": "forbidden", "illegal": "forbidden", "requires": "possible", "require": "possible",
    "needs": "possible", "copy": "copies", "count": "copies", "number": "copies", "amount": "copies", "times": "copies",
    "last": "lasts", "keep": "lasts", "keeps": "lasts", "description": "text", "desc": "text", "help": "text",
    "says": "text", "is": "value", "gives": "value", "result": "value", "value": "is", "means": "is", "states": "state",
    "variables": "state", "modules": "use", "module": "use", "uses": "use", "imports": "use", "name": "title text",
    "label": "text", "choices": "choose", "picks": "choose", "parameters": "choose", "chooses": "choose",
    "menu": "offer", "offers": "offer", "actions": "offer", "score": "scores", "abbreviation": "short",
    "abbrev": "short", "code": "short", "size": "many", "piles": "many zones", "in": "starts_in", "stock": "starts_in",
    "values": "range", "between": "range", "pick": "choose", "select": "choose", "define": "definitions",
    "defines": "definitions", "functions": "definitions", "moves": "actions", "plays": "actions", "vars": "state",
    "settings": "options", "places": "zones", "phases": "steps", "rounds": "steps", "procedure": "steps",
    "flow": "steps",
}  # fmt: skip
_SAID_OF_OTHER_THINGS = frozenset({"size", "piles"})  # of how many cards, too
_BEFORE_KEY = re.compile(
    r"(?<=[\w.\]}\"'])\s+(?=(?:text|cite|default|range|shows|of|type|start|when|do|value|is|offer):\s)"
)
# `hand {of: seat}`: a name and its value without the colon.
NAMED_WITHOUT_COLON = re.compile(r"(\s*[\w.]+(?: (?:of|is) [\w.]+)?)\s*(\{.*\}|\[.*\])")
_RELATED = re.compile(r"(\w+) (?:is|are) (\w+) (?:to |than |as |of )?(\w+)")
LONGEST_GUESSED = 500  # characters of a line that is guessed about
MOST_BLOCKS = 3  # lines above at which the sign of a block is looked for
# Sections that booklets have and rule files do not, and where it is said instead.
SAID_ELSEWHERE = {
    **dict.fromkeys(("rounds", "deals"),
                    "how often cards are dealt is said in `steps:`: `match: repeat 9 times: do round`"),
    **dict.fromkeys(("setup", "deal", "turn", "turns", "phases", "play", "round"),
                    "what happens, and in which order, stands under `steps:`; what a player may do, under `actions:`"),
    **dict.fromkeys(("goal", "target", "over", "game_over"),
                    "when a step is over stands under `ends:`, who has won under `winners:`"),
    **dict.fromkeys(("loser", "losers", "winning", "losing"), "who has won is said under `winners:`"),
    "scoring": "points are written by a statement, `score 5 to seat for \"out\"`; tables of them stand under `scores:`",
}  # fmt: skip
_SHOWN = ("nothing", "owner", "all_but_owner", "last_holder", "top_card", "face_up", "all")
_SHOWN_SAID = {
    **dict.fromkeys(("face down", "hidden", "closed", "secret", "none"), "nothing"),
    **dict.fromkeys(("face up", "open", "visible", "public", "everyone"), "all"),
    **dict.fromkeys(("private", "self", "own"), "owner"), "top": "top_card",
}  # fmt: skip
_LEAST, _MOST = ("min", "minimum", "least", "from", "low"), ("max", "maximum", "most", "to", "high")


def guess_key(key: Scalar, free: Collection[str]) -> list[Fix]:
    """Fixes for an unknown key, among those that are valid here and not present yet."""
    name = re.sub(r"[\s-]+", "_", key.text.strip().lower())
    synonyms = [meant for meant in _SAID_KEYS.get(name, "").split() if meant in free][:1]
    names = [(other, name not in _SAID_OF_OTHER_THINGS) for other in synonyms] + [
        (other, sure) for other, sure in near_names(name, free) if other not in synonyms and is_near(name, other)
    ]
    return [Fix(key.span, other, sure) for other, sure in names]


def guess_name(key: Scalar) -> list[Fix]:
    """Fixes for an invalid name: in capitals, with a hyphen, or in call notation."""
    text = key.text.strip()
    call = re.fullmatch(r"(\w+)\((\w+)(?:,\s*(\w+))?\)", text)
    if call:
        phrases = [f"{call[2]} {call[1]} {call[3]}" if call[3] else f"{call[1]} of {call[2]}"]
    elif (related := _RELATED.fullmatch(text)) and related[1] != related[3]:
        phrases = [f"{related[1]} {related[2]} {related[3]}"]
    elif said := re.fullmatch(r"(\w+(?:[ -]\w+)+) of (\w+)|(\w+) is (\w+(?:[ -]\w+)+)", text.lower()):
        one = re.sub(r"[ -]", "_", said[1] or re.sub(r"\A(?:an?|the) ", "", said[4]))
        phrases = [f"{one} of {said[2]}" if said[1] else f"{said[3]} is {one}"]
    else:
        plain = re.sub(r"[\s-]+", "_", text.lower())
        phrases = [plain] if re.fullmatch(r"[a-z][a-z0-9_]*", plain) and plain != text else []
    return [Fix(key.span, one) for one in phrases]


def guess_value(path: str, node: Node) -> list[Fix]:
    """Fixes for a value of the wrong kind or form."""
    text, span = node.span.text.strip(), node.span
    parts = path.split(".")
    values: list[str] = []
    if parts[-1] in ("players", "usual", "allowed", "range"):
        values += _guess_range(text)
    if len(parts) == 2 and parts[0] == "zones" and isinstance(node, Scalar):
        shown = text if text in _SHOWN else _SHOWN_SAID.get(re.sub(r"[\s_-]+", " ", text.lower()))
        values += [f"{{shows: {shown}}}"] if shown else []
    if len(parts) == 2 and parts[0] == "options" and re.fullmatch(r"\d+", text):
        values.append(f"{{default: {text}, range: {text}..{text}}}")
    if len(parts) == 2 and parts[0] == "actions" and isinstance(node, Scalar):
        values += ["{}"] if text in ("pass", "nothing", "none", "null", "~") else [f"{{do: {text}}}"]
    if len(parts) == 2 and parts[0] == "state" and isinstance(node, Scalar):
        kind = "truth" if text in ("true", "false") else "number"
        values += [kind] if text in ("false", "0") else [f"{{type: {kind}, start: {text}}}"]
    if path == "teams" and text in ("partners", "partnerships", "pairs", "true", "yes"):
        values.append("{size: 2}")
    if path == "teams" and re.fullmatch(r"\d+(?: players?| seats?)?", text):
        values.append(f"{{size: {text.split()[0]}}}")
    if parts[-1] == "choose" and isinstance(node, Scalar):
        values += _guess_choose(text)
    if path == "deck" and isinstance(node, Scalar):
        start = span.source.text.rfind("\n", 0, span.start) + 1
        return [Fix(Span(span.source, start, span.end), "use: [deck_52]", sure=False)]
    if path.startswith("deck.cards[") and isinstance(node, Scalar):
        values.append(f"{{name: {text}}}")
    if parts[-1] == "type" and isinstance(node, Sequence) and len(node.items) == 1:
        values.append(f"{text.strip('[] ')}s")
    if isinstance(node, Sequence) and parts[-1] == "offer":
        values.append(" or ".join(part.strip() for part in text.strip("[]").split(",")))
    return [Fix(span, value) for value in dict.fromkeys(values) if value != text]


def _guess_range(text: str) -> list[str]:
    words = [NUMBERS.get(word.lower(), word) for word in re.findall(r"[A-Za-z]+|\d+", text)]
    numbers = [word for word in words if word.isdigit()]
    low, high = (int(numbers[0]), int(numbers[-1])) if numbers else (0, 0)
    if len(numbers) < 2 or (len(numbers) > 2 and [*map(int, numbers)] != [*range(low, low + len(numbers))]):
        return []
    return [f"{low}..{high}" + (" or none" if text.endswith("or none") else "")]


def _guess_choose(text: str) -> list[str]:
    choice = re.fullmatch(r"(?:an?\s+|one\s+)?(\w+)\s+(?:from|in|of)\s+(.+)", text)
    several = re.fullmatch(r"(?:\d+(?:\.\.\d+)?|(?!an?\b|one\b)\w+)\s+cards?\s+(?:from|of|in)\s+(.+)", text)
    if several:
        return [f"{{cards: {text}}}"]
    return [f"{{{choice[1]}: {choice[2]}}}"] if choice else []


def guess_bounds(unknown: Collection[Entry]) -> list[Fix]:
    """A fix for `min: 1, max: 9` beside each other: a range."""
    ends = {name: entry for entry in unknown for name, keys in (("low", _LEAST), ("high", _MOST)) if entry.name in keys}
    if len(ends) != 2 or not all(entry.value.span.text.strip().isdigit() for entry in ends.values()):
        return []
    first, last = sorted(ends.values(), key=lambda entry: entry.key.span.start)
    source = first.key.span.source
    if not re.fullmatch(r",\s*|\s*\n\s*", source.text[first.value.span.end : last.key.span.start]):
        return []
    low, high = (ends[name].value.span.text.strip() for name in ("low", "high"))
    return [Fix(Span(source, first.key.span.start, last.value.span.end), f"range: {low}..{high}")]


def guess_entry(key: Scalar, known: Iterable[str]) -> list[Fix]:
    """Fixes for a key and its value without a colon: `of seat`, `card in hand`."""
    first, _, rest = key.text.strip().partition(" ")
    entries: list[str] = []
    if rest and first in set(known):
        entries.append(f"{first}: {rest}")
    inside = re.fullmatch(r"(\w+)\s+(?:in|from)\s+(.+)", key.text.strip())
    if inside:
        entries.append(f"{inside[1]}: {inside[2]}")
    if re.fullmatch(r"\d.*\bcards?\b.*", key.text.strip()):
        entries.append(f"cards: {key.text.strip()}")
    if first in STATEMENTS and rest:
        entries.append(f"do: {key.text.strip()}")
    return [Fix(key.span, guessed) for guessed in entries]


def guess_block(whole: Span, entries: Collection[Entry], pieces: list[Scalar]) -> list[Fix]:
    """A fix for statements in braces that commas have cut into `pieces`, the first of them the value of the last entry
    if there is one: the mapping in block style, with a line for each statement."""
    held = list(entries)
    last = held[-1].value if held else None
    texts = [piece.text.strip() for piece in (last, *pieces) if isinstance(piece, Scalar)]
    statements: list[str] = []
    for text in texts:
        said = re.sub(r"\A(?:and )?then\s+", "", text)
        if not statements or said.split(" ")[0] in STATEMENTS:
            statements.append(said)
        else:
            statements[-1] += f", {said}"
    if statements[0].split(" ")[0] not in STATEMENTS or not isinstance(last, Scalar | None):
        return []
    source = whole.source
    line, _ = source.line_and_column(whole.start)
    margin = "\n" + " " * (_margin(source.line_text(line)) + 2)
    if not held:
        said = statements[0] if len(statements) == 1 else "|" + "".join(margin + one for one in statements)
        return [Fix(whole, said)]
    if len(statements) == 1:
        return []  # quotes suffice
    body = "|" + "".join(f"{margin}  {one}" for one in statements)
    lines = [f"{entry.key.span.text}: {entry.value.span.text}" for entry in held[:-1]]
    blank = Span(source, len(source.text[: whole.start].rstrip(" ")), whole.end)
    return [Fix(blank, "".join(margin + one for one in (*lines, f"{held[-1].key.span.text}: {body}")))]


# ------------------------------------------------------------------------------------------------ invalid YAML
_CLAUSE = re.compile(r"\s*(?:[-{[]|[\w ]+:\s+\{)")  # not a line of a text: it has parts of its own


def guess_lines(source: Source, at: int, begun: int | None) -> list[Fix]:
    """Fixes for the line at which the YAML parser failed, and the one where the failing construct began."""
    line, _ = source.line_and_column(at)
    numbers = [line]
    if begun is not None:
        numbers.append(source.line_and_column(begun)[0])
    above = next((n for n in range(line - 1, 0, -1) if source.line_text(n).strip()), 0)
    fixes = _guess_block(source, line)
    for number in dict.fromkeys([*numbers, *([above] if above else [])]):
        fixes += _guess_line(source, number, above)
    return list(dict.fromkeys(fixes))


def _guess_block(source: Source, line: int) -> list[Fix]:
    """Fixes for a missing `|` at the keys that enclose a line."""
    fixes: list[Fix] = []
    if _CLAUSE.match(source.line_text(line)):
        return fixes
    margin = _margin(source.line_text(line))
    for number in range(line - 1, 0, -1):
        bare = re.sub(r"(?<!\s)\s+#.*\Z", "", source.line_text(number)).rstrip()
        if not bare or _margin(bare) >= margin:
            continue
        margin = _margin(bare)
        if bare.endswith(":"):
            end = source.line_start(number) + len(bare)
            fixes.append(Fix(Span(source, end, end), " |"))
        if not margin or len(fixes) == MOST_BLOCKS:
            break
    return fixes


def _margin(text: str) -> int:
    return len(text) - len(text.lstrip())


def _guess_line(source: Source, number: int, above: int) -> list[Fix]:
    text = source.line_text(number)
    if len(text) > LONGEST_GUESSED:
        return []
    bare = re.sub(r"(?<!\s)\s+#.*\Z", "", text).rstrip()
    start = source.line_start(number)
    whole = Span(source, start, start + len(bare))
    indent = len(bare) - len(bare.lstrip())
    lines: list[str] = []
    if re.fullmatch(r"\s*[\w.]+(?: (?:of|is) [\w.]+)?", bare):
        lines.append(bare + ":")
    named = NAMED_WITHOUT_COLON.fullmatch(bare)
    if named:
        lines.append(f"{named[1]}: {named[2]}")
    missing = {"{": "}", "[": "]"}
    opened = "".join(missing[sign] for sign in bare if sign in missing and bare.count(sign) > bare.count(missing[sign]))
    if opened:
        lines.append(bare + opened[::-1])
    lines.append(_BEFORE_KEY.sub(", ", bare))
    item = re.fullmatch(r"(\s*-\s+|\s*[\w.]+(?: (?:of|is) [\w.]+)?:\s+)(\w+:\s.*,\s*\w+:\s.*)", bare)
    if item and "{" not in item[1]:
        lines.append(f"{item[1]}{{{item[2]}}}")
    lines += _quote_values(bare)
    joined = re.sub(r" and (?=\w+:\s)", ", ", bare)
    lines.append(joined)
    valued = re.sub(r"(when: [^,{}]*?): (?=[^,{}]*\})", r"\1, value: ", bare)
    lines.append(valued)
    if above and number != above:
        margin = len(source.line_text(above)) - len(source.line_text(above).lstrip())
        lines += [" " * deep + bare.lstrip() for deep in (margin, margin + 2, max(0, margin - 2)) if deep != indent]
    elif above:
        before = next((source.line_text(n) for n in range(number - 1, 0, -1) if source.line_text(n).strip()), "")
        lines += [" " * (len(before) - len(before.lstrip())) + bare.lstrip()]
        later = (source.line_text(n) for n in range(number + 1, source.line_count + 1))
        below = next((line for line in later if line.strip()), "")
        margin = len(below) - len(below.lstrip())
        lines += [" " * margin + bare.lstrip()] if margin != indent and below.strip() else []
    return [Fix(whole, changed) for changed in dict.fromkeys(lines) if changed != bare and bare.strip()]


def _quote_values(line: str) -> list[str]:
    """The line with a text in quotes: everything after the first colon, or a `text:` inside braces."""
    quoted = []
    inner = re.fullmatch(r"(.*\btext:\s+)([^\"'{}][^{}]*?)(\s*(?:,\s*\w+:.*)?\}.*|\s*)", line)
    if inner:
        quoted.append(f'{inner[1]}"{inner[2]}"{inner[3]}')
    plain = re.fullmatch(r"(\s*(?:-\s+)?[\w.]+(?: (?:of|is) [\w.]+)?:\s+)([^\"'{\[|>].*)", line)
    if plain and '"' not in plain[2]:
        quoted.append(f'{plain[1]}"{plain[2]}"')
    return quoted


# Where a value may be names of things: elsewhere it is a rule or a sentence, which declares nothing.
_NAMING = frozenset({"deck", "kinds", "options", "zones", "state", "pots", "ledger", "use", "choose"})


def names_in(node: Node, path: Iterable[str | int]) -> set[str]:
    """Every word that may be the name of something in a part of a file."""
    if isinstance(node, Mapping):
        return {entry.name for entry in node}.union(*(names_in(one.value, (*path, one.name)) for one in node))
    if isinstance(node, Sequence):
        return set().union(*(names_in(item, path) for item in node.items))
    chosen = {"card", "cards"} if "choose" in path else set()  # what is chosen is called so where nothing else is said
    return chosen | keys_in(node.span.text) if not _NAMING.isdisjoint(path) else set()


def keys_in(text: str) -> set[str]:
    """All words of an unreadable range that may be declared names."""
    return set(re.findall(r"[A-Za-z][\w.]*", text))
