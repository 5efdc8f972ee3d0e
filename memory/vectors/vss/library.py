"""Loads the real sqlite-vss into a connection of apsw; says clearly why where it can't."""

import ctypes
import hashlib
import platform
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import apsw

from memory.errors import UnavailableError
from memory.vectors.vss import blas, elf
from memory.vectors.vss.private import make_private, place

# The files of 0.1.2, the last release: what is patched here, and read in `image.py`, is known of these alone.
_VECTOR_SHA256 = "97278fc772ca3f38f1fab3f69351bcd2f29cccf2efd4b1a4f648c34898cda71a"
_VSS_SHA256 = "13f1504ecb69c09e558d7482731dff8dbc85e710108eb776de37b3759f0755c0"
_ENTRY = b"sqlite3_vss_init"
_INSTALL = "pip install 'memud[vss]'"


@dataclass(frozen=True, slots=True)
class Library:
    """The extension's two files, and what they may run on. Their BLAS is in this process."""

    vector: Path
    vss: Path
    openmp: tuple[ctypes.CDLL, ...]

    @classmethod
    def prepare(cls, folder: Path) -> "Library":
        """Check what is installed, bring a BLAS into the process, write the copy to be loaded into `folder`.

        Raises UnavailableError: another platform, a package or a library missing, an apsw without extensions.
        """
        _check_platform()
        package = _package()
        vector = package / "vector0.so"
        _content(vector, _VECTOR_SHA256)
        content = _content(package / "vss0.so", _VSS_SHA256)
        make_private(folder)
        # SQLite loads an extension for all to bind to. This one holds a FAISS of 2023: without hiding it,
        # the faiss package, imported later, calls into that one and computes nonsense.
        content = elf.hidden(content, _ENTRY)
        found = blas.bring(folder)
        for name in found.missing:
            content = elf.renamed(content, name, b"libm.so.6")  # which it asks for anyway
        vss = folder / "vss0.so"
        try:
            place(vss, content)
        except OSError as error:
            raise UnavailableError(
                f"{vss} can't be written: {error.strerror}", hint="free some space"
            ) from error
        return cls(vector, vss, found.openmp)

    def load_into(self, connection: apsw.Connection) -> None:
        """Give a connection the functions and tables of sqlite-vss. Raises UnavailableError."""
        connection.enable_load_extension(True)
        try:
            connection.load_extension(str(self.vector))
            connection.load_extension(str(self.vss), _ENTRY.decode())
        except apsw.ExtensionLoadingError as error:
            raise UnavailableError(
                f"sqlite-vss does not load: {error}", hint="use another index.backend on this machine"
            ) from error
        finally:
            connection.enable_load_extension(False)

    def use_one_thread(self) -> None:
        """For the calling thread: FAISS would set all cores spinning for a single query."""
        for openmp in self.openmp:
            openmp.omp_set_num_threads(1)


def _check_platform() -> None:
    machine = platform.machine()
    if sys.platform != "linux" or machine not in ("x86_64", "AMD64"):
        raise UnavailableError(
            f"sqlite-vss has no library for {sys.platform} on {machine} that memud can load",
            hint='use index.backend = "exact" or "faiss"',
        )
    if not hasattr(apsw.Connection, "load_extension"):
        raise UnavailableError(
            "this apsw was built without loadable extensions",
            hint="install apsw from a wheel: pip install apsw",
        )


def _package() -> Path:
    spec = find_spec("sqlite_vss")
    if spec is None or not spec.submodule_search_locations:
        raise UnavailableError("the package sqlite-vss is not installed", hint=_INSTALL)
    return Path(spec.submodule_search_locations[0])


def _content(path: Path, sha256: str) -> bytes:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UnavailableError(f"{path} can't be read: {error.strerror}", hint=_INSTALL) from error
    if hashlib.sha256(content).hexdigest() != sha256:
        raise UnavailableError(f"{path} is not that of sqlite-vss 0.1.2", hint=_INSTALL)
    return content
