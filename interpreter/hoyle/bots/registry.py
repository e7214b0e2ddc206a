"""The table of bots: each is declared once, with a name, a sentence and a way to make it from a seed.

In: declarations, and how a bot is asked for: by name, with how long it is to think, or as a class of one's own. Out: a
`BotKind`, and `make_bots`, which seats one at every place.
"""

from __future__ import annotations

import importlib
import math
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from hoyle.dataclass import dataclass
from hoyle.diagnostics.spelling import nearest
from hoyle.model.chance import derive_seed

if TYPE_CHECKING:
    from hoyle.engine.actions import Action
    from hoyle.engine.decision import Decision
    from hoyle.engine.drawing import DrawsMaker
    from hoyle.engine.standpoint import Standpoint


class Bot(Protocol):
    """Chooses: the place of an action in the list, or, where a number is to be said, the action `with_number`. `look`
    gives the standpoint of the deciding seat, worked out only when asked for. One that `thinks` weighs for itself
    whether to act out of turn; others do so now and then."""

    def choose(self, decision: Decision, look: Callable[[], Standpoint]) -> int | Action: ...


class BotError(Exception):
    """There is no such bot, or not so; the text says why."""


Maker = Callable[..., Bot]
MakerT = TypeVar("MakerT", bound=Maker)


@dataclass(frozen=True, slots=True)
class BotKind:
    """`make` makes a bot from a seed. `blind` says what a whole table of such bots takes, if they never look. `thinks`:
    it can be told how long, by `iterations` or `seconds`."""

    name: str
    text: str
    make: Maker
    blind: DrawsMaker | None = None
    thinks: bool = False


BOTS: dict[str, BotKind] = {}
_THINKING = re.compile(r"(?P<seconds>\d+(\.\d+)?)s|(?P<iterations>\d+)")
LONGEST = 3600.0  # seconds a move


def bot(
    name: str, text: str, blind: DrawsMaker | None = None, *, thinks: bool = False
) -> Callable[[MakerT], MakerT]:
    """Declare a bot; what is declared makes one from a seed, and, if it thinks, from how long."""

    def declare(make: MakerT) -> MakerT:
        BOTS[name] = BotKind(name, text, make, blind, thinks)
        return make

    return declare


def find_bot(name: str) -> BotKind:
    """A bot by its name; with how long it is to think, `search:500` for iterations or `hard:2s` for seconds; or a class
    of one's own, `module:Class`.

    >>> find_bot("random").name, find_bot("search:50").name
    ('random', 'search:50')
    >>> find_bot("rnadom")
    Traceback (most recent call last):
    hoyle.bots.registry.BotError: no bot named `rnadom`; did you mean `random`?
    """
    first, colon, rest = name.partition(":")
    kind = BOTS.get(first)
    if kind is None:
        return _find_own(name, first, rest) if colon else _say_unknown(name)
    return replace(_tell(kind, rest), name=name) if colon else kind


def tell_think(names: Sequence[str], seconds: float) -> list[str]:
    """The names with how long to think, where that is not said and the bot thinks at all.

    >>> tell_think(["hard", "random", "search:9"], 0.5)
    ['hard:0.5s', 'random', 'search:9']
    """
    check_think(seconds)
    told = [f"{name}:{seconds:g}s" if name in BOTS and BOTS[name].thinks else name for name in names]
    if told == list(names):
        thinking = ", ".join(kind.name for kind in BOTS.values() if kind.thinks)
        raise BotError(f"{' and '.join(names)} cannot be told how long to think; {thinking} can")
    return told


def drop_think(names: Sequence[str]) -> list[str]:
    """The names without how long to think, where the bot is one of Hoyle's.

    >>> drop_think(["hard:2s", "random", "mine:Bot"])
    ['hard', 'random', 'mine:Bot']
    """
    return [name.partition(":")[0] if name.partition(":")[0] in BOTS else name for name in names]


def list_outside(names: str) -> list[str]:
    """Those of the bots of all seats that are code outside Hoyle.

    >>> list_outside("hard:2s, mine:Bot,random")
    ['mine:Bot']
    """
    listed = [name.strip() for name in names.split(",")]
    return [name for name in listed if ":" in name and name.partition(":")[0] not in BOTS]


