"""A tournament between two copies of Kelso, with pydraughts (pip install pydraughts). Writes the games to a PDN file.

    python tournament.py kelso games.pdn [GAMES [SECONDS [INCREMENT]]]
"""

import shutil
import sys

try:
    from draughts.tournament import RoundRobin
except ImportError:
    sys.exit("tournament.py needs pydraughts: pip install pydraughts")

if len(sys.argv) < 3:
    sys.exit(__doc__)
name, file = sys.argv[1:3]
engine = shutil.which(name) or sys.exit(f"no program {name}")
games, seconds, increment = (float(text) for text in (sys.argv[3:] + ["2", "1", "0.1"][len(sys.argv) - 3 :]))

# pydraughts itself uses part of the time for each move; "move-overhead" reserves it, in milliseconds.
options = {"variant": "english", "orientation": "turned", "hash": 16, "move-overhead": 150}
players = [
    ([engine, "hub"], "hub", options, None),
    ([engine, "hub"], "hub", {**options, "evaluation": "material"}, None),
]
tournament = RoundRobin(file, players, seconds, increment, variant="english", games_per_pair=int(games))
print("scores:", tournament.play())
tournament.print_standings()
