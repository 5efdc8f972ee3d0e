"""Loading the real sqlite-vss, and saying why it can't be."""

import ctypes
import os
import platform
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from memory.errors import UnavailableError
from memory.vectors.vss.library import Library
from tests.daemons import clean_env
from tests.real_vss import needs_vss

ROOT = Path(__file__).parents[2]

_BESIDE_FAISS = """
import sys
from pathlib import Path
import faiss, numpy as np
from memory.ports import Filter, IndexedVector
from memory.vectors.stamp import Stamp
from memory.vectors.vss.index import VssIndex

rows = np.random.default_rng(1).standard_normal((900, 32)).astype("float32")
rows /= np.linalg.norm(rows, axis=1, keepdims=True)

def by_faiss():
    index = faiss.IndexHNSWFlat(32, 16, faiss.METRIC_INNER_PRODUCT)
    index.add(rows)
    assert index.search(rows[7:8], 3)[1][0][0] == 7

def by_vss(folder):
    index = VssIndex.open(Path(folder), Stamp("vss", "a model", 32))
    index.put([IndexedVector(key, "ann", row, 0, False) for key, row in enumerate(rows)])
    assert index.flush()
    assert index.search("ann", rows[7], 3, Filter()).keys[0] == 7
    assert index.answered == {"vss": 1}
    index.close()

for turn in sys.argv[2:]:
    by_faiss() if turn == "faiss" else by_vss(sys.argv[1])
print("well")
"""


@needs_vss
def test_the_real_extension_loads_wherever_it_is_installed(tmp_path: Path) -> None:
    """On Linux x86-64 `make setup` is enough: where the extension does not load, this fails."""
    connection = apsw.Connection(":memory:")
    Library.prepare(tmp_path / "library").load_into(connection)
    assert connection.execute("SELECT vss_version()").fetchall() == [("v0.1.2",)]


@needs_vss
@pytest.mark.slow
@pytest.mark.parametrize("order", ["vss faiss vss", "faiss vss faiss"])
def test_it_lives_beside_the_faiss_package_in_one_process(tmp_path: Path, order: str) -> None:
    """Each keeps to its own FAISS, whichever is loaded first."""
    path = ":".join((str(ROOT), str(ROOT / "client")))
    child = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", _BESIDE_FAISS, str(tmp_path), *order.split()],
        env=clean_env() | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert (child.returncode, child.stdout) == (0, "well\n"), child.stderr


@needs_vss
def test_the_copy_in_use_is_replaced_and_never_rewritten(tmp_path: Path) -> None:
    """A library that changes under a process ends it; one that somebody altered is not loaded."""
    copy = Library.prepare(tmp_path).vss
    first = copy.stat().st_ino
    assert Library.prepare(tmp_path).vss.stat().st_ino == first
    content = copy.read_bytes()
    with copy.open("rb") as mapped:
        copy.chmod(0o700)
        copy.write_bytes(content[:-1] + b"x")
        Library.prepare(tmp_path)
        assert copy.read_bytes() == content
        assert os.fstat(mapped.fileno()).st_nlink == 0


@needs_vss
def test_a_folder_that_others_can_write_to_is_refused(tmp_path: Path) -> None:
    """Whoever can swap the copy could run code as this user."""
    folder = tmp_path / "library"
    folder.mkdir()
    folder.chmod(0o777)
    with pytest.raises(UnavailableError, match="alone can write"):
        Library.prepare(folder)


@needs_vss
def test_a_symbolic_link_is_refused(tmp_path: Path) -> None:
    """The copy lands where it is expected."""
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (tmp_path / "library").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UnavailableError, match="alone can write"):
        Library.prepare(tmp_path / "library")


def test_another_platform_is_told_what_to_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No library is looked for where none exists."""
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    with pytest.raises(UnavailableError, match="aarch64") as told:
        Library.prepare(tmp_path / "library")
    assert "exact" in told.value.hint


@needs_vss
def test_a_missing_package_is_told_how_to_be_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The extra is named."""
    monkeypatch.setitem(sys.modules, "sqlite_vss", None)
    with pytest.raises(UnavailableError, match="not installed") as told:
        Library.prepare(tmp_path / "library")
    assert "memud[vss]" in told.value.hint


@needs_vss
def test_another_release_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is patched in the copy is known of one file alone."""
    package = tmp_path / "sqlite_vss"
    package.mkdir()
    for name in ("__init__.py", "vector0.so", "vss0.so"):
        (package / name).write_bytes(b"")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(UnavailableError, match=r"0\.1\.2"):
        Library.prepare(tmp_path / "library")


@needs_vss
def test_without_any_blas_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Either the system's packages or the extra."""
    monkeypatch.setitem(sys.modules, "faiss", None)
    if _has_system_blas():
        assert Library.prepare(tmp_path / "library").vss.exists()
        return
    with pytest.raises(UnavailableError, match="BLAS") as told:
        Library.prepare(tmp_path / "library")
    assert "libblas3" in told.value.hint
    assert "memud[vss]" in told.value.hint


def _has_system_blas() -> bool:
    try:
        return all(ctypes.CDLL(name) for name in ("libblas.so.3", "liblapack.so.3", "libgomp.so.1"))
    except OSError:
        return False
