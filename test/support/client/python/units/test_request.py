"""What is sent."""

from __future__ import annotations

import json
import time
import unittest
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from pathlib import Path
from typing import Any

from platform_api import NOT_GIVEN, Object
from platform_api._core.options import check_options
from platform_api._generated import shapes
from platform_api._core.backoff import delay_after, retry_after_seconds
from platform_api._core.headers import Headers
from platform_api._core.http_date import http_date
from platform_api._core.request import Request, body_text, headers_of, path_of, query_string, to_wire, url_below

BASE = "https://api.example.com/v1"
NOON = datetime(2026, 3, 1, 12, tzinfo=timezone(timedelta(hours=2)))


class Addresses(unittest.TestCase):
    def test_ids_are_encoded(self) -> None:
        self.assertEqual(path_of("/projects/", "a/ä?", "/versions/", 3), "/projects/a%2F%C3%A4%3F/versions/3")
        for missing in ("", ".", "..", None, True, NOT_GIVEN):
            with self.assertRaisesRegex(ValueError, "The id behind /projects/ is missing"):
                path_of("/projects/", missing)

    def test_paths_stay_below(self) -> None:
        self.assertEqual(url_below(BASE, "/projects?a=/../b"), BASE + "/projects?a=/../b")
        self.assertEqual(url_below(BASE, "/ä"), BASE + "/%C3%A4")
        for path in ("projects", "//evil.example.com", "/..", "/a/../b", "/%2e%2e/b", "/a/.%2E?x", "/a\\b", "/a\nb", "", "@evil"):
            with self.subTest(path), self.assertRaises(ValueError):
                url_below(BASE, path)

    def test_query(self) -> None:
        query = {"a": "ä&b", "b": True, "c": None, "d": NOT_GIVEN, "e": NOON, "f": 3}
        self.assertEqual(query_string(query), "?a=%C3%A4%26b&b=true&e=2026-03-01T10%3A00%3A00.000Z&f=3")
        self.assertEqual(query_string({"a": None}), "")
        self.assertEqual(query_string({"score": ["a:gte:3", "b:exists"], "tag": ()}), "?score=a%3Agte%3A3&score=b%3Aexists")
        with self.assertRaisesRegex(ValueError, "has no time zone"):
            query_string({"a": datetime(2026, 3, 1)})


class Bodies(unittest.TestCase):
    def test_not_given_differs_from_none(self) -> None:
        body = {"a": None, "b": NOT_GIVEN, "c": [{"d": NOT_GIVEN, "e": (1, "ä")}], "f": NOON, "g": Object({"hI": 1})}
        expected = {"a": None, "c": [{"e": [1, "ä"]}], "f": "2026-03-01T10:00:00.000Z", "g": {"hI": 1}}
        self.assertEqual(json.loads(body_text(body)), expected)
        with self.assertRaises(ValueError):
            body_text({"a": float("nan")})

    def test_names_of_the_wire(self) -> None:
        shape = {"voice_id": "voiceId", "items": ("items", {"at_end": "atEnd"})}
        value = {"voice_id": 1, "voiceId2": 2, "other_name": 3, "items": [{"at_end": {"at_end": 4}}]}
        wire = {"voiceId": 1, "voiceId2": 2, "other_name": 3, "items": [{"atEnd": {"at_end": 4}}]}
        self.assertEqual(to_wire(value, shape), wire)
        self.assertIsNone(to_wire(None, shape))
        self.assertIs(to_wire(NOT_GIVEN, shape), NOT_GIVEN)

    def test_names_in_maps_and_in_what_contains_itself(self) -> None:
        shape: dict[str, Any] = {"max_length": "maxLength", "not_": "not"}
        shape.update({"items": ("items", shape), "properties": ("properties", {"*": ("*", shape)})})
        value = {"properties": {"max_length": {"max_length": 1, "items": {"not_": {"not_": 2}}}}}
        wire = {"properties": {"max_length": {"maxLength": 1, "items": {"not": {"not_": 2}}}}}
        self.assertEqual(to_wire(value, shape), wire)


    def test_both_names_on_each_level(self) -> None:
        for rule in ({"not_": {"duration_seconds": {"gte": 1}}}, {"not": {"durationSeconds": {"gte": 1}}}, {"not": {"duration_seconds": {"gte": 1}}}):
            wire = {"rule": {"all": [{"not": {"durationSeconds": {"gte": 1}}}]}}
            self.assertEqual(to_wire({"rule": {"all": [rule]}}, shapes.EvaluatorDraft), wire)
        question = [{"q": "a", "expect": [{"externalId": "a"}, {"external_id": "b"}]}]
        wire = [{"q": "a", "expect": [{"externalId": "a"}, {"externalId": "b"}]}]
        self.assertEqual(to_wire(question, shapes.EvaluationQuestion), wire)

    def test_a_field_under_both_names(self) -> None:
        for value in ({"voice_id": 1, "voiceId": 1}, {"voiceId": None, "voice_id": None}):
            with self.assertRaisesRegex(ValueError, "The field voiceId is there twice"):
                to_wire(value, {"voice_id": "voiceId"})

    def test_every_field_has_its_wire_name_too(self) -> None:
        found = [one for one in vars(shapes).values() if isinstance(one, dict)]
        self.assertGreater(len(found), 10)
        for shape in found:
            for known in shape.values():
                if isinstance(known, tuple):
                    self.assertEqual(shape[known[0]], known)


