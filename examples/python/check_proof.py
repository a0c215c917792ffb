#!/usr/bin/env python3
"""Checks a certificate that a position of English draughts (8x8 checkers) is won, drawn or lost.

    python3 check_proof.py FILE [FOLDER]

prints what is proved, or the first line that is not. FOLDER has the endgame databases, if the certificate relies on any;
endgames.py, next to this file, reads them. docs/proofs.md describes certificates. This file has its own implementation of
the rules, and needs only Python 3.9.

A board is 32 bytes, one for each square, turned so that the side to move plays White and moves up, towards squares 1-4.
"""

import sys
from functools import lru_cache

EMPTY, MAN, KING, OTHER_MAN, OTHER_KING = range(5)
# The value of a board by the worst value for the other side that a move reaches, in this order.
REVERSED = {"loss": "win", "draw": "draw", "win": "loss"}
PIECES = {king + str(square + 1): square for square in range(32) for king in ("", "K")}
SWAP = bytes.maketrans(bytes([MAN, KING, OTHER_MAN, OTHER_KING]), bytes([OTHER_MAN, OTHER_KING, MAN, KING]))


class Invalid(Exception):
    """The reason why a line is not proved."""


def square_at(row, column):
    """Returns the index of a dark square, counted from 0 for square 1 in the top row, or None outside the board."""
    return 4 * row + column // 2 if 0 <= row < 8 and 0 <= column < 8 else None


def neighbours(square, rows):
    """Returns the squares one step away in the given rows, each with the square behind it."""
    row, column = square // 4, square % 4 * 2 + (square // 4 % 2 == 0)
    around = [(square_at(row + r, column + c), square_at(row + 2 * r, column + 2 * c)) for r in rows for c in (-1, 1)]
    return [pair for pair in around if pair[0] is not None]

AROUND = {MAN: [neighbours(s, (-1,)) for s in range(32)], KING: [neighbours(s, (-1, 1)) for s in range(32)]}


def jumps(board, kind, path, taken):
    """Yields the ways in which a piece continues a capture: all squares of the path, and those of the captured pieces."""
    ended = True
    for over, to in AROUND[kind][path[-1]]:
        if board[over] >= OTHER_MAN and over not in taken and to is not None and (board[to] == EMPTY or to == path[0]):
            ended = False
            yield from jumps(board, kind, path + (to,), taken + (over,))
    if ended and taken:
        yield path, taken


def legal_moves(board):
    own = [(square, kind) for square, kind in enumerate(board) if kind in (MAN, KING)]
    captures = [move for square, kind in own for move in jumps(board, kind, (square,), ())]
    return captures or [((square, to), ()) for square, kind in own for to, _ in AROUND[kind][square] if board[to] == EMPTY]


def after(board, move):
    """Returns the board after a move, turned for the other side."""
    path, taken = move
    board = bytearray(board)
    kind, board[path[0]] = board[path[0]], EMPTY
    board[path[-1]] = KING if path[-1] < 4 else kind
    for square in taken:
        board[square] = EMPTY
    return bytes(board[::-1]).translate(SWAP)


def move_text(move):
    return ("x" if move[1] else "-").join(str(square + 1) for square in move[0])


def parse(text):
    """Parses a position such as `W:WK5,32:B1,2`, which must be in normal form, and turns it."""
    turn, *sides = text.split(":")
    board = bytearray(32)
    for side, (man, king) in zip(sides, ((MAN, KING), (OTHER_MAN, OTHER_KING))):
        for piece in filter(PIECES.__contains__, side[1:].split(",")):
            board[PIECES[piece]] = king if piece[0] == "K" else man
    counts = [sum(board.count(kind) for kind in kinds) for kinds in ((MAN, KING), (OTHER_MAN, OTHER_KING))]
    crowned = MAN in board[:4] or OTHER_MAN in board[28:]
    if turn not in ("W", "B") or fen(board, turn) != text or crowned or max(counts) > 12 or not any(counts):
        raise Invalid("expected a position in normal form")
    return bytes(board) if turn == "W" else bytes(board[::-1]).translate(SWAP)


def fen(board, turn="W"):
    def side(man, king):
        return ",".join("K" * (kind == king) + str(s + 1) for s, kind in enumerate(board) if kind in (man, king))
    return f"{turn}:W{side(MAN, KING)}:B{side(OTHER_MAN, OTHER_KING)}"


def number(text):
    if len(text) > 9 or not (text.isascii() and text.isdigit()) or text != str(int(text)):
        raise Invalid("expected a number of at most nine digits")
    return int(text)


