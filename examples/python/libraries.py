"""Compares rules libraries for Python: whether they count the leaves of the move tree rightly, and how fast.

    python3 libraries.py kelso pydraughts openspiel     (packages kelso, pydraughts, open_spiel)
    python3 libraries.py --depth 5 py-draughts          (its module has the name of pydraughts' module)
"""
import argparse
import time

# From the starting position, to depths 1 to 8.
LEAVES = [7, 49, 302, 1469, 7361, 36768, 179740, 845931]


def count(board, moves, depth):
    """Counts leaves with `push` and `pop`. Those of the last ply are counted, not played."""
    legal = moves(board)
    if depth == 1:
        return len(legal)
    leaves = 0
    for move in legal:
        board.push(move)
        leaves += count(board, moves, depth - 1)
        board.pop()
    return leaves


def count_states(state, depth):
    """Counts leaves in OpenSpiel, in which every jump of a capture is a move."""
    leaves = 0
    for action in state.legal_actions():
        child = state.child(action)
        is_same = not child.is_terminal() and child.current_player() == state.current_player()
        left = depth if is_same else depth - 1
        leaves += count_states(child, left) if left else 1
    return leaves


def counter(library):
    """Returns a function that counts the leaves to a depth."""
    if library == "kelso":
        import kelso
        return lambda depth: count(kelso.Board(), lambda board: board.legal_moves, depth)
    if library == "openspiel":
        import pyspiel
        return lambda depth: count_states(pyspiel.load_game("checkers").new_initial_state(), depth)
    import draughts
    if library == "pydraughts":
        return lambda depth: count(draughts.Board("english"), lambda board: board.legal_moves(), depth)
    return lambda depth: count(draughts.AmericanBoard(), lambda board: list(board.legal_moves), depth)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("libraries", nargs="+", choices=["kelso", "openspiel", "py-draughts", "pydraughts"])
    parser.add_argument("--depth", type=int, default=6, choices=range(1, 9))
    arguments = parser.parse_args()
    for library in arguments.libraries:
        try:
            leaves = counter(library)
        except ImportError as error:
            print(f"{library}: not installed ({error})")
            continue
        for depth, expected in enumerate(LEAVES[: arguments.depth], 1):
            started = time.process_time()
            found = leaves(depth)
            speed = found / max(time.process_time() - started, 1e-9)
            if found != expected:
                print(f"{library}: wrong: perft {depth} = {found:,} instead of {expected:,}")
                break
        else:
            print(f"{library}: right to depth {arguments.depth}")
        print(f"{library}: {speed:,.0f} leaves per second")


if __name__ == "__main__":
    main()
