"""The disk under clients' files: reading one, and putting a new text in its place with the old one kept beside it."""

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from accord._values import Value

__all__ = ["Changed", "Document", "read_document", "write_document"]

_MARK = b"\xef\xbb\xbf"  # some editors of Windows begin a file with it


class Changed(Exception):
    """Somebody else wrote the file meanwhile."""


class Document(Value):
    """A file as it was read; ``data`` is None where there is none yet."""

    path: Path
    data: bytes | None

    @property
    def text(self) -> str:
        """What it says. Raises UnicodeDecodeError."""
        return (self.data or b"").removeprefix(_MARK).decode()


def read_document(path: Path) -> Document:
    """Read a file, or the one it is a link to.

    Raises:
        OSError: it is there and cannot be read.
    """
    path = Path(os.path.realpath(path))  # a link stays one
    try:
        return Document(path, path.read_bytes())
    except FileNotFoundError:
        return Document(path, None)


def write_document(document: Document, text: str) -> Path | None:
    """Put a text in the file's place, at once or not at all; the copy that was made of the old one.

    Raises:
        Changed: the file is no longer what was read.
        OSError: it cannot be written.
    """
    path = document.path
    path.parent.mkdir(parents=True, exist_ok=True)
    mark = _MARK if (document.data or b"").startswith(_MARK) else b""
    # Nobody but the user reads a new file: it may hold keys.
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    new = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(mark + text.encode())
            file.flush()
            os.fsync(file.fileno())
        if read_document(path).data != document.data:
            raise Changed
        backup = None
        if document.data is not None:
            shutil.copymode(path, new)
            backup = _backup(path)
        new.replace(path)
    except BaseException:
        with suppress(OSError):
            new.unlink()
        raise
    return backup


def _backup(path: Path) -> Path:
    """A copy beside the file, under a name that was free."""
    number = 0
    while True:
        copy = path.with_name(f"{path.name}.bak{number or ''}")
        try:
            os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            number += 1
        else:
            shutil.copy2(path, copy)
            return copy
