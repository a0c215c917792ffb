"""An engine in Python that speaks Hub, the protocol of Scan: rules by kelso.Board, search by agent.py.

    kelso match --engine "name=ours proto=hub cmd=python3 args=hub_engine.py" --engine "level=1" --each nodes=1000
"""

import re
import sys

import kelso
from agent import choose, evaluate

COLORS = {"W": kelso.WHITE, "B": kelso.BLACK}


def write(move):
    """Formats a move as Hub does: the first and last square and the captured pieces."""
    squares = [move.from_square, move.to_square, *move.captures]
    return ("x" if move.is_capture else "-").join(map(str, squares))


def read(line):
    """Parses `pos pos=Bbbb...www moves="11-15 23-18"`."""
    letters = re.search(r"pos=([WB])([wWbBe]{32})", line)
    sets = [sum(1 << at for at, letter in enumerate(letters[2]) if letter == kind) for kind in "bBwW"]
    board = kelso.Board.from_bitboards(*sets, COLORS[letters[1]])
    moves = re.search(r'moves="([^"]*)"', line)
    for text in moves[1].split() if moves else []:
        first, last, *captured = map(int, re.split("[-x]", text))
        wanted = (first, last, *sorted(captured))
        board.push(next(move for move in board.legal_moves if (move.from_square, move.to_square, *move.captures) == wanted))
    return board


def answer(board):
    move = choose(board, 3)
    if move is None:
        return "done"
    return f'info depth=3 score={evaluate(board) / 100:.2f} pv="{write(move)}"\ndone move={write(move)}'


def main():
    board, waiting = kelso.Board(), False
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "hub":
            print('id name="Python Hub" version=1 author="you"\nwait', flush=True)
        elif word in ("init", "ping"):
            print({"init": "ready", "ping": "pong"}[word], flush=True)
        elif word == "pos":
            board = read(line)
        elif line.strip() == "go think" or waiting and word in ("stop", "ponder-hit"):
            waiting = False
            print(answer(board), flush=True)
        elif word == "quit":
            break
        waiting = waiting or (word == "go" and rest != "think")  # until "stop" or "ponder-hit"


if __name__ == "__main__":
    main()
