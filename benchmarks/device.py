"""What a machine with a GPU is given: the printed programs, and a script that builds, compares and measures them there.

In: games. Out: a folder, which needs nothing of Hoyle's: `sh FOLDER/run.sh`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import hoyle
from hoyle.codegen.unsupported import Unsupported
from hoyle.engine.native.program import find_native

HERE = Path(__file__).parent
FEW_DECISIONS = 20_000_000  # played on the processor, too
MEASURED = 40  # matches, to know how long they are


def prepare_device(games: Sequence[str], folder: Path) -> list[str]:
    """Write the programs and the script; a line on each game."""
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
