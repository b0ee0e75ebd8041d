"""The headers of a response."""

from __future__ import annotations

from typing import Callable, Iterable, Iterator, Mapping


class Headers(Mapping[str, str]):
    """Letter case does not matter in names."""

    __slots__ = ("_values",)

    def __init__(self, pairs: Iterable[tuple[str, str]], redact: Callable[[str], str] = str) -> None:
        """
        :param redact: returns a value without what nobody may see: a server may repeat what it got
        """
        self._values: dict[str, str] = {}
        for name, value in pairs:
            name, value = name.lower(), redact(value)
            self._values[name] = f"{self._values[name]}, {value}" if name in self._values else value

    def __getitem__(self, name: str) -> str:
        return self._values[name.lower()]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Headers({self._values!r})"
