"""Plays an ending with the databases of a server: kelso serve --no-open

    python3 egdb_http.py http://127.0.0.1:7364 B:W32:BK22,K23

Requests the best move in the position, and then in each following one, until the game ends or the result is unknown.
Needs only Python.
"""

import json
import sys
import urllib.error
import urllib.parse
import urllib.request


def ask(server, path, fen):
    query = urllib.parse.urlencode({"fen": fen})
    with urllib.request.urlopen(f"{server.rstrip('/')}{path}?{query}", timeout=10) as answer:
        return json.load(answer)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: egdb_http.py SERVER FEN")
    server, fen = sys.argv[1:]
    try:
        entry = ask(server, "/egdb", fen)
        print(f"{entry['fen']}: {entry['category']}")
        if entry["moves"] and entry["moves"][0]["category"] != "unknown":
            print(f"best move: {entry['moves'][0]['move']}")
        line = ask(server, "/egdb/mainline", fen)["mainline"]
    except urllib.error.HTTPError as error:
        sys.exit(f"{error.code}: {error.read().decode().strip()}")
    except (urllib.error.URLError, OSError) as error:
        sys.exit(f"cannot reach {server}: {error}")
    for number, entry in enumerate(line, 1):
        print(f"{number}. {entry['move']}, {abs(entry['dtw'])} plies left")


if __name__ == "__main__":
    main()
