"""How bots play games that random playouts do not teach: bids, bluffs, hints and partners.

    python -m benchmarks learnt bridge --matches 25 --bot hard

Plays matches of a game as it is by default, all seats by one bot, and counts what one who knows the game looks for.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

import hoyle
from hoyle.lab.bots import make_bots
from hoyle.program.model.chance import derive_seed

SEATS = {"bridge": 4, "hanabi": 2, "holdem": 2, "skat": 3, "hearts": 4, "spades": 4}
LARGE = 0.6  # of a stack
Watch = Callable[[Any, int, Any, Counter[str]], None]


def measure(name: str, bot: str, numbers: Iterable[int], seed: int = 1, players: int | None = None) -> Counter[str]:
    """Play the matches of these numbers and count."""
    game = hoyle.load(name, players=players or SEATS[name])
    found: Counter[str] = Counter()
    for number in numbers:
        match = game.new(derive_seed(seed, number))
        bots = make_bots(bot, derive_seed(seed, number), game.players)
        while (decision := match.decision) is not None:
            begun = time.process_time()
            action = bots[decision.seat].choose(decision, partial(match.standpoint, decision.seat))
            spent = time.process_time() - begun
            found["moves"] += decision.count > 1
            found["microseconds"] += int(1e6 * spent) if decision.count > 1 else 0
            action = decision.choice(action) if isinstance(action, int) else action
            WATCHES[name](match, decision.seat, action, found)
            match.apply(action)
        found["matches"] += 1
        found["score"] += round(sum(match.scores))
        if name in FINISHES:
            FINISHES[name](match, found)
    return found


def _cards(match: Any, name: str, owner: int | None = None) -> list[str]:
    return [card for zone in match.view(None if owner is None else owner).zones
            if zone.name == name and zone.owner == owner for card in zone.cards if card]  # fmt: skip


def _state(match: Any, name: str, owner: int | None = None) -> Any:
    return next(state.typed for state in match.view(None).states if state.name == name and state.owner == owner)


def _watch_bridge(match: Any, seat: int, action: Any, found: Counter[str]) -> None:
    if action.name == "bid":
        found["bids"] += 1


def _finish_bridge(match: Any, found: Counter[str]) -> None:
    level = 0
    for event in match.events:
        data = event.data
        if event.name == "chose" and data["action"] == "bid":
            level = int(data["picks"]["amount"])
        if event.name == "scored" and level:
            failed = data.get("label") == "undertricks"
            if failed or data.get("label") == "contract":
                found["contracts"] += 1
                found["made"] += not failed
                found["levels"] += level
                found["six and more"] += level >= 6
        if event.name == "round_began":
            level = 0
            found["deals"] += 1


def _watch_holdem(match: Any, seat: int, action: Any, found: Counter[str]) -> None:
    if _cards(match, "board"):
        return
    found["before the flop"] += 1
    purse = _state(match, "purse", seat)
    tried = match.copy()
    tried.apply(action)
    left = _state(tried, "purse", seat)
    if action.name in ("raise", "bet", "all_in") and purse and (purse - left) >= LARGE * purse:
        found["large raises before the flop"] += 1


def _watch_skat(match: Any, seat: int, action: Any, found: Counter[str]) -> None:
    found["deals with a game"] += action.name == "declare"


def _finish_skat(match: Any, found: Counter[str]) -> None:
    found["deals"] += sum(event.name == "round_began" for event in match.events)
    scored = [event.data["amount"] for event in match.events if event.name == "scored"]
    found["games won"] += sum(amount > 0 for amount in scored)


def _watch_hearts(match: Any, seat: int, action: Any, found: Counter[str]) -> None:
    trick, hand = _cards(match, "trick"), _cards(match, "hand", seat)
    if action.name != "play_card" or not trick or "QS" not in hand or trick[0][-1] in [card[-1] for card in hand]:
        return
    if "QS" in [choice.picks["card"] for choice in match.decision.actions]:
        found["could throw the queen"] += 1
        found["threw the queen"] += action.picks["card"] == "QS"


def _watch_spades(match: Any, seat: int, action: Any, found: Counter[str]) -> None:
    trick = _cards(match, "trick")
    if action.name != "play_card" or len(trick) != 3:
        return
    partner_leads = _best_place(trick) == 1 and _state(match, "bid", (seat + 2) % 4) != 0  # who bid nil wants none
    plays = [choice.picks["card"] for choice in match.decision.actions]
    taking = [card for card in plays if _best_place([*trick, card]) == 3]
    if partner_leads and taking and len(taking) < len(plays):
        found["could leave it to the partner"] += 1
        found["took the partner's trick"] += action.picks["card"] in taking


def _best_place(trick: list[str]) -> int:
    """Who takes a trick at Spades so far."""
    order = "23456789TJQKA"
    worth = [(card[-1] == "S", card[-1] == trick[0][-1], order.index(card[0])) for card in trick]
    return worth.index(max(row for row in worth if row[0] or row[1]))


WATCHES: dict[str, Watch] = {
    "bridge": _watch_bridge, "hanabi": lambda match, seat, action, found: None, "holdem": _watch_holdem,
    "skat": _watch_skat, "hearts": _watch_hearts, "spades": _watch_spades,
}  # fmt: skip
FINISHES: dict[str, Callable[[Any, Counter[str]], None]] = {"bridge": _finish_bridge, "skat": _finish_skat}


def run(name: str, bot: str, matches: int, seed: int, players: int | None, jobs: int) -> None:
    shares = [range(first, matches, jobs) for first in range(jobs)]
    found: Counter[str] = Counter()
    with ProcessPoolExecutor(jobs) as crew:
        for counted in crew.map(partial(measure, name, bot, seed=seed, players=players), shares):
            found += counted
    print(f"{name}, {players or SEATS[name]} players, bot {bot}, seed {seed}")
    for what, count in sorted(found.items()):
        print(f"  {what:32} {count:10,}")
    if found["moves"]:
        print(f"  {'milliseconds a move':32} {found['microseconds'] / 1000 / found['moves']:10.2f}")
