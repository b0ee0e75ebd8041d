"""The files of sessions: the last known configuration, and journals. Only their owner can read them, and they are complete or as
they were before."""

from __future__ import annotations

import hashlib
import json
import os
import threading
import time
from typing import Any, Callable, Sequence

from .export_file import Lock
from .session import SessionError, Turn

_OWNER_ONLY = 0o600
_MAX_AGE = 24 * 3600.0

JOURNAL_SUFFIX = ".journal"


class Folder:
    """A folder, which is created if it does not exist. Raises SessionError ``journal_failed``."""

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            os.makedirs(path, mode=0o700, exist_ok=True)
        except OSError as error:
            raise SessionError(
                "journal_failed", f"The folder {path} cannot be used: {error.strerror}"
            ) from None

    def path_of(self, name: str) -> str:
        return os.path.join(self.path, name)

    def names(self) -> list[str]:
        return sorted(os.listdir(self.path))

    def read(self, name: str) -> str | None:
        try:
            with open(self.path_of(name), encoding="utf-8", newline="") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def changed(self, name: str) -> float | None:
        """The time of the last change, in seconds since 1970."""
        try:
            return os.stat(self.path_of(name)).st_mtime
        except FileNotFoundError:
            return None

    def touch(self, name: str) -> None:
        try:
            os.utime(self.path_of(name))
        except FileNotFoundError:
            pass

    def remove(self, name: str) -> None:
        try:
            os.remove(self.path_of(name))
        except FileNotFoundError:
            pass

    def write(self, name: str, text: str) -> None:
        """Replaces a file at once."""
        draft = self.path_of(f"{name}.{os.urandom(8).hex()}.new")
        try:
            descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
            with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(draft, self.path_of(name))
        except BaseException:
            self.remove(os.path.basename(draft))
            raise
        self._sync()

    def _sync(self) -> None:
        """The name of a new file survives a crash of the machine only then. Not every system can do it."""
        try:
            descriptor = os.open(self.path, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except OSError:
            pass


def hash_of(*parts: str) -> str:
    """The files have no names of callers."""
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def is_fresh(seconds: float) -> bool:
    """A time in the future is that of a wrong clock, so it says nothing."""
    return -60 < time.time() - seconds <= _MAX_AGE


class Known:
    """A configuration, and when the service has last confirmed it."""

    __slots__ = ("config", "etag", "confirmed")

    def __init__(self, config: dict[str, Any], etag: str | None, confirmed: float) -> None:
        self.config = config
        self.etag = etag
        self.confirmed = confirmed


    @property
    def of_deployment(self) -> Known:
        """That of the current deployment, if it is that of an environment. The entity tag of a deployment's configuration is its hash."""
        config = {**self.config, "rollout": None}
        return Known(config, f'"{config["configHash"]}"', self.confirmed)


class ConfigFiles:
    """The last known configurations of a project. A file has that of a deployment. The file of an environment names the deployment, and has
    the rollout. The time of the last change is when the service has last confirmed it."""

    def __init__(self, folder: Folder, base_url: str, project: str) -> None:
        self._folder = folder
        self._prefix = f"config-{hash_of(base_url, project)[:16]}-"

    def _name(self, what: str) -> str:
        return f"{self._prefix}{hash_of(what)[:16]}.json"

    def keep(self, what: str, known: Known) -> None:
        """Raises OSError."""
        deployment_id = known.config["deploymentId"]
        is_environment = what.startswith("environment")
        deployed = known.of_deployment if is_environment else known
        self._put(f"deployment {deployment_id}", {"etag": deployed.etag, "config": deployed.config})
        if is_environment:
            rollout = known.config.get("rollout")
            self._put(what, {"deploymentId": deployment_id, "etag": known.etag, "rollout": rollout})
        for name in self._folder.names():
            changed = self._folder.changed(name) if name.startswith(self._prefix) else None
            if changed is not None and not is_fresh(changed):
                self._folder.remove(name)

    def _put(self, what: str, content: dict[str, Any]) -> None:
        name = self._name(what)
        text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
        if self._folder.read(name) == text:
            self._folder.touch(name)
        else:
            self._folder.write(name, text)

    def read(self, what: str) -> Known | None:
        """None if there is none, or if it is too old, or damaged."""
        try:
            confirmed = self._folder.changed(self._name(what))
            if confirmed is None or not is_fresh(confirmed):
                return None
            found = json.loads(self._folder.read(self._name(what)) or "")
            if "config" in found:
                return Known(found["config"], found.get("etag"), confirmed)
            known = self.read(f"deployment {found['deploymentId']}")
            # A folder of an earlier version of the client has neither.
            config = known and {**known.config, "rollout": found.get("rollout")}
            return known and Known(config or {}, found.get("etag") or known.etag, confirmed)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def forget(self) -> None:
        for name in self._folder.names():
            if name.startswith(self._prefix):
                self._folder.remove(name)


class Journal:
    """The turns of a session that the service has not taken. A process that was killed continues with them.

    The first line says what the session is. Each further line is a turn. A turn is on the disk before it is sent, and all turns are
    removed when the service has taken them. A turn that is sent again has the same ids, so it is stored once. Threads can share
    it. Each method raises SessionError ``journal_failed``; the file is as before then.
    """

    def __init__(self, folder: Folder, name: str) -> None:
        """Raises SessionError ``journal_locked`` if another session has it open."""
        self._folder = folder
        self._name = name
        self._mutex = threading.Lock()
        self._file: Any = None
        self._head_bytes = 0
        self._bytes = 0
        self._written: list[Turn] = []
        self.head: dict[str, Any] | None = None
        self.kept: list[Turn] = []
        stem = name[: -len(JOURNAL_SUFFIX)]
        lock = self._writing(lambda: Lock(folder.path_of(f"{stem}.flock"), _locked))
        self._lock: Lock | None = lock
        try:
            self._writing(self._read)
        except BaseException:
            lock.release()
            raise

    def _read(self) -> None:
        text = self._folder.read(self._name)
        # The last line may be incomplete: the process was killed while it wrote. Nobody was told that its turn is safe.
        lines = (text or "").split("\n")[:-1]
        if not lines:
            return
        try:
            self.head = json.loads(lines[0])
            if self.head is None or self.head["version"] != 1:
                raise ValueError
            for line in lines[1:]:
                found = json.loads(line)
                self.kept.append(Turn(found["first"], found["messages"]))
        except (ValueError, KeyError, TypeError):
            raise SessionError(
                "journal_failed",
                f"The journal {self._folder.path_of(self._name)} is damaged. Look into it, and remove it.",
            ) from None

    def keep(self, head: dict[str, Any], turns: Callable[[], Sequence[Turn]]) -> None:
        """Replaces the file by the turns that are left when its time has come."""

        def act() -> None:
            if self._lock is None:
                return
            left = [*turns()]
            if not left and head is self.head and self._file is not None:
                # If the machine crashes now, the turns are sent again, and stored once.
                os.ftruncate(self._file.fileno(), self._head_bytes)
                self._written, self._bytes = [], self._head_bytes
                return
            first = json.dumps(head, ensure_ascii=False) + "\n"
            text = first + "".join(_line(turn) for turn in left)
            self._folder.write(self._name, text)
            self._close()
            self.head, self._written = head, left
            self._head_bytes, self._bytes = (len(one.encode("utf-8")) for one in (first, text))
            self._file = open(self._folder.path_of(self._name), "r+b", buffering=0)

        self._in_order(act)

    def add(self, turn: Turn) -> None:
        """When it returns, the turn is on the disk."""

        def act() -> None:
            if any(one is turn for one in self._written):
                return
            if self._file is None:
                raise OSError("it is not open")
            line = _line(turn).encode("utf-8")
            try:
                self._file.seek(self._bytes)
                written = 0
                while written < len(line):
                    written += self._file.write(line[written:])
                os.fsync(self._file.fileno())
            except OSError:
                try:
                    os.ftruncate(self._file.fileno(), self._bytes)
                except OSError:
                    pass
                raise
            self._bytes += len(line)
            self._written.append(turn)

        self._in_order(act)

    def remove(self) -> None:
        """Nothing is left of it."""

        def act() -> None:
            # When it was released, it may be another session's.
            if self._lock is not None:
                self._close()
                self._folder.remove(self._name)

        self._in_order(act)

    def release(self) -> None:
        """Another process can open it."""

        def act() -> None:
            self._close()
            lock, self._lock = self._lock, None
            if lock is not None:
                lock.release()

        self._in_order(act)

    def _close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            file.close()

    def _in_order(self, act: Callable[[], None]) -> None:
        """One change after the other: a turn may be added while others are removed."""
        with self._mutex:
            self._writing(act)

    def _writing(self, act: Callable[[], Any]) -> Any:
        import errno

        try:
            return act()
        except OSError as error:
            is_full = error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
            why = "the disk is full" if is_full else error.strerror or str(error)
            code = errno.errorcode.get(error.errno or 0, "")
            raise SessionError(
                "journal_failed", f"The journal {self._name} cannot be written: {why} ({code})."
            ) from None


def _locked() -> SessionError:
    return SessionError(
        "journal_locked",
        "Another session has the journal of this external id open. End or close that session first.",
    )


def _line(turn: Turn) -> str:
    return json.dumps({"first": turn.first, "messages": turn.messages}, ensure_ascii=False) + "\n"


def journal_name(base_url: str, project: str, external_id: str) -> str:
    return hash_of(base_url, project, external_id) + JOURNAL_SUFFIX
