"""The table of all documented limits: what each bounds, its value, and what happens beyond it.

In: the constants, from where they are enforced. Out: `LIMITS`, and `docs/limits.md`, which is generated from it:
`python -m hoyle.authoring.limit_table > docs/limits.md`.
"""

from __future__ import annotations

from hoyle.authoring.testing.running import MOST_TESTED
from hoyle.authoring.trial_matches import FIRST_WORK
from hoyle.authoring.trial_matches import MOST_WORK as MOST_TRIAL
from hoyle.base.dataclass import dataclass
from hoyle.language.compile import MOST_TRIED
from hoyle.language.declare.declared_names import MOST_ENTRIES
from hoyle.language.declare.reading_parts import MOST_PLAYERS
from hoyle.language.document.file_limits import MAX_BYTES, MAX_CHAIN, MAX_DEPTH, MAX_FILES, MAX_MODULES, MAX_NODES
from hoyle.language.elaborate.deck import MOST_CARDS
from hoyle.language.elaborate.local_names import MOST_VALUES
from hoyle.language.elaborate.states import MOST_LISTED, MOST_STATES
from hoyle.language.elaborate.zones import MOST_ZONES
from hoyle.language.irgen.decisions import MOST_SAID
from hoyle.language.irgen.generation import MOST_REPEATS
from hoyle.language.specialise import MOST_WORK
from hoyle.language.syntax.parse import DEEPEST_NESTING, LONGEST_TEXT
from hoyle.play.engine import limits as play
from hoyle.program.model.divisions import MOST_DIVIDED
from hoyle.program.words import bounds


@dataclass(frozen=True, slots=True)
class Limit:
    """`code` is the diagnostic of `hoyle check`, or the fault in play, beyond the limit; if there is none, `instead`
    says what happens."""

    name: str
    what: str
    most: int
    code: str = ""
    in_play: bool = False
    instead: str = "no more is tried"


LIMITS = (
    Limit("bytes", "bytes of a file", MAX_BYTES, "file-too-large"),
    Limit("values", "values in a file", MAX_NODES, "too-many-values"),
    Limit("depth", "levels of values inside one another", MAX_DEPTH, "too-deep"),
    Limit("entries", "entries of a section", MOST_ENTRIES, "too-many-values"),
    Limit("chain", "variants extending one another", MAX_CHAIN, "chain-too-long"),
    Limit("files", "files put together", MAX_FILES, "chain-too-long"),
    Limit("modules", "modules used", MAX_MODULES, "bad-value"),
    Limit("text", "characters of one rule text", LONGEST_TEXT, "too-long"),
    Limit("parentheses", "parentheses inside one another in a rule", DEEPEST_NESTING, "too-deep"),
    Limit("players", "players", MOST_PLAYERS, "bad-players"),
    Limit("cards", "cards in a deck", MOST_CARDS, "deck-too-big"),
    Limit("zones", "members of a family of zones", MOST_ZONES, "family-too-big"),
    Limit("states", "members of a family of states", MOST_STATES, "family-too-big"),
    Limit("each", "values of an attribute or kind that rules go through", MOST_VALUES, "huge-number"),
    Limit("list", "elements of a list in state, as `most:` says", MOST_LISTED, "out-of-range"),
    Limit("repeats", "times a loop runs", MOST_REPEATS, "huge-number"),
    Limit("check", "steps of a check, at all settings together", MOST_WORK, "too-much-to-check"),
    Limit("remedies", "steps of looking for what would mend a file", MOST_TRIED),
    Limit(
        "trial",
        f"steps of the trial matches of a check; {FIRST_WORK:,}, unless something seems never to happen",
        MOST_TRIAL,
        instead="left there: a sample says nothing of what it has not come to",
    ),
    Limit("examples", "steps of all examples of a file", MOST_TESTED, "too-much-to-test"),
    Limit("instructions", "instructions from one decision to the next", play.MOST_STEPS, "stalled", True),
    Limit("evaluation", "steps to work out a value", play.MOST_EVALUATED, "too-much-work", True),
    Limit("listing", "steps to list the choices of a decision", play.MOST_LISTING, "too-much-work", True),
    Limit("decisions", "decisions in a match", play.MOST_DECISIONS, "endless", True),
    Limit("simulated", "decisions in a match that is simulated", play.LONGEST_PLAYED, "", True, "stopped and counted"),
    Limit("offered", "choices offered at once", play.MOST_OFFERED, "too-many-choices", True),
    Limit("choices", "choices among them that must be listed", play.MOST_CHOICES, "too-many-choices", True),
    Limit("elements", "elements of a list that is worked out", bounds.LONGEST_LIST, "too-large", True),
    Limit("subsets", "elements `subsets` is taken of", bounds.MOST_FOR_SUBSETS, "too-large", True),
    Limit("divided", "cards that are divided into groups", MOST_DIVIDED, "too-large", True),
    Limit("said", "a number that a player says, where the rules set no bound", MOST_SAID, "", True, "not offered"),
    Limit("number", "a number", bounds.LARGEST_NUMBER - 1, "too-large", True),
    Limit("kept", "cards a state keeps", play.LONGEST_STATE, "list-full", True),
    Limit("names", "elements of all lists that local names hold", play.MOST_IN_NAMES, "too-large", True),
    Limit("rounds", "rounds on a score sheet that rules read", play.MOST_ROUNDS, "endless", True),
    Limit(
        "events",
        "events: 16 each, 1 for three elements, 1 for one of a state",
        play.MOST_TOLD,
        in_play=True,
        instead="the oldest are forgotten",
    ),
)

HEAD = """# Limits

*Written by `python -m hoyle.authoring.limit_table` from the constants; change those, not this page.*

Rule files come from strangers. So that every file is answered within seconds, every match ends, and half a gigabyte of
memory is enough, there are bounds. None is near what a card game needs. All are counted, in characters, elements or
steps, never in seconds: every machine gives the same answer. What goes beyond one is told, with the place in the file;
in play it is a fault that names the clause.
"""


def write_limits() -> str:
    """The text of docs/limits.md."""
    lines = [HEAD]
    for title, in_play in (("A file and its check", False), ("Play", True)):
        lines += [f"## {title}", "", "| what | at most | beyond it |", "|---|---|---|"]
        for limit in LIMITS:
            if limit.in_play is in_play:
                beyond = f"`{limit.code}`" if limit.code else limit.instead
                lines.append(f"| {limit.what} | {limit.most:,} | {beyond} |")
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    print(write_limits(), end="")
