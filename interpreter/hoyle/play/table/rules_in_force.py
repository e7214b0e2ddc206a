"""The rules in force, by topic: each action, scores, ends of play, winners.

In: a program, and so only rules that apply for its number of players and options. Out: `Topic`s with their sentences
and the numbered rules that they cite.
"""

from __future__ import annotations

from hoyle.base.dataclass import dataclass
from hoyle.play.table.address import Speaker
from hoyle.play.table.model import CitedRule
from hoyle.play.table.why_not import tell_rule
from hoyle.program.ir import nodes as ir


@dataclass(frozen=True, slots=True)
class Topic:
    """The rules about one subject: its name, sentences of the file, rules cited."""

    name: str
    title: str
    sentences: tuple[str, ...]
    rules: tuple[CitedRule, ...]


def list_topics(program: ir.Program, speaker: Speaker) -> list[Topic]:
    """List every topic that has rules: the actions first, then the other sections of the file."""
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
    """Find topics by exact name or title; failing that a rule by its number, topics by the beginning of their title,
    or topics whose text contains the words."""
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
    """Build a topic from the clauses at and below a path."""
    clauses = [
        clause for clause in program.clauses if clause.path == path or clause.path.startswith(f"{path}.")
    ]
    sentences = [speaker.locale.translate(clause.text) for clause in clauses if clause.text]
    cited = dict.fromkeys(rule for clause in clauses for rule in clause.cite)
    rules = tuple(tell_rule(program.rules[rule], speaker) for rule in cited if rule in program.rules)
    return Topic(name, title, tuple(dict.fromkeys(each for each in sentences if each)), rules)
