#!/usr/bin/env python3
"""Compares Kelso's rules with those of the Python package pydraughts, an independent implementation.

    pip install pydraughts
    cargo build --release
    python3 examples/python/pydraughts_agreement.py --positions 10000

A third of the games starts from the starting position, a third with random pieces, and a third with kings that can capture
in circles; all continue with random moves. In every position, this script compares the squares of each move and each path of
a capture, the number of different moves (by start, end and captured pieces), and the position after the move that led to it.
It uses the native protocol (protocol.md). The exit status is 0 if there are no differences.
"""

import argparse
import random
import subprocess
import sys
import warnings

try:
    from draughts import Board
except ImportError:
    sys.exit("error: pydraughts is missing; install it with pip install pydraughts")


class Kelso:
    """An engine as a child process."""

    def __init__(self, path):
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def look_at(self, position):
        """Returns the canonical FEN, moves and paths of a position in the words of the `position` command."""
        self.process.stdin.write(f"position {position}\nshow\nmoves\ngo perft 1\n")
        self.process.stdin.flush()
        fen, moves, paths = None, [], []
        for line in self.process.stdout:
            words = line.split()
            if words[:1] == ["fen"]:
                fen = words[1]
            elif words[:1] == ["moves"]:
                moves = [] if words[1:] == ["none"] else words[1:]
            elif words[:2] == ["perft", "move"]:
                paths.append(words[2])
            elif words[:2] == ["perft", "depth"]:
                return fen, moves, sorted(paths)
            elif words[:3] == ["info", "string", "error:"]:
                raise RuntimeError(f"{line.strip()} (after: position {position})")
        raise RuntimeError(f"the engine ended (after: position {position})")

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait(timeout=30)


def path_of(move):
    """Returns every square that the piece visits in a move of pydraughts."""
    squares = [move.board_move[0][0]] + [step[1] for step in move.board_move]
    return ("x" if move.captures else "-").join(map(str, squares))


def result_of(move):
    """Returns the identity of a move, since pydraughts lists every path of a capture separately."""
    return move.board_move[0][0], move.board_move[-1][1], frozenset(move.captures)


def canonical(fen):
    """Returns a FEN with its squares in numerical order; pydraughts sorts them as text."""
    side, white, black = fen.split(":")

    def ordered(pieces):
        return pieces[0] + ",".join(sorted(filter(None, pieces[1:].split(",")), key=lambda p: int(p.lstrip("K"))))

    return ":".join([side, ordered(white), ordered(black)])


def random_setup(dice):
    """Returns up to twelve pieces of each side anywhere, with few or many kings, and men only where men can be."""
    while True:
        squares = dice.sample(range(1, 33), 32)
        kings = dice.random()
        lists = []
        for letter, far in (("W", range(1, 5)), ("B", range(29, 33))):
            own = sorted(squares.pop() for _ in range(dice.randint(0, 12)))
            crowned = [square in far or dice.random() < kings for square in own]
            lists.append(letter + ",".join(("K" if king else "") + str(square) for king, square in zip(crowned, own)))
        if len(lists[0]) + len(lists[1]) > 2:
            return ":".join([dice.choice("BW")] + lists)


def random_rings(dice):
    """Returns enemies on every second row, away from the edges, so that kings can jump in rings and figures of eight."""
    rows = dice.choice([[6, 7, 8, 14, 15, 16, 22, 23, 24], [9, 10, 11, 17, 18, 19, 25, 26, 27]])
    enemies = dice.sample(rows, dice.randint(4, 9))
    free = [square for square in range(1, 33) if square not in enemies]
    kings = dice.sample(free, dice.randint(1, 4))
    side, other = dice.choice(["WB", "BW"])
    lists = sorted([side + ",".join(f"K{k}" for k in kings), other + ",".join(map(str, enemies))], reverse=True)
    return ":".join([side] + lists)


def compare(kelso, board, position):
    """Returns the differences in a position, as lines of text, and pydraughts' moves."""
    fen, moves, paths = kelso.look_at(position)
    theirs = board.legal_moves()
    their_paths = sorted(map(path_of, theirs))
    their_count = len(set(map(result_of, theirs)))
    differences = []
    if fen != canonical(board.fen):
        differences.append(f"position: {fen}, pydraughts {canonical(board.fen)}")
    if paths != their_paths:
        differences.append(f"paths: {' '.join(paths)}, pydraughts {' '.join(their_paths)}")
    if len(moves) != their_count:
        differences.append(f"moves: {' '.join(moves)}, pydraughts {their_count} different ones")
    return differences, theirs


def main():
    parser = argparse.ArgumentParser(description="Compare Kelso's rules with those of pydraughts.")
    parser.add_argument("--engine", default="target/release/kelso", help="the program (%(default)s)")
    parser.add_argument("--positions", type=int, default=10_000, help="how many positions (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="another number, other positions (%(default)s)")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", ResourceWarning)
    dice = random.Random(arguments.seed)
    try:
        kelso = Kelso(arguments.engine)
    except OSError as error:
        sys.exit(f"error: cannot start {arguments.engine}: {error}")
    looked_at = captures = several_paths = disagreements = 0
    while looked_at < arguments.positions:
        fen = dice.choice([None, random_setup(dice), random_rings(dice)])
        board = Board(variant="english", fen=fen or "startpos")
        position = f"fen {board.fen}" if fen else "startpos"
        for _ in range(150):
            differences, moves = compare(kelso, board, position)
            looked_at += 1
            captures += any(move.captures for move in moves)
            several_paths += len(set(map(result_of, moves))) < len(moves)
            if differences:
                disagreements += 1
                print(f"position {position}", *differences, sep="\n  ")
            if not moves or looked_at == arguments.positions:
                break
            move = dice.choice(moves)
            # Each side plays the move on its own, from the same position.
            position = f"fen {canonical(board.fen)} moves {path_of(move)}"
            board.push(move)
    status = kelso.close()
    print(
        f"{looked_at} positions, {captures} with captures, {several_paths} with several paths to one move: "
        f"{disagreements} disagreements"
    )
    return 1 if disagreements or status else 0


if __name__ == "__main__":
    sys.exit(main())
