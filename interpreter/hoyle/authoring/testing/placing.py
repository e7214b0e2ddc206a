"""Sets up the position that an example gives.

In: `given` of an example and its defaults. Out: the match, run to the step asked for, edited, and run to the next
decision.

Cards: a zone that is named holds exactly the cards listed. A listed card leaves the zone it was in. Cards displaced
thereby go below those in the zone where the deck starts, or in the zone that `rest` names, in deck order. All other
zones keep their remaining cards, so a hand that is not named can become smaller.

Last holders: a card listed in a seat's zone was last held by that seat, a card listed in a shared zone by nobody,
unless `last_holder of CARD` sets it.

Setting a state that determines the seat of a step, as in `do turn as player`, also changes the seat of a step that has
already begun, so that the decision follows the given state.
"""

from __future__ import annotations

import collections.abc

from hoyle.authoring.testing.jumping import begin_at
from hoyle.authoring.testing.piles import read_piles
from hoyle.authoring.testing.rigging import rig_chance
from hoyle.authoring.testing.scenes import Scene
from hoyle.authoring.testing.sheets import LINES, set_lines
from hoyle.authoring.testing.tables import Reached
from hoyle.authoring.testing.vocabulary import MISSING, Vocabulary, Word, split_words
from hoyle.base.diagnostics.report import Label, did_you_mean
from hoyle.base.source import Span
from hoyle.language.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from hoyle.play.beliefs.determinization import draw_choice
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.legality import Choice, take_least
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import SEAT, certain
from hoyle.program.ir.visibility import has_faces
from hoyle.program.model.chance import Stream
from hoyle.program.model.position import Position

MOST_CHOICES = 5_000
MOST_TRIES, FEW_CHOICES = 20, 250
WORDS = ("at", "fresh", "rest", "face_down", "deck", "chance", "scores", "rounds_played")
HOLDER = "last_holder of "


def merge_given(own: Node | None, defaults: Node | None) -> Mapping | None:
    """Merge the `given` of an example with the defaults; its own entries take precedence."""
    parts = [part for part in (own, defaults) if isinstance(part, Mapping)]
    if not parts:
        return None
    named: dict[str, Entry] = {}
    for part in parts:
        for entry in part:
            named.setdefault(entry.name, entry)
    return Mapping(tuple(named.values()), parts[0].span)


def place(scene: Scene, given: Mapping) -> None:
    """Bring the match into the given position and run to the next decision."""
    try:
        if not _go_to_step(scene, given):
            return
        position = scene.match.position.copy()
        _set_cards(scene, given, position)
        for entry in given:
            if not _is_word(entry):
                _set_state(scene, entry, position)
        set_lines(scene, given, position)
        _set_counts(scene, given, position)
        script = rig_chance(scene, given)
        if scene.failed:
            return
        if script is not None:
            position.script = script
        scene.match.position = position
        scene.heard = len(scene.match.events)
        scene.match.run()
        scene.note = _find_gathering(scene, given)
    except Fault as fault:
        scene.fail_by_fault(fault, given.span)


def _find_gathering(scene: Scene, given: Mapping) -> str:
    """Make a note if the given cards were gathered for a deal before any decision, and so have no effect; else
    empty."""
    step = given.get("at")
    gathered = any(event.name == "gathered" for event in scene.match.events[scene.heard :])
    if not isinstance(step, Scalar) or not gathered:
        return ""
    places = [scene.words.find_place(entry.key, others=WORDS) for entry in given if not _is_word(entry)]
    if not any(place is not None and place.kind == "zone" for place in places):
        return ""
    return (
        f"the cards given were gathered again before anybody chose: `at: {step.text}` stands before the deal; "
        "without `at` the position is that of the first decision"
    )


def _is_word(entry: Entry) -> bool:
    """Whether an entry is a keyword rather than a zone or a state."""
    return entry.name in WORDS or entry.name.startswith((LINES, HOLDER))


