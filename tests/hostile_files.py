"""Rule files made to tell secrets, each a patch of one base, and files close to them that tell none.

`TELLING` are the ways in which a rule could tell something, each with the code by which it is refused; `SAYABLE` is
what must stay sayable.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

Patch = dict[str, Any]


class _Lines(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    """Writes texts of several lines as blocks, as authors do."""


def _write_text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Lines.add_representer(str, _write_text)

BASE: Patch = {
    "game": "told",
    "title": "Told",
    "players": "2..3",
    "deck": {
        "starts_in": "pack",
        "attributes": {"rank": "1..6", "suit": {"red": "R", "blue": "B", "green": "G"}},
        "cards": [{"rank": "1..6", "suit": ["red", "blue", "green"]}],
    },
    "zones": {
        "pack": {"shows": "nothing"},
        "pile": {"shows": "top_card"},
        "row": {"shows": "all"},
        "crib": {"shows": "last_holder"},
        "heap": {"of": "seat", "shows": "top_card", "remembered": "all"},
        "hand": {"of": "seat", "shows": "owner"},
    },
    "state": {
        "called": {"type": "suit or none", "lasts": "match"},
        "secret": {"type": "number", "shows": "nothing"},
        "bid": {"of": "seat", "type": "number", "shows": "owner"},
    },
    "actions": {
        "play": {"choose": {"card": "hand"}, "do": "move card to pile"},
        "lay": {"choose": {"card": "hand"}, "do": "move card to heap"},
        "tell": {},
        "pass": {},
    },
    "steps": {
        "match": "repeat 4 times: do round\n",
        "round": "gather pack\nshuffle pack\ndeal 3 cards from pack to each hand, starting left of dealer\n"
        "move top of pack to crib\nmove top of pack to pile\ndo turns\ndo usual\nset dealer to left of dealer\n",
        "turns": "dealer chooses pass\n",
        "usual": "for each seat from left of dealer: seat chooses play or lay or tell or pass\n",
    },
    "winners": "(seat in seats with highest score of seat)",
}


def merge(base: Patch, *patches: Patch) -> Patch:
    """The base with what differs."""
    found = dict(base)
    for key, value in (item for patch in patches for item in patch.items()):
        held = found.get(key)
        found[key] = merge(held, value) if isinstance(held, dict) and isinstance(value, dict) else value
    return found


def write(folder: Path, patch: Patch) -> Path:
    path = folder / "told.game.yaml"
    path.write_text(yaml.dump(merge(BASE, patch), Dumper=_Lines, sort_keys=False, allow_unicode=True), "utf-8")
    return path


def action(**said: Any) -> Patch:
    return {"actions": {"tell": said}}


def turns(text: str) -> Patch:
    return {"steps": {"turns": text}}


# What a seat may do depends on what it cannot see.
OFFERS: dict[str, Patch] = {
    "the zone of a card": action(possible="zone of 6R = pack"),
    "the place of a card": action(possible="place of 6R > 3"),
    "the last holder of a card": action(possible="last_holder of 6R = left of seat"),
    "a card in the zone of another": action(allowed="6B is in zone of 6R"),
    "the top of the zone of a card": action(allowed="rank of top of zone of 6R > 3"),
    "what lies under an open card": merge(
        action(choose={"card": "face_up of pile"}, allowed="no buried in zone of card satisfies (rank of buried = 6)"),
        turns("move top 2 of pack to pile\n"),
    ),
    "a pick from the zone of a card": action(choose={"card": "zone of 6R"}),
    "a pick from a zone by its cards": action(choose={"card": "hand where place of 6R > 2"}),
    "a pick from the pack": action(choose={"card": "top 1 of pack"}),
    "bounds of a number": action(choose={"amount": "0..(rank of top of pack or else 0) + 90"}),
    "a covered card": merge(
        action(forbidden={"low": "some card in pile satisfies (rank of card = 6)"}),
        turns("move top 2 of pack to pile\n"),
    ),
    "another hand": action(forbidden={"held": "6R is in hand of left of seat"}),
    "another hand by a definition": {
        "definitions": {"holder": "first of (seat in seats where 6R is in hand)"},
        "actions": {"tell": {"possible": "holder = left of seat"}},
    },
    "a hidden state": merge(action(possible="secret > 3"), turns("set secret to rank of top of pack or else 0\n")),
    "the state of another": merge(
        action(possible="bid of left of seat > 3"),
        turns("for each seat: set bid to highest rank of hand or else 0\n"),
    ),
    "a tier": {
        "choices": {"turn": {"first": {"when": "place of 6R > 2", "offer": "tell"}, "then": {"offer": "play or pass"}}},
        **turns("for each seat from left of dealer: seat chooses turn\n"),
    },
    "a menu": turns("for each seat: seat chooses play or tell where zone of 6R = pack or pass\n"),
    "what another may do": {
        "actions": {
            "play": {"allowed": "rank of card > 3"},
            "tell": {"possible": "left of seat may play"},
        }
    },
    "what another chose in secret": {
        "actions": {
            "write": {"choose": {"amount": "1..9"}, "do": "set bid to amount"},
            "tell": {"possible": "bid of left of seat > 4"},
        },
        **turns("seats choose write together\n"),
    },
}

# What happens depends on what nobody sees.
COURSE: dict[str, Patch] = {
    "what is asked": turns("if rank of top of pack > 3: dealer chooses tell or pass\n"),
    "how often": turns("repeat (rank of top of pack or else 0) times: dealer chooses tell or pass\n"),
    "until when": turns("repeat at most 9 times until rank of top of pack > 3: move top of pack to crib\n"),
    "who is asked": turns("(left of dealer if rank of top of pack > 3 otherwise dealer) chooses tell or pass\n"),
    "an announcement": turns("announce rank of top of pack\n"),
    "whether one is made": turns('if top of pack is in (6R, 6B, 6G): announce "a six"\n'),
    "a score": turns("score (rank of top of pack or else 0) to dealer\n"),
    "a public state": turns("set called to suit of top of pack\n"),
    "an owner's state": turns("set bid of dealer to rank of top of pack or else 0\n"),
    "how many cards move": turns("move (card in pack where rank of card > 3) to crib\n"),
    "a loop over cards": turns('for each card in (card in pack where rank of card > 3): announce "one"\n'),
    "a crib card nobody held": turns('if rank of top of crib > 3: announce "high"\n'),
    "a card that came covered": {
        "zones": {"stash": {"shows": "top_card"}},
        **turns('move top 2 of pack to stash\ndealer chooses pass\nif rank of bottom of stash > 3: announce "high"\n'),
    },
    "a name for a hidden number": turns('let n be rank of top of pack\nif n > 3: announce "high"\n'),
    "a hidden state": turns('set secret to rank of top of pack or else 0\nif secret > 3: announce "high"\n'),
    "an argument of a step": {
        "steps": {
            "turns": "do say of (rank of top of pack or else 0)\n",
            "say of number": 'if number > 3: announce "high"\n',
        }
    },
    "an end": {"ends": {"turns": "rank of top of pack > 3"}},
    "where a card is": turns('if zone of 6R = pack: announce "in the pack"\n'),
    "the zone of a card that is shown": turns(
        "show top of pack to seats\ndealer chooses pass\n"
        'if rank of bottom of zone of top of pack > 3: announce "high"\n'
    ),
    "something shown and then shuffled": turns(
        'show top of pack to seats\nshuffle pack\ndealer chooses pass\nif rank of top of pack > 3: announce "high"\n'
    ),
    "something shown and then moved": turns(
        "show top of pack to seats\nmove top of pack to crib\ndealer chooses pass\n"
        'if rank of top of pack > 3: announce "high"\n'
    ),
    "the winners": {"winners": "(seat in seats where rank of top of pack > 3)"},
}

# The score sheet is open to all at any time.
SHEET: dict[str, Patch] = {
    "the hand of a seat": {"ledger": {"standing": "sum rank of hand"}},
    "the pack": {"ledger": {"standing": "rank of top of pack or else 0"}},
}

# All are said to remember what not all have seen.
BURIED = action(forbidden={"six": "some buried in heap of left of seat satisfies (rank of buried = 6)"})
REMEMBERED: dict[str, Patch] = {
    "two at once": merge(BURIED, turns("for each seat: move top 2 of pack to heap\n")),
    "a deal of two": merge(BURIED, turns("deal 2 cards from pack to each heap, starting dealer\n")),
    "under what lies there": merge(
        BURIED, turns("for each seat:\n  move top of pack to heap\n  move top of pack to bottom of heap\n")
    ),
    "an exchange": merge(BURIED, turns("for each seat: swap heap with hand\n")),
    "a shuffle": merge(
        action(forbidden={"six": "rank of bottom of heap of left of seat = 6"}),
        turns("for each seat:\n  repeat 3 times: move top of pack to heap\nfor each seat: shuffle heap\n"),
    ),
    "a hidden zone": {
        "zones": {"won": {"of": "seat", "shows": "nothing", "remembered": "all"}},
        "actions": {
            "play": {"do": "move card to won"},
            "tell": {"forbidden": {"six": "some card in won of left of seat satisfies (rank of card = 6)"}},
        },
    },
}

# A note about somebody that is kept while another comes to bear his name.
PLAYER: Patch = {"state": {"player": {"type": "seat"}}}
STALE: dict[str, Patch] = {
    "a number of the hand of who is the player no more": merge(
        PLAYER,
        turns(
            "set player to dealer\nlet best be highest rank of hand of player or else 0\nset player to left of player\n"
            "player chooses tell where best > 4 or pass\n"
        ),
    ),
    "a card of who is the player no more": merge(
        PLAYER,
        turns(
            "set player to dealer\nlet held be first of hand of player\nset player to left of player\n"
            "player chooses tell where rank of held > 3 or pass\n"
        ),
    ),
    "a state of who is the player no more": merge(
        PLAYER,
        turns(
            "for each seat: set bid to rank of first of hand or else 0\nset player to dealer\n"
            "let said be bid of player\nset player to left of player\nplayer chooses tell where said > 3 or pass\n"
        ),
    ),
    "a zone named by a state that changes": merge(
        PLAYER,
        turns(
            "set player to dealer\nlet there be hand of player\nset player to left of player\n"
            "player chooses tell where rank of first of there > 3 or pass\n"
        ),
    ),
    "a number by way of a step": merge(
        PLAYER,
        {
            "steps": {
                "turns": "set player to dealer\ndo ask of (highest rank of hand of player or else 0)\n",
                "ask of number": "set player to left of player\nplayer chooses tell where number > 4 or pass\n",
            }
        },
    ),
}
# The same, of what nobody has seen.
STALE_COURSE: dict[str, Patch] = {
    "a zone shown of who is the player no more": merge(
        PLAYER,
        {"zones": {"stack": {"of": "seat", "shows": "nothing"}}},
        turns(
            "for each seat: move top of pack to stack\nset player to dealer\nshow stack of player to seats\n"
            "set player to left of player\ndealer chooses pass\n"
            'if rank of top of stack of player > 3: announce "high"\n'
        ),
    ),
    "a zone shown of a seat the table knows no more": merge(
        PLAYER,
        {"zones": {"stack": {"of": "seat", "shows": "nothing"}}},
        turns(
            "for each seat: move top of pack to stack\nset player to dealer\n"
            "show stack of left of player to seats\nset player to left of player\ndealer chooses pass\n"
            'if rank of top of stack of left of player > 3: announce "high"\n'
        ),
    ),
}

# What one has been shown or has drawn, another does not know.
READERS: dict[str, Patch] = {
    "a number of a card shown to the dealer": turns(
        "show top of pack to dealer\nlet height be rank of top of pack or else 0\n"
        "left of dealer chooses tell where height > 3 or pass\n"
    ),
    "a card shown to the dealer": turns(
        "let turned be top of pack\nshow top of pack to dealer\n"
        "left of dealer chooses tell where rank of turned > 3 or pass\n"
    ),
    "a number of a card the dealer draws": turns(
        "let drawn be top of pack\nmove drawn to hand of dealer\nlet height be rank of drawn or else 0\n"
        "left of dealer chooses tell where height > 3 or pass\n"
    ),
    "a card the dealer draws": turns(
        "let drawn be top of pack\nmove drawn to hand of dealer\n"
        "left of dealer chooses tell where rank of drawn > 3 or pass\n"
    ),
    "an argument of a step": {
        "steps": {
            "turns": "show top of pack to dealer\ndo ask of (rank of top of pack or else 0)\n",
            "ask of number": "left of dealer chooses tell where number > 3 or pass\n",
        }
    },
    "the seats of which it is true": turns(
        "let high be (other in seats where some held in hand of other satisfies (rank of held = 6))\n"
        "for each seat: seat chooses tell where left of seat is in high or pass\n"
    ),
}

# Another seat may be a partner.
TEAMS: Patch = {"players": 4, "teams": {"size": 2}}
PARTNERS: dict[str, Patch] = {
    "what a side does not see itself": merge(
        TEAMS,
        {"zones": {"fan": {"of": "team", "shows": "all_but_owner"}}},
        action(
            choose={"other": "seats where other != seat"},
            allowed="some held in fan of team of other satisfies (rank of held > 4)",
        ),
        turns("for each team: move top of pack to fan of team\n"),
    ),
}

# Who remembers a zone does not know which of its cards another, or chance, has taken.
WON: Patch = {"zones": {"won": {"of": "seat", "shows": "nothing", "remembered": "all"}}}
FORGOTTEN: dict[str, Patch] = {
    "a card drawn by chance from what is remembered": merge(
        WON,
        action(forbidden={"six": "some held in won of left of seat satisfies (rank of held > 3)"}),
        turns(
            "for each seat:\n  repeat 3 times: move top of pack to heap\n"
            "for each seat:\n  pick lifted at random from heap\n  move lifted to won\n"
        ),
    ),
    "a card chosen from what is remembered": merge(
        WON,
        {
            "actions": {
                "lift": {"choose": {"card": "heap"}, "do": "move card to won"},
                "tell": {"forbidden": {"six": "some held in won of left of seat satisfies (rank of held > 3)"}},
            }
        },
        turns("for each seat:\n  repeat 3 times: move top of pack to heap\nfor each seat: seat chooses lift\n"),
    ),
    "what is left when chance has taken a card": merge(
        action(forbidden={"six": "some held in heap of left of seat satisfies (rank of held > 4)"}),
        turns(
            "for each seat:\n  repeat 3 times: move top of pack to heap\n"
            "for each seat:\n  pick lifted at random from heap\n  move lifted to hand\n"
        ),
    ),
}
FORGOTTEN["what only one has been shown as it comes"] = merge(
    WON,
    action(forbidden={"six": "some held in won of left of seat satisfies (rank of held > 3)"}),
    turns("for each seat:\n  show top of pack to seat\n  let taken be top of pack\n  move taken to won\n"),
)
# What chance has drawn from what is remembered lies covered as before.
DRAWN: dict[str, Patch] = {
    "a card drawn by chance and left where it lies": turns(
        "for each seat:\n  repeat 3 times: move top of pack to heap\n"
        "pick lifted at random from heap of dealer\n"
        "left of dealer chooses tell where rank of lifted > 3 or pass\n"
    ),
    "a card drawn by chance from cards that are named": turns(
        "pick lifted at random from (1R, 6R)\nleft of dealer chooses tell where lifted = 6R or pass\n"
    ),
}

# Shown to nobody.
AUDIENCE: dict[str, Patch] = {
    "to no seat": turns(
        "show top of pack to (other in seats where score of other > 1000)\ndealer chooses pass\n"
        'if rank of top of pack > 3: announce "high"\n'
    ),
    "a name for it": turns(
        "let turned be top of pack\nshow turned to (other in seats where score of other > 1000)\n"
        'dealer chooses pass\nif rank of turned > 3: announce "high"\n'
    ),
}

# Who held a card last, nobody can tell once it was shuffled face down.
HOLDERS: dict[str, Patch] = {
    "across a shuffle": merge(
        action(possible="last_holder of top of pile = left of seat"),
        turns("for each seat: move first of hand to crib\nshuffle crib\nmove top of crib to pile\n"),
    ),
    "of a card taken unseen from among others": merge(
        action(possible="last_holder of top of row = left of seat"),
        turns("for each seat: move first of hand to crib\npick lifted at random from crib\nmove lifted to row\n"),
    ),
}

# Of what a seat has been shown it knows the rest no more, once a card has left of which it does not know which.
ASIDE: Patch = {
    "zones": {"aside": {"of": "seat", "shows": "nothing"}},
    "actions": {"put": {"choose": {"card": "hand"}, "do": "move card to aside"}},
}
LEFT_HIGH = "some held in hand of left of dealer satisfies (rank of held > 3)"
LEFT_READ = "left of dealer chooses tell where rank of first of hand of dealer > 3 or pass\n"
LEFT_OVER: dict[str, Patch] = {
    "a hand that was shown, when a card was put aside": merge(
        ASIDE, turns(f"show hand of dealer to left of dealer\ndealer chooses put\n{LEFT_READ}")
    ),
    "one, when two were put aside": merge(
        ASIDE,
        {
            "actions": {
                "put": {
                    "choose": {"card": "hand", "second": "hand where second != card"},
                    "do": "move card + second to aside",
                }
            }
        },
        turns(f"show hand of dealer to left of dealer\ndealer chooses put\n{LEFT_READ}"),
    ),
    "hands shown in a loop": merge(
        ASIDE,
        turns(
            "for each mate in seats:\n  show hand of mate to left of mate\n  mate chooses put\n"
            "  left of mate chooses tell where rank of first of hand of mate > 3 or pass\n"
        ),
    ),
    "a pack in order, when chance has taken a card": turns(
        "gather pack\npick lifted at random from pack\nmove lifted to crib\n"
        "dealer chooses tell where rank of top of pack > 3 or pass\n"
    ),
    "a pack in order, when a seat has taken a card": {
        "actions": {"lift": {"choose": {"card": "pack"}, "do": "move card to crib"}},
        **turns(
            "gather pack\ndealer chooses lift\nleft of dealer chooses tell where rank of top of pack > 3 or pass\n"
        ),
    },
}
SAYING: Patch = {"steps": {"say": 'if rank of top of pack > 3: announce "high"\n'}}
LEFT_OVER_COURSE: dict[str, Patch] = {
    "a pack in order, when chance has taken a card, for all": merge(
        SAYING, turns("gather pack\npick lifted at random from pack\nmove lifted to crib\ndo say\n")
    ),
    "a pack that was shown, when chance has taken a card": merge(
        SAYING, turns("show pack to seats\npick lifted at random from pack\nmove lifted to crib\ndo say\n")
    ),
}

# A seat knows whether it was itself that broke a rule or held a card, and no more than that.
_HELD = turns("for each seat: move first of hand to crib\nshuffle crib\n")
HELD: dict[str, Patch] = {
    said: merge(action(possible=said), _HELD)
    for said in (
        "left of (last_holder of bottom of crib) = seat",
        "(last_holder of bottom of crib or else seat) = seat",
        "seat is in (other in seats where last_holder of bottom of crib = left of other)",
        "first of (other in seats where last_holder of bottom of crib = left of other) = seat",
    )
}

# Which card another has picked, nobody knows by its place either.
PICKED: dict[str, Patch] = {
    name: {
        "actions": {"note": {"choose": {"card": "hand"}, "do": f"{do} or pass\n"}},
        **turns("dealer chooses note\n"),
    }
    for name, do in (
        ("the place of a card another has picked", "left of seat chooses tell where place of card > 1"),
        ("a name for it", "let there be place of card\nleft of seat chooses tell where there > 1"),
        ("whether it is that of a place", "left of seat chooses tell where card = first of hand of dealer"),
        ("whether it is one of some", "left of seat chooses tell where card is in all but top of hand of dealer"),
    )
}

# A card that all saw laid is followed only as long as all see where it lies.
FOLLOWED: dict[str, Patch] = {
    name: {
        "actions": {"note": {"choose": {"card": "hand"}, "do": f'{do}\nif place of card > 1: announce "deep"'}},
        **turns("dealer chooses note\n"),
    }
    for name, do in (
        ("a card laid open that went to a shuffled pack", "move card to row\nmove row to pack\nshuffle pack"),
        ("one that may have gone there", "move card to row\nif suit of card is red: move row to pack\nshuffle pack"),
        ("a card laid open that was gathered", "move card to row\ngather pack\nshuffle pack"),
        ("a card laid open that was exchanged", "move card to row\nswap row with pack\nshuffle pack"),
        ("a card laid where only the top is open", "move card to pile\nmove top of pack to pile\nshuffle pile"),
    )
}

# What a name stands for depends on whether the rules came by with another value before.
BRANCHES: dict[str, Patch] = {
    "whom a loop has passed over": turns(
        "for each other in seats:\n  if some held in hand of other satisfies (rank of held > 4):\n"
        "    left of dealer chooses tell where other = dealer or pass\n"
    ),
    "how often a loop has passed a seat over": turns(
        "for each n in 1..3:\n  for each seat:\n    if rank of first of hand of left of seat = n + 2:\n"
        "      seat chooses tell where n > 2 or pass\n"
    ),
    "with which argument a step is done": {
        "steps": {
            "turns": "if rank of first of hand of dealer > 3: do ask of 1\notherwise: do ask of 2\n",
            "ask of number": "let next_one be number + 1\nleft of dealer chooses tell where next_one > 2 or pass\n",
        }
    },
}

# A card named by what it is, that goes face down from where nobody has seen it: its source tells where it lay.
STASH: Patch = {"zones": {"stash": {"shows": "nothing"}}}
SOURCES: dict[str, Patch] = {
    name: merge(STASH, turns(do))
    for name, do in (
        ("a card by its name", "move 1B to stash\n"),
        ("one below others", "move 1B to bottom of pile\n"),
        ("a list of cards", "move (1B, 2B) to stash\n"),
    )
}
# The same of a name for a card, once nobody knows where that lies.
LOST: dict[str, Patch] = {
    name: merge(STASH, turns(do))
    for name, do in (
        (
            "a name for one that was mixed in",
            "let kept be top of pack\nshuffle pack\nmove top 3 of pack to crib\nmove kept to stash\n",
        ),
        (
            "a name for one when chance took another",
            "let kept be top of pack\npick lifted at random from pack\nmove lifted to crib\nmove kept to stash\n",
        ),
    )
}
LOST["a card named in a step, which went to a shuffled pack before"] = merge(
    STASH,
    {
        "steps": {
            "turns": "let kept be top of pack\ndo mixing\nmove kept to stash\n",
            "mixing": "move top 2 of pack to crib\nshuffle crib\nmove top of crib to pack\n",
        }
    },
)

# A fault is seen by all, too.
DIVIDED = "6 div (rank of top of pack - 3 or else 1)"
WAITING: Patch = {"state": {"waiting": {"type": "list of number", "most": 2, "shows": "nothing"}}}
FAULTS: dict[str, Patch] = {
    "a division for a name": turns(f"let n be {DIVIDED}\ndealer chooses pass\n"),
    "a division for a state that nobody sees": turns(f"set secret to {DIVIDED}\ndealer chooses pass\n"),
    "a division in a definition": merge(
        {"definitions": {"share of card": "6 mod (rank of card - 3)"}},
        turns("let n be share of top of pack\ndealer chooses pass\n"),
    ),
    "a number outside its range": merge(
        {"state": {"secret": {"type": "0..3"}}},
        turns("set secret to rank of top of pack or else 1\ndealer chooses pass\n"),
    ),
    "a number that leaves its range by and by": merge(
        {"state": {"secret": {"type": "0..20"}}},
        turns("repeat 4 times: set secret to secret + (rank of top of pack or else 1)\ndealer chooses pass\n"),
    ),
    "a number beyond all bounds": turns(
        "set secret to rank of top of pack or else 0\nrepeat 6 times: set secret to secret * secret\n"
        "dealer chooses pass\n"
    ),
    "numbers of a list outside its range": merge(
        {"state": {"waiting": {"type": "list of 1..3", "most": 90, "shows": "nothing"}}},
        turns("add (rank of top of pack or else 1) to waiting\ndealer chooses pass\n"),
    ),
    "a list that is full": merge(
        WAITING,
        turns(
            "add (rank of top of pack or else 1) to waiting\nremove 1 from waiting\nadd 1 to waiting\n"
            "add 2 to waiting\ndealer chooses pass\n"
        ),
    ),
    "a list of too many lists": turns(
        "let high be (card in pack where rank of card > 1)\nlet many be subsets of (high + high + top 1 of pack)\n"
        "dealer chooses pass\n"
    ),
}

# However long the way is.
LONG = 55
ENDLESS: dict[str, Patch] = {
    "a long chain of steps": {
        "steps": {
            "turns": f"do say{LONG} of (rank of top of pack or else 0)\n",
            "say0 of number": 'if number > 3: announce "high"\n',
        }
        | {f"say{place} of number": f"do say{place - 1} of number\n" for place in range(1, LONG + 1)}
    },
}

# Whether rules were broken depends on cards the others cannot see.
CALLS: Patch = {
    "errors": "called",
    "actions": {
        "play": {"allowed": "rank of card = highest rank of hand"},
        "call": {"possible": "seat != offender", "do": "take back"},
    },
}
CALLED: dict[str, Patch] = {
    said: merge(
        CALLS,
        action(possible=said),
        turns(
            "for each seat from left of dealer:\n  seat chooses play or pass\n"
            "  for each other in seats where other != seat: other chooses tell or pass\n"
            "  offer call to any other in seats from left of seat\n"
        ),
    )
    for said in (
        "left of offender = seat",
        "(offender or else seat) = seat",
        "(offender if offender is not none otherwise seat) != seat",
        "first of (other in seats where offender is none) = seat",
        "seat is in (other in seats where offender is none)",
        "seat is in (other in seats where offender = left of other)",
    )
}
CALLED |= {
    "an offence": {
        "errors": "called",
        "actions": {
            "play": {"allowed": "rank of card = highest rank of hand"},
            "call": {"possible": "offender is not none", "do": "take back"},
        },
        **turns(
            "for each seat from left of dealer:\n  seat chooses play or pass\n"
            "  for each other in seats where other != seat: other chooses call or pass\n"
        ),
    },
}

TELLING: dict[str, tuple[Patch, str]] = {
    f"{kind}: {name}": (patch, code)
    for kind, code, cases in (
        ("offers", "leak", OFFERS),
        ("course", "unseen", COURSE),
        ("sheet", "leak", SHEET),
        ("remembered", "not-remembered", REMEMBERED),
        ("called", "leak", CALLED),
        ("stale", "leak", STALE),
        ("stale", "unseen", STALE_COURSE),
        ("readers", "leak", READERS),
        ("partners", "leak", PARTNERS),
        ("remembered", "not-remembered", FORGOTTEN),
        ("drawn", "leak", DRAWN),
        ("picked", "leak", PICKED),
        ("followed", "unseen", FOLLOWED),
        ("branches", "leak", BRANCHES),
        ("audience", "unseen", AUDIENCE),
        ("holders", "leak", HOLDERS),
        ("holders", "leak", HELD),
        ("left over", "leak", LEFT_OVER),
        ("left over", "unseen", LEFT_OVER_COURSE),
        ("sources", "unseen", SOURCES),
        ("lost", "unseen", LOST),
        ("faults", "unseen", FAULTS),
        ("endless", "unseen", ENDLESS),
    )
    for name, patch in cases.items()
}

# What nobody could carry out without looking at what nobody sees, although a redeal cannot tell.
LOOKED_AT: dict[str, Patch] = {
    "which cards move": turns("move first of (card in pack where rank of card > 3) to row\n"),
    "the order of a list that nobody sees": merge(
        {"state": {"order": {"type": "list of seat", "most": 3, "shows": "nothing"}}},
        turns("for each seat: add seat to order\nshuffle order\nif first of order = dealer: dealer chooses tell\n"),
    ),
    "chance": turns("pick lifted at random from (card in pack where rank of card > 3)\nmove lifted to crib\n"),
}

# What stays sayable, each close to something that is refused.
SAYABLE: dict[str, Patch] = {
    "whoever holds a card is asked": turns(
        "for each seat where 6R is in hand: seat chooses tell or pass\n"
        "set dealer to first of (seat in seats where 1R is in hand) or else dealer\ndealer chooses tell or pass\n"
    ),
    "a player answers for his hand": turns(
        'for each seat:\n  if some card in hand satisfies (rank of card = 6): announce "yes"\n'
    ),
    "cards left in hand are scored": turns("for each seat: score sum rank of hand to seat\n"),
    "the deck is sorted before it is shuffled": turns(
        "gather pack\nmove (card in pack where rank of card = 6) to row\nshuffle pack\n"
    ),
    "a card taken out face down, before the rest is shuffled": merge(
        STASH, turns("gather pack\nmove 1B to stash\nshuffle pack\n")
    ),
    "a card by its name, which who holds it lays away; or else it is the one that is left": merge(
        STASH, turns("move crib to row\nmove 1B to stash\n")
    ),
    "a card by its name that all see arrive": turns("move 1B to row\nmove 2B to pile\n"),
    "a card by its name, when its zone is said": merge(
        STASH,
        turns(
            "for each seat: move (held in hand where held = 1B) to stash\nmove (laid in row where laid = 1B) to stash\n"
        ),
    ),
    "a card that was moved since it got its name": merge(
        STASH, turns("let kept be top of pack\nmove kept to crib\nmove top of pack to crib\nmove kept to stash\n")
    ),
    "cards laid face down one after another": turns("for each laid in pile by highest suit: move laid to crib\n"),
    "cards chosen together, laid face down one after another": {
        "zones": {"aside": {"of": "seat", "shows": "nothing"}},
        "actions": {"put": {"choose": {"card": "hand"}, "do": "move top of pack to crib\nmove card to aside"}},
        **turns("seats choose put together\n"),
    },
    "a fault that cannot be": merge(
        {"state": {"secret": {"type": "0..60"}, **WAITING["state"]}},
        turns(
            "let half be (rank of top of pack or else 0) div 2\nset secret to rank of top of pack * half or else 0\n"
            "let share be 60 div rank of bottom of pack or else 0\nadd half to waiting\ndealer chooses pass\n"
        ),
    ),
    "a number that grows by little, which nobody sees": turns(
        "repeat 9 times: set secret to secret + (rank of top of pack or else 0)\ndealer chooses pass\n"
    ),
    "a division by what somebody knows": turns(
        "let share be 6 div (rank of first of hand of dealer or else 1)\ndealer chooses pass\n"
    ),
    "what a bot may know of a number that nobody sees": turns(
        "set secret to sum rank of hand of dealer\nlet n be rank of first of hand of dealer or else 0\n"
        "left of dealer chooses tell or pass\nif n > secret: dealer chooses tell or pass\n"
    ),
    "what a bot may know of a card that another has picked": {
        "actions": {
            "note": {"choose": {"card": "hand"}, "do": "left of seat chooses tell or pass\nmove card to bottom of pack"}
        },
        **turns("dealer chooses note\n"),
    },
    "what a bot may know of a name that is read no more": {
        "actions": {"note": {"choose": {"card": "hand"}, "do": "nothing"}},
        **turns("dealer chooses note\nleft of dealer chooses tell or pass\n"),
    },
    "the ends of what is counted": merge(
        action(do="if count of row >= 1: score rank of top of row to seat"),
        turns(
            "let high be (card in row where rank of card > 3)\n"
            "if count of high = 1: score rank of first of high to dealer\n"
            "if not count of high < 1: score rank of last of high to dealer\n"
            "if count of pile = 0: dealer chooses pass\notherwise: score rank of top of pile to dealer\n"
        ),
    ),
    "a card turned up decides": turns(
        "let turned be top of pack\nmove top of pack to row\nif rank of turned > 3: dealer chooses tell or pass\n"
    ),
    "a card drawn by chance decides once it lies open": turns(
        'pick lifted at random from pack\nmove lifted to row\nif rank of lifted > 3: announce "high"\n'
    ),
    "what is shown decides": turns(
        "show top of pack to seats\nif rank of top of pack > 3: announce rank of top of pack\n"
    ),
    "what one seat is shown decides": turns(
        "show top of pack to dealer\nif rank of top of pack > 3: dealer chooses tell or pass\n"
    ),
    "a card drawn into a hand decides": turns(
        "let drawn be top of pack\nmove top of pack to hand of dealer\n"
        "if rank of drawn > 3: dealer chooses tell or pass\n"
    ),
    "the place of a card in one's own hand": action(choose={"card": "hand"}, allowed="place of card = 1"),
    "the place of a card as it is chosen": action(
        choose={"card": "hand"}, do='if place of card = 1: announce "the last"\nmove card to row\n'
    ),
    "a reason that names who held a card, which is known only of oneself": turns(
        "dealer chooses tell where last_holder of bottom of crib = dealer or pass\n" * 3
    ),
    "many cards shown to nobody, before a price that is worked out from what one knows": {
        "pots": {"purse": {"of": "seat", "start": 9}, "till": {}},
        **merge(
            action(do="show pack to (other in seats where score of other > 1000)\npay 1 from purse to till"),
            turns("gather pack\nshuffle pack\ndealer chooses tell or pass\n"),
        ),
    },
    "what can be taken back, for a bot, when the pack was cut since": {
        "players": 2,
        "actions": {"again": {"do": "take back own"}},
        "steps": {
            "turns": "do own as dealer\n",
            "own": {
                "of": "seat",
                "do": "cut pack\nrepeat at most 3 times: seat chooses again or tell or pass\n",
            },
        },
    },
    "the place of a card that all have seen laid": {
        "actions": {
            "note": {
                "choose": {"card": "hand"},
                "do": "move card to row\nmove top of pack to row\nmove top of pack to hand\n"
                "left of seat chooses tell where place of card > 1 and zone of card = row or pass",
            }
        },
        **turns("dealer chooses note\n"),
    },
    "the place of a card chosen from what lies open, when another was moved": {
        "actions": {
            "note": {
                "choose": {"card": "row"},
                "do": "move bottom of row to row\nseat chooses tell where place of card = 1 or pass",
            }
        },
        **turns("move top 3 of pack to row\ndealer chooses note\n"),
    },
    "whether a card is that of a place": action(
        choose={"card": "hand"}, possible="no other in hand satisfies (other = top of pile)"
    ),
    "one's own cards where only who held them sees them": merge(
        action(
            choose={"card": "crib where last_holder of card = seat and rank of card > 2"},
            possible="some held in crib satisfies (last_holder of held = seat and rank of held > 2)",
        ),
        turns("for each seat: move first of hand to crib\n"),
    ),
    "a hand that was shown, when all see which card was played": turns(
        f"show hand of dealer to left of dealer\ndealer chooses play\n{LEFT_READ}"
    ),
    "a pack that was shown, when its top card was dealt": turns(
        'show pack to seats\nmove top of pack to hand of dealer\nif rank of top of pack > 3: announce "high"\n'
    ),
    "whether one held a card oneself, by way of a definition": merge(
        {"definitions": {"laid_by of card": "last_holder of card"}},
        action(possible="laid_by of bottom of crib = seat"),
        _HELD,
    ),
    "a card shown to a neighbour, for that one": turns(
        "show top of pack to left of dealer\nleft of dealer chooses tell where rank of top of pack > 3 or pass\n"
    ),
    "a card shown to the dealer, for the dealer": turns(
        "show top of pack to dealer\ndealer chooses tell where rank of top of pack > 3 or pass\n"
    ),
    "a name for who is the player": merge(
        PLAYER,
        turns(
            "set player to dealer\nlet mover be player\n"
            "mover chooses tell where some held in hand of player satisfies (rank of held > 3) or pass\n"
        ),
    ),
    "what a card that lies open shows, once it is known to lie there": turns(
        "move top of pack to row\nlet high be (card in row where rank of card > 3)\n"
        "if count of high = 1: announce rank of first of high\nif row is not empty: announce rank of top of row\n"
    ),
    "who laid what lies open": {
        "actions": {"play": {"do": "move card to row"}, "tell": {"possible": "last_holder of top of row != seat"}}
    },
    "what is laid one by one is remembered": BURIED,
    "what lay open is remembered": {
        "zones": {"won": {"of": "seat", "shows": "nothing", "remembered": "all"}},
        "actions": {
            "play": {"do": "move card to row"},
            "tell": {"forbidden": {"six": "some card in won of left of seat satisfies (rank of card = 6)"}},
        },
        **turns("move row to won of dealer\n"),
    },
    "a covered card that all saw come": turns(
        'move top of pack to pile\nif rank of bottom of pile > 3: announce "high"\n'
    ),
    "face-down cards that somebody laid there": {
        "zones": {"won": {"shows": "nothing"}},
        "actions": {"play": {"do": "move card to won"}},
        **turns("for each seat: seat chooses play\nscore sum rank of won to dealer\n"),
    },
    "a hidden state that holds nothing hidden": turns(
        'set secret to rank of top of pile or else 0\nif secret > 3: announce "high"\n'
    ),
    "what a loop asks each seat about its own hand": turns(
        "for each seat:\n  let best be highest rank of hand or else 0\n"
        "  if best > 3: seat chooses tell where best > 4 or pass\n"
    ),
    "a number that all hear chosen, under a condition": {
        "actions": {
            "note": {
                "choose": {"amount": "1..3"},
                "do": "if rank of first of hand = 3: left of seat chooses tell where amount > 1 or pass",
            }
        },
        **turns("dealer chooses note\n"),
    },
    "the place of a card as one has picked it oneself": {
        "actions": {"note": {"choose": {"card": "hand"}, "do": "seat chooses tell where place of card > 1 or pass\n"}},
        **turns("dealer chooses note\n"),
    },
    "whether one has broken a rule oneself": {
        "errors": "called",
        "actions": {
            "play": {"allowed": "rank of card = highest rank of hand"},
            "call": {"possible": "seat != offender", "do": "take back"},
        },
        **turns(
            "for each seat from left of dealer:\n  seat chooses play or pass\n"
            "  offer call to any other in seats from left of seat\n"
        ),
    },
    "what somebody does who knows that he must": turns(
        f"dealer chooses tell or pass\nif {LEFT_HIGH}: swap pile with row\n"
    ),
    "a step that ends by what somebody holds": {
        "ends": {"turns": {"when": LEFT_HIGH, "waits_for": "action"}},
        **turns("dealer chooses tell or pass\nmove first of hand of dealer to row\n"),
    },
    "a window for those who hold something": turns(
        "offer tell to any mate in seats from left of dealer "
        "where some held in hand of mate satisfies (rank of held > 4) until all decline\n" * 3
    ),
    "a card shown in a hand of which another was put aside": merge(
        {"players": 2},
        ASIDE,
        turns(
            "move top 3 of pack to hand of dealer\ndealer chooses put\n"
            "show (held in hand of dealer where rank of held = highest rank of hand of dealer) to seats\n"
            "left of dealer chooses tell or pass\n"
        ),
    ),
}
