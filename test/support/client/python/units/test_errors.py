"""The names of exceptions."""

from __future__ import annotations

import copy
import pickle
import ssl
import traceback
import unittest
from importlib import import_module

import platform_api
from platform_api import NotFoundError, PlatformError
from platform_api._core.errors import connection_error

LATER = ("export_file", "exports", "jobs", "webhooks")


def subclasses(of: type[PlatformError]) -> list[type[PlatformError]]:
    return [of, *(found for one in of.__subclasses__() for found in subclasses(one))]


class Messages(unittest.TestCase):
    def test_an_error_of_tls_has_no_number_of_the_system(self) -> None:
        of_tls = ssl.SSLError(1, "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed")
        error = connection_error(of_tls, str, "https://user:password@example.com:8443/a?token=b")
        self.assertEqual(
            str(error),
            "The request to https://example.com:8443 failed: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed.",
        )

    def test_the_reason_of_the_system_replaces_that_of_the_transport(self) -> None:
        error = OSError("All connection attempts failed")
        error.__cause__ = ConnectionRefusedError(111, "Connect call failed ('127.0.0.1', 3901)")
        found = connection_error(error, str, "http://127.0.0.1:3901/api/v1/projects")
        found.attempts = 6
        self.assertEqual(str(found), "The request to http://127.0.0.1:3901 failed after 6 attempts: Connection refused.")
        self.assertEqual(str(pickle.loads(pickle.dumps(found))), str(found))


class Names(unittest.TestCase):
    def test_every_exception_is_named_as_callers_import_it(self) -> None:
        for name in LATER:
            import_module(f"platform_api.helpers.{name}")
        found = [one for one in subclasses(PlatformError) if not one.__name__.startswith("_")]
        self.assertGreater(len(found), 40)
        for one in found:
            if one.__module__.startswith("platform_api"):
                self.assertIs(getattr(platform_api, one.__name__), one)
                self.assertEqual(one.__module__, "platform_api")

    def test_a_traceback_shows_the_name_to_import(self) -> None:
        [line] = traceback.format_exception_only(NotFoundError, NotFoundError("It is gone."))
        self.assertEqual(line, "platform_api.NotFoundError: It is gone.\n")

    def test_exceptions_of_callers_keep_their_module(self) -> None:
        class Own(PlatformError):
            pass

        self.assertEqual(Own.__module__, __name__)

    def test_exceptions_can_be_pickled_and_copied(self) -> None:
        error = NotFoundError("It is gone.", status=404, code="not_found", request_id="r", method="GET", path="/projects/p")
        for one in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
            self.assertIs(type(one), NotFoundError)
            self.assertEqual((str(one), vars(one)), (str(error), vars(error)))