class HeadersOfRequests(unittest.TestCase):
    def test_own_ones_win(self) -> None:
        request = Request("POST", "/a", body={}, options={"idempotency_key": "k", "if_match": None})
        headers = headers_of(request, {"accept": "text/html", "X-A": "1"}, {"x-a": "2"}, None)
        expected = {"Accept": "application/json", "x-a": "2", "Content-Type": "application/json", "Idempotency-Key": "k"}
        self.assertEqual(headers, expected)

    def test_idempotency_key(self) -> None:
        keys = {headers_of(Request("POST", "/a"))["Idempotency-Key"] for _ in range(2)}
        self.assertEqual(len(keys), 2)
        for request in (Request("PUT", "/a"), Request("POST", "/a", is_idempotent=True)):
            self.assertNotIn("Idempotency-Key", headers_of(request))

    def test_malformed_values_are_not_shown(self) -> None:
        for value in ("a\r\nX: y", "…", "a\0"):
            with self.assertRaises(ValueError) as caught:
                headers_of(Request("GET", "/a"), {"X-Secret": value})
            self.assertNotIn(value, str(caught.exception))


class Options(unittest.TestCase):
    def test_a_name_of_the_wire_is_refused_with_the_name_in_python(self) -> None:
        with self.assertRaisesRegex(TypeError, "no argument 'expiresIn'. Arguments have names of Python, such as expires_in.$"):
            check_options({"expiresIn": "1d"}, frozenset())
        with self.assertRaisesRegex(TypeError, "no argument 'other'.$"):
            check_options({"other": 1}, frozenset())


class Pauses(unittest.TestCase):
    def test_backoff(self) -> None:
        self.assertEqual([delay_after(number, None, 1) for number in (1, 2, 3, 6, 7, 2000)], [0.3, 0.6, 1.2, 9.6, 10, 10])
        self.assertEqual(delay_after(1, 5, 0), 5)

    def test_retry_after(self) -> None:
        """The table is also that of the service and of the TypeScript client."""
        table = json.loads((Path(__file__).parents[3] / "retry-after.json").read_text("utf-8"))
        now = datetime.fromisoformat(table["now"].replace("Z", "+00:00")).timestamp()
        date = format_datetime(datetime.fromtimestamp(now, timezone.utc), usegmt=True)
        for case in table["cases"]:
            headers = Headers([("Retry-After", case["value"])])
            self.assertEqual(retry_after_seconds(headers, now), case["seconds"], case)
            # A date counts from what the server's clock says.
            headers = Headers([("Retry-After", case["value"]), ("Date", date)])
            self.assertEqual(retry_after_seconds(headers, now - 3600), case["seconds"], case)
        self.assertIsNone(retry_after_seconds(Headers([]), now))

    def test_years_of_two_digits(self) -> None:
        """At most 50 years ahead (RFC 9110, section 5.6.7)."""
        for year, digits, meant in ((2026, "00", 2000), (2099, "05", 2105), (2100, "50", 2150), (2100, "51", 2051)):
            now = datetime(year, 1, 1, tzinfo=timezone.utc).timestamp()
            expected = datetime(meant, 1, 1, tzinfo=timezone.utc)
            text = f"{expected:%A}, 01-Jan-{digits} 00:00:00 GMT"
            self.assertEqual(http_date(text, now), expected.timestamp())

    def test_worst_texts(self) -> None:
        start = time.process_time()
        for text in ("9" * 60_000, "," * 60_000, "Sun, " * 12_000, " " * 60_000, "(" * 60_000):
            retry_after_seconds({"retry-after": text}, 0)
        self.assertLess(time.process_time() - start, 10)
