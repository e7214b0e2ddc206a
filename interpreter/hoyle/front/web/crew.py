"""The processes that think for a server, so that no bot ever keeps somebody waiting.

In: questions about matches. Out: the answers of processes, which are started when they are first asked, and replaced
when they die.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import zlib
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from hoyle.base.errors import HoyleError
from hoyle.front.web.thinker import Thinker
from hoyle.front.web.thinking import Asking, Died, Queue
from hoyle.lab.sim.workers import hold_interruptions

LONGEST = 120.0  # seconds without an answer after which a process is taken for dead
MOST_PROCESSES = 16
MOST_STUDIED = 8  # hints and judgements that may wait: each takes seconds
PATIENT = 5  # the niceness of a process: people come first


class Crew(Asking):
    """As many processes for bots as there are processors, one for hints and judgements, which take long, and one for
    the bots of rules that strangers have sent; each is started when it is first asked. A table is always asked about at
    the same one, which knows its match."""

    def __init__(self, processes: int | None = None, working: Callable[[Connection], None] | None = None) -> None:
        super().__init__()
        many = processes or min(os.cpu_count() or 1, MOST_PROCESSES)
        self._bots = [_Beside(f"thinking-{number}", working or work) for number in range(many)]
        self._study = _Beside("study", working or work, MOST_STUDIED)
        self._sent = _Beside("sent", working or work)

    def _find(self, table: str, is_long: bool) -> Queue:
        return self._study if is_long else self._bots[zlib.crc32(table.encode()) % len(self._bots)]

    def _find_for_sent(self) -> Queue:
        return self._sent

    def close(self) -> None:
        for each in (*self._bots, self._study, self._sent):
            each.close()


class _Beside(Queue):
    """A thinker in a process of its own, which is replaced when it dies."""

    def __init__(self, name: str, working: Callable[[Connection], None], most: int | None = None) -> None:
        super().__init__(name, most)
        self._working = working
        self._process: Any = None
        self._line: Connection | None = None

    def _call(self, what: str, *known: Any) -> Any:
        try:
            line = self._reach()
            line.send((what, known))
            if line.poll(LONGEST):
                done, found = line.recv()
                if done:
                    return found
                raise found
        except (EOFError, OSError):  # it is dead
            pass
        self._bury()
        raise Died

    def _reach(self) -> Connection:
        """The line to the process, which is started if there is none."""
        if self._line is None:
            context = multiprocessing.get_context("spawn")
            self._line, other = context.Pipe()
            self._process = context.Process(target=self._working, args=(other,), daemon=True)
            with hold_interruptions(), other:
                self._process.start()
        if self._closed:
            self._process.kill()
        return self._line

    def _bury(self) -> None:
        if self._line is not None:
            self._line.close()
        self._process.kill()
        self._process.join()
        self._line = self._process = None

    def close(self) -> None:
        """Stop at once: who is still asked is not waited for."""
        super().close()
        if (process := self._process) is not None and process.pid is not None:
            process.kill()


def work(line: Connection) -> None:
    """Answer questions until the server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server alone handles Ctrl-C
    if hasattr(os, "nice"):
        os.nice(PATIENT)
    thinker = Thinker()
    with suppress(EOFError, OSError):
        while True:
            what, known = line.recv()
            try:
                answer = True, getattr(thinker, what)(*known)
            except HoyleError as failure:  # it is raised again where it was asked
                answer = False, failure
            line.send(answer)
