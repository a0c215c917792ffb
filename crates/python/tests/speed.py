"""Measures the speed of the module: python3 crates/python/tests/speed.py"""

import random
import time

import kelso


def bulk(board, depth):
    """Counts leaves; the last ply is counted, not played."""
    if depth == 1:
        return len(board.legal_moves)
    leaves = 0
    for move in board.legal_moves:
        board.push(move)
        leaves += bulk(board, depth - 1)
        board.pop()
    return leaves


def full(board, depth):
    """Counts leaves, and plays every one."""
    if depth == 0:
        return 1
    leaves = 0
    for move in board.legal_moves:
        board.push(move)
        leaves += full(board, depth - 1)
        board.pop()
    return leaves


def timed(name, act, count):
    best = min(measure(act) for _ in range(6))
    print(f"{name}: {count / best / 1e6:.2f} million per second")


def measure(act):
    started = time.process_time()
    act()
    return time.process_time() - started


def main():
    assert bulk(kelso.Board(), 8) == 845_931
    timed("leaves to depth 8, counted", lambda: bulk(kelso.Board(), 8), 845_931)
    timed("leaves to depth 8, played", lambda: full(kelso.Board(), 8), 845_931)
    chance, boards, board = random.Random(1), [], kelso.Board()
    while len(boards) < 20_000:
        boards.append(board.copy(stack=False))
        board = kelso.Board() if board.is_game_over() else board
        board.push(chance.choice(board.legal_moves))
    rows = kelso.encode_boards(boards)
    many = kelso.encode_boards(kelso.decode_boards(rows) * 25)
    timed("legal_moves_batch, positions", lambda: kelso.legal_moves_batch(many), 500_000)
    timed("legal_moves_batch with positions after, positions", lambda: kelso.legal_moves_batch(many, after=True), 500_000)
    timed("legal_masks, positions", lambda: kelso.legal_masks(many), 500_000)
    timed("evaluate_batch, positions", lambda: kelso.evaluate_batch(many), 500_000)
    timed("piece_planes, positions", lambda: kelso.piece_planes(many), 500_000)


if __name__ == "__main__":
    main()
