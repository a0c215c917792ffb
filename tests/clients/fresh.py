"""Asks new engines for a move in a position, as pydraughts does without any parameter for the orientation.

    python fresh.py ENGINE FEN ...

Prints the move and its score for each position, and last the score of a book move.
"""

import sys

from draughts import Board
from draughts.engine import HubEngine, Limit


def ask(board, options, limit):
    engine = HubEngine([sys.argv[1], "hub"])
    engine.configure({"variant": "english", **options})
    engine.init()
    found = engine.play(board, limit, ponder=False)
    engine.quit()
    engine.kill_process()
    # pydraughts has no such move if the engine saw another position.
    assert found.move.pdn_move in [move.pdn_move for move in board.legal_moves()], found.move.pdn_move
    return found


for fen in sys.argv[2:]:
    found = ask(Board("english", fen), {}, Limit(depth=6))
    print(found.move.pdn_move, found.info["score"])
print("book", ask(Board("english"), {"book": "true"}, Limit(depth=6)).info["score"])
