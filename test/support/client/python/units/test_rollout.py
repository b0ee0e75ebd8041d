"""The client assigns units as the service does."""

from __future__ import annotations

import json
import unittest
from pathlib import Path

from platform_api.helpers.session import assign, check_unit

VECTORS = Path(__file__).resolve().parents[3] / "rollout-assignments.json"


class Assignments(unittest.TestCase):
    def test_they_are_those_of_the_service(self) -> None:
        vectors = json.loads(VECTORS.read_text(encoding="utf-8"))
        self.assertGreaterEqual(len(vectors), 20)
        for one in vectors:
            rollout = {"id": one["rolloutId"], "span": one["span"], "percent": one["percent"]}
            with self.subTest(unit=one["unit"], percent=one["percent"]):
                expected = (one["variant"], one["assignment"])
                self.assertEqual(assign(rollout, one["unit"]), expected)

    def test_a_unit_has_1_to_255_characters(self) -> None:
        for unit in ("a", "😀" * 255):
            check_unit(unit)
        for unit in ("", "a" * 256, 7):
            with self.assertRaises(ValueError):
                check_unit(unit)