def _go_to_step(scene: Scene, given: Mapping) -> bool:
    """Run to the step named under `at`; return whether it was reached. It plays first legal choices, then a number of
    random games, and finally jumps to the step if play does not lead there; `fresh`, it jumps there at once."""
    match, node = scene.match, given.get("at")
    if not isinstance(node, Scalar):
        match.run()
        return True
    steps = {step.name: step for step in scene.game.program.steps}
    if node.text not in steps:
        scene.fail("unknown-step", f"no step named `{node.text}`", node.span, hint=did_you_mean(node.text, steps))
        return False
    fresh = given.get("fresh")
    if isinstance(fresh, Scalar) and fresh.value is True and begin_at(match, node.text):
        return True
    begun, heard = match.position.copy(), len(match.events)
    reached, key = scene.table.reached, (node.text, match.seed)
    known = None if reached is None else reached.get(key)
    if known is not None and known.begun == begun:
        match.position = known.position.copy()
        match.events += known.events
        return True
    for seed in (None, *range(MOST_TRIES)):  # None: first legal choices; then random ones
        match.position = begun.copy()
        del match.events[heard:]
        stream = Stream(seed) if seed is not None else None
        for _ in range(MOST_CHOICES if stream is None else FEW_CHOICES):
            if match.executor.run(match.position, node.text) == "step":
                if reached is not None:
                    reached[key] = Reached(begun, match.position.copy(), tuple(match.events[heard:]))
                return True
            if match.is_over:
                break
            legal: collections.abc.Sequence[Choice]
            if stream is None:
                chooser = scene.table.chooser
                legal = [chooser.find(match) if chooser else match.executor.find_first_legal(match.position)]
                choice = take_least(legal[0])
            else:
                legal = match.executor.list_legal(match.position)
                choice = draw_choice(legal, stream)
            match.executor.apply(match.position, choice, legal)
    match.position = begun
    match.run()
    if begin_at(match, node.text):
        return True
    scene.fail("step-not-reached", f"the step `{node.text}` does not begin", node.span, "waited for here")
    return False


# ------------------------------------------------------------------------------------------------ cards
def _set_cards(scene: Scene, given: Mapping, position: Position) -> None:
    words = scene.words
    named: dict[int, list[Word]] = {}
    keys: dict[int, Entry] = {}
    for entry in given:
        if _is_word(entry):
            continue
        found = words.find_place(entry.key, others=WORDS)
        if found is not None and found.many:
            piles = read_piles(words, found, entry.value)
            if piles is not None:
                named |= piles
                keys |= dict.fromkeys(piles, entry)
        elif found is not None and found.kind == "zone":
            codes = words.read_codes(entry.value)
            if codes is not None:
                named[found.index], keys[found.index] = codes, entry
    rest_node = given.get("rest")
    start = scene.game.program.zones[scene.game.program.start_zone].base
    rest = words.find_zone(rest_node) if isinstance(rest_node, Scalar) else start
    if not _check_copies(words, named) or rest is None or scene.failed:
        return
    homeless = _move_cards(words, position, named, rest)
    if homeless and rest in named and not named[rest]:
        count = f"{len(homeless)} cards" if len(homeless) > 1 else "1 card"
        scene.fail(
            "cards-left-over",
            f"`{words.names.name_zone(rest)}` is said to be empty, but {count} would have to go there",
            keys[rest].value.span,
            hint=("say where they go: `rest: ZONE`",),
        )
        return
    position.zones[rest][:0] = homeless
    if position.holders:
        for zone, (_, owner) in enumerate(words.names.zones):
            for card in position.zones[zone] if owner is not None or zone in named else ():
                position.holders[card] = owner
    _set_faces(words, given, position, set(named))
    _set_holders(scene, given, position)


def _set_holders(scene: Scene, given: Mapping, position: Position) -> None:
    """Set the last holders of cards: `last_holder of KD 9D: 1`."""
    for entry in given:
        if not entry.name.startswith(HOLDER):
            continue
        if not position.holders:
            scene.fail("unknown-place", "no rule of the game asks who held a card last", entry.key.span)
            continue
        values = split_words(entry.value)
        seat = scene.words.read_seat(values[0]) if len(values) == 1 else None
        if seat is None and not scene.failed:
            scene.fail("bad-test-value", "who held a card last is one seat", entry.value.span, hint=("its number",))
        for code in entry.name.removeprefix(HOLDER).split():
            if code not in scene.words.copies:
                scene.fail("unknown-card", f"the deck has no card `{code}`", entry.key.span)
                continue
            for card in scene.words.copies[code] if seat is not None else ():
                position.holders[card] = seat


