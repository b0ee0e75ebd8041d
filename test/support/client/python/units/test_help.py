"""What `help` shows."""

from __future__ import annotations

import pydoc
import unittest
from unittest import mock

import platform_api
from platform_api import Platform, types


def shown(what: object) -> str:
    return pydoc.plain(pydoc.render_doc(what))


class Help(unittest.TestCase):
    def test_package_without_httpx(self) -> None:
        with mock.patch("importlib.util.find_spec", return_value=None):
            text = shown(platform_api)
            self.assertNotIn("AsyncPlatform", dir(platform_api))
        self.assertIn("class Platform(", text)
        self.assertIn("read_documents", dir(platform_api))

    def test_fields_of_a_type(self) -> None:
        self.assertIn("Fields: prompt, greeting (optional), language (optional).", shown(types.PersonaInput))
        self.assertIn("Fields: id, type, status,", shown(types.Job))

    def test_signature_of_a_helper(self) -> None:
        knowledge = Platform(api_key="sk_test_x", base_url="http://localhost/api/v1").projects("proj_x").knowledge
        self.assertEqual(shown(knowledge.sync).count("Iterable[SyncDocument]"), 1)
