"""Describes the machine of a measurement.

In: the operating system. Out: processor, cores, versions and load; nothing that identifies the machine.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from datetime import date
from pathlib import Path
from typing import Any

import hoyle
from benchmarks.peers import find_versions


def describe_machine() -> dict[str, Any]:
    return {
        "date": date.today().isoformat(),
        "processor": _find_processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "load": find_load(),
        "versions": {
            "hoyle": hoyle.__version__,
            "python": f"{platform.python_implementation()} {platform.python_version()}",
            **find_versions(),
            **_find_compiler(),
        },
    }


def find_load() -> float | None:
    """Return the load average of the last minute, if available."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def _find_processor() -> str:
    for command, pattern in (("lscpu", r"Model name:\s*(.+)"), ("sysctl -n machdep.cpu.brand_string", r"(.+)")):
        if shutil.which(command.split()[0]):
            told = subprocess.run(command.split(), capture_output=True, text=True, check=False).stdout
            found = re.search(pattern, told)
            if found:
                return found[1].strip()
    info = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*:\s*(.+)", info.read_text()) if info.exists() else None
    return found[1].strip() if found else platform.processor() or "unknown"


def _find_compiler() -> dict[str, str]:
    compiler = shutil.which("cc")
    if compiler is None:
        return {}
    told = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False).stdout
    return {"cc": told.splitlines()[0].strip() if told else "unknown"}
