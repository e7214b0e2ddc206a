"""Who thinks for a server: processes beside it, which may die, and which nobody waits for."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

import hoyle
from hoyle.front.web.crew import MOST_STUDIED, Crew, work
from hoyle.front.web.lobby import Lobby, Rules
from hoyle.front.web.messages import NewTable
from hoyle.front.web.store import Store
from hoyle.front.web.thinker import MOST_EVENTS, MOST_MATCHES, Course, NotHeld, Thinker
from hoyle.front.web.thinking import Alone, Thinking
from hoyle.lab.bots import BOTS, BotFailed
from hoyle.lab.bots.registry import BotKind

BOT = "random"  # it has no limit of time, so that its choice hangs on its chance alone


def list_processes() -> list[int]:
    return sorted(process.pid or 0 for process in multiprocessing.active_children())


async def play(thinking: Thinking, match: hoyle.Match, choices: int) -> list[str]:
    for _ in range(choices):
        match.apply(await thinking.ask("table", match, BOT))
    return match.history


def test_bots_choose_alike_in_processes_and_in_a_thread() -> None:
    game = hoyle.load("cribbage")

    async def compare() -> tuple[list[str], list[str]]:
        alone, crew = Alone(), Crew(2)
        found = await play(alone, game.new(5), 12), await play(crew, game.new(5), 12)
        alone.close()
        crew.close()
        return found

    inside, beside = asyncio.run(compare())
    assert inside == beside and len(inside) == 12


def test_a_match_that_was_taken_back_is_followed_to_where_it_stands() -> None:
    game, crew = hoyle.load("cribbage"), Crew(1)

    async def take_back() -> tuple[str, str]:
        match = game.new(5)
        await play(crew, match, 8)
        again = game.new(5)
        for choice in match.history[:5]:
            again.apply(choice)
        found = await crew.ask("table", again, BOT)
        crew.close()
        return found.text, match.history[5]

    found, made = asyncio.run(take_back())
    assert found == made


def test_no_bot_thinks_in_the_process_that_serves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(seed: int) -> Any:
        raise AssertionError("it is asked here")

    monkeypatch.setitem(BOTS, BOT, BotKind(BOT, "it is not asked here", refuse))
    played, told = asyncio.run(watch(tmp_path, Crew(1), 4))
    assert played >= 4 and not told


async def watch(tmp_path: Path, thinking: Thinking, choices: int) -> tuple[int, list[dict[str, object]]]:
    """Watch bots play; return how many choices they made, and what was told besides the table."""
    lobby = Lobby(Store(str(tmp_path / "tables.sqlite")), Rules(pace=0.0), [], thinking=thinking)
    key = await lobby.set_table(NewTable("whist", None, {}, (BOT,) * 4, "", 3))
    room = await lobby.open(lobby.find_key(key).table)
    guest = room.enter("watch", None, None)
    guest.replies.clear()
    while len(room.choices) < choices and not room.broken:
        await asyncio.sleep(0.01)
    assert not room.broken
    lobby.close()
    return len(room.choices), list(guest.replies)


def test_a_process_that_dies_is_replaced_and_asked_again() -> None:
    game, crew = hoyle.load("cribbage"), Crew(1)

    async def kill() -> tuple[list[str], list[int], list[int]]:
        match = game.new(5)
        await play(crew, match, 3)
        before = list_processes()
        for pid in before:
            os.kill(pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        history = await play(crew, match, 3)
        after = list_processes()
        crew.close()
        return history, before, after

    history, before, after = asyncio.run(kill())
    assert len(history) == 6 and len(before) == len(after) == 1 and before != after


def die(line: Connection) -> None:
    line.recv()
    os._exit(9)


def test_a_question_that_kills_whoever_is_asked_is_not_asked_for_ever() -> None:
    game, crew = hoyle.load("cribbage"), Crew(1, working=die)

    async def ask() -> None:
        with pytest.raises(BotFailed, match="2 times"):
            await crew.ask("table", game.new(5), BOT)
        with pytest.raises(BotFailed):
            await crew.advise("table", game.new(5), 1)
        crew.close()

    asyncio.run(ask())
    assert not list_processes()


def test_a_table_goes_on_where_the_thinkers_of_its_bots_die_and_is_told(tmp_path: Path) -> None:
    played, told = asyncio.run(watch(tmp_path, Crew(1, working=die), 2))
    assert played >= 2
    assert {"is": "refused", "why": "bot_failed", "who": told[0]["who"]} in told and told[0]["who"]


def wait(line: Connection) -> None:
    line.recv()
    while True:
        signal.pause()


@pytest.mark.skipif(not hasattr(signal, "pause"), reason="there is no pause here")
def test_nobody_waits_for_a_bot_when_the_server_is_closed() -> None:
    game, crew = hoyle.load("cribbage"), Crew(1, working=wait)

    async def close() -> None:
        asked = asyncio.create_task(crew.ask("table", game.new(5), BOT))
        while not list_processes():
            await asyncio.sleep(0.01)
        crew.close()
        with pytest.raises((BotFailed, asyncio.CancelledError)):
            await asked

    asyncio.run(close())
    assert not list_processes()


@pytest.mark.skipif(not hasattr(signal, "pause"), reason="there is no pause here")
def test_who_asks_for_many_hints_does_not_keep_others_waiting_for_long() -> None:
    game, crew = hoyle.load("cribbage"), Crew(1, working=wait)

    async def ask() -> list[bool]:
        asked = [asyncio.create_task(crew.advise("table", game.new(5), 1)) for _ in range(MOST_STUDIED + 5)]
        while not list_processes():
            await asyncio.sleep(0.01)
        refused = [each.done() for each in asked]
        crew.close()
        await asyncio.gather(*asked, return_exceptions=True)
        return refused

    assert asyncio.run(ask()) == [False] * MOST_STUDIED + [True] * 5


def test_who_plays_by_shipped_rules_does_not_wait_for_bots_of_rules_that_were_sent() -> None:
    game, crew = hoyle.load("cribbage"), Crew(1)

    async def ask() -> int:
        await crew.ask("table", game.new(5), BOT, sent=True)
        await crew.ask("table", game.new(5), BOT)
        return len(list_processes())

    assert asyncio.run(ask()) == 2, "each is asked in a process of its own"
    crew.close()


STARTING = """
import multiprocessing, signal
from hoyle.lab.sim.workers import hold_interruptions

