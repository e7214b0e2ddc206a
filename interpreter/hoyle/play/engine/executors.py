"""The executors that can run a game, by name.

In: a name. Out: the executor class.
"""

from __future__ import annotations

from typing import Literal

from hoyle.play.engine.executor import ReferenceExecutor
from hoyle.play.engine.generated import GeneratedExecutor
from hoyle.play.engine.native.native_executor import NativeExecutor, PatientExecutor

ExecutorName = Literal["auto", "native", "python", "generated", "reference"]  # `generated`: former name of `python`
EXECUTORS: dict[ExecutorName, type[ReferenceExecutor]] = {
    "auto": PatientExecutor,
    "native": NativeExecutor,
    "python": GeneratedExecutor,
    "reference": ReferenceExecutor,
}


def read_executor(name: ExecutorName) -> ExecutorName:
    """The canonical name of an executor; raises `ValueError` if there is none."""
    if name == "generated":
        return "python"
    if not isinstance(name, str) or name not in EXECUTORS:
        raise ValueError(f"no executor named `{name}`; there are {', '.join(EXECUTORS)}")
    return name
