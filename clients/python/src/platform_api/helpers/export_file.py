"""The files of an export: the data, and how far it is.

Killed at any point and started again, the file has nothing twice and nothing missing. The data goes to ``<file>.partial``, in the
order of the list. From time to time, ``<file>.progress`` says how many bytes of it are complete and where the list continues. A new
run cuts off what comes behind these bytes. At the end, the file gets its name.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any, Callable, Mapping, NamedTuple

from .._core.errors import PlatformError

#: More often costs time; less often costs more repeated work after a crash. In seconds.
_SAVE_INTERVAL = 0.2

_OWNER_ONLY = 0o600


class ExportConflictError(PlatformError):
    """There is an unfinished export of something else, or another process writes the file."""


class ExportedFile(NamedTuple):
    """What an export has written, or what it has written so far."""

    conversations: int
    messages: int
    erased: int
    """Conversations that were erased after they were listed."""
    active: int
    """Conversations that may get further messages."""


class ExportFile:
    """A file that is written, by one process at a time."""

    def __init__(self, path: str, request: Mapping[str, Any], started_before: str, restart: bool) -> None:
        """
        :param request: what is exported. An interrupted run is only continued with the same
        :param started_before: the end of the period, which the first run fixes
        """
        if os.path.isdir(path):
            raise IsADirectoryError(f"{path} is a folder. Name a file in it.")
        if os.path.exists(path) and not os.path.isfile(path):
            raise FileExistsError(f"{path} is not a file.")
        self._path = path
        self._partial = f"{path}.partial"
        self._progress = f"{path}.progress"
        self._lock = Lock(
            f"{path}.lock", lambda: ExportConflictError(f"Another export writes {path}.")
        )
        try:
            if restart:
                _remove(self._progress)
                _remove(self._partial)
            self._begin(request, started_before)
        except BaseException:
            self._lock.release()
            raise

    def _begin(self, request: Mapping[str, Any], started_before: str) -> None:
        found = _read(self._progress)
        self._state: dict[str, Any] = found or {
            "request": request,
            "startedBefore": started_before,
            "bytes": 0,
            "conversations": 0,
            "messages": 0,
            "erased": 0,
            "active": 0,
            "cursor": None,
            "done": [],
            "isComplete": False,
        }
        if self._state.get("request") != request:
            raise ExportConflictError(
                f"There is an unfinished export of something else for {self._path}. Finish it with its own arguments, choose "
                "another file, or discard it with restart=True."
            )
        self._file = None
        if self.is_complete:
            return
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
        self._file = os.fdopen(os.open(self._partial, flags, _OWNER_ONLY), "r+b")
        if os.fstat(self._file.fileno()).st_size < self._state["bytes"]:
            self._file.close()
            raise ExportConflictError(
                f"{self._partial} is shorter than it was, or is gone. Start again with restart=True."
            )
        # One that a run before has left may have another mode.
        os.chmod(self._partial, _OWNER_ONLY)
        self._file.truncate(self._state["bytes"])
        self._file.seek(0, os.SEEK_END)
        self._saved = time.monotonic()

    @property
    def is_complete(self) -> bool:
        return self._state["isComplete"]

    @property
    def started_before(self) -> str:
        return self._state["startedBefore"]

    @property
    def cursor(self) -> str | None:
        """Where the list continues."""
        return self._state["cursor"]

    @property
    def done(self) -> frozenset[str]:
        """Ids behind the cursor that are already in the file."""
        return frozenset(self._state["done"])

    @property
    def counts(self) -> ExportedFile:
        return ExportedFile(*(self._state[name] for name in ExportedFile._fields))

    def add(self, conversation: Mapping[str, Any], messages: list[Any] | None, cursor: str | None, on_page: frozenset[str]) -> None:
        """
        :param messages: None if the conversation was erased
        :param cursor: of the page of the conversation
        :param on_page: what this page has that was exported before this run
        """
        state = self._state
        if messages is None:
            state["erased"] += 1
        elif self._file is not None:
            line = json.dumps({**conversation, "messages": messages}, ensure_ascii=False, separators=(",", ":"))
            # Half of a surrogate pair becomes an escape of JSON.
            text = _on_one_line(line).encode("utf-8", "backslashreplace") + b"\n"
            self._file.write(text)
            state["bytes"] += len(text)
            state["conversations"] += 1
            state["messages"] += len(messages)
            state["active"] += conversation["status"] == "active"
        # A list that continues at a page needs the ids of that page only.
        state["done"] = [*(state["done"] if cursor == state["cursor"] else on_page), conversation["id"]]
        state["cursor"] = cursor
        if time.monotonic() - self._saved > _SAVE_INTERVAL:
            self.save()

    def save(self) -> None:
        """What the progress says is always in the file."""
        if self._file is None:
            return
        self._file.flush()
        os.fsync(self._file.fileno())
        draft = f"{self._progress}.new"
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _OWNER_ONLY), "w", encoding="utf-8") as file:
            json.dump(self._state, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, self._progress)
        self._saved = time.monotonic()

    def complete(self) -> None:
        self._state["isComplete"] = True
        self.save()
        self._close()
        # A run that is killed here is continued here. Then the file may have its name already.
        if os.path.exists(self._partial):
            os.replace(self._partial, self._path)
        _remove(f"{self._progress}.new")
        _remove(self._progress)

    def end(self) -> None:
        """Keeps what is complete, also after a failure."""
        try:
            if self._file is not None:
                self.save()
        finally:
            self._close()
            self._lock.release()

    def _close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            file.close()


def _read(path: str) -> dict[str, Any] | None:
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return None
    except ValueError:
        raise ExportConflictError(f"{path} is damaged. Start again with restart=True.") from None


def _on_one_line(text: str) -> str:
    """Some programs end a line at these characters, too."""
    for character in "\x7f\x85\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _remove(path: str) -> None:
    try:
        os.remove(path)
    except FileNotFoundError:
        pass


class Lock:
    """Only one process writes a file. The system releases the lock of a process that was killed."""

    def __init__(self, path: str, conflict: Callable[[], PlatformError]) -> None:
        """:param conflict: the error if another process has the lock"""
        self._path = path
        while True:
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, _OWNER_ONLY)
            try:
                _lock(self._descriptor)
            except OSError:
                os.close(self._descriptor)
                raise conflict() from None
            # Another process may have removed it meanwhile.
            if _is_at(self._descriptor, path):
                return
            os.close(self._descriptor)

    def release(self) -> None:
        try:
            os.remove(self._path)
        except OSError:
            # Windows does not remove what is open.
            pass
        os.close(self._descriptor)


def _lock(descriptor: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _is_at(descriptor: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False
