#!/usr/bin/env python3
"""Makes the puzzles of the board from games, with the program `kelso`.

    make_puzzles.py find --kelso kelso --out found.txt GAMES.pdn ...
    make_puzzles.py rate --kelso kelso problems.txt > rated.txt
    make_puzzles.py order found.txt rated.txt ... > problems.txt

`find` searches the positions of the games for those in which one move is at least 1.2 men better than every other,
none of which wins, and lets each level try to find it. It appends to its output, and a repeated command continues
where it stopped. `rate` lets the levels try existing puzzles. `order` leaves out repetitions, and sorts the puzzles
by their difficulty.

A line of the result is `FEN|goal|solution|grade rating level`.
"""

import argparse
import math
import re
import subprocess
import sys

START = "B:W21-32:B1-12"
# The first position of a game that may be a puzzle.
FIRST_PLY = 8
# Nodes of two searches of all moves that a position has to pass, one after the other, and of the last searches: of the
# solution, and of all other moves.
STAGES = (3_000, 60_000)
BEST_NODES, OTHER_NODES = 1_000_000, 2_000_000
# By how much the solution is better, in hundredths of a man, and from which scores on a move wins or loses.
GAP, WINNING, LOSING = 120, 100, -220
MIN_PIECES, MAX_PIECES = 5, 20
MIN_MOVES = 3
# Puzzles of the same game are at least this many plies apart.
PLIES_APART = 6
MAX_SOLUTION = 9
LEVELS = range(1, 11)
PROVED = 10_000
MAN, KING = 2, 3


class Engine:
    """A session with the program."""

    def __init__(self, program, databases):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.level = 0
        if databases:
            self.send(f"setoption name EgdbPath value {databases}")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def read(self, word):
        """Returns the lines up to one that begins with a word."""
        lines = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise EOFError(f"the program has ended after {lines[-3:]}")
            lines.append(line.strip())
            if line.startswith("info string error"):
                raise ValueError(line.strip())
            if line.split(" ", 1)[0].strip() == word:
                return lines

    def ask(self, command, word):
        self.send(command)
        return self.read(word)

    def place(self, fen, moves=()):
        self.send(f"position fen {fen}" + (" moves " + " ".join(moves) if moves else ""))

    def fen(self):
        """Returns the position as FEN, and whether the game goes on."""
        lines = dict(line.split(" ", 1) for line in self.ask("show", "result") if " " in line)
        return lines["fen"], lines["result"] == "open"

    def moves(self):
        return self.ask("moves", "moves")[-1].split()[1:]

    def survey(self, start, moves):
        """Returns (FEN, legal moves) of each position of a game that has not ended."""
        found = []
        for ply in range(len(moves)):
            # One position at a time: the commands for a long game would fill both pipes, and both programs would wait.
            self.place(start, moves[:ply])
            lines = dict(line.split(" ", 1) for line in self.ask("show\nmoves", "moves") if " " in line)
            found.append((lines["fen"], lines["moves"].split() if lines["result"] == "open" else []))
        return found

    def set_lines(self, lines):
        self.send(f"setoption name MultiPV value {lines}")

    def search_all(self, fens, nodes):
        """Searches positions one after the other; returns the two best lines of each."""
        self.set_lines(2)
        # One write, since each answer that is waited for costs time on a busy machine.
        self.send("".join(f"position fen {fen}\ngo nodes {nodes}\n" for fen in fens))
        return [self.found() for _ in fens]

    def found(self):
        """Returns (score, line) for each line of a search, the best first."""
        found = {}
        for line in self.read("bestmove"):
            match = re.match(r"info depth .* multipv (\d+) .*score (\w+) (-?\d+)?.* pv (.+)$", line)
            if not match or " lowerbound " in line or " upperbound " in line:
                continue
            rank, kind, value, moves = match.groups()
            score = {"cp": int(value or 0), "win": PROVED, "loss": -PROVED}[kind]
            database = re.search(r" database (win|draw|loss)", line)
            if database:
                score = {"win": PROVED, "draw": 0, "loss": -PROVED}[database[1]]
            found[int(rank)] = (score, moves.split())
        return [found[rank] for rank in sorted(found)]

    def search(self, words):
        self.set_lines(1)
        self.send(f"go {words}")
        return self.found()

    def clear(self):
        self.send("setoption name Clear Hash")

    def level_moves(self, fens):
        """Returns the move of each level in each position."""
        asked = [(level, fen) for level in LEVELS for fen in fens]
        self.send("\n".join(f"setoption name Level value {level}\nposition fen {fen}\ngo nodes 20000" for level, fen in asked))
        return {one: self.read("bestmove")[-1].split()[1] for one in asked}


