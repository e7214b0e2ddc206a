"""`hoyle train`: learns to play a game by self-play.

In: a game, and how long. Out: a policy for its bots, a checkpoint to go on from, and the curve of what was learnt.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import hoyle
from hoyle.front.cli.common import (
    ExistingFile,
    find_game_file,
    game_argument,
    json_option,
    players_option,
    settings_option,
)
from hoyle.front.cli.failures import INTERRUPTED, Problem
from hoyle.front.cli.progress import interruptible
from hoyle.lab.learning.policies import PolicyError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoyle.lab.train.learner import Course, Learner

SETTINGS = ("entropy", "last_entropy", "evenness", "last_evenness", "unit", "most", "rate", "horizon", "minibatches",
            "epochs", "discount", "trace", "clip", "worlds")  # fmt: skip
HOW_TO_HAVE_IT = "training needs PyTorch: pip install 'hoyle[train]'"


@click.command("train", epilog="Example: hoyle train leduc-poker --minutes 2 --out leduc")
@game_argument
@players_option
@settings_option
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True, max=100_000), default=10.0, show_default=True,
              metavar="M", help="How long to train.")  # fmt: skip
@click.option("--steps", type=click.IntRange(min=1), metavar="N", help="How many decisions to train for at most.")
@click.option("--seed", type=int, default=1, show_default=True, metavar="S", help="What all chance comes from.")
@click.option("--device", type=click.Choice(["auto", "cpu", "cuda"]), default="auto", show_default=True,
              help="Where to train; auto takes a GPU if there is one.")  # fmt: skip
@click.option("-j", "--jobs", type=click.IntRange(min=1, max=256), default=1, show_default=True, metavar="J",
              help="Processors to use.")  # fmt: skip
@click.option("--matches", type=click.IntRange(min=8, max=1_000_000), metavar="N",
              help="Matches played at once; by default 256, on a GPU 32,768.")  # fmt: skip
@click.option("-o", "--out", type=click.Path(path_type=Path), metavar="NAME",
              help="Write NAME.policy, NAME.checkpoint and NAME.curve.json; by default GAME-PLAYERS.")  # fmt: skip
@click.option("--course", "told", multiple=True, metavar="NAME=NUMBER",
              help="Another setting of `Course`, such as evenness=0.03.")  # fmt: skip
@click.option("--resume", is_flag=True, help="Go on from NAME.checkpoint.")
@click.option("--begin-with", type=ExistingFile(), metavar="FILE",
              help="Begin with the network of another checkpoint, such as a variant's, or of a policy.")  # fmt: skip
@json_option
@click.pass_context
def command(
    ctx: click.Context, game: str, players: int | None, settings: dict[str, str], minutes: float, steps: int | None,
    seed: int, device: str, jobs: int, matches: int | None, out: Path | None, told: tuple[str, ...], resume: bool,
    begin_with: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Learn to play GAME by playing it against itself.

    Each line tells what the policy gains, in a hundred decisions of a match, over others that choose at random. The
    same seed learns the same on one machine. Interrupted (Ctrl-C), what was learnt is kept."""
    loaded = hoyle.load(find_game_file(game), players=players, options=settings)
    try:
        import torch

        from hoyle.lab.train.environment import EnvironmentProblem
        from hoyle.lab.train.learner import Course, Learner, TrainingError
    except ImportError:
        raise Problem(HOW_TO_HAVE_IT) from None
    from hoyle.play.engine.native.device import DeviceError

    base = out or Path(f"{loaded.name}-{loaded.players}")
    if not base.parent.is_dir():
        raise Problem(f"{base}: there is no folder {base.parent}")
    where = ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device
    many = (256, 64, 4) if where == "cpu" else (32768, 32, 16)
    course = Course(
        seconds=60 * minutes, steps=steps or 10**12, seed=seed, threads=jobs, device=where,
        matches=matches or many[0], horizon=many[1], minibatches=many[2], every=min(20.0, 6 * minutes),
    )  # fmt: skip
    course = replace(course, **_read_settings(told, course))
    interrupted = ctx.with_resource(interruptible())
    try:
        learner = Learner(loaded, course)
        if resume:
            learner.load(_name(base, ".checkpoint"))
        elif begin_with is not None:
            learner.begin_with(begin_with)
        head = f"{loaded.title}, {loaded.players} players: {learner.features.size} inputs, {learner.width} units"
        click.echo(head, err=as_json)
        for row in learner.run(interrupted):
            click.echo(describe_row(row), err=as_json)
            learner.save(_name(base, ".checkpoint"))
    except (EnvironmentProblem, DeviceError, PolicyError) as error:
        raise Problem(str(error)) from None
    except TrainingError as error:
        _write_curve(base, locals().get("learner"))
        raise Problem(str(error)) from None
    _write_curve(base, learner)
    try:
        learner.make_policy().write(_name(base, ".policy"))
    except PolicyError as error:
        raise Problem(str(error)) from None
    wrote = [str(_name(base, suffix)) for suffix in (".policy", ".checkpoint", ".curve.json")]
    if as_json:
        known = {"game": loaded.name, "players": loaded.players, "curve": learner.progress.curve, "wrote": wrote}
        click.echo(json.dumps(known, indent=2))
    else:
        click.echo(f"wrote {wrote[0]}, {wrote[1]} and {wrote[2]}")
    if interrupted():
        ctx.exit(INTERRUPTED)


def _read_settings(told: Sequence[str], course: Course) -> dict[str, Any]:
    """Settings such as `evenness=0.03`, of those that have no option of their own."""
    found: dict[str, Any] = {}
    for each in told:
        name, _, number = each.partition("=")
        usual = getattr(course, name, None) if name in SETTINGS else None
        try:
            value = None if usual is None else type(usual)(number)
        except ValueError:
            value = None
        if value is None or not isinstance(value, int) <= value < 1e9:  # whole numbers from 1
            raise Problem(f"--course {each}: NAME=NUMBER is needed, with one of {', '.join(SETTINGS)}")
        found[name] = value
    return found


def describe_row(row: dict[str, float]) -> str:
    """A progress line."""
    ahead = f"{row['ahead']:+9.2f} ± {row['spread']:.2f} over random"
    return f"{row['seconds']:7.0f} s {row['steps'] / 1e6:9.2f} M decisions   {ahead}   entropy {row['entropy']:.2f}"


def _write_curve(base: Path, learner: Learner | None) -> None:
    if learner is not None:
        _name(base, ".curve.json").write_text(json.dumps(learner.progress.curve, indent=1) + "\n", encoding="utf-8")


def _name(base: Path, suffix: str) -> Path:
    return base.with_name(base.name + suffix)
