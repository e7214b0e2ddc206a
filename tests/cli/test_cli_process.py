"""The command line as a process: interruptions, closed pipes, terminals."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

import hoyle
from hoyle.front.cli.progress import interruptible
from hoyle.lab.sim.workers import Workers

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "hoyle.front.cli"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "interpreter"), "TERM": "xterm", "COLUMNS": "100"}
SHORT = ("--set", "match_length=some_deals", "--set", "match_deals=1")
ENVIRONMENT.pop("NO_COLOR", None)


def start(*arguments: str | Path) -> subprocess.Popen[str]:
    command = [*COMMAND, *map(str, arguments)]
    return subprocess.Popen(
        command, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def run_on_terminal(
    arguments: list[str], key: bytes = b"", after: str = "", again: float = 5, **more: str
) -> tuple[int, str]:
    """Run a command on a terminal of its own, and press a key once it has shown something (a regular expression).

    A signal that comes between the prompt and the reading of the line waits for the next key, so where nothing
    happens the key is pressed again, after so many seconds.
    """
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe(COMMAND[0], [*COMMAND, *arguments], {**ENVIRONMENT, **more})
    modes = termios.tcgetattr(terminal)
    modes[3] |= termios.NOFLSH  # else Ctrl-C takes away what was written and is not read yet
    termios.tcsetattr(terminal, termios.TCSANOW, modes)
    shown = b""
    deadline = time.monotonic() + 240
    pressed = float("inf")
    while time.monotonic() < deadline:
        if time.monotonic() > pressed + again:
            os.write(terminal, key)
            pressed = time.monotonic()
        if select.select([terminal], [], [], min(0.1, again))[0]:
            try:
                part = os.read(terminal, 65536)
            except OSError:  # how Linux says that the other end has closed
                break
            if not part:
                break
            shown += part
            if key and pressed == float("inf") and re.search(after, shown.decode(errors="replace")):
                os.write(terminal, key)
                pressed = time.monotonic()
    else:
        os.kill(pid, signal.SIGKILL)
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), shown.decode()


@pytest.mark.parametrize("arguments", [("list",), ("explain",), ("ir", "bonus-20"), ("play", "bonus-20", "--auto")])
def test_a_closed_pipe_ends_the_command_silently(arguments: tuple[str, ...]) -> None:
    process = start(*arguments)
    assert process.stdout
    assert process.stderr
    process.stdout.close()
    assert process.wait(240) == 141
    assert process.stderr.read() == ""


def test_an_interrupted_game_ends_with_one_line() -> None:
    process = start("play", "bonus-20", "--auto", "--delay", "60")
    assert process.stdout
    process.stdout.readline()
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=240)
    assert process.returncode == 130
    assert err == "stopped\n"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupted_simulation_shows_what_it_has(jobs: str) -> None:
    simulation = ["sim", "bonus-20", "--games", "99999", "--jobs", jobs, *SHORT]
    code, shown = run_on_terminal(simulation, b"\x03", r"[1-9]\d*/99999")
    assert code == 130
    assert "95% interval" in shown
    assert re.search(r"stopped after [1-9]\d* of 99999 games\r\n$", shown)


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("arena kuhn-poker --bots first,random --jobs 1", marks=pytest.mark.slow),
        "arena kuhn-poker --bots first,random --jobs 2",
        "sim kuhn-poker --bot first,easy --jobs 1",
        pytest.param("sim kuhn-poker --bot first,easy --jobs 2", marks=pytest.mark.slow),
        pytest.param("diff kuhn-poker leduc-poker", marks=pytest.mark.slow),
    ],
)
def test_interrupted_again_and_again_a_command_shows_what_it_has(command: str) -> None:
    """A key that is held down interrupts the end of the processes, the sum and the printing, too."""
    code, shown = run_on_terminal(
        [*command.split(), "--games", "999998"], b"\x03", r"[1-9]\d*/[1-9]", again=0.02
    )
    assert code in (130, -signal.SIGINT), "after the last line it ends at once"
    assert "95%" in shown.replace("95 %", "95%")
    assert re.search(r"stopped (after [1-9]\d* of 99999\d|before all) .*\r\n(\^C)*$", shown)
    assert "Traceback" not in shown


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_write_that_a_signal_interrupts_is_completed(unbuffered: str) -> None:
    code = "import signal, sys; signal.signal(signal.SIGINT, lambda *_: None); from hoyle.front.cli.app import run"
    command = [sys.executable, "-c", f"{code}; sys.exit(run(['ir', 'bonus-20']))"]
    process = subprocess.Popen(command, env=ENVIRONMENT | {"PYTHONUNBUFFERED": unbuffered}, stdout=subprocess.PIPE)
    assert process.stdout
    fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, 4096)  # less than what is written at once
    select.select([process.stdout], [], [], 240)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    time.sleep(0.1)
    shown = process.stdout.read()
    assert process.wait(240) == 0
    assert len(shown) > 8192
    assert shown == subprocess.run(command, env=ENVIRONMENT, capture_output=True, check=True).stdout


def test_pressed_again_after_a_while_it_breaks_off_what_is_played_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoyle.front.cli.progress.SAME_PRESS", 0.2)

    def press() -> None:
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    with interruptible() as interrupted:
        with interrupted.breaking_off():
            assert not interrupted()
            press()
            press()
            assert interrupted()
            time.sleep(0.3)
            with pytest.raises(KeyboardInterrupt):
                press()
            press()
        time.sleep(0.3)
        press()
    assert signal.getsignal(signal.SIGINT) is before


def test_output_that_is_no_terminal_has_no_colour(tmp_path: Path) -> None:
    (tmp_path / "a.game.yaml").write_text("game: a\n", encoding="utf-8")
    out, err = start("check", tmp_path).communicate(timeout=240)
    assert "error[" in out
    assert "\x1b" not in out + err


def test_a_terminal_gets_colour_unless_no_color_is_set(tmp_path: Path) -> None:
    (tmp_path / "a.game.yaml").write_text("game: a\n", encoding="utf-8")
    code, colored = run_on_terminal(["check", str(tmp_path)])
    _, plain = run_on_terminal(["check", str(tmp_path)], NO_COLOR="1")
    assert code == 1
    assert "\x1b[" in colored
    assert "error[" in plain
    assert "\x1b" not in plain


def test_a_simulation_on_a_terminal_shows_how_far_it_is() -> None:
    code, shown = run_on_terminal(["sim", "bonus-20", "--games", "2", *SHORT])
    assert code == 0
    assert "2/2" in shown
    assert "games/s" in shown


# What starting loads: modules of a few lines, which import nothing.
LIGHT = {
    "__future__", "hoyle", "hoyle.base", "hoyle.base.errors", "hoyle.base.version", "hoyle.front", "hoyle.front.cli",
    "hoyle.front.command",
}  # fmt: skip


def test_nothing_is_loaded_before_an_interruption_can_be_answered() -> None:
    loaded = "hoyle.front.command, hoyle.front.cli"
    listing = f"import sys; before = {{*sys.modules}}; import {loaded}; print(*{{*sys.modules}} - before)"
    found = subprocess.run([sys.executable, "-c", listing], env=ENVIRONMENT, capture_output=True, text=True, check=True)
    assert {*found.stdout.split()} <= LIGHT


def list_loaded(folder: Path, *arguments: str) -> tuple[str, set[str]]:
    """What a command prints, and the modules it loads."""
    listing = f"import sys; from hoyle.front.cli import run; run({[*arguments]}); print(*sys.modules, file=sys.stderr)"
    environment = ENVIRONMENT | {"HOYLE_CACHE": str(folder)}
    found = subprocess.run(
        [sys.executable, "-c", listing], env=environment, input="", capture_output=True, text=True, check=True
    )
    return found.stdout, {*found.stderr.split()}


def test_the_list_of_games_is_shown_without_a_compiler_and_without_bots(tmp_path: Path) -> None:
    """Nor is anything kept from an earlier time: it is quick the first time, too."""
    shown, loaded = list_loaded(tmp_path, "list")
    assert "Crazy Eights" in shown
    assert "hoyle.language.library" in loaded
    assert not loaded & {"hoyle.language.compile", "hoyle.lab.bots", "hoyle.play.codegen", "lark"}


def test_a_game_that_is_known_is_played_without_what_compiles_it_and_what_generates_code(tmp_path: Path) -> None:
    hoyle.load("bonus-20")
    shown, loaded = list_loaded(Path(os.environ["HOYLE_CACHE"]), "play", "bonus-20", "--seed", "1")
    assert "a:" in shown
    unused = (
        "lark", "yaml", "rich.console", "hoyle.language.compile", "hoyle.language.analyse", "hoyle.authoring",
        "hoyle.play.codegen.printed", "hoyle.play.codegen.lower.whole_program", "hoyle.play.engine.native.library",
        "hoyle.lab.learning",
    )  # fmt: skip
    assert not loaded & {*unused}


PRESSED = """
import atexit, os, signal, sys
from hoyle.front.command import main
first, last = int(sys.argv.pop(1)), int(sys.argv.pop(1))
loaded = 0

