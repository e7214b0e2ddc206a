"""Exports a benchmark for a machine with a GPU: the generated programs, and a script that builds, verifies and measures
them.

In: games. Out: a folder that runs without Hoyle: `sh FOLDER/run.sh`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import hoyle
from hoyle.play.codegen.unsupported import Unsupported
from hoyle.play.engine.native.program import find_native

HERE = Path(__file__).parent
FEW_DECISIONS = 20_000_000  # decisions that are also played on the CPU
MEASURED = 40  # matches played to estimate their length


def prepare_device(games: Sequence[str], folder: Path) -> list[str]:
    """Write the programs and the script; return a line about each game."""
    folder.mkdir(parents=True, exist_ok=True)
    main = (HERE / "device_main.cu").read_text(encoding="utf-8")
    (folder / "run.sh").write_text((HERE / "device.sh").read_text(encoding="utf-8"))
    told = []
    for name in games:
        game = hoyle.load(name)
        try:
            text = find_native(game.program).text
        except Unsupported as missing:
            told.append(f"{name}: no code is written for {missing}")
            continue
        length = sum(game.playout(seed).decisions for seed in range(MEASURED)) / MEASURED
        (folder / f"{name}.cu").write_text(text + main)
        (folder / f"{name}.few").write_text(str(int(FEW_DECISIONS / length)))
        told.append(f"{name}: {len(text.splitlines())} lines, about {length:.0f} decisions a match")
    return told
