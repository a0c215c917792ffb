"""Plays pydraughts' own round robin between two copies of Kelso, and checks it.

    python tournament.py ENGINE GAMES [SECONDS [INCREMENT [OVERHEAD]]]

OVERHEAD is the engine's move-overhead in milliseconds, for pydraughts and the system.

Every move must be legal, no clock may run out, and pydraughts must know every line. Prints a line for each pair of games
and each fault, and one at the end; the exit status is 0 without faults.
"""

import logging
import os
import sys
import tempfile
import time

from draughts.engine import HubEngine
from draughts.tournament import RoundRobin

engine, games = sys.argv[1], int(sys.argv[2])
seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 1.0
increment = float(sys.argv[4]) if len(sys.argv) > 4 else 0.1
overhead = int(sys.argv[5]) if len(sys.argv) > 5 else 150
faults = 0
moves = 0
least = float("inf")


def fault(text):
    global faults
    faults += 1
    print(f"fault: {text}", flush=True)


class Listener(logging.Handler):
    """Counts warnings as faults: pydraughts warns about unknown lines."""

    def emit(self, record):
        if record.levelno >= logging.WARNING:
            fault(record.getMessage())


logging.getLogger("pydraughts").addHandler(Listener())
play = HubEngine.play


def timed_play(self, board, limit, ponder):
    """Plays a move and checks its time. pydraughts exits on an illegal move."""
    global moves, least
    begun = time.perf_counter()
    result = play(self, board, limit, ponder)
    left = limit.time - (time.perf_counter() - begun)
    moves += 1
    least = min(least, left)
    if left < 0:
        fault(f"time lost by {-left:.3f} s at ply {len(board.move_stack) + 1}")
    return result


HubEngine.play = timed_play
options = {"variant": "english", "hash": 16, "move-overhead": overhead}
players = [([engine, "hub"], "hub", dict(options), None) for _ in range(2)]
scores = [0, 0]
with tempfile.TemporaryDirectory() as folder:
    for pair in range((games + 1) // 2):
        match = RoundRobin(
            os.path.join(folder, "games.pdn"),
            players,
            start_time=seconds,
            increment=increment,
            variant="english",
            games_per_pair=min(2, games - 2 * pair),
        )
        scores = [a + b for a, b in zip(scores, match.play())]
        played = min(2 * pair + 2, games)
        print(f"{played} games, {moves} moves, {scores}, least time left {least:.3f} s, faults {faults}", flush=True)
print(f"{games} games of {seconds} s + {increment} s, {moves} moves, least time left {least:.3f} s")
sys.exit(1 if faults else 0)
