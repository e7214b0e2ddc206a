"""Transcripts: a match as seed and choices, with a hash of all that happened.

In: a match, or a transcript. Out: a plain dict, or the match played again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from hoyle.engine.game import Game, IllegalAction, Match
from hoyle.model.events import Event


class TranscriptMismatch(Exception):  # noqa: N818 - a finding about two records, not an error of ours
    """A transcript that does not lead to what it records."""


def hash_events(events: Iterable[Event]) -> str:
    """SHA-256 of the events as canonical JSON: sorted keys, no spaces."""
    text = json.dumps([event.to_json() for event in events], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def record(match: Match) -> dict[str, Any]:
    """The match as a transcript. `script` is there only if chance was rigged."""
    transcript: dict[str, Any] = {
        "game": match.game.name,
        "players": match.game.players,
        "options": match.game.options,
        "seed": match.seed,
        "choices": list(match.history),
        "sha256": hash_events(match.events),
    }
    if match.script:
        transcript["script"] = match.script
    return transcript


def replay(game: Game, transcript: dict[str, Any]) -> Match:
    """The match the transcript tells of, played again; `TranscriptMismatch` if it goes otherwise."""
    told = (transcript["game"], transcript["players"], transcript["options"])
    if told != (game.name, game.players, game.options):
        raise TranscriptMismatch(f"a transcript of {told[0]} with {told[1]} players and options {told[2]}")
    match = game.new(transcript["seed"], transcript.get("script"))
    for number, choice in enumerate(transcript["choices"], start=1):
        try:
            match.apply(choice)
        except IllegalAction as illegal:
            raise TranscriptMismatch(f"choice {number}, `{choice}`: {illegal}") from None
    if hash_events(match.events) != transcript["sha256"]:
        raise TranscriptMismatch("the same choices lead to other events")
    return match
