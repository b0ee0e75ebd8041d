"""Front matter: YAML between ``---`` at the start of a Markdown file. Of the YAML, only a ``title`` on one line is read."""

from __future__ import annotations

import json
import re

from .texts import WHITESPACE

_SPACE = f"[{WHITESPACE}]"
_END = re.compile(r"(?:---|\.\.\.)\Z")
_ENTRY_START = re.compile(rf"[^{WHITESPACE}#\[\]{{}}-]")
_COLON = re.compile(rf":(?:{_SPACE}|\Z)")
_OTHER_YAML = re.compile(rf"(?:{_SPACE}|#|- |[\]}}])")
_TITLE = re.compile(rf"title:(?:{_SPACE}|\Z)")
_CONTINUED = re.compile(rf"{_SPACE}+[^{WHITESPACE}]")
_NO_TEXT = re.compile(r"(?:[\[\]{}|>&*!%@`#,?]|~\Z|null\Z)")
_QUOTED = re.compile(r'(?:"(?:[^"\\]|\\.)*"|\'(?:[^\']|\'\')*\')')
_COMMENT = re.compile(rf"(?:{_SPACE}+#|\Z)")


def read_front_matter(content: str) -> tuple[str | None, str]:
    """Returns the title, and the text after the front matter: all of the text if it has no front matter.

    A block is front matter only if each of its lines can be YAML, and nothing else is removed: a text may also begin with
    a thematic break. The title is None if there is none, or if it is no simple text.
    """
    lines = [f"{line}\n" for line in content.split("\n")]
    lines[-1] = lines[-1][:-1]
    if lines[0].rstrip(WHITESPACE) != "---":
        return None, content
    end = next((at for at, line in enumerate(lines) if at > 0 and _END.match(line.rstrip(WHITESPACE))), None)
    if end is None:
        return None, content
    block = [line.rstrip(WHITESPACE) for line in lines[1:end]]
    if not all(map(_can_be_yaml, block)) or not (any(map(_is_entry, block)) or not any(block)):
        return None, content
    return _title_of(block), "".join(lines[end + 1 :])


def _is_entry(line: str) -> bool:
    """``key: value``, or ``key:`` above a list or a text."""
    return _ENTRY_START.match(line) is not None and _COLON.search(line) is not None


def _can_be_yaml(line: str) -> bool:
    """An empty line, what is indented, a comment, an item of a list, the end of a list in brackets, or an entry."""
    return line == "" or _OTHER_YAML.match(line) is not None or _is_entry(line)


def _title_of(block: list[str]) -> str | None:
    at = next((at for at, line in enumerate(block) if _TITLE.match(line)), None)
    if at is None:
        return ""
    value = block[at][len("title:") :].strip(WHITESPACE)
    # It continues in the next line.
    if at + 1 < len(block) and _CONTINUED.match(block[at + 1]):
        return None
    if value.startswith(('"', "'")):
        return _unquoted(value)
    plain = value.split(" #", 1)[0].strip(WHITESPACE)
    # What begins with one of these, or has a colon, is no text in YAML.
    return None if _NO_TEXT.match(plain) or ": " in plain else plain


def _unquoted(value: str) -> str | None:
    """The text of a value that begins with a quotation mark. After the text, only a comment may follow."""
    match = _QUOTED.match(value)
    if match is None or not _COMMENT.match(value, match.end()):
        return None
    text = match.group()
    if text.startswith("'"):
        return text[1:-1].replace("''", "'")
    try:
        # The escapes of JSON are escapes of YAML too. A text with others is not read.
        return str(json.loads(text))
    except ValueError:
        return None
