"""The rules in force, by topic: what each action is and when it is allowed, what scores, what ends play, who wins.

In: a program (so only what holds for its players and options). Out: `Topic`s with their sentences and the numbered
rules that they cite.
"""

from __future__ import annotations

from hoyle.dataclass import dataclass
from hoyle.ir import nodes as ir
from hoyle.table.model import CitedRule
from hoyle.table.reasons import tell_rule
from hoyle.table.speaking import Speaker


@dataclass(frozen=True, slots=True)
class Topic:
    """What the rules say about one thing: its name, sentences of the file, rules cited."""

    name: str
    title: str
    sentences: tuple[str, ...]
    rules: tuple[CitedRule, ...]


def list_topics(program: ir.Program, speaker: Speaker) -> list[Topic]:
    """Every topic about which the rules say anything: the actions first, then the other parts of the file."""
    locale = speaker.locale
    found = []
    for action in program.actions:
        found.append(
            _make(program, speaker, action.name, locale.action(action.name), f"actions.{action.name}")
        )
    for part in ("deck", "zones", "players", "teams", "steps", "scores", "choices", "ends", "ledger", "winners"):
        found.append(_make(program, speaker, part, speaker.say(f"topic_{part}"), part))
    return [topic for topic in found if topic.sentences or topic.rules]


def find_topics(topics: list[Topic], words: str) -> list[Topic]:
    """The topics that words name: by name or title, a rule by its number, or else those that speak of them."""
    wanted = words.casefold().replace("_", " ").strip()
    by_name = [topic for topic in topics if wanted in (topic.name.replace("_", " "), topic.title.casefold())]
    if by_name:
        return by_name
    numbered = [rule for topic in topics for rule in topic.rules if rule.id.casefold() == wanted]
    if numbered:
        return [Topic(numbered[0].id, numbered[0].id, (), (numbered[0],))]
    begun = [topic for topic in topics if topic.title.casefold().startswith(wanted)]
    return begun or [topic for topic in topics if _speaks_of(topic, wanted)]


def _speaks_of(topic: Topic, wanted: str) -> bool:
    texts = (*topic.sentences, *(rule.text for rule in topic.rules))
    return any(wanted in text.casefold() for text in texts)


def _make(program: ir.Program, speaker: Speaker, name: str, title: str, path: str) -> Topic:
    """All that the clauses below a path say."""
    clauses = [
        clause for clause in program.clauses if clause.path == path or clause.path.startswith(f"{path}.")
    ]
    sentences = [speaker.locale.translate(clause.text) for clause in clauses if clause.text]
    cited = dict.fromkeys(rule for clause in clauses for rule in clause.cite)
    rules = tuple(tell_rule(program.rules[rule], speaker) for rule in cited if rule in program.rules)
    return Topic(name, title, tuple(dict.fromkeys(each for each in sentences if each)), rules)
