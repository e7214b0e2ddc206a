"""Hoyle: card games as files.

>>> import hoyle
>>> game = hoyle.load(hoyle.games()[0])
>>> match = game.new(seed=7)
>>> while not match.is_over:
...     match.apply(match.decision.actions[-1])
>>> len(match.scores) == game.players, match.is_over
(True, True)
"""

import sys

# The public interface: docs/stability.md says what is promised of it, and `__init__.pyi` tells type checkers.
# Everything deeper is internal.
__all__ = [
    "Action", "ArenaPlan", "ArrayEnvironment", "Bot", "BotError", "BotFailed", "Decision", "Encoding", "Fault",
    "Game", "Habits", "Host", "HoyleEnv", "HoyleError", "HoyleGame", "IllegalAction", "Match", "NativeExecutor",
    "Node", "NotStored", "OtherRules", "Plan", "Position", "RayCrew", "RecordError", "RuleFileError", "Side",
    "Spelling", "Standpoint", "Stream", "Table", "TranscriptMismatch", "View", "check_file",
    "compare", "comparison_data", "compile_game", "derive_seed", "draw", "games", "let_choose", "list_beats",
    "load", "make_bots", "narrow", "record", "replay", "run_arena", "seeded", "shuffled", "simulate", "sum_up",
    "unfold",
]  # fmt: skip

# Imported lazily, on first access: most commands need only some of these, and some need libraries of an extra.
_HOMES = {
    "hoyle.base.errors": ("HoyleError", "NotStored"),
    "hoyle.base.version": ("__version__",),
    "hoyle.lab.adapters.encoding": ("Encoding", "Spelling"),
    "hoyle.lab.adapters.openspiel": ("HoyleGame",),
    "hoyle.lab.adapters.pettingzoo": ("HoyleEnv",),
    "hoyle.lab.arena.playing": ("Plan as ArenaPlan", "run_arena"),
    "hoyle.lab.arena.rating": ("sum_up",),
    "hoyle.lab.bots": ("Bot", "BotError", "BotFailed", "let_choose", "make_bots"),
    "hoyle.lab.sim.cluster": ("RayCrew",),
    "hoyle.lab.sim.comparing": ("Side", "compare", "comparison_data"),
    "hoyle.lab.sim.run": ("Plan", "simulate"),
    "hoyle.lab.train.environment": ("ArrayEnvironment",),
    "hoyle.language.compile": ("check_file", "compile_game"),
    "hoyle.play.engine.actions": ("Action",),
    "hoyle.play.engine.faults": ("Fault",),
    "hoyle.play.engine.game": ("Decision", "Game", "IllegalAction", "Match"),
    "hoyle.play.engine.habits": ("Habits",),
    "hoyle.play.engine.native.native_executor": ("NativeExecutor",),
    "hoyle.play.engine.origin": ("OtherRules",),
    "hoyle.play.engine.standpoint": ("Standpoint",),
    "hoyle.play.engine.unfolding": ("Node", "unfold"),
    "hoyle.play.loading": ("RuleFileError", "games", "load"),
    "hoyle.play.table.beats": ("list_beats",),
    "hoyle.play.table": ("Host", "Table", "narrow"),
    "hoyle.play.transcript": ("TranscriptMismatch", "record", "replay"),
    "hoyle.play.view.seeing": ("View",),
    "hoyle.program.model.chance": ("Stream", "derive_seed", "draw", "seeded", "shuffled"),
    "hoyle.program.model.position": ("Position",),
    "hoyle.program.model.records": ("RecordError",),
}


def __getattr__(name: str) -> object:
    import importlib

    for home, names in _HOMES.items():
        for each in names:
            own, _, public = each.partition(" as ")
            if name == (public or own):
                found: object = getattr(importlib.import_module(home), own)
                globals()[name] = found
                return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(name for name in {*globals(), *__all__} - {"sys"} if name[0] != "_" or name[1] == "_")


# Where packages stand that were at the top once, for programs that still import them from there.
_MOVED = {
    **dict.fromkeys(("adapters", "arena", "bots", "sim", "tournament"), "lab"),
    **dict.fromkeys(("codegen", "engine", "table", "transcript", "view"), "play"),
    **dict.fromkeys(("compile", "variants"), "language"),
    **dict.fromkeys(("ir", "model", "words"), "program"),
    **dict.fromkeys(("cli", "command", "terminal", "web"), "front"),
    **dict.fromkeys(("limit_table", "testing"), "authoring"),
}


class _Moved:
    """The last finder of modules: it tells where one has gone."""

    @staticmethod
    def find_spec(name: str, _path: object = None, _target: object = None) -> None:
        top = name.split(".")[1] if name.startswith("hoyle.") else ""
        if top in _MOVED:
            new = f"hoyle.{_MOVED[top]}.{name.removeprefix('hoyle.')}"
            raise ModuleNotFoundError(f"`{name}` has moved: see `{new}`", name=name)


sys.meta_path.append(_Moved)
