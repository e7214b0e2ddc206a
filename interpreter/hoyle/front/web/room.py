"""A room: one table with its match, its players, and all connected clients.

In: messages of guests. Out: choices in the store, and for each guest the table as their seat may see it. Each guest
gets only the latest state when their connection is ready, so that a slow one neither blocks others nor fills memory.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import deque
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from hoyle.base.dataclass import dataclass
from hoyle.base.effort import TooMuchWork, bounded
from hoyle.base.errors import NotStored
from hoyle.front.web.answers import cite_rules, spell_choice, spell_news
from hoyle.front.web.backroom import BackRoom
from hoyle.front.web.hiding import tell_fault
from hoyle.front.web.messages import Agree, Choose, Message, Offer, Pace, Plain, React, Rename, Why
from hoyle.front.web.store import PERSON, Choice, Role, Seat, Setup, Store
from hoyle.front.web.thinking import Thinking
from hoyle.front.web.undone import Undone
from hoyle.lab.bots import BotFailed
from hoyle.language.library import describe
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.game import IllegalAction
from hoyle.play.engine.legality import DECLINED
from hoyle.play.engine.origin import make_head
from hoyle.play.table import Host, News, find_group
from hoyle.play.table.beats import Beat, list_beats
from hoyle.play.table.newsworthy import find_settled
from hoyle.play.view.locale import is_written_in
from hoyle.program.info import say_options
from hoyle.program.model.chance import derive_seed

if TYPE_CHECKING:
    from hoyle.front.web.places import Place
    from hoyle.lab.bots.judging import Judgement
    from hoyle.play.engine.actions import Action
    from hoyle.play.engine.game import Game, Match

TOO_MUCH = "these rules are more work than a server takes on for a stranger"
LONGEST_LOG = 400  # sentences sent at most, as to a guest who joins
LONGEST_TAIL = 200  # events whose sentences can still change
MOST_WEIGHED = 5  # choices for which a hint has search statistics
MOST_BEATS = 120  # kept for guests whose connection is slow; who is further behind goes straight to the latest state
SHORTEST_WAIT, LONGEST_WAIT = 1.0, 30.0  # seconds before a choice that could not be stored is tried again
SEAL_ROUNDS = 100_000  # so that nobody finds a seed by trying all of them
MOST_REPLIES = 50  # queued replies after which a guest is disconnected
MOST_REACTIONS = 10  # queued replies from which a guest gets no reactions of others: these must not disconnect anybody
Standing = tuple[str, int, int, int, int]


@dataclass(eq=False, slots=True)
class Guest:
    """A client connected to the table; `seat` is None for a spectator."""

    role: Role
    seat: int | None
    language: str
    told: int = 0  # number of events sent
    since: int = 0  # the event from which on sentences can still change
    lines: list[News] = field(default_factory=list)  # the sentences sent from there on
    epoch: int = -1
    beat: int = 0  # number of beats passed
    replies: deque[dict[str, object]] = field(default_factory=deque)
    waiting: asyncio.Event = field(default_factory=asyncio.Event)
    gone: bool = False

    @property
    def standing(self) -> Standing:
        """What decides, beside the table and the seat, what is shown next."""
        return self.language, self.epoch, self.since, self.told, self.beat

    def reply(self, answer: dict[str, object]) -> None:
        self.replies.append(answer)
        if len(self.replies) > MOST_REPLIES:
            self.gone = True  # the client sends requests but does not read the replies
        self.waiting.set()


@dataclass(slots=True)
class Undo:
    """A request to undo from choice `number` on; `missing` are the seats that have not agreed yet."""

    seat: int
    number: int
    missing: set[int]


class Room:
    """An open table. It runs in the event loop; slow work goes to the worker thread."""

    def __init__(
        self,
        table: str,
        setup: Setup,
        seats: list[Seat],
        match: Match,
        choices: list[Choice],
        store: Store,
        thinking: Thinking,
        loading: BackRoom,
        pace: float,
        most_work: int | None = None,
    ) -> None:
        self.id = table
        self.setup = setup
        self.seats = seats
        self.game: Game = match.game
        self.match = match
        self.choices = choices
        self.store = store
        self.thinking = thinking
        self.loading = loading
        self.most_work = most_work  # steps of `hoyle.base.effort` that one thing may take that happens here
        self.pace = pace
        self.guests: set[Guest] = set()
        self.undo: Undo | None = None
        self.broken = ""
        self.unstored = ""  # why the last choice of a bot could not be stored
        self.epoch = 0  # incremented when the log sent so far becomes invalid, as by an undo
        self.beats: deque[Beat] = deque(maxlen=MOST_BEATS)
        self._passed = 0  # number of beats so far
        self._stood: tuple[Beat, Match] | None = None  # the match at the beat shown last
        self._written: dict[Standing, tuple[str, Standing, list[News], bool]] = {}
        self.undone = Undone()
        self.next: str | None = None  # the table at which the same people play again
        self.place: Place | None = None  # which table of a tournament this is
        self.books: dict[str, list[dict[str, object]]] = {}  # the rules in force, by language
        self._hosts: dict[str, Host] = {}
        self._judged: dict[tuple[int, int], Judgement] = {}
        self._turning = asyncio.Lock()
        self._running: asyncio.Task[None] | None = None
        self._guard(match)

    # ---------------------------------------------------------------------------------------------- guests
    @property
    def languages(self) -> list[str]:
        """The languages that the game is written in; modules that it uses may have labels in more."""
        program = self.game.program
        known = dict.fromkeys([program.language, *(labels.language for labels in program.labels)])
        return [language for language in known if is_written_in(program, language)]

    def enter(self, role: Role, seat: int | None, language: str | None) -> Guest:
        wanted = language if language in self.languages else self.game.program.language
        guest = Guest(role, seat, wanted, beat=self._passed)
        host = self.host(wanted)
        hello = {"is": "legend", "legend": host.legend.to_json(), "languages": self.languages, "table": self.id}
        info, _ = describe(self.setup.game, wanted if wanted != self.game.program.language else None)
        about = [] if info is None else [each for each in (info.about, info.goal) if each]
        guest.reply({**hello, "about": about, "options": self.say_options(wanted), "seal": self.seal})
        self.guests.add(guest)
        self.tell_all()
        self.wake()
        if self.place is not None:
            self.place.call()
        return guest

    @cached_property
    def seal(self) -> str:
        """What is told of the seed before the match: nobody can find the seed by it, and everybody can see afterwards
        that the match was dealt by that seed and no other. Empty in a page that runs Hoyle itself: nobody else deals
        there, and Python has no OpenSSL."""
        if not hasattr(hashlib, "pbkdf2_hmac"):
            return ""
        given = str(self.setup.seed).encode(), self.id.encode()
        return hashlib.pbkdf2_hmac("sha256", *given, SEAL_ROUNDS).hex()

    def say_options(self, language: str) -> dict[str, str]:
        """The options in force in the words of a language, with their values."""
        info, _ = describe(self.setup.game, language if language != self.game.program.language else None)
        return say_options(info, self.game.options)

    def leave(self, guest: Guest) -> None:
        self.guests.discard(guest)
        if self.undo is not None and not any(each.seat == self.undo.seat for each in self.guests):
            self.undo = None
        self.tell_all()

    def tell_all(self) -> None:
        self._written.clear()
        for guest in self.guests:
            guest.waiting.set()

    def host(self, language: str) -> Host:
        if language not in self._hosts:
            self._hosts[language] = Host(self.game, language, [seat.name for seat in self.seats])
        return self._hosts[language]

    def is_here(self, seat: int) -> bool:
        return any(guest.seat == seat for guest in self.guests)

    @property
    def is_on(self) -> bool:
        """Whether choices can be made: at a tournament, the end of a game may come from another table."""
        return not self.match.is_over and (self.place is None or self.place.is_on)

    @property
    def is_attended(self) -> bool:
        """Whether somebody is here, or waits for this table at another one."""
        return bool(self.guests) or (self.place is not None and self.place.is_attended)

    @property
    def seats_people(self) -> bool:
        return any(seat.player == PERSON for seat in self.seats)

    @contextmanager
    def within(self) -> Iterator[None]:
        """Do something by the rules of the game. If they fail, or ask for more work than is allowed here, the match
        cannot go on, and all guests are told why."""
        try:
            with self.limit():
                yield
        except (Fault, TooMuchWork) as failure:
            self.broken = tell_fault(failure) if isinstance(failure, Fault) else TOO_MUCH
            self.tell_all()

    def limit(self) -> AbstractContextManager[object]:
        """Bound what is worked out within, if the rules come from a stranger."""
        return nullcontext() if self.most_work is None else bounded(self.most_work, apart=True)

    def write(self, guest: Guest) -> str:
        """Write the next state for a guest as JSON, or, where the rules fail at that, that there is none."""
        with self.within():
            return self._write(guest)
        guest.gone = True
        return json.dumps({"is": "closed", "why": "bad_rules", "detail": self.broken})

    def _write(self, guest: Guest) -> str:
        """Write the next state: once for all spectators who have been shown the same."""
        before = guest.standing
        if guest.seat is not None or before not in self._written:
            text = json.dumps(self.show(guest), ensure_ascii=False, separators=(",", ":"))
            if guest.seat is None:
                self._written[before] = text, guest.standing, guest.lines, guest.waiting.is_set()
            return text
        text, standing, guest.lines, more = self._written[before]
        _, guest.epoch, guest.since, guest.told, guest.beat = standing
        if more:
            guest.waiting.set()
        return text

    def show(self, guest: Guest) -> dict[str, object]:
        """Build the next state for a guest: all that they may know at the next beat, or now if there is none, and the
        changes of the log since the last state. More beats wake the guest again."""
        fresh = guest.epoch != self.epoch
        beat = None if fresh else self._take_beat(guest)
        host, match = self.host(guest.language), self._stand_at(beat)
        dropped, log = self._tell(guest, host, match, fresh)
        table = host.see(match, guest.seat, len(match.events)).to_json()
        if not self.is_on:
            table["menu"] = None
        missing = self.undo.missing if self.undo is not None else set()
        return {
            "is": "table",
            "pause": beat.pause if beat is not None else "",
            "view": table,
            "log": [spell_news(each) for each in log[-LONGEST_LOG:]],
            "dropped": dropped,
            "fresh": fresh,
            "seats": [
                {"player": seat.player, "name": seat.name, "here": seat.player != PERSON or self.is_here(number)}
                for number, seat in enumerate(self.seats)
            ],
            "watchers": sum(each.seat is None for each in self.guests),
            "undo": None
            if self.undo is None
            else {"seat": self.undo.seat, "ask": guest.seat in missing, "waiting": sorted(missing)},
            "can_redo": self._can_redo(guest.seat),
            "can_undo": self.place is None and guest.seat is not None and self._find_undo(guest.seat) is not None,
            "party": self.place.tell() if self.place is not None else None,
            "links": self._list_links(guest),
            "pace": round(self.pace * 1000),
            "choices": len(self.choices) if match.is_over else match.count_choices(guest.seat),
            "broken": self.broken,
            "unstored": self.unstored,
            "seed": self.setup.seed if match.is_over else None,
        }

    def _take_beat(self, guest: Guest) -> Beat | None:
        """Return the next beat for a guest, if there is one."""
        waiting = self._passed - guest.beat
        guest.beat += 1
        if not 0 < waiting <= len(self.beats):
            guest.beat = self._passed
            return None
        guest.waiting.set()
        return self.beats[-waiting]

    def _stand_at(self, beat: Beat | None) -> Match:
        """Return the match as it stood at a beat; without one, as it stands now."""
        if beat is None:
            return self.match
        if self._stood is None or self._stood[0] is not beat:  # the same for all who are shown it
            told = self.match.events[: beat.told]
            self._stood = beat, type(self.match)(self.game, beat.position, events=told, seed=self.setup.seed)
        return self._stood[1]

    def _tell(self, guest: Guest, host: Host, match: Match, fresh: bool) -> tuple[int, list[News]]:
        """Return how many of the last sentences sent are to be dropped, and the new ones. Later events can change
        earlier sentences: simultaneous secret choices are told anew once all have been made."""
        if fresh:
            guest.since, guest.told, guest.lines, guest.epoch = 0, 0, [], self.epoch
            guest.beat = self._passed
        if guest.told == len(match.events) and not fresh:
            return 0, []
        lines = host.tell(match, guest.seat, guest.since)
        same = 0
        while same < min(len(lines), len(guest.lines)) and lines[same] == guest.lines[same]:
            same += 1
        dropped = len(guest.lines) - same
        guest.told, guest.lines = len(match.events), lines
        settled = find_settled(match.events, max(guest.since, guest.told - LONGEST_TAIL))
        if settled > guest.since:
            guest.since, guest.lines = settled, host.tell(match, guest.seat, settled)
        return dropped, lines[same:]

    def list_people(self) -> list[str]:
        """The names of those who sit at the table: not of bots, and not of seats that wait for somebody."""
        waiting = self.store.find_keys(self.id, "invitation")
        return [seat.name for at, seat in enumerate(self.seats) if seat.player == PERSON and at not in waiting]

    def _list_links(self, guest: Guest) -> dict[str, object]:
        """Return the keys of open invitations and of spectators; only for guests with a seat."""
        if guest.seat is None:
            return {}
        try:
            invitations = self.store.find_keys(self.id, "invitation")
            return {"watch": self.store.find_keys(self.id, "watch").get(None), "seats": invitations}
        except NotStored:  # it cannot be read at the moment; the table can be shown without links
            return {}

    # ---------------------------------------------------------------------------------------------- messages
    async def take(self, guest: Guest, message: Message) -> None:
        """Handle a message of a guest, if their seat permits it; what cannot be stored does not happen."""
        try:
            with self.within():
                await self._take(guest, message)
        except NotStored as failure:
            guest.reply({"is": "refused", "why": "not_stored", "detail": str(failure)})

    async def _take(self, guest: Guest, message: Message) -> None:
        if isinstance(message, Plain) and message.wish == "hello":
            return
        if guest.seat is None:
            guest.reply({"is": "refused", "why": "watching"})
        elif isinstance(message, Choose):
            async with self._turning:
                self._choose(guest, guest.seat, message)
        elif isinstance(message, Why):
            self._explain(guest, guest.seat, message)
        elif isinstance(message, Agree):
            await self._agree(guest, guest.seat, message.yes)
        elif isinstance(message, Offer):
            self._offer(guest, message.seat)
        elif isinstance(message, Pace):
            self.pace = message.wait / 1000
            self.tell_all()
        elif isinstance(message, Rename):
            self.rename(guest.seat, message.name)
        elif isinstance(message, React):
            for other in (each for each in self.guests if len(each.replies) < MOST_REACTIONS):
                other.reply({"is": "reaction", "seat": guest.seat, "sign": message.sign})
        elif message.wish == "undo":
            await self._ask_undo(guest, guest.seat)
        elif message.wish == "redo":
            await self._redo(guest, guest.seat)
        elif message.wish == "hint":
            await self._hint(guest, guest.seat)
        elif message.wish == "guide":
            self._guide(guest, guest.seat)
        elif message.wish == "share":
            self._share(guest)

    def _choose(self, guest: Guest, seat: int, message: Choose) -> None:
        match = self.match
        decision = match.decision if self.is_on else None
        if decision is None or decision.seat != seat:
            guest.reply({"is": "refused", "why": "not_your_turn" if self.is_on else "over"})
            return
        if message.turn != match.count_told(seat):
            guest.reply({"is": "refused", "why": "late"})
            return
        if not 0 <= message.choice < len(decision.actions):
            guest.reply({"is": "refused", "why": "no_such_choice"})
            return
        choice = message.choice
        if message.items:
            menu = self.host(guest.language).see(match, seat).menu
            meant = find_group(menu, choice, message.items) if menu is not None else None
            if meant is None:
                guest.reply({"is": "refused", "why": "no_such_choice"})
                return
            choice = meant
        action, number = decision.actions[choice], message.number
        # What nobody could choose otherwise is no choice to take back.
        asked = len(decision.actions) > 1 or (action.number is not None and len(action.number) > 1)
        if action.number is not None and len(action.number) == 1 and number is None:
            number = action.number[0]  # the only possible one
        if number not in (action.number if action.number is not None else (None,)):
            guest.reply({"is": "refused", "why": "no_such_number"})
            return
        if number is not None:
            action = action.with_number(number)
        self._apply(action, asked=asked)
        self.wake()

    def _offer(self, guest: Guest, seat: int) -> None:
        """Make a link to the seat of a bot; the bot plays on until somebody takes it."""
        if not 0 <= seat < len(self.seats) or self.seats[seat].player == PERSON or self.match.is_over:
            guest.reply({"is": "refused", "why": "no_such_seat"})
            return
        if self.setup.known:  # who set the table could work out the hand of whoever comes
            guest.reply({"is": "refused", "why": "own_seed"})
            return
        if seat not in self.store.find_keys(self.id, "invitation"):
            self.store.add_key(self.id, "invitation", seat)
        self.tell_all()

    def take_over(self, seat: int) -> None:
        """Let a person go on in the seat of a bot."""
        if self.seats[seat].player != PERSON:
            self.store.seat(self.id, seat, Seat(PERSON, self.seats[seat].name))
            self.seats[seat] = Seat(PERSON, self.seats[seat].name)
            self._guard(self.match)
            self.tell_all()

    def _guard(self, match: Match) -> None:
        """Check what people are offered; bots tell nobody."""
        with self.within():
            match.guard(lambda seat: self.seats[seat].player == PERSON)

    def _explain(self, guest: Guest, seat: int, message: Why) -> None:
        decision = self.match.decision if not self.match.is_over else None
        if decision is None or decision.seat != seat:
            guest.reply({"is": "refused", "why": "over" if self.match.is_over else "not_your_turn"})
            return
        host = self.host(guest.language)
        reason = host.explain_card(self.match, message.zone, message.place)
        found = cite_rules(reason, host).to_json() if reason is not None else None
        guest.reply({"is": "why", "zone": message.zone, "place": message.place, "reason": found})

    def _guide(self, guest: Guest, seat: int) -> None:
        """Tell which rules matter at this decision, for somebody who learns the game."""
        decision = self.match.decision if not self.match.is_over else None
        if decision is None or decision.seat != seat:
            return
        host = self.host(guest.language)
        tips = [{**cite_rules(reason, host).to_json(), "about": about} for reason, about in host.guide(self.match)]
        guest.reply({"is": "guide", "turn": self.match.count_told(seat), "tips": tips})

    def invite_again(self, table: str, seat: int) -> None:
        """Tell the others who sit here that a seat waits for them at the next table."""
        self.next = table
        invitations = self.store.find_keys(table, "invitation")
        for guest in self.guests:
            if guest.seat is not None and guest.seat in invitations:
                who = self.seats[seat].name
                guest.reply({"is": "again", "key": invitations[guest.seat], "who": who})

    def rename(self, seat: int, name: str) -> None:
        taken = {each.name for number, each in enumerate(self.seats) if number != seat}
        name = choose_name(name, taken)
        if not name:
            return
        renamed = Seat(self.seats[seat].player, name)
        self.store.seat(self.id, seat, renamed)
        self.seats[seat] = renamed
        self._hosts.clear()
        self.epoch += 1
        self.tell_all()

    async def _hint(self, guest: Guest, seat: int) -> None:
        """Reply with advice, based on what the seat can see."""
        match = self.match
        decision = match.decision if not match.is_over else None
        if decision is None or decision.seat != seat:
            guest.reply({"is": "refused", "why": "not_your_turn"})
            return
        turn = match.position.decisions
        try:
            advice = await self.thinking.advise(self.id, match, derive_seed(self.setup.seed, len(self.choices), seat))
        except (Fault, BotFailed):
            guest.reply({"is": "refused", "why": "no_advice"})
            return
        if match is not self.match or turn != match.position.decisions or match.is_over:
            guest.reply({"is": "refused", "why": "late"})  # there was a choice or an undo meanwhile
            return
        menu = self.host(guest.language).see(match, seat).menu
        assert menu is not None  # the seat is on turn
        tried = [
            {**spell_choice(decision, menu, each.action), "visits": each.visits, "value": round(each.value, 3)}
            for each in advice.weighed[:MOST_WEIGHED]
        ]
        found = spell_choice(decision, menu, advice.action)
        said = {**found, "bot": advice.bot, "visits": advice.visits, "equal": advice.equal, "tried": tried}
        guest.reply({"is": "hint", "turn": menu.turn, **said})

    async def judge(self, host: Host, before: Match, at: int) -> dict[str, object]:
        """What the adviser says to a choice of the finished match: its own one, if that is better, and by how much."""
        if (self.epoch, at) not in self._judged:
            seed = derive_seed(self.setup.seed, at)
            self._judged[self.epoch, at] = await self.thinking.judge(self.id, before, self.choices[at].text, seed)
        found, decision = self._judged[self.epoch, at], before.decision
        assert decision is not None
        menu = host.see(before, decision.seat).menu
        made = spell_choice(decision, menu, before.find_action(self.choices[at].text))
        better = None if found.better is None else spell_choice(decision, menu, found.better)
        return {"at": at, "made": made, "better": better, "gain": found.gain, "points": found.points}

    def _share(self, guest: Guest) -> None:
        """Reply with the key of a public replay, once the match is over."""
        if not self.match.is_over:
            guest.reply({"is": "refused", "why": "not_over"})
            return
        key = self.store.find_keys(self.id, "replay").get(None) or self.store.add_key(self.id, "replay")
        guest.reply({"is": "shared", "key": key})

    def write_file(self) -> str:
        """Export the match as JSON Lines: the setup, then a line for each choice."""
        people = [number for number, seat in enumerate(self.seats) if seat.player == PERSON]
        setup = {
            **make_head(self.game.program),
            "game": self.setup.game if not Path(self.setup.game).is_absolute() else self.game.name,
            "title": self.game.title,
            "seed": self.setup.seed,
            "people": people,
            "names": [seat.name for seat in self.seats],
            "bot": next((seat.player for seat in self.seats if seat.player != PERSON), "random"),
            "errors": 0.0,
            "language": self.game.program.language,
            "began": 0.0,
        }
        choices = [{"asked": choice.text} if choice.asked else choice.text for choice in self.choices]
        lines: list[object] = [setup, *self.setup.begun, *choices, {"over": True}]
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)

    # ---------------------------------------------------------------------------------------------- undo
    def _find_undo(self, seat: int) -> int | None:
        """Find the index of the last choice that a seat was asked for."""
        for number in range(len(self.choices) - 1, -1, -1):
            if self.choices[number].asked and self.choices[number].seat == seat:
                return number
        return None

    async def _ask_undo(self, guest: Guest, seat: int) -> None:
        number = self._find_undo(seat) if self.place is None else None
        if number is None:
            guest.reply({"is": "refused", "why": "nothing_to_undo"})
            return
        free = self.store.find_keys(self.id, "invitation")
        others = {
            other for other, each in enumerate(self.seats)
            if other != seat and each.player == PERSON and other not in free
        }  # also those who are not connected at the moment
        self.undo = Undo(seat, number, others)
        await self._settle_undo(guest)

    async def _agree(self, guest: Guest, seat: int, yes: bool) -> None:
        if self.undo is None or seat not in self.undo.missing:
            return
        if not yes:
            asker = self.undo.seat
            self.undo = None
            for each in self.guests:
                if each.seat == asker:
                    each.reply({"is": "refused", "why": "undo_refused", "who": self.seats[seat].name})
            self.tell_all()
            return
        self.undo.missing.discard(seat)
        await self._settle_undo(guest)

    async def _settle_undo(self, guest: Guest) -> None:
        if self.undo is None or self.undo.missing:
            self.tell_all()
            return
        number, self.undo = self.undo.number, None
        agreed = len(self.choices)
        async with self._turning:
            if any(choice.asked for choice in self.choices[agreed:]):  # made meanwhile, by who was not asked for it
                guest.reply({"is": "refused", "why": "late"})
                return
            kept = [*self.setup.begun, *(choice.text for choice in self.choices[:number])]
            match = await self.loading.play_again(self.game, self.setup.seed, kept)
            self.store.go_back_to(self.id, number)
            self.undone.take_back(self.choices, number)
            del self.choices[number:]
            self._guard(match)
            self.match = match
            self.epoch += 1
            self.beats.clear()
            self._stood = None
        self.tell_all()
        self.wake()

    def _can_redo(self, seat: int | None) -> bool:
        """Whether a seat may do again what was taken back: only where nobody else plays."""
        alone = all(each.player != PERSON for number, each in enumerate(self.seats) if number != seat)
        return self.place is None and seat is not None and alone and self.undone.can_redo(len(self.choices))

    async def _redo(self, guest: Guest, seat: int) -> None:
        async with self._turning:
            if not self._can_redo(seat):
                guest.reply({"is": "refused", "why": "nothing_to_redo"})
                return
            for choice in self.undone.take_redo(len(self.choices), seat):
                self._apply(choice.text, asked=choice.asked)
        self.wake()

    # ---------------------------------------------------------------------------------------------- playing
    def _apply(self, action: Action | int | str, *, asked: bool) -> None:
        """Make a choice and store it before it is broadcast."""
        before, told, made = self.match.position, len(self.match.events), len(self.choices)
        try:
            with self.within():
                seat = self.match.find_seat()
                chosen = self.match.find_action(action)
                self.match.apply(chosen, store=partial(self._store, seat, asked))
        except IllegalAction as illegal:  # only a bot can cause this: choices of people have been validated
            self.broken = str(illegal)
        if len(self.choices) == made:
            return
        if self.guests:
            host = self.host(self.game.program.language)
            found = list_beats(self.game, host.layout, before, told, chosen.choice)
            behind = max(self._passed - guest.beat for guest in self.guests)
            while len(self.beats) > behind:
                self.beats.popleft()  # each holds a position, and everybody has seen it
            self.beats.extend(found)
            self._passed += len(found)
        self.undo, self.unstored = None, ""
        self.tell_all()
        if self.place is not None:
            self.place.look()

    def _store(self, seat: int, asked: bool, text: str) -> None:
        """Store a choice, or raise `NotStored`; then the match stays as it is."""
        choice = Choice(text, seat, asked)
        self.store.add_choice(self.id, len(self.choices), choice)
        self.choices.append(choice)

    def wake(self) -> None:
        """Start the task that plays for the bots, unless it is running."""
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._run())

    def stop(self) -> None:
        """Cancel the task of the bots, when the server shuts down."""
        if self._running is not None:
            self._running.cancel()

    async def _run(self) -> None:
        """Play for the bots. While their choices cannot be stored, everybody is told, and they are tried again."""
        wait = SHORTEST_WAIT
        while True:
            try:
                await self._play_for_bots()
                self.store.note_use(self.id, over=self.match.is_over)
                if self.match.is_over and not self.setup.begun:
                    people = {seat for seat, each in enumerate(self.seats) if each.player == PERSON}
                    self.store.add_end(self.id, self.setup.game, len(people), len(people & set(self.match.winners)))
                self.unstored = ""
                return
            except NotStored as failure:
                self.unstored = str(failure)
                self.tell_all()
                await asyncio.sleep(wait)
                wait = min(2 * wait, LONGEST_WAIT)

    async def _play_for_bots(self) -> None:
        while self.is_attended and self.is_on and not self.broken and (self.place is None or self.place.may_go()):
            async with self._turning:
                decision = None
                with self.within():
                    decision = self.match.decision
                if decision is None:
                    break
                player = self.seats[decision.seat].player
                if len(decision.actions) == 1 and decision.actions[0].choice == DECLINED:
                    self._apply(0, asked=False)  # no real choice, and declining is told to this seat alone
                    continue
                if player == PERSON:
                    break
                turn = self.match.position.decisions
            if not decision.window:  # a pause would tell the others that somebody could act
                await asyncio.sleep(self.pace)
            async with self._turning:
                if turn != self.match.position.decisions or not self.is_on:
                    continue
                chosen: Action | str
                try:
                    chosen = await self._ask_bot(player)
                except Fault as failure:  # the match cannot go on; all guests are told why
                    self.broken = tell_fault(failure)
                    self.tell_all()
                    break
                except BotFailed:  # it can: the seat plays what comes first, and all guests are told
                    chosen = decision.choice(0)
                    told = {"is": "refused", "why": "bot_failed", "who": self.seats[decision.seat].name}
                    for guest in self.guests:
                        guest.reply({**told})
                self._apply(chosen, asked=False)

    async def _ask_bot(self, name: str) -> Action | str:
        answer = self.undone.find_answer(self.choices)
        if answer is not None:
            return answer
        return await self.thinking.ask(self.id, self.match, name, sent=self.most_work is not None)


def choose_name(name: str, taken: set[str]) -> str:
    """Make a name unique at the table by appending a number.

    >>> choose_name("Ash", {"Robin"}), choose_name("Ash", {"Ash", "Ash 2"})
    ('Ash', 'Ash 3')
    """
    number, tried = 1, name
    while tried in taken:
        number += 1
        tried = f"{name} {number}"
    return tried
