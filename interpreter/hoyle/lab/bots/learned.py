"""Playing by what was learnt: a solved strategy, or a policy, from a file beside the rules.

In: a decision and a standpoint. Out: a choice; None where nothing was learnt for exactly these rules, so that a search
has to find one.
"""

from __future__ import annotations

import math
import random
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hoyle.base.dataclass import dataclass
from hoyle.base.shipped import games_folder
from hoyle.lab.bots.greedy import find_action
from hoyle.lab.bots.trying import Trying
from hoyle.lab.learning.features import list_layouts
from hoyle.lab.learning.looking import Looking
from hoyle.lab.learning.policies import Policy, PolicyError
from hoyle.lab.learning.solving import name_state
from hoyle.lab.learning.strategies import Strategy, read_strategy
from hoyle.play.engine.offering import thin_out

if TYPE_CHECKING:
    from hoyle.play.engine.actions import Action
    from hoyle.play.engine.decision import Decision
    from hoyle.play.engine.playable import Playable
    from hoyle.play.engine.standpoint import Standpoint
    from hoyle.program.ir.nodes import Program

MOST_SCORED = 400  # choices of one decision; of more, a sample
MOST_KEPT = 16  # games
TRIED = 0.02  # the least share of the best that a choice needs to be tried
MOST_TRIED, FEWEST = 8, 8  # choices that are tried, and worlds without which they are not compared
MOST_WORLDS = 1000
SURE = 1.0  # standard errors by which another choice must be better than what the policy likes best
POLICY, STRATEGY = ".policy", ".strategy.json"


@dataclass(frozen=True, slots=True)
class Learnt:
    """What was learnt for a game, if anything; `notice` says why a file that is there is not used."""

    policy: Policy | None = None
    looking: Looking | None = None
    strategy: Strategy | None = None
    notice: str = ""
    trying: Trying | None = None
    worlds: int = 0  # in which choices are tried, where that pays

    def __bool__(self) -> bool:
        return self.policy is not None or self.strategy is not None


_known: OrderedDict[int, tuple[Program, Learnt]] = OrderedDict()


def find_files(program: Program, suffix: str, folder: Path | None = None) -> Path:
    """Where the file of a game is, if there is one: `games/skat/skat-3.policy`."""
    return (folder or games_folder() / program.game) / f"{program.game}-{program.players}{suffix}"


def find_learnt(game: Playable) -> Learnt:
    """What was learnt for a game, read once."""
    program = game.program
    known = _known.get(id(program))
    if known is None or known[0] is not program:
        _known[id(program)] = known = program, read_learnt(game)
        if len(_known) > MOST_KEPT:
            _known.popitem(last=False)
    return known[1]


def read_learnt(game: Playable, folder: Path | None = None) -> Learnt:
    """Read the files of a game. One that is damaged, hostile or made for other rules is not used."""
    program = game.program
    try:
        if (path := find_files(program, STRATEGY, folder)).is_file():
            return Learnt(strategy=read_strategy(path, program))
        if not (path := find_files(program, POLICY, folder)).is_file():
            return Learnt()
        policy = Policy.read(path, program)
        features = next((each for each in list_layouts(program) if policy.fits(each.size, each.vocabulary)), None)
        if features is None:
            raise PolicyError(f"{path}: the policy was learnt with other inputs than those of this version")
    except PolicyError as error:
        return Learnt(notice=f"{error}; bots search instead")
    looking, worlds = Looking(features, game.sight), policy.told.get("worlds", 0)
    if not isinstance(worlds, int) or not 0 < worlds <= MOST_WORLDS:
        return Learnt(policy, looking)
    return Learnt(policy, looking, trying=Trying(game, policy, looking), worlds=worlds)


def choose_learnt(
    decision: Decision, standpoint: Standpoint, chance: random.Random, heat: float, least: float, seconds: float = 0.0
) -> Action | None:
    """Draw a choice: likelier the better it was found to be, at a `heat` that makes worse ones likelier, and none with
    less than the share `least` of the best. With some `seconds`, and where that pays, the likely ones are tried first.
    None if nothing was learnt."""
    learnt = find_learnt(standpoint.game)
    if learnt.strategy is not None:
        shares = learnt.strategy.shares.get(name_state(standpoint.information_state), {})
        weights = [shares.get(decision.choice(place).text, 0.0) for place in range(decision.count)]
        return decision.choice(chance.choices(range(decision.count), weights)[0]) if sum(weights) > 0 else None
    policy, looking = learnt.policy, learnt.looking
    if policy is None or looking is None:
        return None
    offered = thin_out(decision.choices, MOST_SCORED, chance)
    exposed = looking.list_exposed(standpoint.events)
    recent = looking.list_recent(standpoint.events)
    observation, seen = looking.observe(standpoint.position, decision.seat, exposed, recent)
    rows, choices = looking.spell(standpoint.position, offered, decision.seat, seen | exposed)
    scores = policy.score(observation, rows)
    most = max(scores)
    if seconds and learnt.trying is not None and learnt.trying.is_ready:
        likely = sorted(range(len(rows)), key=scores.__getitem__, reverse=True)[:MOST_TRIED]
        likely = [place for place in likely if scores[place] >= most + math.log(TRIED)]
        tried = [rows[place] for place in likely]
        found = learnt.trying.compare(standpoint, tried, learnt.worlds, seconds, chance) if len(tried) > 1 else []
        if len(tried) == 1 or len(found) >= FEWEST:
            return find_action(decision, choices[likely[_find_best(found) if found else 0]])
    weights = [math.exp((score - most) / heat) for score in scores]
    drawn = chance.choices(choices, [weight if weight >= least else 0.0 for weight in weights])[0]
    return find_action(decision, drawn)


def _find_best(worlds: Sequence[Sequence[float]]) -> int:
    """The choice that surely brings most over the first, in the same worlds; the first if there is none."""
    many, best, most = len(worlds), 0, 0.0
    for place in range(1, len(worlds[0])):
        more = [world[place] - world[0] for world in worlds]
        mean = sum(more) / many
        error = math.sqrt(sum((each - mean) ** 2 for each in more) / (many * (many - 1)))
        if mean - SURE * error > most:
            best, most = place, mean - SURE * error
    return best
