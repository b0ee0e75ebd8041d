"""Work on many items at the same time, in threads, and how it ends."""

from __future__ import annotations

import threading
import time
import unittest
from typing import Iterator

from platform_api._blocking.io import sleep
from platform_api._blocking.work import for_each


class Failures(unittest.TestCase):
    def test_the_first_failure_ends_the_pauses_of_the_others(self) -> None:
        is_waiting = threading.Barrier(3)
        running = 0
        begun: list[int] = []

        def act(item: int) -> None:
            nonlocal running
            begun.append(item)
            running += 1
            try:
                is_waiting.wait()
                if item == 2:
                    raise KeyError("all of it fails")
                sleep(3600)
            finally:
                running -= 1

        begin = time.monotonic()
        with self.assertRaisesRegex(KeyError, "all of it fails"):
            for_each(iter([1, 2, 3, 4]), 3, act)
        self.assertLess(time.monotonic() - begin, 600)
        self.assertEqual((sorted(begun), running), ([1, 2, 3], 0))

    def test_a_failure_of_the_source(self) -> None:
        def items() -> Iterator[int]:
            yield 1
            raise KeyError("the source")

        begun: list[int] = []
        with self.assertRaisesRegex(KeyError, "the source"):
            for_each(items(), 4, begun.append)
        self.assertEqual(begun, [1])

    def test_pauses_go_on_when_the_items_are_over(self) -> None:
        done: list[int] = []

        def act(item: int) -> None:
            sleep(0.2 * item)
            done.append(item)

        for_each(iter([0, 1, 2]), 4, act)
        self.assertEqual(done, [0, 1, 2])
        sleep(0.001)
