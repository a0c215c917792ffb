"""An engine in Python that speaks Kelso's own protocol (protocol.md): rules by kelso.Board, search by agent.py.

    kelso match --engine "name=ours cmd=python3\\ native_engine.py" --engine "name=level level=1" --nodes 1000
"""

import sys

import kelso
from agent import choose, evaluate


def read(words):
    """Parses the words after `position`: `startpos` or `fen FEN`, and `moves MOVE ...`."""
    at = words.index("moves") if "moves" in words else len(words)
    board = kelso.Board(" ".join(words[1:at]) if words[0] == "fen" else None)
    for text in words[at + 1 :]:
        board.push(text)
    return board


def answer(board):
    move = choose(board, 3)
    if move is None:
        return "bestmove none"
    return f"info depth 3 score cp {evaluate(board)} pv {move}\nbestmove {move}"


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
            print(answer(board), flush=True)
        elif word == "quit":
            break


if __name__ == "__main__":
    main()
