"""Refusals: which clause forbids a choice, and the values that decided it.

In: a decision, a seat, the position as it knows it and a choice. Out: a `Refusal`, or None if the choice is legal.
"""

from __future__ import annotations

from typing import Any

from hoyle.base.dataclass import dataclass
from hoyle.base.errors import HoyleError
from hoyle.play.engine.evaluate import Evaluator
from hoyle.play.engine.failed_conditions import Alternative, Reasons, Value, find_reasons
from hoyle.play.engine.faults import SECRET, Fault
from hoyle.play.engine.legality import DECLINED, Choice, Frame, make_frame
from hoyle.play.view.locale import say_in
from hoyle.play.view.seeing import Sight
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.express import say_condition
from hoyle.program.model.position import Position


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a choice is not legal.

    `path` names the clause, `cite` the rules it cites, `rules` their text. `values` are the (text, value) pairs that
    decided, `cards` the names of the cards that they are about, `sentence` that of a definition in another file;
    `alternatives` the named ways in which it could have been legal, each with its values. Where `text` is not a
    sentence of the rule file, `phrase` and `parts` are the message key and arguments it was made from, so that it can
    be translated."""

    path: str
    text: str
    cite: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    values: tuple[Value, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    phrase: str = ""
    parts: tuple[tuple[str, str], ...] = ()
    cards: tuple[str, ...] = ()
    sentence: str = ""

    def __str__(self) -> str:
        cited = f" [{', '.join(self.cite)}]" if self.cite else ""
        lines = [self.text + cited, f"  by {self.path}"] if self.path else [self.text + cited]
        lines += [f"  {text}: {value}" for text, value in self.values]
        for way in self.alternatives:
            lines.append(f"  nor by {way.path}: {way.text}")
            lines += [f"    {text}: {value}" for text, value in way.values]
        lines += [f"  {rule}" for rule in self.rules]
        return "\n".join(lines)


class IllegalAction(HoyleError):  # noqa: N818 - it is an answer to a player, not an error of ours
    """An action is not legal; `refusal` says why. The match is unchanged."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle support."""
        return IllegalAction, (self.refusal,)


class Said:
    """A message key with arguments, to be translated; as text in the default language."""

    def __init__(self, phrase: str, **parts: str) -> None:
        self.phrase = phrase
        self.parts = parts

    def __str__(self) -> str:
        return say_in(None, self.phrase, **self.parts)


