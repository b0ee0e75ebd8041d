"""Where the client calls, and as whom."""

from __future__ import annotations

import os
import time
import unittest
from unittest import mock

from platform_api import Platform
from platform_api._core.settings import base_url_from

KEY = "sk_test_secret"


def environment(**variables: str) -> mock._patch_dict:  # type: ignore[name-defined]
    rest = {name: value for name, value in os.environ.items() if not name.startswith("PLATFORM_")}
    return mock.patch.dict(os.environ, {**rest, **variables}, clear=True)


class BaseUrl(unittest.TestCase):
    def test_accepted(self) -> None:
        for text, expected in {
            "https://api.example.com/api/v1/": "https://api.example.com/api/v1",
            "HTTPS://API.example.com:443/v1": "https://api.example.com/v1",
            "https://api.example.com:8443": "https://api.example.com:8443",
            "http://localhost:3000/api/v1": "http://localhost:3000/api/v1",
            "http://127.1.2.3": "http://127.1.2.3",
            "http://[::1]:80/x": "http://[::1]/x",
        }.items():
            self.assertEqual(base_url_from(text), expected)

    def test_refused(self) -> None:
        for text in (
            "http://api.example.com",
            "http://localhost.example.com",
            "http://127.0.0.1.example.com",
            "http://evil.localhost",
            "http://0.0.0.0",
            "https://user:password@api.example.com",
            "http://localhost@example.com",
            "https://api.example.com/?a=b",
            "https://api.example.com/#a",
            "https:\\\\example.com",
            "https://api.example.com\\@localhost",
            "https://api.example.com/../x",
            "https://api.example.com/%2e%2E/x",
            "https://api.example.com:99999",
            "https://exa mple.com",
            "https://api.example.com/\n",
            "https://",
            "api.example.com",
            "ftp://api.example.com",
            "",
        ):
            with self.subTest(text), environment(), self.assertRaises(ValueError):
                base_url_from(text)

    def test_worst_text(self) -> None:
        start = time.process_time()
        for text in ("https://" + "a" * 1_000_000, "https://a/" + "/." * 500_000, "https://[" + ":" * 1_000_000):
            try:
                base_url_from(text)
            except ValueError:
                pass
        self.assertLess(time.process_time() - start, 5)


class ApiKey(unittest.TestCase):
    def test_environment_needs_its_address(self) -> None:
        with environment(PLATFORM_API_KEY=KEY, PLATFORM_BASE_URL="https://api.example.com/v1/"):
            self.assertEqual(Platform().base_url, "https://api.example.com/v1")
            self.assertEqual(Platform(base_url="https://API.example.com:443/v1").base_url, "https://api.example.com/v1")
            with self.assertRaisesRegex(ValueError, "is not sent to https://evil.example.com"):
                Platform(base_url="https://evil.example.com")
            Platform(base_url="https://evil.example.com", api_key="another")
        with environment(PLATFORM_API_KEY=KEY), self.assertRaisesRegex(ValueError, "does not name this address"):
            Platform(base_url="https://api.example.com")

    def test_missing_or_malformed(self) -> None:
        with environment():
            with self.assertRaisesRegex(ValueError, "Set base_url or PLATFORM_BASE_URL"):
                Platform(api_key=KEY)
            with self.assertRaisesRegex(ValueError, "Set api_key or PLATFORM_API_KEY"):
                Platform(base_url="https://api.example.com")
            for key in ("a b", "a\n", "ä", "a\r\nX: y"):
                with self.assertRaises(ValueError) as caught:
                    Platform(base_url="https://api.example.com", api_key=key)
                self.assertNotIn(key, str(caught.exception))

    def test_nothing_prints_it(self) -> None:
        platform = Platform(base_url="https://api.example.com", api_key=KEY)
        parts = (platform, platform._transport, platform._transport.config, platform.projects, platform.projects("proj_1"))
        for part in parts:
            self.assertNotIn(KEY, repr(part) + repr(getattr(part, "__dict__", "")))
