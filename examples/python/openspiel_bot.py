"""Kelso as a bot for OpenSpiel's checkers (pip install open_spiel), whose rules are those of English draughts.

    python openspiel_bot.py kelso [NODES [GAMES]]

plays games against random moves. For use in other programs: `KelsoBot("kelso", nodes=1000).step(state)`.
"""

import random
import subprocess
import sys

if __name__ == "__main__" and len(sys.argv) < 2:
    sys.exit(__doc__)
try:
    import pyspiel
except ImportError:
    sys.exit("openspiel_bot.py needs OpenSpiel: pip install open_spiel")

PIECES = {"o": ("B", ""), "8": ("B", "K"), "+": ("W", ""), "*": ("W", "K")}


def square_name(number):
    """Returns OpenSpiel's name of a square. OpenSpiel's first player is Black, at the bottom of the board."""
    row, place = divmod(number - 1, 4)
    return "abcdefgh"[6 - 2 * place + row % 2] + str(row + 1)


NUMBERS = {square_name(number): number for number in range(1, 33)}


def fen(state):
    """Returns the position of a state."""
    sides = {"B": [], "W": []}
    for line in str(state).splitlines()[:8]:
        for column, piece in zip("abcdefgh", line[1:]):
            if piece in PIECES:
                side, king = PIECES[piece]
                sides[side].append(f"{king}{NUMBERS[column + line[0]]}")
    return f"{'BW'[state.current_player()]}:W{','.join(sides['W'])}:B{','.join(sides['B'])}"


class KelsoBot(pyspiel.Bot):
    """A bot that searches a number of nodes for each move."""

    def __init__(self, program, nodes=1000):
        super().__init__()
        self.nodes = nodes
        self.engine = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.rest = []

    def ask(self, line, last):
        print(line, file=self.engine.stdin, flush=True)
        answer = []
        while not (answer and answer[-1].startswith(last)):
            line = self.engine.stdout.readline()
            if not line or line.startswith("info string error"):
                raise RuntimeError(line.strip() or "the engine has ended")
            answer.append(line.strip())
        return answer

    def paths(self, state):
        """Returns the squares of each legal move, by the move's name."""
        answer = self.ask(f"position fen {fen(state)}\nmoves paths", "moves")
        found = {}
        for words in (line.split() for line in answer[:-1]):
            end = words.index("captures") if "captures" in words else None
            found.setdefault(words[1], [square_name(int(word)) for word in words[3:end]])
        return found

    def step(self, state):
        """Returns an action. OpenSpiel counts each jump of a capture as one."""
        if not self.rest:
            paths = self.paths(state)
            best = self.ask(f"go nodes {self.nodes}", "bestmove")[-1].split()[1]
            self.rest = [a + b for a, b in zip(paths[best], paths[best][1:])]
        player = state.current_player()
        actions = {state.action_to_string(player, action): action for action in state.legal_actions()}
        return actions[self.rest.pop(0)]

    def restart(self):
        self.rest = []


def main():
    program, nodes, games = sys.argv[1], int((sys.argv + [""] * 3)[2] or 200), int((sys.argv + [""] * 4)[3] or 10)
    bot, chance = KelsoBot(program, nodes), random.Random(1)
    points = 0
    for game in range(games):
        state = pyspiel.load_game("checkers").new_initial_state()
        bot.restart()
        while not state.is_terminal():
            ours = state.current_player() == game % 2
            state.apply_action(bot.step(state) if ours else chance.choice(state.legal_actions()))
        points += state.returns()[game % 2]
    print(f"{games} games against random moves: {points:+.0f}")
    bot.engine.stdin.close()
    bot.engine.wait()


if __name__ == "__main__":
    main()
