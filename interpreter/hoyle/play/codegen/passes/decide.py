"""Expansion of decisions: count the choices, ask for an index, unrank it, call the action.

In: blocks that end in `Decide` or `Perform`. Out: blocks that count the choices of each offer, ask for an index below
the sum, unrank it, and jump to the action with its picks in their slots. `Perform` becomes a dispatch on its action.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from hoyle.play.codegen.low.facts import TRUTH, between
from hoyle.play.codegen.low.program import Ask, Block, Branch, Decide, Do, Jump, Let, Module, Perform, Statement
from hoyle.play.codegen.low.values import Value
from hoyle.play.codegen.lower.menus import Level
from hoyle.play.codegen.passes.dense_memo import Memos
from hoyle.play.codegen.passes.operations import make_expander
from hoyle.play.codegen.passes.reduction_cache import find_cached, invalidate
from hoyle.play.codegen.passes.unranking import MOST_COUNTED, Segment, Unranking
from hoyle.play.engine.limits import MOST_CHOICES, MOST_NUMBERS


class Decisions:
    """Expands all blocks of a module; `resumes` maps a decision's block to the block that counts its choices."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.build = module.build
        self.memos = Memos(module.build)
        self.cache = find_cached(module, self.memos)
        self.expander = make_expander(module, self.memos, self.cache)
        self.offers = Unranking(module, self.expander)
        self.program = module.program
        self.blocks: dict[int, Block] = {}
        self.resumes: dict[int, int] = {}
        self._numbers = count(max(module.blocks) + 1)  # of new blocks

    def expand(self) -> dict[int, Block]:
        """All blocks, expanded, with invalidation of cached values after every write."""
        for number, block in self.module.blocks.items():
            body = self.expander.expand(block.body)
            match block.end:
                case Decide():
                    asks = next(self._numbers)
                    self.resumes[number] = asks
                    self.blocks[number] = Block(tuple(body), Jump(asks), block.cost)
                    self._decide(asks, block.end)
                case Perform():
                    self._perform(number, body, block.end, block.cost)
                case Branch(test=test):
                    with self.expander.collecting() as out:
                        self.expander.start([test])
                        simple = self.expander.value(test)
                    self.blocks[number] = Block((*body, *out), replace(block.end, test=simple), block.cost)
                case _:
                    self.blocks[number] = Block(tuple(body), block.end, block.cost)
        return {
            number: replace(each, body=invalidate(each.body, self.cache, self.build))
            for number, each in self.blocks.items()
        }

    # ---------------------------------------------------------------------------------------------- deciding
    def _decide(self, number: int, end: Decide) -> None:
        build, expander = self.build, self.expander
        with expander.collecting() as out:
            seat, segments, total = self.offers.count(end)
            size = expander.name(build.add(total, build.true) if end.menu.optional else total)
            if not end.menu.optional:
                expander.refuse_unless(build.negate(build.equal(size, build.false)), end.clause)
            for many, most in ((size, MOST_COUNTED), (self.offers.sum_listed(segments), MOST_CHOICES)):
                if many.fact.high > most:
                    too_many = build.less(build.number(most), expander.name(many))
                    expander.refuse_unless(build.negate(too_many), end.clause)
        if end.passes:
            asks, passes = next(self._numbers), next(self._numbers)
            declined = build.both(build.negate(build.read("is_first", TRUTH)), build.equal(size, build.true))
            self.blocks[number] = Block(tuple(out), Branch(declined, passes, asks), 0)
            self.blocks[passes] = Block((self._store(end, None, ()),), Jump(end.to), 0)
            number, out = asks, []
        place = expander.register(between(0, max(0, size.fact.high - 1)))
        out += [Ask(place, seat, size, end.menu.decision), Do("decided", ())]
        if self.program.called and not self.program.decisions[end.menu.decision].window:
            out.append(Do("forget_offence", (seat,)))
        self._take(number, out, end, seat, segments, place)

    # ---------------------------------------------------------------------------------------------- unranking
    def _take(
        self, number: int, out: list[Statement], end: Decide, seat: Value, segments: list[Segment], place: Value
    ) -> None:
        """Unrank an index: a chain of comparisons with the sizes of the segments."""
        build = self.build
        last, asks = len(segments) - 1, number
        for at, segment in enumerate(segments):
            arm, further = next(self._numbers), next(self._numbers)
            only = at == last and not end.menu.optional
            to = Jump(arm) if only else Branch(build.less(place, segment.size), arm, further)
            self.blocks[number] = Block(tuple(out), to, 0)
            self._begin_arm(arm, asks, end, seat, segment, place)
            if only:
                return
            rest = self.expander.register(place.fact)
            out = [Let(rest, build.make("subtract", (place, segment.size), (), place.fact))]
            number, place = further, rest
        if end.store is not None:
            out.append(self._store(end, None, ()))
        out.append(Do("peek", (), (None, asks, end.store)))
        self.blocks[number] = Block(tuple(out), Jump(end.to), 0)

    def _begin_arm(
        self, number: int, asks: int, end: Decide, seat: Value, segment: Segment, place: Value
    ) -> None:
        expander, offer = self.expander, segment.offer
        expander.asked = seat
        with expander.collecting() as out:
            expander.start(each for level in offer.levels for each in (level.domain, level.test))
            picks = []
            for pick, level in zip(segment.take(place), offer.levels, strict=True):
                picks.append(self._settle(pick, level, seat, end))
                expander.bound[level.variable.number] = picks[-1]
            if self.program.decisions[end.menu.decision].window:
                # A choice in a window becomes an offence only when performed; before, only a caller that peeks is told.
                peeking = self.build.read("peeking", TRUTH)
                expander.when(peeking, lambda: self._note_breach(end, offer.action, seat, picks, "erred"))
            else:
                self._note_breach(end, offer.action, seat, picks, "offence")
        if end.store is not None:
            out.append(self._store(end, offer.action, tuple(picks)))
            entry = end.to
        else:
            entry = self._begin(out, offer.action, seat, picks, end.to)
        out.append(Do("peek", (), (offer.action, asks, end.store)))
        self.blocks[number] = Block(tuple(out), Jump(entry), 0)

    def _settle(self, pick: Value, level: Level, seat: Value, end: Decide) -> Value:
        """A pick as its slot holds it; a number parameter is asked for here."""
        expander, build = self.expander, self.build
        if not level.numbers:
            return expander.name(pick)
        low, high = self.offers.find_ends(level.domain)
        many = build.add(build.subtract(high, low), build.true)
        many = expander.name(build.make("sure", (many,), (), between(1, MOST_NUMBERS)))
        place = expander.register(between(0, MOST_NUMBERS))
        expander.out.append(Ask(place, seat, many, end.menu.decision, number=True))
        of = level.variable.fact
        return expander.name(build.refine(build.add(low, place), of.low, of.high))

    def _note_breach(self, end: Decide | Perform, action: int, seat: Value, picks: list[Value], op: str) -> None:
        """Record an offence if a choice breaks a rule."""
        expander = self.expander
        for breach in end.breaches:
            if breach.action == action:
                expander.start([breach.clause])
                expander.bound |= {variable.number: pick for variable, pick in zip(breach.picks, picks, strict=True)}
                expander.out.append(Do(op, (seat, expander.name(expander.value(breach.clause)))))

    def _begin(self, out: list[Statement], action: int, seat: Value, picks: list[Value], to: int) -> int:
        """The calling sequence of an action: parameters and return address into its slots; its entry block."""
        declared = self.program.actions[action]
        out.append(Do("set_slot", (seat,), (declared.seat_slot,)))
        for slot, pick in zip(declared.pick_slots, picks, strict=True):
            out.append(Do("set_slot", (pick,), (slot,)))
        out.append(Do("set_slot", (self.build.number(to),), (declared.return_slot,)))
        return declared.entry

    def _store(self, end: Decide, action: int | None, picks: tuple[Value, ...]) -> Statement:
        return Do("store_choice", picks, (end.store, action), end.clause)

    # ---------------------------------------------------------------------------------------------- performing
    def _perform(self, number: int, body: list[Statement], end: Perform, cost: int) -> None:
        expander, build = self.expander, self.build
        slot = end.choice.number
        with expander.collecting() as out:
            expander.start([end.choice, end.seat])
            index = expander.name(expander.value(end.choice.args[0]))
            seat = expander.asked = expander.name(expander.value(end.seat))
            chosen = expander.name(
                build.read("choice_action", between(-1, len(self.program.actions)), index, data=(slot,))
            )
        out = [*body, *out]
        for action in end.actions:
            arm, further = next(self._numbers), next(self._numbers)
            self.blocks[number] = Block(
                tuple(out), Branch(build.equal(chosen, build.number(action)), arm, further), cost
            )
            facts = self.module.stored[slot][action]
            with expander.collecting() as begun:
                picks = [
                    expander.name(build.read("choice_pick", fact, index, data=(slot, action, place)))
                    for place, fact in enumerate(facts)
                ]
                self._note_breach(end, action, seat, picks, "offence")
            entry = self._begin(begun, action, seat, picks, end.to)
            self.blocks[arm] = Block(tuple(begun), Jump(entry), 0)
            number, out, cost = further, [], 0
        self.blocks[number] = Block(tuple(out), Jump(end.to), cost)