@dataclass(frozen=True, slots=True)
class _Told:
    """A maker with how long to think; a plain value, so that it goes to other processes."""

    make: Maker
    how_long: dict[str, object]

    def __call__(self, seed: int) -> Bot:
        return self.make(seed, **self.how_long)


def check_think(seconds: float) -> None:
    """Refuse a time that is none."""
    if math.isnan(seconds) or not 0 < seconds <= LONGEST:
        raise BotError(f"a bot thinks for more than 0 and at most {LONGEST:g} seconds, not {seconds:g}")


def _tell(kind: BotKind, how_long: str) -> BotKind:
    told = _THINKING.fullmatch(how_long)
    if not kind.thinks:
        raise BotError(f"`{kind.name}` does not think: write `{kind.name}`, not `{kind.name}:{how_long}`")
    if told is None:
        raise BotError(f"`{how_long}` is not how long to think: write `{kind.name}:500` for iterations, `:2s` for time")
    if told["seconds"] is not None:
        check_think(float(told["seconds"]))
        return replace(kind, make=_Told(kind.make, {"seconds": float(told["seconds"]), "iterations": None}))
    if not int(told["iterations"]):
        raise BotError(f"`{kind.name}` needs at least one iteration")
    return replace(kind, make=_Told(kind.make, {"iterations": int(told["iterations"]), "seconds": None}))


def _say_unknown(name: str) -> BotKind:
    near = nearest(name, BOTS)
    meant = f"did you mean `{near}`?" if near else f"there are {', '.join(BOTS)}, and module:Class"
    raise BotError(f"no bot named `{name}`; {meant}")


def _find_own(name: str, module: str, attribute: str) -> BotKind:
    """A bot of the user's, from a module that Python finds, or that lies in the present folder."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    try:
        made: Any = importlib.import_module(module)
    except ImportError as error:
        if error.name == module:
            near = nearest(module, BOTS)
            hint = f"; did you mean `{near}:{attribute}`?" if near else ""
            raise BotError(f"no bot and no module named `{module}`{hint}") from None
        raise BotError(f"the module `{module}` cannot be loaded: {error}") from None
    except Exception as error:
        raise BotError(f"the module `{module}` cannot be loaded: {type(error).__name__}: {error}") from None
    for part in attribute.split("."):
        if not hasattr(made, part):
            raise BotError(f"the module `{module}` has no `{attribute}`")
        made = getattr(made, part)
    if not callable(made):
        raise BotError(f"`{name}` is not a class that makes a bot from a seed")
    return BotKind(name, "a bot of one's own", made)


def list_kinds(names: str, players: int) -> list[BotKind]:
    """The bot of every seat: one for all of them, or one for each, `hard,easy,easy`."""
    kinds = [find_bot(name.strip()) for name in names.split(",")]
    if len(kinds) not in (1, players):
        raise BotError(f"{len(kinds)} bots for {players} seats: name one for all of them, or one for each")
    return kinds * players if len(kinds) == 1 else kinds


def find_blind(names: str) -> DrawsMaker | None:
    """What a table of these bots takes, if all are of one kind that never looks."""
    return None if "," in names else find_bot(names).blind


def make_bots(names: str, seed: int, players: int) -> list[Bot]:
    """One bot for each seat, each with chance of its own, so that the seed of a match gives the whole match."""
    kinds = list_kinds(names, players)
    return [make_bot(kind, derive_seed(seed, seat)) for seat, kind in enumerate(kinds)]


def make_bot(kind: BotKind, seed: int) -> Bot:
    """A bot of a kind; `BotError` if a class of the user's does not make one."""
    if kind.name in BOTS or isinstance(kind.make, _Told):
        return kind.make(seed)
    try:
        made = kind.make(seed)
    except Exception as error:
        raise BotError(f"the bot `{kind.name}` cannot be made: {type(error).__name__}: {error}") from None
    if not callable(getattr(made, "choose", None)):
        raise BotError(f"the bot `{kind.name}` has no method `choose(decision, look)`")
    return made
