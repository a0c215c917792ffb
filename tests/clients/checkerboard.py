"""Plays pydraughts' engine for CheckerBoard, which loads the library, against its engine for Hub, and checks both.

    python checkerboard.py LIBRARY ENGINE [GAMES [SECONDS [INCREMENT]]]

Every move must be legal, the library must handle every command, and pydraughts must know every line.
"""

import ctypes
import logging
import os
import re
import sys

from draughts import Board
from draughts.engine import CheckerBoardEngine, HubEngine, Limit

if os.name != "nt":
    # These names exist only on Windows.
    os.add_dll_directory = lambda folder: None
    ctypes.windll = ctypes.cdll

library, program = sys.argv[1:3]
games = int(sys.argv[3]) if len(sys.argv) > 3 else 2
seconds = float(sys.argv[4]) if len(sys.argv) > 4 else 1.0
increment = float(sys.argv[5]) if len(sys.argv) > 5 else 0.05


class Listener(logging.Handler):
    """Fails on warnings: pydraughts warns about unknown lines."""

    def emit(self, record):
        assert record.levelno < logging.WARNING, record.getMessage()


logging.getLogger("pydraughts").addHandler(Listener())
loaded = CheckerBoardEngine(library)
enginecommand = loaded.engine.enginecommand
histories = 0


def checked(command):
    global histories
    # pydraughts cuts commands to 256 characters, without a terminating zero.
    if len(command) == 256:
        command = command.rsplit(" ", 1)[0]
    reply, handled = enginecommand(command)
    # It removes the beginning of long histories, which makes them invalid commands.
    assert handled == 1 or not command.startswith("set "), f"{command}: {reply.decode()}"
    histories += command.startswith("set gamehist ")
    return reply, handled


def squares(move):
    """Returns the ends and captured squares of a move in any notation."""
    start, end, *captured = map(int, re.findall("[0-9]+", move))
    return start, end, frozenset(captured)


loaded.engine.enginecommand = checked
loaded.configure({"hashsize": 16, "enable_wld": 1, "max_dbpieces": 24})
spoken = HubEngine([program, "hub"])
spoken.configure({"variant": "english", "orientation": "turned", "hash": 16})
spoken.init()
moves = 0
results = []
for game in range(games):
    board = Board("english")
    players = [loaded, spoken] if game % 2 == 0 else [spoken, loaded]
    while not board.is_over() and len(board.move_stack) < 200:
        player = players[len(board.move_stack) % 2]
        limit = Limit(time=seconds, inc=increment)
        answer = player.play(board, limit) if player is loaded else player.play(board, limit, ponder=False)
        legal = [move.hub_move for move in board.legal_moves()]
        assert squares(answer.move.hub_move) in map(squares, legal), f"{answer.move.hub_move}: expected one of {legal}"
        board.push(answer.move)
        moves += 1
    results.append({1: "1-0", 2: "0-1"}.get(board.winner(), "draw"))
spoken.quit()
spoken.kill_process()
print(f"{loaded.id['name']}: {games} games, {moves} moves, {histories} histories, {' '.join(results)}")
