"""Prints Kelso's choice for each move of a PDN game, with pydraughts (pip install pydraughts).

    python analyse.py kelso game.pdn [DEPTH]
"""

import shutil
import sys

try:
    from draughts import Board, Move
    from draughts.engine import HubEngine, Limit
    from draughts.PDN import PDNReader
except ImportError:
    sys.exit("analyse.py needs pydraughts: pip install pydraughts")

if len(sys.argv) < 3:
    sys.exit(__doc__)
name, file = sys.argv[1:3]
depth = int(sys.argv[3]) if len(sys.argv) > 3 else 12
try:
    with open(file) as text:
        games = PDNReader(text.read()).games
except (OSError, ValueError) as error:
    sys.exit(f"no games in {file}: {error}")

engine = HubEngine([shutil.which(name) or sys.exit(f"no program {name}"), "hub"])
# pydraughts sends rotated positions.
engine.configure({"variant": "english", "orientation": "turned"})
engine.init()
for game in games:
    print(game.tags.get("Black", "?"), "against", game.tags.get("White", "?"), game.game_ending)
    board = Board("english", game.tags.get("FEN", "startpos"))
    for ply, text in enumerate(game.moves):
        played = Move(board, pdn_move=text)
        best = engine.play(board, Limit(depth=depth), ponder=False)
        mark = "" if best.move.pdn_move == played.pdn_move else f"better {best.move.pdn_move}"
        print(f"{ply // 2 + 1:3}{'.' if ply % 2 == 0 else ' '} {played.pdn_move:8} {best.info['score']} {mark}")
        board.push(played)

engine.quit()
engine.kill_process()
