"""A game of Kelso against itself in the native protocol, with only Python's standard library.

    python minimal.py kelso [PLIES]
"""

import subprocess
import sys


class Kelso:
    def __init__(self, command):
        self.process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ask("uci", "uciok")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, line, answer):
        """Sends a line, and returns the lines up to the one that begins with `answer`."""
        self.send(line)
        lines = []
        for line in self.process.stdout:
            lines.append(line.rstrip("\n"))
            if line.startswith("info string error"):
                raise ValueError(lines[-1])
            if line.startswith(answer):
                return lines
        raise EOFError("the engine has ended")

    def best_move(self, moves, go):
        self.send("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        lines = self.ask(go, "bestmove")
        info = [line for line in lines if " score " in line][-1].split()
        score = " ".join(info[info.index("score") + 1 :][:2])
        return lines[-1].split()[1], score

    def quit(self):
        self.send("quit")
        return self.process.wait()


if __name__ == "__main__":
    engine = Kelso(sys.argv[1] if len(sys.argv) > 1 else "kelso")
    plies = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    moves = []
    while len(moves) < plies:
        move, score = engine.best_move(moves, "go movetime 50")
        if move == "none":
            break
        moves.append(move)
        print(f"{len(moves):3} {move:8} {score}")
    sys.exit(engine.quit())
