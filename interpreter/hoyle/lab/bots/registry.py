"""The registry of bots: each is declared once, with a name, a description and a factory that takes a seed.

In: declarations; and bot specifications: a name, a name with a thinking budget, or `module:Class` of the user. Out:
`BotKind`s, and `make_bots`, which creates one bot for every seat.
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

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.spelling import nearest
from hoyle.base.errors import HoyleError
from hoyle.program.model.chance import derive_seed

if TYPE_CHECKING:
    from hoyle.play.engine.actions import Action
    from hoyle.play.engine.decision import Decision
    from hoyle.play.engine.drawing import DrawsMaker
    from hoyle.play.engine.standpoint import Standpoint


class Bot(Protocol):
    """A player. `choose` returns the index of an action, or, if it takes a number, the action `with_number`; `look`
    computes the standpoint of the deciding seat on demand. A bot with a true attribute `thinks` decides for itself
    whether to act in response windows; for others, the habits of the table restrict how often they can."""

    def choose(self, decision: Decision, look: Callable[[], Standpoint]) -> int | Action: ...


class BotError(HoyleError):
    """The specification of a bot is invalid; the text says why."""


Maker = Callable[..., Bot]
MakerT = TypeVar("MakerT", bound=Maker)


@dataclass(frozen=True, slots=True)
class BotKind:
    """A registered bot. `make` creates one from a seed. `blind` draws the choices of a whole table of such bots, if
    they never look at the game. `thinks`: `make` accepts a budget, `iterations` or `seconds`."""

    name: str
    text: str
    make: Maker
    blind: DrawsMaker | None = None
    thinks: bool = False


BOTS: dict[str, BotKind] = {}
_THINKING = re.compile(r"(?P<seconds>\d+(\.\d+)?)s|(?P<iterations>\d+)")
LONGEST = 3600.0  # seconds per move


def bot(
    name: str, text: str, blind: DrawsMaker | None = None, *, thinks: bool = False
) -> Callable[[MakerT], MakerT]:
    """Register the decorated factory; it takes a seed and, if `thinks`, a budget."""

    def declare(make: MakerT) -> MakerT:
        BOTS[name] = BotKind(name, text, make, blind, thinks)
        return make

    return declare


def find_bot(name: str) -> BotKind:
    """Resolve a bot specification: a name, a name with a thinking budget (`search:500` for iterations, `hard:2s` for
    seconds), or a class of the user, `module:Class`.

    >>> find_bot("random").name, find_bot("search:50").name
    ('random', 'search:50')
    >>> find_bot("rnadom")
    Traceback (most recent call last):
    hoyle.lab.bots.registry.BotError: no bot named `rnadom`; did you mean `random`?
    """
    first, colon, rest = name.partition(":")
    kind = BOTS.get(first)
    if kind is None:
        return _find_own(name, first, rest) if colon else _say_unknown(name)
    return replace(_tell(kind, rest), name=name) if colon else kind


def tell_think(names: Sequence[str], seconds: float) -> list[str]:
    """Add a thinking time to the names that have none and whose bot thinks.

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
    """Strip the thinking budget from the names of built-in bots.

    >>> drop_think(["hard:2s", "random", "mine:Bot"])
    ['hard', 'random', 'mine:Bot']
    """
    return [name.partition(":")[0] if name.partition(":")[0] in BOTS else name for name in names]


def list_outside(names: str) -> list[str]:
    """List the names, of a comma-separated list, that refer to user code.

    >>> list_outside("hard:2s, mine:Bot,random")
    ['mine:Bot']
    """
    return [name for name in _split_names(names) if ":" in name and name.partition(":")[0] not in BOTS]


@dataclass(frozen=True, slots=True)
class _Told:
    """A factory with a fixed budget; a plain value, so that it can be pickled for other processes."""

    make: Maker
    how_long: dict[str, object]

    def __call__(self, seed: int) -> Bot:
        return self.make(seed, **self.how_long)


def check_think(seconds: float) -> None:
    """Refuse an invalid thinking time."""
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
    """Import a bot of the user from a module on the path or in the working directory."""
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
    """Resolve the bots of all seats: one name for all of them, or one for each, `hard,easy,easy`."""
    kinds = [find_bot(name) for name in _split_names(names)]
    if len(kinds) not in (1, players):
        raise BotError(f"{len(kinds)} bots for {players} seats: name one for all of them, or one for each")
    return kinds * players if len(kinds) == 1 else kinds


def find_blind(names: str) -> DrawsMaker | None:
    """Return the drawing policy of a table of these bots, if all are of one kind that never looks at the game."""
    given = _split_names(names)
    return None if len(given) > 1 else find_bot(given[0]).blind


def _split_names(names: str) -> list[str]:
    if not isinstance(names, str):
        raise TypeError(f"bots are named in text, such as `random` or `mine:Cautious`, not {names!r}")
    return [name.strip() for name in names.split(",")]


def make_bots(names: str, seed: int, players: int) -> list[Bot]:
    """Create one bot for each seat, each with a seed derived from `seed`, so that the match is reproducible from it."""
    kinds = list_kinds(names, players)
    return [make_bot(kind, derive_seed(seed, seat)) for seat, kind in enumerate(kinds)]


def make_bot(kind: BotKind, seed: int) -> Bot:
    """Create a bot; `BotError` if a class of the user fails to."""
    if kind.name in BOTS or isinstance(kind.make, _Told):
        return kind.make(seed)
    try:
        made = kind.make(seed)
    except Exception as error:
        raise BotError(f"the bot `{kind.name}` cannot be made: {type(error).__name__}: {error}") from None
    if not callable(getattr(made, "choose", None)):
        raise BotError(f"the bot `{kind.name}` has no method `choose(decision, look)`")
    return made
