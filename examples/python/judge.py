"""Judges games of checkers between models: writes them with verdicts to a PDN file, and prints for each player the proved
errors, the accuracy (docs/games.md), and a rating beside Kelso's levels (docs/board.md, docs/figures.md).

    python judge.py games.pdn FILE ...

A FILE is a replay of Kaggle's checkers (JSON), or text with a game in each line, in OpenSpiel's moves (a3b4 d6c5 ...).
"""

import pathlib
import sys

import kelso
from openspiel_moves import board_of, read_games

NODES = 50_000
# The accuracy and the rating of levels 1 to 10.
LEVELS = [(69.4, 1000), (74.5, 1092), (78.6, 1231), (80.7, 1355), (84.2, 1479)]
LEVELS += [(86.5, 1589), (88.3, 1678), (91.1, 1796), (92.2, 1884), (94.3, 2030)]


def rating(accuracy):
    """Interpolates between the levels; below level 1 and above level 10, returns their ratings."""
    for (low, worse), (high, better) in zip(LEVELS, LEVELS[1:]):
        if accuracy < high:
            return worse + max(0, accuracy - low) / (high - low) * (better - worse)
    return LEVELS[-1][1]


games, found, errors = [], {}, {}
for names, texts in (game for path in sys.argv[2:] for game in read_games(path)):
    board, _ = board_of(texts)
    result = board.result(draw_rule="plies 40")
    game = kelso.Game(board, tags={"Black": names[0], "White": names[1]}, result=result)
    analysis = kelso.analyse(game, nodes=NODES)
    games.append(str(analysis.game))
    for ply, move in enumerate(analysis.moves):
        name = names[ply % 2]
        if "accuracy" in move:  # not if it was forced, or if the game was decided
            found.setdefault(name, []).append(move["accuracy"])
        proved = [verdict["kind"] for verdict in move.get("verdicts", []) if verdict["by"] == "database"]
        errors.setdefault(name, []).extend(kind for kind in proved if kind.startswith(("lost", "missed")))
pathlib.Path(sys.argv[1]).write_text("\n".join(games), encoding="utf-8")
for name, own in found.items():
    mean, bad = sum(own) / len(own), len(errors[name])
    print(f"{name}: accuracy {mean:.1f}% of {len(own)} moves, rating {rating(mean):.0f}, proved errors {bad}")
