"""The table of commands, loaded lazily.

In: the name of a command. Out: the command, or an error with a suggestion.
"""

from __future__ import annotations

import importlib
from typing import Any

import click

import hoyle
from hoyle.base.diagnostics.spelling import nearest
from hoyle.front.cli.interrupts import answer_interrupts

# The summaries for `hoyle --help` are kept here, so that it need not import every command.
GROUPS = {
    "Play": {
        "list": "Show the games there are, or the options of one.",
        "play": "Play a game in the terminal, against bots.",
        "serve": "Play in the browser, with bots and with others.",
        "resume": "Go on with a match that was left.",
        "replay": "See a match again, choice by choice.",
        "tournament": "Let bots play at many tables, by a format, to a winner.",
        "site": "Build a site that any host serves: games, playground.",
    },
    "Write": {
        "new": "Make a game to begin with: blank, of a family, or a variant.",
        "check": "Check rule files and show what is wrong in them.",
        "watch": "Check, test and play a rule file after every save.",
        "fmt": "Lay out rule files in one way, comments kept.",
        "test": "Run the examples written beside the rules.",
        "why": "Tell why an action is allowed or not, and how a score came about.",
        "show": "Show a game as its file and all it extends amount to.",
        "flatten": "Print what a variant amounts to, as a file of its own.",
        "diff": "Show what differs between a variant and its parent.",
    },
    "Understand": {
        "rules": "Print the rulebook of a game, written from its file.",
        "cite": "Print a numbered rule, where the booklet has it, and what cites it.",
        "words": "Tell what the modules of a game bring: words, options, zones, steps.",
        "explain": "Tell what a diagnostic code means, with an example.",
        "coverage": "Tell which clauses of a game are ever reached.",
        "graph": "Draw the course of a game.",
    },
    "Measure": {
        "sim": "Let bots play many games and sum up what happened.",
        "compare": "Play two variants with the same seeds and tell what differs.",
        "arena": "Let bots play against each other and rate them.",
        "eval": "Work out an expression in the words of a game.",
        "solve": "Solve a small game: its equilibrium, and how exploitable that is.",
        "train": "Learn to play a game by self-play.",
        "env": "Play with a program, in words: records in, choices out.",
    },
    "Tools": {
        "lsp": "Answer an editor: what is wrong, fixes, meanings, names.",
        "schema": "Print the JSON Schema of a kind of file.",
        "ir": "Print the program a rule file is compiled to.",
        "doctor": "Tell by what games are played here: compiler, cache, native code.",
        "completion": "Print what makes a shell complete commands, games and options.",
    },
}
COMMANDS = {name: summary for group in GROUPS.values() for name, summary in group.items()}


class Commands(click.Group):
    """A lazy group of commands that suggests the most similar name for an unknown one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"hoyle.front.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        answer_interrupts()
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """`hoyle help` and `hoyle help play` are the same as with `--help`."""
        return super().parse_args(ctx, [*args[1:2], "--help"] if args[:1] == ["help"] else args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            near = nearest(args[0], COMMANDS)
            meant = f"did you mean `hoyle {near}`?" if near else f"there are {', '.join(COMMANDS)}"
            ctx.fail(f"no command `{args[0]}`; {meant}")
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None:
            refuse_repeats(ctx, command, rest)
        return name, command, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, COMMANDS))
        for title, group in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), summary) for name, summary in group.items()])


def refuse_repeats(ctx: click.Context, command: click.Command, args: list[str]) -> None:
    """Reject a single-valued option that is given twice, instead of silently using the last value."""
    single = {
        name: option
        for option in command.params
        if isinstance(option, click.Option) and not (option.multiple or option.is_flag or option.count)
        for name in option.opts
    }
    given: set[click.Option] = set()
    for word in args[: args.index("--")] if "--" in args else args:
        option = single.get(word.partition("=")[0] if word.startswith("--") else word[:2])
        if option is not None and option in given:
            ctx.fail(f"{option.opts[-1]} is given more than once")
        given |= {option} if option is not None else set()


def _print_version(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> Any:
    if wanted and not ctx.resilient_parsing:
        click.echo(f"hoyle {hoyle.__version__}")
        ctx.exit()


@click.command(
    "hoyle",
    cls=Commands,
    no_args_is_help=False,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: hoyle play my-game.game.yaml --players 4",
)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version,
              help="Show the version and exit.")  # fmt: skip
@click.pass_context
def commands(ctx: click.Context) -> None:
    """Card games as files: play them, check them, test them, try them ten thousand times."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
