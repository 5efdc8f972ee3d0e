"""The linear algebra that sqlite-vss needs and does not bring: the system's, else what faiss-cpu brings."""

import ctypes
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from memory.errors import UnavailableError
from memory.vectors.vss import elf
from memory.vectors.vss.private import place

_OPENMP = "libgomp.so.1"
_SYSTEM = (b"libblas.so.3", b"liblapack.so.3")
_CALLED = (
  "dgemm_", "dgesvd_", "dgetrf_", "dgetri_", "dsyev_", "sgelsd_", "sgemm_", "sgeqrf_", "sgesvd_", "sgetrf_",
  "sgetri_", "sorgqr_", "ssyrk_",
)  # fmt: skip
_HINT = "pip install 'memud[vss]', or apt install libblas3 liblapack3 libgomp1"


@dataclass(frozen=True, slots=True)
class Blas:
    """What is in the process now. `missing` are the libraries that must not be asked for by name.

    Which of two copies of OpenMP the extension binds to is the loader's choice.
    """

    openmp: tuple[ctypes.CDLL, ...]
    missing: tuple[bytes, ...]


def bring(folder: Path) -> Blas:
    """Load both into the process. Raises UnavailableError with what to install."""
    system_openmp = _loaded(_OPENMP)
    if system_openmp is not None and all(_loaded(name.decode()) for name in _SYSTEM):
        return Blas((system_openmp,), ())
    return _borrowed(folder, system_openmp)


def _loaded(name: str) -> ctypes.CDLL | None:
    try:
        return ctypes.CDLL(name)
    except OSError:
        return None


def _borrowed(folder: Path, openmp: ctypes.CDLL | None) -> Blas:
    libraries = _libraries()
    try:
        openmp = openmp or _renamed_openmp(folder, _only(libraries, "libgomp-*"))
        # In the order in which they need each other, and for all to bind to.
        _, _, its_openmp, algebra = (
            ctypes.CDLL(str(_only(libraries, pattern)), mode=ctypes.RTLD_GLOBAL)
            for pattern in ("libquadmath-*", "libgfortran-*", "libgomp-*", "libopenblas*")
        )
    except (OSError, ValueError) as error:
        raise UnavailableError(f"the BLAS of faiss-cpu can't be used: {error}", hint=_HINT) from error
    lacking = [name for name in _CALLED if not hasattr(algebra, name)]
    if lacking:
        raise UnavailableError(f"the BLAS of faiss-cpu lacks {', '.join(lacking)}", hint=_HINT)
    return Blas((openmp, its_openmp), _SYSTEM)


def _libraries() -> Path:
    spec = find_spec("faiss")
    if spec is None or not spec.submodule_search_locations:
        raise UnavailableError(
            "sqlite-vss needs a BLAS: the system has none, and faiss-cpu, which brings one, is not installed",
            hint=_HINT,
        )
    return Path(spec.submodule_search_locations[0]).parent / "faiss_cpu.libs"


def _only(folder: Path, pattern: str) -> Path:
    found = list(folder.glob(pattern))
    if len(found) != 1:
        raise UnavailableError(
            f"{folder} has {len(found)} files {pattern}, not one: not the faiss-cpu that was tried",
            hint=_HINT,
        )
    return found[0]


def _renamed_openmp(folder: Path, borrowed: Path) -> ctypes.CDLL:
    """OpenMP under the name that sqlite-vss asks for."""
    copy = folder / _OPENMP
    place(copy, elf.renamed(borrowed.read_bytes(), borrowed.name.encode(), _OPENMP.encode()))
    return ctypes.CDLL(str(copy), mode=ctypes.RTLD_GLOBAL)
