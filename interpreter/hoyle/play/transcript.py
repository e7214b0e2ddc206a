"""Transcripts: a match as seed and choices, with a hash of its events.

In: a match, or a transcript. Out: a plain dict, or the match replayed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from hoyle.play.engine.faults import Fault
from hoyle.play.engine.game import Game, IllegalAction, Match
from hoyle.play.engine.origin import HEAD, check_origin, make_head, take_head
from hoyle.program.model.events import Event
from hoyle.program.model.records import VALUE, RecordError, check_fields, refuse


class TranscriptMismatch(RecordError):  # noqa: N818 - a finding about two records, not a program error
    """Replaying a transcript does not lead to what it records."""


def hash_events(events: Iterable[Event]) -> str:
    """SHA-256 of the events as canonical JSON: sorted keys, no spaces."""
    text = json.dumps([event.to_json() for event in events], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def record(match: Match) -> dict[str, object]:
    """The match as a transcript; `script` is included only if chance was scripted. Raises `RecordError` for a match
    resumed from a position, which no seed leads to."""
    if match.before is not None:
        raise RecordError("match: it was sampled, so that no seed and choices lead to it; `to_json` keeps where it is")
    transcript: dict[str, object] = {
        **make_head(match.game.program),
        "seed": match.seed,
        "choices": list(match.history),
        "sha256": hash_events(match.events),
    }
    if match.script:
        transcript["script"] = match.script
    return transcript


SHAPES: dict[str, object] = {
    **HEAD, "seed": int, "choices": [str], "sha256": str, "script": [VALUE],
}  # fmt: skip


def replay(game: Game, transcript: dict[str, Any]) -> Match:
    """Replay a transcript. Raises `RecordError` if it is malformed, `OtherRules` if it was recorded under other rules,
    `TranscriptMismatch` if the match takes another course all the same."""
    head = take_head(transcript, "transcript")
    check_fields(transcript, SHAPES, "transcript", frozenset({"script"}))
    check_origin(game.program, head, "transcript")
    number, choice = 0, ""
    try:
        match = game.new(transcript["seed"], transcript.get("script"))
        for choice in transcript["choices"]:
            number += 1
            match.apply(choice)
    except IllegalAction as illegal:
        raise TranscriptMismatch(f"choice {number}, `{choice}`: {illegal}") from None
    except Fault as fault:
        if fault.code != "bad-script":
            raise
        raise refuse("transcript.script", f"does not fit choice {number}: {fault.message}") from None
    except (LookupError, TypeError, ValueError, AttributeError) as wrong:  # chance cannot give what is scripted
        raise refuse("transcript.script", f"does not fit choice {number}: {wrong}") from None
    if hash_events(match.events) != transcript["sha256"]:
        raise TranscriptMismatch("the same choices lead to other events")
    return match