def _set_faces(words: Vocabulary, given: Mapping, position: Position, named: set[int]) -> None:
    """Turn the cards listed in zones with facing: face up, except those under `face_down`."""
    node = given.get("face_down")
    down = {word.text for word in (words.read_codes(node) or ())} if node is not None else set()
    faced = {zone for zone, (declared, _) in enumerate(words.names.zones) if has_faces(declared)}
    if not faced and node is not None:
        words.report.error("bad-test-value", "in this game no card lies face up or face down", node.span)
    for zone, pile in enumerate(position.zones) if faced else ():
        for card in pile:
            up = words.names.name_card(card) not in down if zone in named else position.turned[card]
            position.turned[card] = zone in faced and up


def _check_copies(words: Vocabulary, named: dict[int, list[Word]]) -> bool:
    """Check that no card is listed more often than there are copies of it; report errors."""
    mentions: dict[str, list[Span]] = {}
    for codes in named.values():
        for word in codes:
            mentions.setdefault(word.text, []).append(word.span)
    good = True
    for code, spans in mentions.items():
        copies = len(words.copies[code])
        if len(spans) > copies:
            good = False
            words.report.error(
                "too-many-copies",
                f"the deck has {'only one' if copies == 1 else copies} `{code}`; this position names {len(spans)}",
                spans[copies],
                "one too many",
                others=[Label(span, "here already") for span in spans[:copies]],
            )
    return good


def _move_cards(words: Vocabulary, position: Position, named: dict[int, list[Word]], rest: int) -> list[int]:
    """Move the listed cards to their zones; return the displaced cards in deck order."""
    before = {card: zone for zone, pile in enumerate(position.zones) for card in pile}
    taken: set[int] = set()
    placed: dict[int, list[int]] = {}

    def distance(card: int, zone: int) -> tuple[int, int]:
        """Sort key that prefers copies from the zone itself, then from zones that lose their cards anyway."""
        lies_in = before[card]
        return (0 if lies_in == zone else 1 if lies_in in named or lies_in == rest else 2), card

    for zone, codes in named.items():
        placed[zone] = []
        for word in codes:
            free = [card for card in words.copies[word.text] if card not in taken]
            chosen = min(free, key=lambda card: distance(card, zone))
            taken.add(chosen)
            placed[zone].append(chosen)
    homeless = sorted(card for card, zone in before.items() if zone in named and card not in taken)
    for zone, pile in enumerate(position.zones):
        position.zones[zone] = placed[zone] if zone in named else [card for card in pile if card not in taken]
    return homeless


# ------------------------------------------------------------------------------------------------ states and counts
def _set_state(scene: Scene, entry: Entry, position: Position) -> None:
    words = scene.words
    found = words.find_place(entry.key, others=WORDS)
    if found is None or found.kind != "state":
        return
    state, _ = words.names.states[found.index]
    value = words.read_value(state.type, entry.value)
    if value is not MISSING and words.check_state(found.index, value, entry.value.span):
        before, position.states[found.index] = position.states[found.index], value
        if certain(state.type) == SEAT and value is not None:
            for slot in _list_named_by(scene.game.program, found.index):
                if position.slots[slot] == before:
                    position.slots[slot] = value


def _list_named_by(program: ir.Program, state: int) -> set[int]:
    """Return the slots in which steps keep their seat if they take it from this state, as in `do turn as player`."""
    lets = (one for block in program.blocks for one in block.instructions if isinstance(one, ir.Let))
    return {
        let.slot
        for let in lets
        if isinstance(let.value, ir.StateRef) and let.value.owner is None
        and program.states[let.value.state].base == state and program.slots[let.slot].name.endswith(": seat")
    }  # fmt: skip


def _set_counts(scene: Scene, given: Mapping, position: Position) -> None:
    scores = given.get("scores")
    if isinstance(scores, Sequence):
        values = [node.value for node in scores if isinstance(node, Scalar) and isinstance(node.value, int)]
        if len(values) != position.players:
            scene.fail(
                "bad-test-value", f"{len(values)} scores for {position.players} players", scores.span,
                hint=("one for each seat, beginning with seat 0",),
            )  # fmt: skip
            return
        if scene.game.program.standing is not None:
            scene.fail(
                "bad-test-value", "the score of a seat is worked out here, from what `standing` says", scores.span,
                hint=("give what it is worked out from: pots, states, or `lines of 0`",),
            )  # fmt: skip
            return
        position.totals[0] = values
    rounds = given.get("rounds_played")
    if isinstance(rounds, Scalar) and isinstance(rounds.value, int):
        position.rounds_played = rounds.value
