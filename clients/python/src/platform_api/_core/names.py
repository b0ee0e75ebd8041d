"""Names: ``created_at`` in Python is ``createdAt`` on the wire."""

from __future__ import annotations

import re

_upper = re.compile("[A-Z]")
_after_underscore = re.compile("_([a-z0-9])")


def to_snake(wire_name: str) -> str:
    """``contentSha256`` as ``content_sha256``."""
    return _upper.sub(lambda match: "_" + match.group().lower(), wire_name)


def to_camel(name: str) -> str:
    """``content_sha256`` as ``contentSha256``, and ``from_``, which is not a keyword, as ``from``."""
    return _after_underscore.sub(lambda match: match.group(1).upper(), name.rstrip("_"))
