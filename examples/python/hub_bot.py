"""A starting point for a Hub bot: plays moves from a server of endgame databases, and otherwise random legal moves.

    python3 hub_bot.py [http://127.0.0.1:7364]

The server is `kelso serve --no-open --port 7364`. Needs only Python. Replace `choose` to make it stronger.
"""

import json
import random
import re
import sys
import urllib.parse
import urllib.request

# Squares 1 to 32 by row and column; Black starts on 1 to 12 and moves down the rows.
SQUARES = {(row, column): 4 * row + column // 2 + 1 for row in range(8) for column in range(8) if (row + column) % 2}
PLACES = {square: place for place, square in SQUARES.items()}
START = "B" + 12 * "b" + 8 * "e" + 12 * "w"


class Board:
    """A position: its side to move, and its pieces by square as the letters of Hub."""

    def __init__(self, text):
        if not re.fullmatch("[BW][bBwWe]{32}", text) or any(text[n] == "b" for n in range(29, 33)) or "w" in text[1:5]:
            raise ValueError("invalid position")
        self.side = text[0].lower()
        self.pieces = {n: text[n] for n in range(1, 33) if text[n] != "e"}

    def fen(self):
        def list_of(side):
            own = [(n, piece) for n, piece in self.pieces.items() if piece.lower() == side]
            return ",".join(("K" if piece.isupper() else "") + str(n) for n, piece in own)

        return f"{self.side.upper()}:W{list_of('w')}:B{list_of('b')}"

    def steps(self, piece):
        ahead = 1 if piece.lower() == "b" else -1
        return [(row, column) for row in ([1, -1] if piece.isupper() else [ahead]) for column in (-1, 1)]

    def jumps(self, piece, path, captured):
        """Yields the captures that continue a path, each as its path and its captured squares."""
        ended = True
        row, column = PLACES[path[-1]]
        for down, right in self.steps(piece):
            over = SQUARES.get((row + down, column + right))
            to = SQUARES.get((row + 2 * down, column + 2 * right))
            enemy = self.pieces.get(over, piece).lower() != piece.lower() and over not in captured
            if enemy and to and (to not in self.pieces or to == path[0]):
                ended = False
                if piece.islower() and (to <= 4 or to >= 29):
                    yield [*path, to], [*captured, over]
                else:
                    yield from self.jumps(piece, [*path, to], [*captured, over])
        if ended and captured:
            yield path, captured

    def moves(self):
        """Returns the legal moves, each as its path and its captured squares. Captures are compulsory."""
        own = [(n, piece) for n, piece in self.pieces.items() if piece.lower() == self.side]
        captures = [jump for n, piece in own for jump in self.jumps(piece, [n], [])]
        quiet = []
        for n, piece in own:
            row, column = PLACES[n]
            ends = [SQUARES.get((row + down, column + right)) for down, right in self.steps(piece)]
            quiet += [([n, to], []) for to in ends if to and to not in self.pieces]
        return captures or quiet

    def play(self, move):
        path, captured = move
        piece = self.pieces.pop(path[0])
        for square in captured:
            del self.pieces[square]
        crowned = path[-1] <= 4 and piece == "w" or path[-1] >= 29 and piece == "b"
        self.pieces[path[-1]] = piece.upper() if crowned else piece
        self.side = "w" if self.side == "b" else "b"


def text_of(move):
    path, captured = move
    return "x".join(map(str, [path[0], path[-1], *sorted(captured)])) if captured else f"{path[0]}-{path[1]}"


def read(line):
    """Reads `pos pos=P moves="M ..."`."""
    words = {name: quoted or plain for name, quoted, plain in re.findall(r'(\w+)=(?:"([^"]*)"|(\S+))', line)}
    board = Board(words.get("pos", ""))
    for text in words.get("moves", "").split():
        first, last, *captured = map(int, re.split("[-x]", text))
        fits = [m for m in board.moves() if (m[0][0], m[0][-1], sorted(m[1])) == (first, last, sorted(captured))]
        if not fits:
            raise ValueError(f"illegal move {text}")
        board.play(fits[0])
    return board


def known(board, server):
    """Returns the best move according to the databases of a server."""
    query = urllib.parse.urlencode({"fen": board.fen()})
    with urllib.request.urlopen(f"{server.rstrip('/')}/egdb?{query}", timeout=5) as answer:
        entry = json.load(answer)
    if not entry["moves"] or entry["moves"][0]["category"] == "unknown":
        return None
    first, *via, last = map(int, re.split("[-x]", entry["moves"][0]["move"]))
    fits = [m for m in board.moves() if (m[0][0], m[0][-1]) == (first, last) and set(via) <= set(m[0])]
    return fits[0] if fits else None


def choose(board, server):
    """Returns the move to play, or None if there is no legal move."""
    moves = board.moves()
    if server and len(moves) > 1:
        try:
            return known(board, server) or random.choice(moves)
        except (OSError, ValueError, KeyError) as error:
            print(f"hub_bot: cannot ask {server}: {error}", file=sys.stderr)
    return random.choice(moves) if moves else None


def main():
    server = sys.argv[1] if len(sys.argv) > 1 else None
    board, pondering = Board(START), False
    for line in sys.stdin:
        command, _, rest = line.strip().partition(" ")
        think = command == "go" and rest in ("think", "analyze")
        if command == "hub":
            print('id name="Hub bot" version=1 author="an example" country=none\nwait')
        elif command == "init":
            print("ready")
        elif command == "ping":
            print("pong")
        elif command == "new-game":
            board = Board(START)
        elif command == "pos":
            try:
                board = read(line)
            except ValueError as error:
                print(f'error message="{error}"')
        elif think or command in ("stop", "ponder-hit") and pondering:
            move = choose(board, server)
            print(f"info depth=1 score=0.00 nodes=1\ndone move={text_of(move)}" if move else "done")
            pondering = False
        elif command == "go":
            pondering = True
        elif command == "quit":
            break
        sys.stdout.flush()


if __name__ == "__main__":
    main()
