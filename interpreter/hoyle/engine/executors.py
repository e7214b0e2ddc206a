"""The executors that can play a game, by the names under which they are asked for.

In: a name. Out: the class of the executor.
"""

from __future__ import annotations

from typing import Literal

from hoyle.engine.executor import ReferenceExecutor
from hoyle.engine.generated import GeneratedExecutor
from hoyle.engine.native.native_executor import NativeExecutor, PatientExecutor

ExecutorName = Literal["auto", "native", "python", "generated", "reference"]  # `generated` is what `python` was called
EXECUTORS: dict[ExecutorName, type[ReferenceExecutor]] = {
    "auto": PatientExecutor,
    "native": NativeExecutor,
    "python": GeneratedExecutor,
    "reference": ReferenceExecutor,
}


def read_executor(name: ExecutorName) -> ExecutorName:
    """The name by which an executor is known; `ValueError` if there is none of that name."""
    if name == "generated":
        return "python"
    if name not in EXECUTORS:
        raise ValueError(f"no executor named `{name}`; there are {', '.join(EXECUTORS)}")
    return name
