"""What a response contains: one class for every JSON object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from .names import to_camel, to_snake
from .values import is_dict, is_list

_shown_length = 80


class _TypeOnly(type):
    """The subclasses of Object exist for type checkers. No value is an instance of one."""

    def __instancecheck__(cls, instance: object) -> bool:
        if cls is Object:
            return type.__instancecheck__(cls, instance)
        raise TypeError(
            f"{cls.__name__} exists only for type checkers: at run time, every object is an Object. "
            "Compare a field, such as type."
        )


class Object(metaclass=_TypeOnly):
    """A JSON object of a response. It cannot be changed.

    ``value.created_at`` and ``value["createdAt"]`` are the same field. The brackets take the name of the wire, also of a
    field that this version of the client does not know. ``in`` and iteration have the names of the wire.
    """

    __slots__ = ("_data",)
    _data: dict[str, Any]

    def __init__(self, data: dict[str, Any]) -> None:
        object.__setattr__(self, "_data", data)

    if not TYPE_CHECKING:
        # Hidden from type checkers, which know the fields.
        def __getattr__(self, name: str) -> Any:
            if name == "_data" or name.startswith("__"):
                raise AttributeError(name)
            for wire_name in (name, to_camel(name)):
                if wire_name in self._data:
                    return wrap(self._data[wire_name])
            raise AttributeError(f"There is no field {name}. The fields are: {', '.join(self.__dir__())}.")

        def __setattr__(self, name: str, value: object) -> None:
            raise AttributeError(f"{name} cannot be set: a response does not change.")

        def __delattr__(self, name: str) -> None:
            raise AttributeError(f"{name} cannot be deleted: a response does not change.")

    def __getitem__(self, wire_name: str) -> Any:
        return wrap(self._data[wire_name])

    def get(self, wire_name: str, default: Any = None) -> Any:
        """The field with this name of the wire, or the default."""
        return wrap(self._data.get(wire_name, default))

    def to_dict(self) -> dict[str, Any]:
        """A copy as dictionaries and lists, with the names of the wire."""
        return _copy(self._data)

    def __contains__(self, wire_name: object) -> bool:
        return wire_name in self._data

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __bool__(self) -> bool:
        return True

    def __dir__(self) -> list[str]:
        return [to_snake(name) for name in self._data]

    def __eq__(self, other: object) -> bool:
        return self._data == other._data if type(other) is Object else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return (Object, (self._data,))

    def __repr__(self) -> str:
        fields = (f"{to_snake(name)}={_shown(value, name)}" for name, value in self._data.items())
        return f"Object({', '.join(fields)})"


def wrap(value: Any) -> Any:
    """JSON as Python shows it: objects as Object."""
    if is_dict(value):
        return Object(value)
    if is_list(value):
        return [wrap(one) for one in value]
    return value


def _copy(value: Any) -> Any:
    if is_dict(value):
        return {name: _copy(one) for name, one in value.items()}
    if is_list(value):
        return [_copy(one) for one in value]
    return value


def _shown(value: Any, name: str = "") -> str:
    """Without secrets, and without links that work for anyone who has them."""
    if is_dict(value):
        return repr(Object(value))
    if is_list(value):
        return f"[{len(value)} items]" if len(value) > 3 else f"[{', '.join(_shown(one) for one in value)}]"
    if not isinstance(value, str):
        return repr(value)
    if name.lower().endswith("secret"):
        return "'…'"
    if value.startswith(("https://", "http://")) and "?" in value:
        return repr(value.split("?")[0] + "?…")
    return repr(value if len(value) <= _shown_length else value[:_shown_length] + "…")
