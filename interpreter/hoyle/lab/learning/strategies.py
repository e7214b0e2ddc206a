"""Strategies of solved games as files beside the rules.

In: a solution. Out: JSON: for every information set, by a short name, how often each choice is taken; read back with
the hash of the rules it was made for.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hoyle.base.dataclass import dataclass
from hoyle.lab.learning.policies import PolicyError, fingerprint
from hoyle.lab.learning.solving import Solution
from hoyle.program.ir.nodes import Program

LARGEST = 400_000  # bytes of a file
MOST_CHOICES = 1000


@dataclass(frozen=True, slots=True)
class Strategy:
    """How often each choice is taken, by the name of the information set and the text of the choice."""

    shares: dict[str, dict[str, float]]


def write_strategy(path: Path, program: Program, found: Solution) -> None:
    """Write the file."""
    rows = {
        name: {text: round(share, 4) for text, share in row.items() if share >= 0.0005}
        for name, row in sorted(found.strategy.items())
    }
    head = {
        "game": program.game, "players": program.players, "fingerprint": fingerprint(program),
        "exploitability": round(found.exploitability, 6), "values": [round(value, 6) for value in found.values],
    }  # fmt: skip
    path.write_text(json.dumps({**head, "strategy": rows}, separators=(",", ":")) + "\n", encoding="utf-8")


def read_strategy(path: Path, program: Program) -> Strategy:
    """Read a file; `PolicyError` names it and what is wrong."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise PolicyError(f"a strategy has at most {LARGEST:,} bytes")
        data = json.loads(content)
    except PolicyError as error:
        raise PolicyError(f"{path}: {error}") from None
    except OSError as error:
        raise PolicyError(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise PolicyError(f"{path}: this is no strategy") from None
    if not isinstance(data, dict) or not isinstance(data.get("strategy"), dict):
        raise PolicyError(f"{path}: this is no strategy")
    if data.get("fingerprint") != fingerprint(program):
        raise PolicyError(f"{path}: the strategy is for other rules than those of {program.game} here")
    if not all(isinstance(name, str) and _is_row(row) for name, row in data["strategy"].items()):
        raise PolicyError(f"{path}: its numbers are no shares")
    return Strategy(data["strategy"])


def _is_row(row: Any) -> bool:
    if not isinstance(row, dict) or not 0 < len(row) <= MOST_CHOICES:
        return False
    shares = [share for share in row.values() if isinstance(share, int | float) and not isinstance(share, bool)]
    return len(shares) == len(row) and all(0 <= share <= 1 for share in shares) and sum(shares) > 0
