"""Kelso as a bot on PlayStrategy, a server for English draughts whose bot interface is like that of lichess.

    PLAYSTRATEGY_TOKEN=... python playstrategy_bot.py [ADDRESS]

The token belongs to a bot account and has the scope bot:play. Needs `pip install kelso`.

Never tried on the real server: it follows the server's published source code, and is tested against a mock
(tests/clients/playstrategy.py). Try it in casual games first.
"""

import http.client
import json
import os
import re
import sys
import threading
import time
import urllib.parse
import urllib.request

import kelso

ADDRESS = "https://playstrategy.org"
# The first player (p1, "w" for clocks) has the black pieces, but they start on squares 21 to 32 and move up.
START = "B:W21-32:B1-12"


def turned(square):
    """Converts a square between the server's numbering and PDN's, which runs the other way."""
    return 33 - int(square)


def fen(text):
    """Converts a FEN from the server, which lists the first player's pieces after W."""
    found = re.match(r"([WB]):W([K\d,-]*):B([K\d,-]*)", text)
    if not found:
        return START
    squares = [re.sub(r"\d+", lambda number: str(turned(number[0])), pieces) for pieces in found.groups()[1:]]
    first, second = (re.sub(r"(\d+)-(\d+)", r"\2-\1", pieces) for pieces in squares)
    return f"{'B' if found[1] == 'W' else 'W'}:W{second}:B{first}"


class Server:
    def __init__(self, address, token):
        self.address, self.token = address.rstrip("/"), token

    def open(self, path, data=None):
        headers = {"Authorization": f"Bearer {self.token}", "User-Agent": "kelso-bot"}
        body = None if data is None else urllib.parse.urlencode(data).encode()
        return urllib.request.urlopen(urllib.request.Request(self.address + path, body, headers), timeout=60)

    def post(self, path, **data):
        with self.open(path, data) as answer:
            return answer.read()

    def events(self, path):
        """Yields the objects of a stream. Skips empty lines, which only keep the connection open."""
        with self.open(path) as lines:
            yield from (json.loads(line) for line in lines if line.strip())


class Game:
    """A game with its own engine. For the server, each jump of a capture is a move."""

    def __init__(self, server, name, account):
        self.server, self.name, self.account = server, name, account

    def read(self, text):
        """Reads the moves so far. The last one may be an unfinished capture."""
        self.board, self.begun = kelso.Board(self.start), ()
        for word in re.findall(r"(?:\d\d){2,}", text):
            squares = tuple(turned(word[n : n + 2]) for n in range(0, len(word), 2))
            self.begun = self.begun + squares[1:] if self.begun else squares
            paths = {path: move for move in self.board.legal_moves for path in move.paths}
            if self.begun in paths:
                self.board.push(paths[self.begun])
                self.begun = ()
            elif not any(path[: len(self.begun)] == self.begun for path in paths):
                raise ValueError(f"game {self.name}: illegal move {word}")

    def choose(self, state):
        """Returns the squares of the best move. It continues an unfinished capture."""
        fits = {path: move for move in self.board.legal_moves for path in move.paths if path[: len(self.begun)] == self.begun}
        if self.plan in fits:
            return self.plan
        # The first player's clock is that of White, as in chess.
        first = "w" if self.first else "b"
        clock = tuple(int(state.get(first + name, 0)) / 1000 for name in ("time", "inc"))
        limits = {"clock": clock} if first + "time" in state else {"time": 1.0}
        best = self.engine.search(self.board, moves=list(fits.values()), **limits).best
        return next(path for path, move in fits.items() if move == best)

    def answer(self, state):
        self.read(state.get("moves", ""))
        first_to_move = self.board.turn == kelso.BLACK
        if state.get("status") in ("created", "started") and first_to_move == self.first and self.board.legal_moves:
            self.plan = self.choose(state)
            at = max(len(self.begun) - 1, 0)
            text = "".join(f"{turned(square):02}" for square in self.plan[at : at + 2])
            self.server.post(f"/api/bot/game/{self.name}/move/{text}")

    def play(self):
        for event in self.server.events(f"/api/bot/game/stream/{self.name}"):
            if event["type"] == "gameFull":
                self.start, self.plan = fen(event.get("initialFen", "startpos")), ()
                self.first = event["p1"].get("id") == self.account
            if event["type"] in ("gameFull", "gameState"):
                state = event.get("state", event)
                self.answer(state)
                if state.get("status") not in ("created", "started"):
                    print(f"game {self.name}: {state.get('status')}", state.get("winner", ""), flush=True)
                    return True

    def run(self):
        with kelso.Engine() as self.engine:
            repeat(self.play)


def repeat(run):
    """Runs a function until it returns True, and repeats it if the connection is lost."""
    while True:
        seconds = 5
        try:
            if run():
                return
        except (OSError, http.client.HTTPException) as error:
            print(f"connection lost: {error}", file=sys.stderr, flush=True)
            if getattr(error, "code", None) == 429:  # too many requests
                seconds = 60
        time.sleep(seconds)


def main():
    token = os.environ.get("PLAYSTRATEGY_TOKEN")
    if not token:
        sys.exit("playstrategy_bot.py needs a token in PLAYSTRATEGY_TOKEN")
    server, games = Server(sys.argv[1] if len(sys.argv) > 1 else ADDRESS, token), {}
    with server.open("/api/account") as answer:
        account = json.load(answer)["id"]

    def follow():
        for event in server.events("/api/stream/event"):
            running = [name for name, thread in games.items() if thread.is_alive()]
            if event["type"] == "challenge":
                variant = event["challenge"]["variant"]["key"] == "english"
                reason = {} if variant and not running else {"reason": "later" if variant else "variant"}
                verb = "decline" if reason else "accept"
                server.post(f"/api/challenge/{event['challenge']['id']}/{verb}", **reason)
            elif event["type"] == "gameStart" and event["game"]["id"] not in running:
                name = event["game"]["id"]
                games[name] = threading.Thread(target=Game(server, name, account).run, daemon=True)
                games[name].start()

    repeat(follow)


if __name__ == "__main__":
    main()
