"""The title of a document: that of its front matter, or its first heading. All of this takes time in proportion to the text."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

from .texts import WHITESPACE

#: The API's limit, in characters.
_MAX_CHARACTERS = 200

TextType = Literal["text/markdown", "text/html", "text/plain"]

_CONTROLS = re.compile(rf"[\x00-\x1f\x7f-\x9f{WHITESPACE}]+")
_HALF_PAIR = re.compile("[\ud800-\udfff]")
_LINE_END = re.compile(r"\r\n|\n|\r")
_CODE = re.compile(r"(?: {4}| {0,3}\t)")
_FENCE = re.compile(r"(?:`+|~+)")
_UNDERLINE = re.compile(r"(?:=+|-+)\Z")
_NO_HEADING = re.compile(r"(?:[-*+>|#]|[0-9]+[.)])")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\[\]]*\)")
_MARKS = re.compile(r"[`]|\*\*|__")
_HIDDEN = re.compile(rf"<!--|<(?:script|style|template|svg)(?=[{WHITESPACE}/>])")
_TAG = re.compile(r"<[^<>]*>")
_REFERENCE = re.compile(r"&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z0-9_]{2,6}));")
_REFERENCES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "nbsp": " "}
#: Only ASCII, because other letters may change the length of a text.
_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def title_in(content: str, mime_type: TextType) -> str | None:
    """The text of the first heading (of HTML, of its first h1, or its title), which can be a title; None without one."""
    if mime_type == "text/markdown":
        return title_from(_markdown_heading(content))
    if mime_type == "text/html":
        return _html_title(content)
    return None


def title_from(text: str | None) -> str | None:
    """A title: on one line, visible and well-formed; None if nothing is visible."""
    line = _CONTROLS.sub(" ", text or "").strip(WHITESPACE)
    # Half of a surrogate pair has no form in UTF-8.
    title = _HALF_PAIR.sub("\ufffd", line)[:_MAX_CHARACTERS].strip(WHITESPACE)
    is_visible = any(
        char not in WHITESPACE and unicodedata.category(char) not in ("Cf", "Zs", "Zl", "Zp") for char in title
    )
    return title if is_visible else None


def _markdown_heading(content: str) -> str | None:
    """The first ATX or setext heading (CommonMark 0.31.2, sections 4.2 and 4.3) that is not in a fenced code block or a comment."""
    fence = before = ""
    is_comment = False
    for line in _LINE_END.split(content):
        text = line.strip(WHITESPACE)
        if is_comment:
            is_comment = "-->" not in text
        elif fence:
            if text.startswith(fence) and text == fence[0] * len(text):
                fence = ""
        # Four spaces are code.
        elif _CODE.match(line):
            before = ""
        elif text.startswith(("```", "~~~")):
            match = _FENCE.match(text)
            fence = match.group() if match else ""
            before = ""
        elif text.startswith("<!--"):
            is_comment = "-->" not in text
            before = ""
        else:
            heading = _atx_heading(text)
            if heading:
                return _plain_text(heading)
            if before and _UNDERLINE.match(text):
                return _plain_text(before)
            # Lists, quotes and tables are no headings, whatever is below them.
            before = "" if _NO_HEADING.match(text) else text
    return None


def _atx_heading(line: str) -> str | None:
    rest = line.lstrip("#")
    if not 1 <= len(line) - len(rest) <= 6 or not rest.startswith((" ", "\t")):
        return None
    title = rest.strip(WHITESPACE)
    text = title.rstrip("#")
    is_closed = text == "" or text.endswith((" ", "\t"))
    return (text.strip(WHITESPACE) if is_closed else title) or None


def _plain_text(markdown: str) -> str:
    """Without the marks of links, code and bold text."""
    return _MARKS.sub("", _LINK.sub(r"\1", markdown))


def _html_title(html: str) -> str | None:
    """The text of the first h1 that has some, or of the title."""
    text = _without_hidden(html)
    return _first_element(text, "h1") or _first_element(text, "title")


def _without_hidden(html: str) -> str:
    """Removes comments, scripts, styles and templates: a heading in them is none."""
    lower = html.translate(_LOWER)
    parts: list[str] = []
    begin = 0
    for match in _HIDDEN.finditer(lower):
        if match.start() < begin:
            continue
        parts.append(html[begin : match.start()])
        opening = match.group()
        closing = "-->" if opening == "<!--" else f"</{opening[1:]}"
        end = lower.find(closing, match.end())
        if end < 0:
            return "".join(parts)
        begin = end + len(closing)
    return "".join(parts) + html[begin:]


def _first_element(html: str, name: str) -> str | None:
    lower = html.translate(_LOWER)
    start = lower.find(f"<{name}")
    while start >= 0:
        behind = start + len(name) + 1
        # Not such as <h10>.
        if behind < len(lower) and (lower[behind] in "/>" or lower[behind] in WHITESPACE):
            opened = lower.find(">", start)
            end = -1 if opened < 0 else lower.find(f"</{name}", opened)
            if end < 0:
                return None
            title = title_from(_without_references(_TAG.sub("", html[opened + 1 : end])))
            if title:
                return title
            behind = end
        start = lower.find(f"<{name}", behind)
    return None


def _without_references(text: str) -> str:
    """Character references (WHATWG HTML, section 13.5): the usual names, and numbers."""
    return _REFERENCE.sub(_referred, text)


def _referred(match: re.Match[str]) -> str:
    decimal, hexadecimal, name = match.groups()
    if name is not None:
        return _REFERENCES.get(name, match.group())
    point = int(decimal) if decimal is not None else int(hexadecimal, 16)
    return match.group() if point > 0x10FFFF else chr(point)