def press():
    os.kill(os.getpid(), signal.SIGINT)

def hook(event, given):
    global loaded
    if event == "import":
        loaded += 1
        if first <= loaded <= last:
            press()

sys.addaudithook(hook)
if not last:
    atexit.register(press)
main()
"""


@pytest.mark.parametrize(
    ("first", "last"), [(1, 1), (2, 2), (9, 9), (30, 30), (80, 80), (200, 200), (40, 10**9), (10**9, 0)]
)
def test_an_interruption_while_modules_load_or_at_the_end_is_no_traceback(first: int, last: int) -> None:
    """It is pressed when so many modules have been loaded, or again and again from then on, or when Python ends."""
    command = [sys.executable, "-c", PRESSED, str(first), str(last), "list"]
    ended = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) in [(-signal.SIGINT, ""), (130, "stopped\n")]


def read_mask(_: object = None) -> list[int]:
    return sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ()))


def test_what_plays_in_other_processes_never_hears_of_an_interruption() -> None:
    before = read_mask()
    workers = Workers(1, read_mask, hoyle.load("bonus-20"))
    try:
        assert signal.SIGINT in workers.submit(read_mask).result(240)
        assert read_mask() == before
    finally:
        workers.end(wait=True)


@pytest.mark.slow
def test_rules_are_read_alike_where_assertions_and_docstrings_are_left_out(tmp_path: Path) -> None:
    """So the pages of a site are compiled, to be smaller."""
    path = tmp_path / "slip.game.yaml"
    text = (ROOT / "games" / "hearts" / "hearts.game.yaml").read_text(encoding="utf-8")
    path.write_text(text.replace("game: hearts", "game: slip").replace("deal all cards", "deal all the cards"), "utf-8")
    said = []
    for flags in ((), ("-OO",)):
        command = [sys.executable, *flags, *COMMAND[1:], "check", "--no-trial", str(path)]
        done = subprocess.run(command, env={**ENVIRONMENT, "HOYLE_CACHE": ""}, capture_output=True, text=True)
        said.append((done.returncode, done.stdout, done.stderr))
    assert said[0][0] == 1
    assert "error" in said[0][1]
    assert said[0] == said[1]
