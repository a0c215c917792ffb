"""Plays against Kelso with pydraughts (pip install pydraughts): a depth, a clock, and pondering.

    python play.py kelso
"""

import shutil
import sys
import threading
import time

try:
    from draughts import Board, Move
    from draughts.engine import HubEngine, Limit
except ImportError:
    sys.exit("play.py needs pydraughts: pip install pydraughts")

name = sys.argv[1] if len(sys.argv) > 1 else "kelso"
engine = HubEngine([shutil.which(name) or sys.exit(f"cannot find the program {name!r}"), "hub"])
# pydraughts sends rotated positions.
engine.configure({"variant": "english", "orientation": "turned", "hash": 16})
engine.init()
board = Board("english")

# Play 11-15, and let Kelso search ten plies.
board.push(Move(board, pdn_move="11-15"))
answer = engine.play(board, Limit(depth=10), ponder=False)
print("depth 10:", answer.move.pdn_move, answer.info["score"])
board.push(answer.move)

# A clock: two seconds for the game, and a tenth of a second for each move.
limit = Limit(time=2.0, inc=0.1)
for _ in range(4):
    begun = time.perf_counter()
    answer = engine.play(board, limit, ponder=False)
    limit.time += limit.inc - (time.perf_counter() - begun)
    print("clock:", answer.move.pdn_move, f"{limit.time:.2f} s left")
    board.push(answer.move)

# Pondering: while we think, the engine searches the position after the expected reply.
board.push(answer.ponder or board.legal_moves()[0])
pondered = []
thread = threading.Thread(target=lambda: pondered.append(engine.play(board, Limit(movetime=0.2), ponder=True)))
thread.start()
time.sleep(0.5)
engine.ponderhit()
thread.join()
print("ponder:", pondered[0].move.pdn_move, "depth", pondered[0].info["depth"])

engine.quit()
engine.kill_process()