def games(path):
    """Returns the start and the moves of each game in a file."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for part in re.split(r"\n(?=\[Event )", text):
        fen = re.search(r'^\[FEN "([^"]+)"\]', part, re.M)
        body = re.sub(r"\{[^}]*\}|;[^\n]*|^\[.*\]$", " ", part, flags=re.M)
        yield (fen and fen[1]), re.findall(r"\b\d+(?:[-x]\d+)+\b(?![-/])", re.sub(r"\b(1-0|0-1|1/2-1/2)\b", " ", body))


def squares(fen):
    """Returns the side to move, and the pieces of each side as {square: is a king}."""
    side, *lists = fen.split(":")
    pieces = {"W": {}, "B": {}}
    for words in lists:
        for word in filter(None, words[1:].split(",")):
            first, _, last = word.lstrip("K").partition("-")
            for square in range(int(first), int(last or first) + 1):
                pieces[words[0]][square] = word.startswith("K")
    return side, pieces


def material(pieces):
    return sum(KING if king else MAN for king in pieces.values())


def lead(fen, side):
    """Returns the lead of a side; a man counts two."""
    pieces = squares(fen)[1]
    return material(pieces[side]) - material(pieces["B" if side == "W" else "W"])


def turned(fen):
    """Returns the same task for the other side."""
    side, pieces = squares(fen)
    words = {
        colour: ",".join(f"{'K' * king}{33 - square}" for square, king in sorted(pieces[other].items(), reverse=True))
        for colour, other in (("W", "B"), ("B", "W"))
    }
    return f"{'B' if side == 'W' else 'W'}:W{words['W']}:B{words['B']}"


def turned_move(move):
    return re.sub(r"\d+", lambda square: str(33 - int(square[0])), move)


def key(fen):
    """Returns the same text for a position and for the same task of the other side."""
    forms = []
    for one in (fen, turned(fen)):
        side, pieces = squares(one)
        forms.append(f"{side} {sorted(pieces['W'].items())} {sorted(pieces['B'].items())}")
    return min(forms)


def goal_of(best, other):
    """Returns the goal of a puzzle by the scores of the best and of every other move, or None if it is none."""
    if best < other + GAP or other >= WINNING:
        return None
    if best >= GAP:
        return "win"
    return "save" if best >= -60 and other <= LOSING else None


def solution(engine, fen, line, side):
    """Returns the moves up to the last capture that wins material, and the material won; a man counts two."""
    before, best, gain = lead(fen, side), 1, 0
    for length in range(1, min(len(line), MAX_SOLUTION) + 1):
        engine.place(fen, line[:length])
        after, is_open = engine.fen()
        quiet = not is_open or not any("x" in move for move in engine.moves())
        if length % 2 and quiet and lead(after, side) - before > gain:
            best, gain = length, lead(after, side) - before
    return line[:best], gain


def is_candidate(fen, moves):
    """Returns whether a position may be a puzzle, before any search."""
    side, pieces = squares(fen)
    count = len(pieces["W"]) + len(pieces["B"])
    is_quiet = len(moves) >= MIN_MOVES and not any("x" in move for move in moves)
    return is_quiet and MIN_PIECES <= count <= MAX_PIECES and lead(fen, side) < MAN


def is_sharp(found):
    """Returns whether one of two lines is so much better that the position may be a puzzle."""
    return len(found) == 2 and bool(goal_of(found[0][0], found[1][0]))


def puzzle(engine, fen, moves, best):
    """Returns a puzzle as (goal, solution), or None if the position is none."""
    side = fen[0]
    others = [move for move in moves if move != best]
    engine.place(fen)
    engine.clear()
    other = engine.search(f"nodes {OTHER_NODES} searchmoves {' '.join(others)}")[0][0]
    engine.clear()
    score, line = engine.search(f"nodes {BEST_NODES} searchmoves {best}")[0]
    goal = goal_of(score, other)
    if not goal:
        return None
    line, gain = solution(engine, fen, line, side)
    if goal == "win":
        goal = f"gain {gain}" if gain else "attack"
    return goal, line


def misses(engine, fen, best):
    """Returns the levels that miss the best move, in the position and in the same task of the other side."""
    other, answer = turned(fen), turned_move(best)
    moves = engine.level_moves([fen, other])
    return [[level for level in LEVELS if moves[level, one] != right] for one, right in ((fen, best), (other, answer))]


def formatted(fen, goal, line, missed):
    lists = " ".join(",".join(map(str, levels)) or "-" for levels in missed)
    return f"{fen}|{goal}|{' '.join(line)}|{lists}\n"


def rate(arguments):
    engine = Engine(arguments.kelso, None)
    with open(arguments.problems, encoding="utf-8") as file:
        for line in file:
            fen, goal, moves, _ = line.strip().split("|")
            sys.stdout.write(formatted(fen, goal, moves.split(), misses(engine, fen, moves.split()[0])))


def find(arguments):
    engine = Engine(arguments.kelso, arguments.databases)
    level = Engine(arguments.kelso, None)
    seen, done = set(), {}
    try:
        with open(arguments.out, encoding="utf-8") as file:
            for line in file:
                if line.startswith("# "):
                    path, count = line[2:].rsplit(" ", 1)
                    done[path] = int(count)
                else:
                    seen.add(key(line.split("|")[0]))
    except FileNotFoundError:
        pass
    with open(arguments.out, "a", encoding="utf-8") as out:
        for path in arguments.games:
            for number, (start, moves) in enumerate(games(path), 1):
                if number <= done.get(path, 0):
                    continue
                last = -PLIES_APART
                positions = list(enumerate(engine.survey(start or START, moves)))[FIRST_PLY:]
                positions = [(ply, fen, legal) for ply, (fen, legal) in positions if is_candidate(fen, legal)]
                for nodes in STAGES:
                    searched = engine.search_all([fen for _, fen, _, *_ in positions], nodes)
                    positions = [
                        (ply, fen, legal, found[0][1][0])
                        for (ply, fen, legal, *_), found in zip(positions, searched)
                        if is_sharp(found) and key(fen) not in seen
                    ]
                for ply, fen, legal, best in positions:
                    if ply < last + PLIES_APART or key(fen) in seen:
                        continue
                    missed = misses(level, fen, best)
                    # A move that every level finds is no puzzle.
                    found = any(missed) and puzzle(engine, fen, legal, best)
                    if not found:
                        continue
                    goal, line = found
                    seen.add(key(fen))
                    out.write(formatted(fen, goal, line, missed))
                    last = ply
                out.write(f"# {path} {number}\n")
                out.flush()


def correlation(pairs):
    """Returns the correlation of two lists of numbers."""
    count = len(pairs)
    means = [sum(pair[at] for pair in pairs) / count for at in (0, 1)]
    spread = [math.sqrt(sum((pair[at] - means[at]) ** 2 for pair in pairs)) for at in (0, 1)]
    return sum((a - means[0]) * (b - means[1]) for a, b in pairs) / (spread[0] * spread[1] or 1)


def order(arguments):
    puzzles = {}
    for path in arguments.found:
        with open(path, encoding="utf-8") as file:
            for line in file:
                if line.startswith("#"):
                    continue
                fen, goal, moves, lists = line.strip().split("|")
                missed = [[int(level) for level in words.split(",") if level != "-"] for words in lists.split()]
                puzzles.setdefault(key(fen), (fen, goal, moves, missed))
    # A weighted count: a strong level that misses a move says more.
    weight = lambda levels: sum(level + 4 for level in levels)
    chosen = list(puzzles.values())
    chosen.sort(key=lambda one: (weight(one[3][0]) + weight(one[3][1]), len(one[2].split())))
    for at, (fen, goal, moves, missed) in enumerate(chosen):
        share = (weight(missed[0]) + weight(missed[1])) / (2 * weight(LEVELS))
        rating = round(600 + 1200 * share + 25 * len(moves.split()))
        grade = 1 + 5 * at // len(chosen)
        level = 1 + max(missed[0] + missed[1], default=0)
        print(f"{fen}|{goal}|{moves}|{grade} {rating} {level}")
    pairs = [(weight(one[3][0]), weight(one[3][1])) for one in chosen]
    middle = sum(8 <= len(squares(one[0])[1]["W"]) + len(squares(one[0])[1]["B"]) <= 20 for one in chosen)
    print(
        f"{len(chosen)} puzzles, {middle} with 8 to 20 pieces; correlation of the"
        f" difficulties in the position and in the same task of the other side: {correlation(pairs):.2f}",
        file=sys.stderr,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    finding = commands.add_parser("find", help="find puzzles in games")
    finding.add_argument("games", nargs="+", help="PDN files")
    finding.add_argument("--kelso", default="kelso", help="the program")
    finding.add_argument("--databases", help="directory of endgame databases")
    finding.add_argument("--out", required=True, help="file to append the puzzles to")
    finding.set_defaults(run=find)
    rating = commands.add_parser("rate", help="let the levels try existing puzzles")
    rating.add_argument("problems", help="file of puzzles")
    rating.add_argument("--kelso", default="kelso", help="the program")
    rating.set_defaults(run=rate)
    ordering = commands.add_parser("order", help="sort puzzles by difficulty")
    ordering.add_argument("found", nargs="+", help="files that `find` or `rate` has written")
    ordering.set_defaults(run=order)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