def tell(line):
    line.send(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()))

if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    own, other = context.Pipe()
    with hold_interruptions():
        context.Process(target=tell, args=(other,)).start()
    print("held", own.recv())
"""


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals cannot be held here")
def test_the_first_process_of_all_is_not_interrupted_while_it_starts(tmp_path: Path) -> None:
    (tmp_path / "starting.py").write_text(STARTING)
    done = subprocess.run([sys.executable, str(tmp_path / "starting.py")], capture_output=True, text=True, check=True)
    assert done.stdout == "held True\n"


def test_a_process_ends_with_the_server() -> None:
    context = multiprocessing.get_context("spawn")
    own, other = context.Pipe()
    process = context.Process(target=work, args=(other,), daemon=True)
    process.start()
    other.close()
    own.close()
    process.join(60)
    assert process.exitcode == 0


def test_a_thinker_keeps_few_matches_and_knows_when_it_has_to_be_given_a_game() -> None:
    game, thinker = hoyle.load("cribbage"), Thinker()
    with pytest.raises(NotHeld):
        thinker.ask(Course("table", 1, 5, ()), "first", 1.0)
    thinker.hold(1, game)
    for table in range(MOST_MATCHES + 20):
        thinker.ask(Course(str(table), 1, 5, ()), "first", 1.0)
    assert len(thinker._matches) == MOST_MATCHES
    events = sum(len(match.events) for _, match in thinker._matches.values())
    assert events < MOST_EVENTS
