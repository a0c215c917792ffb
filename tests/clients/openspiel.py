"""Compares the legal moves, with their complete capture paths, with those of OpenSpiel's checkers in random games.

    python openspiel.py kelso [POSITIONS]
"""

import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "examples" / "python"))

import pyspiel
from openspiel_bot import KelsoBot, square_name
from openspiel_bot import fen as bot_fen


def paths(state):
    """Returns the squares of each complete move of a state of OpenSpiel, which counts each jump as an action."""
    player, found = state.current_player(), set()

    def extend(state, squares):
        if state.is_terminal() or state.current_player() != player:
            found.add(squares)
            return
        for action in state.legal_actions():
            text = state.action_to_string(player, action)
            # A capture continues with the same piece.
            if not squares or text[:2] == squares[-1]:
                extend(state.child(action), (squares or (text[:2],)) + (text[2:4],))

    extend(state, ())
    return found


def main():
    bot, chance = KelsoBot(sys.argv[1]), random.Random(7)
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    checked = captures = 0
    while checked < wanted:
        state = pyspiel.load_game("checkers").new_initial_state()
        player = None
        while not state.is_terminal() and checked < wanted:
            # Only at the beginning of a move.
            if state.current_player() != player:
                player = state.current_player()
                answer = bot.ask(f"position fen {bot_fen(state)}\nmoves paths", "moves")
                ours = {squares(line) for line in answer[:-1]}
                theirs = paths(state)
                if ours != theirs:
                    sys.exit(f"{bot_fen(state)}: Kelso has {sorted(ours)}, OpenSpiel {sorted(theirs)}")
                checked += 1
                captures += any(" captures " in line for line in answer)
            state.apply_action(chance.choice(state.legal_actions()))
    print(f"{checked} positions, {captures} with captures: no difference")
    bot.engine.stdin.close()
    bot.engine.wait()


def squares(line):
    words = line.split()
    end = words.index("captures") if "captures" in words else None
    return tuple(square_name(int(word)) for word in words[3:end])



if __name__ == "__main__":
    main()
