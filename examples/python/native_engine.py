"""An engine in Python that speaks Kelso's own protocol (protocol.md): rules by kelso.Board, search by agent.py.

    kelso match --engine "name=ours cmd=python3 args=native_engine.py" --engine level=1 --each movetime=0.1
"""

import sys
import time

import kelso
from agent import choose, evaluate


def read(words):
    """Parses the words after `position`: `startpos` or `fen FEN`, and `moves MOVE ...`."""
    at = words.index("moves") if "moves" in words else len(words)
    board = kelso.Board(" ".join(words[1:at]) if words[0] == "fen" else None)
    for text in words[at + 1 :]:
        board.push(text)
    return board


def answer(board, words):
    """Searches to the given depth or three plies; for a time per move, deeper and deeper."""
    limits = {name: int(number) for name, number in zip(words, words[1:]) if number.isdigit()}
    start, seconds = time.monotonic(), limits.get("movetime", 0) / 1000
    depth = 1 if seconds else max(1, limits.get("depth", 3))
    move = choose(board, depth)
    # The next ply may take twenty times as long as all before it.
    while depth < 64 and time.monotonic() - start < seconds / 20:
        depth += 1
        move = choose(board, depth)
    if move is None:
        return "bestmove none"
    return f"info depth {depth} score cp {evaluate(board)} pv {move}\nbestmove {move}"


def main():
    board, waiting = kelso.Board(), False
    for line in sys.stdin:
        word, *words = line.split() or [""]
        if word == "uci":
            print("id name Python native\nid author you\nuciok", flush=True)
        elif word == "isready":
            print("readyok", flush=True)
        elif word == "position":
            try:
                board = read(words)
            except ValueError as error:
                print(f"info string error: {error}", flush=True)
        elif word == "go" and ("infinite" in words or "ponder" in words):
            waiting = True  # until "stop" or "ponderhit"
        elif word == "go" or word in ("stop", "ponderhit") and waiting:
            waiting = False
            print(answer(board, words), flush=True)
        elif word == "quit":
            break


if __name__ == "__main__":
    main()
