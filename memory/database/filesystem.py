"""Whether a folder is on a disk that SQLite's write-ahead log can trust."""

from pathlib import Path

from memory.errors import SchemaError

_REMOTE = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "ceph", "glusterfs", "afs", "fuse.sshfs"})
_MOUNTS = Path("/proc/self/mounts")


def check_local(folder: Path, *, allowed: bool) -> None:
    """Raise SchemaError for a network file system, whose locks and shared memory can't be relied on."""
    kind = _kind(folder.resolve())
    if kind in _REMOTE and not allowed:
        raise SchemaError(
            f"{folder} is on a network file system ({kind})",
            hint="put the state folder on a local disk, or set store.allow_network_filesystem = true",
        )


def _kind(folder: Path) -> str:
    if not _MOUNTS.exists():
        return ""
    best, kind = Path("/"), ""
    for line in _MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines():
        fields = line.split(" ")
        mount = Path(fields[1].replace("\\040", " "))
        if folder.is_relative_to(mount) and len(mount.parts) >= len(best.parts):
            best, kind = mount, fields[2]
    return kind
