"""What a response contains."""

from __future__ import annotations

import copy
import pickle
import unittest

from platform_api import Object
from platform_api.types import Project

DATA = {
    "id": "key_1",
    "createdAt": "2026-03-01T09:30:00.000Z",
    "contentSha256": "00",
    "from": "a",
    "items": [{"nextCursor": None}],
    "metadata": {"my_key": 1, "myOther": 2, "to_dict": 3},
    "secret": "sk_live_1",
    "url": "https://files.example.com/a?X-Amz-Signature=abc",
    "text": "a" * 1000,
}


class Fields(unittest.TestCase):
    def setUp(self) -> None:
        self.object = Object(DATA)

    def test_names(self) -> None:
        self.assertEqual(self.object.created_at, DATA["createdAt"])
        self.assertEqual(self.object["createdAt"], DATA["createdAt"])
        self.assertEqual(self.object.content_sha256, "00")
        self.assertEqual(self.object.from_, "a")
        self.assertIsNone(self.object.items[0].next_cursor)
        self.assertEqual((self.object.metadata["my_key"], self.object.metadata["to_dict"]), (1, 3))
        self.assertIn("createdAt", self.object)
        self.assertNotIn("created_at", self.object)
        self.assertEqual(list(self.object), list(DATA))
        self.assertIn("created_at", dir(self.object))

    def test_missing(self) -> None:
        with self.assertRaisesRegex(AttributeError, "There is no field colour. The fields are: id, created_at,"):
            self.object.colour
        with self.assertRaises(KeyError):
            self.object["colour"]
        self.assertEqual(self.object.get("colour", "red"), "red")
        self.assertFalse(hasattr(self.object, "__colour__"))

    def test_unchangeable(self) -> None:
        with self.assertRaises(AttributeError):
            self.object.id = "another"
        with self.assertRaises(AttributeError):
            del self.object.id
        before = copy.deepcopy(DATA)
        self.object.items.append("another")
        self.object.to_dict()["metadata"]["my_key"] = 2
        self.assertEqual(self.object, Object(before))

    def test_copies(self) -> None:
        for one in (copy.copy(self.object), copy.deepcopy(self.object), pickle.loads(pickle.dumps(self.object))):
            self.assertEqual(one, self.object)
        self.assertNotEqual(self.object, DATA)
        self.assertEqual(self.object.to_dict(), DATA)
        self.assertTrue(Object({}))

    def test_printed_without_secrets(self) -> None:
        text = repr(Object({"inner": [self.object]}))
        self.assertIn("created_at='2026", text)
        for hidden in ("sk_live_1", "Signature", "a" * 100):
            self.assertNotIn(hidden, text)

    def test_types_exist_for_checkers(self) -> None:
        self.assertIsInstance(self.object, Object)
        with self.assertRaisesRegex(TypeError, "Project exists only for type checkers"):
            isinstance(self.object, Project)
