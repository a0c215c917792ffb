"""Asks new engines for a move in a position, like pydraughts without an orientation parameter.

    python fresh.py ENGINE FEN ...

Prints the move and its score for each position, and finally the score of a book move.
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
    # pydraughts does not know the move if the engine saw a different position.
    assert found.move.pdn_move in [move.pdn_move for move in board.legal_moves()], found.move.pdn_move
    return found


for fen in sys.argv[2:]:
    found = ask(Board("english", fen), {}, Limit(depth=6))
    print(found.move.pdn_move, found.info["score"])
print("book", ask(Board("english"), {"book": "true"}, Limit(depth=6)).info["score"])