class Leaves:
    """The values of leaves, by the listed database files."""

    def __init__(self, folder):
        self.folder, self.listed, self.databases = folder, {}, None
        self.value = lru_cache(maxsize=10**6)(self.value)

    def add(self, name, checksum):
        if self.folder is None:
            raise Invalid("it relies on endgame databases: name their folder after the certificate")
        import endgames
        pieces = tuple(map("01234567".find, name[:2] + name[3:]))
        if len(name) != 5 or name[2] != "v" or -1 in pieces:
            raise Invalid("expected the name of a database file")
        if pieces in self.listed:
            raise Invalid(f"{name}.wld is listed twice")
        file = endgames.Databases(self.folder).file(pieces)
        if file is None or f"{file.checksum:08x}" != checksum:
            raise Invalid(f"{self.folder} has no file {name}.wld with this checksum")
        self.listed[pieces] = file
        if self.databases is None:
            self.databases = endgames.Databases(self.folder)
            self.databases.file = self.listed.get
            self.look_up = lambda board: endgames.NAMES.get(self.databases.value(endgames.parse(fen(board))))

    def value(self, board):
        """Returns the value of a leaf, or None if a board is not a leaf."""
        moves = legal_moves(board)
        if moves and moves[0][1]:
            values = {self.value(after(board, move)) for move in moves}
            return None if None in values else next(best for value, best in REVERSED.items() if value in values)
        if MAN not in board and KING not in board:
            return "loss"
        return self.look_up(board) if self.listed and (OTHER_MAN in board or OTHER_KING in board) else None


class Checker:
    def __init__(self, lines, folder=None):
        self.lines, self.line, self.leaves = iter(lines), 0, Leaves(folder)
        self.ranks, self.held, self.leaf = {}, {}, self.leaves.value

    def next(self, fields):
        """Returns the words of the next line."""
        self.line += 1
        line = next(self.lines, "")
        words = line.removesuffix("\n").split(" ")
        if len(words) == fields and line.endswith("\n"):
            return words
        raise Invalid(f"expected {fields} words and a line feed")

    def field(self, name):
        found, value = self.next(2)
        if found == name:
            return value
        raise Invalid(f'expected "{name}"')

    def choice(self, position, text):
        """Returns a listed board and the one after its move."""
        board = parse(position)
        if position[0] != "W" or board in self.ranks or board in self.held:
            raise Invalid("Black is to move, or the position is listed twice")
        for move in legal_moves(board):
            if move_text(move) == text:
                return board, after(board, move)
        raise Invalid(f"illegal move {text}")

    def wins(self, board, rank=float("inf")):
        """Returns whether the side to move wins, by a lower rank or by the databases."""
        return self.ranks.get(board, rank) < rank or self.leaf(board) == "win"

    def holds(self, board):
        return board in self.held or self.leaf(board) in ("win", "draw")

    def every_reply(self, board, test):
        for move in legal_moves(board):
            if not test(after(board, move)):
                raise Invalid(f"nothing answers {move_text(move)} in {fen(board)} (turned)")

    def read(self):
        """Checks all lines in order, except for the hold, whose lines may refer to later ones."""
        if self.next(2) != ["kelso-proof", "1"]:
            raise Invalid('expected "kelso-proof 1"')
        position, claim = self.field("position"), self.field("claim")
        root, head, last = parse(position), self.line, 0
        for _ in range(number(self.field("leaves"))):
            self.leaves.add(*self.next(2))
        for _ in range(number(self.field("win"))):
            *words, rank = self.next(3)
            board, reached = self.choice(*words)
            if last > (last := number(rank)):
                raise Invalid("the rank comes after a higher one")
            if self.leaf(reached) != "loss":
                self.every_reply(reached, lambda reply: self.wins(reply, last))
            self.ranks[board] = last
        first = self.line + 2
        for _ in range(number(self.field("hold"))):
            board, reached = self.choice(*self.next(2))
            self.held[board] = reached
        if self.next(1) != ["end"] or next(self.lines, None) is not None:
            raise Invalid('expected "end" and nothing after it')
        for self.line, reached in enumerate(self.held.values(), first):
            if self.leaf(reached) not in ("loss", "draw"):
                self.every_reply(reached, self.holds)
        self.line = head
        shown = {"win": self.wins, "draw": self.holds, "loss": lambda board: True}
        if self.leaf(root) != claim:
            if claim not in shown or not shown[claim](root):
                raise Invalid(f"no {claim} is shown")
            if claim != "win":
                self.every_reply(root, self.holds if claim == "draw" else self.wins)
        files = len(self.leaves.listed)
        databases = f"{files} database file{'s' * (files > 1)}" if files else "no database"
        return f"{position}: {claim}, shown by {len(self.ranks) + len(self.held)} positions and {databases}"


def check(path, folder=None):
    """Returns the proved statement of a certificate. Raises Invalid with the first line that is not proved."""
    with open(path, encoding="ascii", newline="\n") as lines:
        checker = Checker(lines, folder)
        try:
            return checker.read()
        except (Invalid, ValueError) as error:
            raise Invalid(f"line {checker.line}: {error}") from None


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    try:
        print(check(*sys.argv[1:]))
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    except Exception as error:
        sys.exit(f"error: {sys.argv[1]}: {error}")