class Explainer:
    """Explains refusals of one program."""

    def __init__(self, program: ir.Program, evaluator: Evaluator, sight: Sight) -> None:
        self.program = program
        self.evaluator = evaluator
        self.legality = evaluator.legality
        self.sight = sight
        self.names = sight.names

    def explain(self, decision: ir.Decision, seat: int, position: Position, choice: Choice) -> Refusal | None:
        """The clause that forbids the choice; None if it is legal."""
        try:
            return self._explain(decision, seat, position, choice)
        except Fault as fault:
            if fault.code != SECRET:
                raise
            return self._refuse(decision.clause, Said("refused_here"))  # the seat cannot know why

    def _explain(self, decision: ir.Decision, seat: int, position: Position, choice: Choice) -> Refusal | None:
        self.evaluator.begin()
        if choice == DECLINED:
            return None if decision.optional else self._refuse(decision.clause, Said("refused_decline"))
        items = [
            (tier, item) for tier in decision.tiers for item in tier.items if item.action == choice[0]
        ]  # fmt: skip
        action = self.program.actions[choice[0]]
        if not items:
            return self._refuse(decision.clause, Said("refused_action", action=action.name))
        frame = make_frame(action, seat)
        refusal = self._check_picks(action, choice, position, frame) or self._check_clauses(action, position, frame)
        if self.program.called:  # whatever is possible can be chosen; what is an error, a player must know himself
            return refusal
        return refusal or self._check_tiers(decision, items, seat, position, frame)

    def _refuse(
        self, clause: int, said: Said | str = "", reason: tuple[ir.Expr, Position, Frame] | None = None
    ) -> Refusal:
        """A refusal by a clause, with a sentence of the file or a message key; `reason` is the failed condition with
        the position and frame it was evaluated in."""
        declared = self.program.clauses[clause]
        rules = tuple(
            f"{rule}: {self.program.rules[rule].text}" for rule in declared.cite if rule in self.program.rules
        )
        why = Reasons()
        if reason is not None:
            test, position, frame = reason
            why = find_reasons(self.evaluator, self.sight, frame[0], test, position, frame)
        text, phrase = str(said), ""
        parts: tuple[tuple[str, str], ...] = ()
        if isinstance(said, str):
            text = said or declared.text
        else:
            phrase, parts = said.phrase, tuple(said.parts.items())
        # A game says with its definitions what a module that it uses leaves open.
        asked = (self.program.clauses[each] for each in why.definitions)
        sentence = next((each.text for each in asked if each.text and each.file != declared.file), "")
        located = declared.path, text, declared.cite, rules
        return Refusal(*located, why.values, why.alternatives, phrase, parts, why.cards, sentence)

    def _check_picks(self, action: ir.Action, choice: Choice, position: Position, frame: Frame) -> Refusal | None:
        """The refusal for the first pick outside its domain; binds the picks on the way."""
        for depth, pick in enumerate(action.picks):
            value = choice[depth + 1]
            if pick.least is not None:
                numbers = self.legality.find_range(pick, position, frame)
                if not isinstance(value, int) or value not in numbers:
                    return self._refuse_number(pick, value, numbers)
                continue
            offered = self.legality.list_candidates(pick, depth, position, frame)
            parts = value if pick.low is not None else (value,)
            for part in parts:
                if part not in offered:
                    return self._refuse_part(pick, depth, part, position, frame)
            if pick.low is not None:
                low, high = self.legality.count_range(pick, len(offered), position, frame)
                if not low <= len(parts) <= high:
                    wanted = str(low) if low == high else f"{low} to {high}"
                    said = Said("refused_count", pick=pick.name, count=str(len(parts)), wanted=wanted)
                    return self._refuse(pick.clause, said)
            frame[depth + 1] = value
        return None

    def _refuse_number(self, pick: ir.Pick, value: Any, numbers: range) -> Refusal:
        name = self.names.name_value(pick.type, value)
        if not numbers:
            return self._refuse(pick.clause, Said("refused_no_number", pick=pick.name, value=name))
        bounds = {"low": str(numbers[0]), "high": str(numbers[-1])}
        return self._refuse(pick.clause, Said("refused_number", pick=pick.name, value=name, **bounds))

    def _refuse_part(self, pick: ir.Pick, depth: int, part: Any, position: Position, frame: Frame) -> Refusal:
        kind = pick.type.of if pick.low is not None and pick.type.of is not None else pick.type
        about = {"pick": pick.name, "value": self.names.name_value(kind, part)}
        if part not in self.evaluator.elements(pick.source, position, frame):
            source = pick.source.text
            said = Said("refused_from", **about, source=source) if source else Said("refused_pick", **about)
            return self._refuse(pick.clause, said)
        assert pick.where is not None
        frame[depth + 1] = part
        test = pick.where.text
        said = Said("refused_where", **about, test=test) if test else Said("refused_pick", **about)
        return self._refuse(pick.clause, said, (pick.where, position, frame))

    def _check_clauses(self, action: ir.Action, position: Position, frame: Frame) -> Refusal | None:
        """The refusal for the first condition of the action that fails."""
        tested = (("possible", action.possible), ("allowed", () if self.program.called else action.allowed))
        for lacks, clauses in tested:
            for clause in clauses:
                if not self.evaluator.value(clause, position, frame):
                    text = say_condition(clause, self.program) or action.text
                    said = text or Said(f"refused_{lacks}", action=action.name)
                    return self._refuse(clause.clause, said, (clause.body, position, frame))
        return None

    def _check_tiers(
        self,
        decision: ir.Decision,
        items: list[tuple[ir.Tier, ir.Item]],
        seat: int,
        position: Position,
        frame: Frame,
    ) -> Refusal | None:
        """The refusal for a tier that takes precedence over those in which the choice would be legal."""
        refusal: Refusal | None = None
        for tier in decision.tiers:
            if not self.legality.is_open(decision, tier, seat, position):
                if refusal is None and any(tier is mine for mine, _ in items):
                    assert tier.when is not None
                    opening: Frame = [seat, *[None] * decision.frame]
                    refusal = self._refuse(tier.clause, Said("refused_now"), (tier.when, position, opening))
                continue
            for mine, item in items:
                if mine is not tier:
                    continue
                if self.evaluator.holds(item.where, position, frame):
                    return None
                assert item.where is not None
                only = item.where.text
                said = Said("refused_only", test=only) if only else Said("refused_here")
                refusal = self._refuse(tier.clause, said, (item.where, position, frame))
            if any(True for _ in self.legality.list_tier(tier, seat, position)):
                if refusal is not None and any(tier is mine for mine, _ in items):
                    return refusal
                return self._refuse(tier.clause, self.program.clauses[tier.clause].text or Said("refused_first"))
        return refusal or self._refuse(decision.clause, Said("refused_here"))
