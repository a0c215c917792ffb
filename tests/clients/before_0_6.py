"""Plays a game through pydraughts before 0.6, which needs the orientation `normal`.

    python tests/clients/before_0_6.py ENGINE PLIES
"""

import sys

from draughts import Game
from draughts.engine import HubEngine, Limit

engine = HubEngine([sys.argv[1], "hub"])
engine.configure({"variant": "english", "orientation": "normal"})
engine.init()
game = Game(variant="english")
plies = 0
while not game.is_over() and plies < int(sys.argv[2]):
    game.push(engine.play(game, Limit(depth=3), ponder=False).move.board_move)
    plies += 1
print(f"{plies} plies")
engine.quit()
engine.kill_process()
