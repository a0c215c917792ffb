#!/usr/bin/env python3
"""An independent reader of Kelso's endgame databases, written from the description in docs/endings.md.

    python3 endgames.py FOLDER 'W:W32:BK22,K23' ...
    python3 endgames.py FOLDER < positions

prints the result of each position for the side to move, with the plies to the end if the folder has distances (files
*.dtw). FOLDER is the output folder of `kelso egdb build`. Needs only Python 3.9.

A position is four sets of squares: own men, own kings, enemy men, enemy kings. The board is turned so that the side to
move moves up, from the row of squares 1-4 to the row of 29-32. A set is an int of 35 bits, in which a step is a shift by 4 or
5: square s (from 0) is bit s + s // 8, and the bits in between are always 0, so that no step crosses the edge.
"""

import re
import struct
import sys
import zlib
from functools import lru_cache
from math import comb
from pathlib import Path

DRAW, WIN, LOSS = 0, 1, 2
NAMES = {DRAW: "draw", WIN: "win", LOSS: "loss"}
GROUP = 64

BITS = [s + s // 8 for s in range(32)]
BOARD = sum(1 << bit for bit in BITS)
FIRST_ROW, SEVENTH_ROW, LAST_ROW = 0b1111, 0b1111 << 27, 0b1111 << 31
ODD_ROWS = 0b1111 << 4 | 0b1111 << 13 | 0b1111 << 22 | 0b1111 << 31
MIDDLE = BOARD & ~FIRST_ROW & ~LAST_ROW
ENEMY_MEN = BOARD & ~FIRST_ROW


class Damaged(Exception):
    """An invalid file."""


class NoPosition(Exception):
    """Text that is not a position."""


# Sets of squares


def each(squares):
    while squares:
        lowest = squares & -squares
        yield lowest
        squares ^= lowest


def turn(squares):
    """Returns the set seen from the other side of the board."""
    return int(format(squares, "035b")[::-1], 2)


def extract(squares, among):
    """Returns the positions of a set's squares among other squares."""
    places, place = 0, 1
    for square in each(among):
        if squares & square:
            places |= place
        place <<= 1
    return places


@lru_cache(maxsize=1 << 14)
def listed(among):
    return tuple(each(among))


def deposit(places, among):
    """Returns the set of squares with these positions among others."""
    squares, among = 0, listed(among)
    while places:
        lowest = places & -places
        squares |= among[lowest.bit_length() - 1]
        places ^= lowest
    return squares


def rank(places):
    """Returns the rank of a set among all sets of the same size, ordered as numbers."""
    return sum(comb(place.bit_length() - 1, k) for k, place in enumerate(each(places), 1))


def unrank(number, count):
    places = 0
    for k in range(count, 0, -1):
        n = k - 1
        while comb(n + 1, k) <= number:
            n += 1
        places |= 1 << n
        number -= comb(n, k)
    return places


def following(places, among):
    """Returns the next set of the same size below `among`, or None after the last."""
    if places == 0:
        return None
    lowest = places & -places
    carried = places + lowest
    places = carried | ((places & ~carried) // lowest >> 1)
    return places if places >> among == 0 else None


# Positions


def captures_anything(pieces, kings, up, enemy, empty):
    """Returns whether pieces can capture, with men that move up or down."""
    higher, lower = (pieces, kings) if up else (kings, pieces)
    return empty & (
        (higher << 4 & enemy) << 4
        | (higher << 5 & enemy) << 5
        | (lower >> 4 & enemy) >> 4
        | (lower >> 5 & enemy) >> 5
    )


def can_capture(position):
    own_men, own_kings, enemy_men, enemy_kings = position
    own, enemy = own_men | own_kings, enemy_men | enemy_kings
    return captures_anything(own, own_kings, True, enemy, BOARD & ~(own | enemy))


def is_left_out(position, coverage):
    """Returns whether a position without a capture is missing from a file with this coverage."""
    own_men, own_kings, enemy_men, enemy_kings = position
    if coverage == 1 or own_men & SEVENTH_ROW:
        return False
    own, enemy = own_men | own_kings, enemy_men | enemy_kings
    if coverage == 3 and bin((own | enemy) & ODD_ROWS).count("1") % 2 == 0:
        return False
    return bool(captures_anything(enemy, enemy_kings, False, own, BOARD & ~(own | enemy)))


def after(position, start, end, captured):
    """Returns the position after a move, from the other side's point of view."""
    own_men, own_kings, enemy_men, enemy_kings = position
    if start & own_kings:
        own_kings = own_kings ^ start | end
    elif end & LAST_ROW:
        own_men, own_kings = own_men ^ start, own_kings | end
    else:
        own_men = own_men ^ start | end
    return turn(enemy_men & ~captured), turn(enemy_kings & ~captured), turn(own_men), turn(own_kings)


def steps(square, king):
    """Yields the next square in each direction, with the square behind it."""
    found = [(square << 4, square << 8), (square << 5, square << 10)]
    if king:
        found += [(square >> 4, square >> 8), (square >> 5, square >> 10)]
    return found


def captures(position):
    """Yields the positions after each capture; men that are crowned stop."""
    own_men, own_kings, enemy_men, enemy_kings = position
    enemy = enemy_men | enemy_kings
    empty = BOARD & ~(own_men | own_kings | enemy)

    def go_on(start, at, captured, king):
        ended = True
        for over, to in steps(at, king):
            if over & enemy & ~captured and to & (empty | (start if king else 0)):
                ended = False
                yield from go_on(start, to, captured | over, king)
        if ended and captured:
            yield after(position, start, at, captured)

    for square in each(own_men | own_kings):
        yield from go_on(square, square, 0, bool(square & own_kings))


def quiet_moves(position):
    own_men, own_kings, enemy_men, enemy_kings = position
    empty = BOARD & ~(own_men | own_kings | enemy_men | enemy_kings)
    for square in each(own_men | own_kings):
        for to, _ in steps(square, bool(square & own_kings)):
            if to & empty:
                yield after(position, square, to, 0)


def slice_of(position):
    """The men and kings of the side to move, and of the other side."""
    return tuple(bin(squares).count("1") for squares in position)


# The numbers of a slice's positions


class Numbering:
    def __init__(self, pieces):
        self.pieces = pieces
        a, b, c, d = pieces
        self.bases = [0]
        for pattern in range(16):
            rest = a - bin(pattern).count("1")
            self.bases.append(self.bases[-1] + (comb(24, rest) * comb(28 - rest, c) if rest >= 0 else 0))
        free = 32 - a - c
        self.enemy_kings = comb(free - b, d)
        self.kings = comb(free, b) * self.enemy_kings
        self.total = self.bases[16] * self.kings

    def number(self, position):
        own_men, own_kings, enemy_men, enemy_kings = position
        rest = self.pieces[0] - bin(own_men & FIRST_ROW).count("1")
        free = BOARD & ~(own_men | enemy_men)
        men = (
            self.bases[own_men & FIRST_ROW]
            + rank(extract(own_men, MIDDLE)) * comb(28 - rest, self.pieces[2])
            + rank(extract(enemy_men, ENEMY_MEN & ~own_men))
        )
        kings = rank(extract(own_kings, free)) * self.enemy_kings + rank(extract(enemy_kings, free & ~own_kings))
        return men * self.kings + kings

    def positions(self, number, count):
        """Yields a number of consecutive positions."""
        a, b, c, d = self.pieces
        men, kings = divmod(number, self.kings)
        pattern = max(p for p in range(16) if self.bases[p] <= men < self.bases[p + 1])
        rest = a - bin(pattern).count("1")
        men, enemy = divmod(men - self.bases[pattern], comb(28 - rest, c))
        own = unrank(men, rest)
        enemy = unrank(enemy, c)
        own_kings, enemy_kings = (unrank(n, k) for n, k in zip(divmod(kings, self.enemy_kings), (b, d)))
        while True:
            own_men = pattern | deposit(own, MIDDLE)
            enemy_places = ENEMY_MEN & ~own_men
            while enemy is not None:
                enemy_men = deposit(enemy, enemy_places)
                free = BOARD & ~(own_men | enemy_men)
                while own_kings is not None:
                    kings = deposit(own_kings, free)
                    left = free & ~kings
                    while enemy_kings is not None:
                        yield own_men, kings, enemy_men, deposit(enemy_kings, left)
                        count -= 1
                        if count == 0:
                            return
                        enemy_kings = following(enemy_kings, 32 - a - b - c)
                    enemy_kings = (1 << d) - 1
                    own_kings = following(own_kings, 32 - a - c)
                own_kings = (1 << b) - 1
                enemy = following(enemy, 28 - rest)
            enemy = (1 << c) - 1
            own = following(own, 24)
            while own is None:
                pattern += 1
                rest = a - bin(pattern).count("1")
                own = (1 << rest) - 1 if rest >= 0 else None


# Files


def base128(data, at):
    number = shift = 0
    while True:
        byte = data[at]
        at += 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number, at
        shift += 7


class Model:
    """For each context, a list of (value, share, sum of the previous shares), the most likely first."""

    def __init__(self, data):
        self.alphabet, count = struct.unpack_from("<HB", data)
        self.offsets = struct.unpack_from(f"<{count}H", data, 3)
        at = 3 + 2 * count
        (known,) = struct.unpack_from("<I", data, at)
        at += 4
        self.contexts = {}
        context = -1
        for _ in range(known):
            skipped, at = base128(data, at)
            context += skipped + 1
            others, at = base128(data, at)
            shares, below = [], 0
            for i in range(others + 1):
                value = data[at]
                share, at = base128(data, at + 1) if i < others else (2**14 - below, at + 1)
                shares.append((value, share, below))
                below += share
            self.contexts[context] = shares
        if at != len(data):
            raise Damaged("a model with bytes left over")

    def context(self, values, i):
        before = values[i - 1] if i else 0
        number = 0
        for offset in reversed(self.offsets):
            number = number * self.alphabet + (values[i - offset] if i >= offset else before)
        return number

    def decode(self, code, stored):
        """Returns the values of a block, with the previous value in place of missing ones."""
        values = []
        state, words = 1 << 16, iter(())
        if code:
            length = 3 if len(code) % 2 else 4
            state = int.from_bytes(code[:length], "little")
            words = struct.iter_unpack("<H", code[length:])
        for i, here in enumerate(stored):
            if not here:
                values.append(values[-1] if values else 0)
                continue
            shares = self.contexts[self.context(values, i)]
            if not code:
                values.append(shares[0][0])
                continue
            point = state % 2**14
            value, share, below = next(entry for entry in reversed(shares) if entry[2] <= point)
            state = share * (state >> 14) + point - below
            if state < 1 << 16:
                state = state << 16 | next(words)[0]
            values.append(value)
        if state != 1 << 16 or next(words, None):
            raise Damaged("a block that does not end where its code does")
        return values


class SliceFile:
    def __init__(self, path):
        self.file = open(path, "rb")
        header = self.file.read(84)
        magic, version, self.kind, self.coverage = struct.unpack_from("<8sHBB", header)
        if magic != b"KelsoEGD" or version != 1:
            raise Damaged(f"{path}: no endgame database of format 1")
        self.pieces = tuple(header[12:16])
        self.block, model = struct.unpack_from("<II", header, 16)
        total, self.wins, self.losses, self.draws, self.with_capture, length = struct.unpack_from("<6Q", header, 24)
        crcs = struct.unpack_from("<3I", header, 72)
        self.numbering = Numbering(self.pieces)
        self.blocks = -(-total // self.block)
        groups = -(-self.blocks // GROUP) if length else 0
        model, directory = self.file.read(model), self.file.read(8 * groups)
        if [zlib.crc32(part) for part in (model, directory, header[:80])] != list(crcs):
            raise Damaged(f"{path}: wrong checksum")
        self.checksum = crcs[2]
        if total != self.numbering.total:
            raise Damaged(f"{path}: a wrong number of positions")
        self.model = Model(model)
        self.groups, at = [], self.file.tell()
        for size, crc in struct.iter_unpack("<II", directory):
            self.groups.append((at, size, crc))
            at += size
        self.kept = {}

    def values(self, block):
        """Returns the values of a block, and which of them are stored."""
        if block not in self.kept:
            if len(self.kept) >= 4000:
                self.kept.clear()
            self.kept[block] = self.read(block)
        return self.kept[block]

    def read(self, block):
        code = b""
        group, place = divmod(block, GROUP)
        at, size, crc = self.groups[group] if self.groups else (0, 0, 0)
        if size:
            self.file.seek(at)
            data = self.file.read(size)
            if zlib.crc32(data) != crc:
                raise Damaged(f"group {group} of {self.pieces}: wrong checksum")
            ends, rest = [0], 0
            for _ in range(min(GROUP, self.blocks - group * GROUP)):
                length, rest = base128(data, rest)
                ends.append(ends[-1] + length)
            code = data[rest + ends[place] : rest + ends[place + 1]]
        start = block * self.block
        count = min(self.block, self.numbering.total - start)
        stored = [
            not can_capture(position) and not is_left_out(position, self.coverage)
            for position in self.numbering.positions(start, count)
        ]
        return self.model.decode(code, stored)

    def value(self, position):
        block, place = divmod(self.numbering.number(position), self.block)
        return self.values(block)[place]


class Databases:
    """The files in a folder with one extension: `wld` for results, `dtw` for distances."""

    def __init__(self, folder, ending="wld"):
        self.folder, self.ending, self.files = Path(folder), ending, {}

    def file(self, pieces):
        if pieces not in self.files:
            path = self.folder / "{}{}v{}{}.{}".format(*pieces, self.ending)
            self.files[pieces] = SliceFile(path) if path.exists() else None
        return self.files[pieces]

    def choose(self, values):
        """Returns the value of a position, computed from its successors."""
        values = list(values)
        if None in values:
            return None
        if self.ending == "wld":
            return WIN if LOSS in values else DRAW if DRAW in values else LOSS
        losses = [value for value in values if value % 2]
        if losses:
            return min(losses) + 1
        return 0 if 0 in values else max(values, default=0) + 1

    def value(self, position):
        """Returns a result, or a distance (0 for a draw, else one more than the plies to the end); None without a file."""
        if can_capture(position):
            return self.choose(self.value(child) for child in captures(position))
        own_men, own_kings, enemy_men, enemy_kings = position
        if not own_men | own_kings:
            return LOSS if self.ending == "wld" else 1
        if not enemy_men | enemy_kings:
            return WIN if self.ending == "wld" else 2
        file = self.file(slice_of(position))
        if file is None:
            return None
        if is_left_out(position, file.coverage):
            return self.choose(self.value(child) for child in quiet_moves(position))
        return file.value(position)


def parse(fen):
    """Parses a position such as `W:W32,K5:B1-4`. Black moves up from squares 1-4."""
    turn_of, *sides = fen.strip().rstrip(".").split(":")
    sets = {"W": [0, 0], "B": [0, 0]}
    if turn_of not in sets or sorted(side[:1] for side in sides) not in (["B"], ["W"], ["B", "W"]):
        raise NoPosition(fen)
    taken = 0
    for side in sides:
        for piece in filter(None, side[1:].split(",")):
            match = re.fullmatch(r"(K?)([0-9]{1,2})(?:-([0-9]{1,2}))?", piece)
            first, last = (int(match[2]), int(match[3] or match[2])) if match else (0, 0)
            squares = sum(1 << BITS[square - 1] for square in range(first, min(last, 32) + 1) if square)
            if not 1 <= first <= last <= 32 or taken & squares:
                raise NoPosition(fen)
            taken |= squares
            sets[side[0]][bool(match[1])] |= squares
    crowned = sets["W"][0] & FIRST_ROW or sets["B"][0] & LAST_ROW
    if not taken or crowned or any(bin(men | kings).count("1") > 12 for men, kings in sets.values()):
        raise NoPosition(fen)
    if turn_of == "B":
        return (*sets["B"], *sets["W"])
    return tuple(turn(squares) for squares in (*sets["W"], *sets["B"]))


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if not Path(sys.argv[1]).is_dir():
        sys.exit(f"error: {sys.argv[1]} is not a directory")
    results, distances = Databases(sys.argv[1]), Databases(sys.argv[1], "dtw")
    for fen in sys.argv[2:] or sys.stdin:
        position = parse(fen)
        value, plies = results.value(position), distances.value(position)
        text = NAMES.get(value, "unknown")
        print(f"{fen.strip()}: {text}" + (f" in {plies - 1}" if plies else ""))


if __name__ == "__main__":
    try:
        main()
    except NoPosition as error:
        sys.exit(f"error: {str(error).strip()!r} is not a position")
    except (Damaged, OSError) as error:
        sys.exit(f"error: {error}")
