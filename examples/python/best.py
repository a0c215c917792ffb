"""Prints the best move of each position, from one process: python3 best.py FEN ...

KELSO is the program if it is not on the path.
"""
import json
import os
import subprocess
import sys
import threading

def write(fens, file):
    with file:
        for number, fen in enumerate(fens):
            print(json.dumps({"id": number, "fen": fen}), file=file)

kelso = [os.environ.get("KELSO", "kelso"), "best", "--json", "--nodes", "20000", "--concurrency", "2"]
fens = sys.argv[1:]
with subprocess.Popen(kelso, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
    # Another thread writes, since Kelso reads no more while its answers wait.
    threading.Thread(target=write, args=(fens, process.stdin)).start()
    for answer in map(json.loads, process.stdout):
        print(fens[answer["id"]], answer.get("error") or f"{answer['move']} {answer['score']}")
