"""Compares the legal moves of pydraughts and Kelso over Hub, in positions reached by random play.

    python agreement.py ENGINE POSITIONS [SEED]

Kelso lists its moves in the error for an illegal one, and must accept each of them.
"""

import random
import re
import subprocess
import sys

from draughts import Board

engine, wanted = sys.argv[1], int(sys.argv[2])
chance = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
process = subprocess.Popen([engine, "hub"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(lines):
    """Returns the errors for some lines."""
    process.stdin.write("\n".join([*lines, "ping"]) + "\n")
    process.stdin.flush()
    errors = []
    while (line := process.stdout.readline().rstrip("\n")) != "pong":
        assert line.startswith("error message="), line
        errors.append(line)
    return errors


def check(board):
    # The form in which pydraughts sends positions.
    position = board._game.get_fen()
    (error,) = ask([f"pos pos={position} moves=1-1"])
    ours = set(re.split(": expected one of |: the only legal move is ", error.rstrip('"'))[1].split())
    theirs = {move.hub_move for move in board.legal_moves()}
    assert ours == theirs, f"{position}: {sorted(ours - theirs)} only here, {sorted(theirs - ours)} only there"
    errors = ask([f"pos pos={position} moves={move}" for move in ours])
    assert not errors, errors
    return len(ours)


assert not ask(["set-param name=orientation value=turned"])
positions = moves = longest = 0
board = Board("english")
while positions < wanted:
    if board.is_over() or len(board.move_stack) > 150:
        board = Board("english")
    moves += check(board)
    positions += 1
    move = chance.choice(board.legal_moves())
    longest = max(longest, len(move.captures or []))
    board.push(move)
process.communicate("quit\n")
print(f"{positions} positions, {moves} moves, captures of up to {longest} pieces: the same")
