"""Tests of the Python module that the doctests cannot show: interrupted searches, threads, and engines that end.

    KELSO=PROGRAM python3 packaging/python/test_engine.py
"""

import faulthandler
import os
import signal
import sys
import threading
import time
import unittest

if "KELSO" in os.environ:
    sys.path.insert(0, os.path.dirname(__file__))
from kelso import Engine, EngineError, Position
from kelso.engine import program

PROGRAM = os.environ.get("KELSO") or program()
REPLIES = Position(moves=["11-15"])


def fail(info):
    raise KeyError(info.depth)


class Interrupted(unittest.TestCase):
    def setUp(self):
        # A hang is a failure.
        faulthandler.dump_traceback_later(60, exit=True)
        self.engine = Engine(PROGRAM)

    def tearDown(self):
        self.engine.close()
        faulthandler.cancel_dump_traceback_later()

    def test_a_function_that_fails_ends_the_search(self):
        for _ in range(3):
            with self.assertRaises(KeyError):
                self.engine.search(REPLIES, on_info=fail)
            self.assertIn(self.engine.search(depth=3).best, self.engine.legal_moves())

    @unittest.skipIf(os.name == "nt", "SIGINT")
    def test_an_interrupt_ends_the_search(self):
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            self.engine.search(REPLIES)
        self.assertIn(self.engine.search(depth=3).best, self.engine.legal_moves())

    def test_threads_take_turns(self):
        results = {}

        def search(moves):
            results[moves] = [self.engine.search(Position(moves=moves), depth=5).best for _ in range(5)]

        threads = [threading.Thread(target=search, args=(moves,)) for moves in ((), ("9-13",), ("11-15", "23-19"))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for moves, found in results.items():
            self.assertTrue(set(found) <= set(self.engine.legal_moves(Position(moves=moves))), (moves, found))

    def test_no_other_command_during_a_search(self):
        with self.assertRaisesRegex(EngineError, "a search is running"):
            self.engine.search(on_info=lambda info: self.engine.evaluate())
        self.assertEqual(self.engine.search(Position("B:W32:BK22,K23"), depth=3).lines[0].score.kind, "win")

    def test_an_engine_that_ends_is_an_error(self):
        threading.Timer(0.3, self.engine._process.kill).start()
        with self.assertRaisesRegex(EngineError, "the engine has ended"):
            self.engine.search()
        with self.assertRaises(EngineError):
            self.engine.search(depth=1)

    def test_closing_ends_a_search(self):
        threading.Timer(0.3, self.engine.close).start()
        self.assertIsNotNone(self.engine.search().best)
        with self.assertRaises(EngineError):
            self.engine.legal_moves()

    def test_a_block_that_fails_closes_the_engine(self):
        with self.assertRaises(KeyError):
            with Engine(PROGRAM) as engine:
                engine.search(on_info=fail)
        self.assertIsNotNone(engine._process.poll())

    def test_wrong_limits_and_moves(self):
        started = time.monotonic()
        with self.assertRaises(EngineError):
            self.engine.search(depth=-1)
        self.assertLess(time.monotonic() - started, 20)
        self.assertIsNotNone(self.engine.search(depth=1).best)
        with self.assertRaisesRegex(TypeError, "a list of moves"):
            Position(moves="11-15")


if __name__ == "__main__":
    unittest.main()
