"""Kelso as a bot for OpenSpiel's checkers (pip install kelso open_spiel), whose rules are those of English draughts.

    python openspiel_bot.py [NODES [GAMES]]

plays games against random moves. For use in other programs: `KelsoBot(nodes=1000).step(state)`.
"""

import random
import sys

import kelso
import pyspiel
from openspiel_moves import NAMES, board_of


def board_of_state(state):
    """Returns the board with the game's moves, and the squares visited by a capture that has not ended."""
    walk, texts = state.get_game().new_initial_state(), []
    for action in state.history():
        texts.append(walk.action_to_string(walk.current_player(), action))
        walk.apply_action(action)
    return board_of(texts)


class KelsoBot(pyspiel.Bot):
    """Searches a number of nodes for each move, with the game's history and OpenSpiel's draw rule: 40 plies without a
    capture."""

    def __init__(self, nodes=1000, **options):
        super().__init__()
        self.nodes, self.best = nodes, None
        self.engine = kelso.Engine(**options)
        if "DrawRule" in self.engine.options:  # not in every version
            self.engine.set_option("DrawRule", "plies 40")

    def step(self, state):
        """Returns an action. OpenSpiel counts each jump of a capture as one."""
        board, squares = board_of_state(state)
        if not squares:
            self.best = self.engine.search(board, nodes=self.nodes).best
            squares = (self.best.from_square,)
        path = next(path for path in self.best.paths if path[: len(squares)] == squares)
        name = NAMES[path[len(squares) - 1]] + NAMES[path[len(squares)]]
        player = state.current_player()
        return next(action for action in state.legal_actions() if state.action_to_string(player, action)[:4] == name)


def main(nodes=200, games=10):
    bot, chance, points = KelsoBot(nodes), random.Random(1), 0
    for game in range(games):
        state = pyspiel.load_game("checkers").new_initial_state()
        while not state.is_terminal():
            ours = state.current_player() == game % 2
            state.apply_action(bot.step(state) if ours else chance.choice(state.legal_actions()))
        points += state.returns()[game % 2]
    print(f"{games} games against random moves: {points:+.0f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
