"""An agent for a course: its own evaluation and its own search over kelso.Board (pip install kelso).

    python agent.py [DEPTH [GAMES]]    plays games against random moves, half of them with each colour
"""

import random
import sys

import kelso

LOST = -1_000_000


def evaluate(board):
    """Values a position for the side to move, in hundredths of a man."""
    value = 0
    for color, sign in ((board.turn, 1), (board.turn.opponent, -1)):
        value += sign * (100 * bin(board.men(color)).count("1") + 140 * bin(board.kings(color)).count("1"))
    return value


def search(board, depth, alpha=LOST, beta=-LOST):
    """Returns the value of a position for the side to move, by alpha-beta. Captures are played to their end."""
    if depth <= 0 and not board.must_capture:
        return evaluate(board)
    best = LOST - depth  # without a legal move, the game is lost; better late than soon
    for move in board.legal_moves:
        board.push(move)
        best = max(best, -search(board, depth - 1, -beta, -max(alpha, best)))
        board.pop()
        if best >= beta:
            break
    return best


def choose(board, depth=4):
    """Returns the best move, or None; a random one of equal moves."""

    def value(move):
        board.push(move)
        found = -search(board, depth - 1)
        board.pop()
        return found, random.random()

    return max(board.legal_moves, key=value, default=None)


def main(depth=4, games=10):
    points = 0.0
    for game in range(games):
        board = kelso.Board()
        while not board.is_game_over():
            ours = board.turn == game % 2
            board.push(choose(board, depth) if ours else random.choice(board.legal_moves))
        points += {"1-0": 1 - game % 2, "0-1": game % 2}.get(board.result(), 0.5)
    print(f"{points} points in {games} games against random moves")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
