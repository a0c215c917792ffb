"""The moves of OpenSpiel's checkers, such as a3b4, on kelso.Board. OpenSpiel's first player is Black, at the bottom of
the board, and each jump of a capture is a move of its own."""

import json
import pathlib

import kelso


def square_name(number):
    row, place = divmod(number - 1, 4)
    return "abcdefgh"[6 - 2 * place + row % 2] + str(row + 1)


NAMES = {number: square_name(number) for number in range(1, 33)}
NUMBERS = {name: number for number, name in NAMES.items()}


def board_of(texts):
    """Plays moves. Returns the board, and the squares visited by a capture that has not ended."""
    board, squares = kelso.Board(), ()
    for text in texts:
        first, last = NUMBERS.get(text[:2]), NUMBERS.get(text[2:4])
        squares = (squares or (first,)) + (last,)
        paths = {path: move for move in board.legal_moves for path in move.paths}
        if squares in paths:
            board.push(paths[squares])
            squares = ()
        elif not any(path[: len(squares)] == squares for path in paths) or first != squares[-2]:
            raise ValueError(f"illegal move {text!r} after {len(board.move_stack)} moves")
    return board, squares


def read_games(path):
    """Yields the players and the moves of each game: of a replay of Kaggle's checkers (JSON), or of each line of a
    text."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    if not text.lstrip().startswith("{"):
        yield from ((["Black", "White"], line.split()) for line in text.splitlines() if line.strip())
        return
    replay = json.loads(text)
    agents = [agent for step in replay["steps"] for agent in step]
    moves = [agent.get("info", {}).get("actionSubmittedToString") for agent in agents]
    yield replay.get("info", {}).get("TeamNames") or ["Black", "White"], [move for move in moves if move]
