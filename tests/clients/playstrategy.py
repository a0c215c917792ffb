"""Plays games against examples/python/playstrategy_bot.py through a mock of PlayStrategy's bot interface.

    python playstrategy.py kelso [GAMES]

The rules are those of examples/python/hub_bot.py. The mock plays random moves, with the server's
square numbers. Its first event stream is cut off, as happens with real servers.
"""

import http.server
import json
import os
import pathlib
import queue
import random
import subprocess
import sys
import threading
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples" / "python"))
from hub_bot import START, Board

# The initial position of each game. The bot is the first player in the first and third game. The last two games begin with a
# double jump.
FIRST = ["startpos", "startpos", "W:W27,K28,30,31,32:B1,K4,15,23:H0:F1", "B:W10,18,K29,32:B1,2,3,K5,6:H0:F1"]


class Game:
    def __init__(self, number, first_is_bot, fen):
        self.name, self.first_is_bot, self.fen = f"game{number}", first_is_bot, fen
        self.board, self.hops, self.status, self.winner = position(fen), [], "started", None
        self.begun, self.turns, self.news, self.over = [], 0, queue.Queue(), threading.Event()
        self.further = 0

    def bot_moves(self):
        return (self.board.side == "b") == self.first_is_bot

    def state(self):
        clocks = [2000, 3_600_000] if self.first_is_bot else [3_600_000, 2000]
        found = {"type": "gameState", "moves": " ".join(self.hops), "status": self.status}
        found |= {"wtime": clocks[0], "btime": clocks[1], "winc": 10, "binc": 10}
        return found | ({"winner": self.winner} if self.winner else {})

    def full(self):
        sides = [{"id": "kelso", "title": "BOT"}, {"id": "someone"}]
        p1, p2 = sides if self.first_is_bot else sides[::-1]
        found = {"type": "gameFull", "id": self.name, "variant": {"key": "english"}, "initialFen": self.fen}
        return found | {"p1": p1, "p2": p2, "state": self.state()}

    def hop(self, text):
        """Makes a move or a jump for the player to move, or raises ValueError."""
        squares = [33 - int(text[:2]), 33 - int(text[2:4])]
        if len(text) != 4 or self.status != "started" or (self.begun and self.begun[-1] != squares[0]):
            raise ValueError(f"{text} is not a move")
        begun = self.begun + squares[1:] if self.begun else squares
        moves = [move for move in self.board.moves() if move[0][: len(begun)] == begun]
        if not moves:
            raise ValueError(f"illegal move {text}")
        self.begun = begun
        self.hops.append(text)
        if moves[0][0] == begun:
            self.board.play(moves[0])
            self.begun, self.turns = [], self.turns + 1
            if not self.board.moves():
                self.status, self.winner = "mate", "p2" if self.board.side == "b" else "p1"
            elif self.turns == 100:
                self.status = "draw"
        self.news.put(self.state())

    def reply(self, chance):
        while self.status == "started" and not self.bot_moves():
            path = chance.choice(self.board.moves())[0]
            for ends in zip(path, path[1:]):
                self.hop("".join(f"{33 - square:02}" for square in ends))


def position(fen):
    if fen == "startpos":
        return Board(START)
    side, first, second = fen.split(":")[:3]
    pieces = ["e"] * 33
    for letter, words in (("b", first[1:]), ("w", second[1:])):
        for word in words.split(","):
            pieces[33 - int(word.lstrip("K"))] = letter.upper() if word.startswith("K") else letter
    return Board(("B" if side == "W" else "W") + "".join(pieces[1:]))


class Mock(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, games):
        super().__init__(("127.0.0.1", 0), Handler)
        self.games, self.chance, self.faults, self.connections = games, random.Random(49), [], 0
        self.answers, self.finished = queue.Queue(), threading.Event()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, found, status=200):
        body = json.dumps(found).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def stream(self, values):
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for value in values:
            line = b"\n" if value is None else json.dumps(value).encode() + b"\n"
            self.wfile.write(b"%x\r\n%s\r\n" % (len(line), line))
        self.wfile.write(b"0\r\n\r\n")

    def events(self):
        self.server.connections += 1
        if self.server.connections == 1:
            return
        yield None
        yield {"type": "challenge", "challenge": {"id": "other", "variant": {"key": "russian"}}}
        if self.server.answers.get(timeout=60) != ("other", "decline", "variant"):
            self.server.faults.append("a challenge of another variant was not declined")
        for game in self.server.games.values():
            answer = None
            # The bot declines while it plays another game or has not yet seen its end.
            while answer in (None, (game.name, "decline", "later")):
                if answer:
                    time.sleep(0.05)
                yield {"type": "challenge", "challenge": {"id": game.name, "variant": {"key": "english"}}}
                answer = self.server.answers.get(timeout=60)
            if answer != (game.name, "accept", None):
                self.server.faults.append(f"{game.name} was not accepted: {answer}")
            yield {"type": "gameStart", "game": {"id": game.name}}
            if not game.over.wait(120):
                self.server.faults.append(f"{game.name} has not ended: {game.hops}")
        self.server.finished.set()

    def states(self, game):
        yield game.full()
        game.reply(self.server.chance)
        while True:
            state = game.news.get(timeout=60)
            yield state
            if state["status"] != "started":
                game.over.set()
                return

    def do_GET(self):
        path = self.path.split("/")
        if self.headers["Authorization"] != "Bearer secret":
            self.answer({"error": "no such token"}, 401)
        elif self.path == "/api/account":
            self.answer({"id": "kelso", "username": "Kelso", "title": "BOT"})
        elif self.path == "/api/stream/event":
            self.stream(self.events())
        elif self.path.startswith("/api/bot/game/stream/") and path[-1] in self.server.games:
            self.stream(self.states(self.server.games[path[-1]]))
        else:
            self.answer({"error": "not found"}, 404)

    def do_POST(self):
        data = urllib.parse.parse_qs(self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode())
        path = self.path.split("/")[2:]
        if path[0] == "challenge":
            self.server.answers.put((path[1], path[2], data.get("reason", [None])[0]))
            return self.answer({"ok": True})
        game = self.server.games[path[2]]
        try:
            if path[3] != "move" or not game.bot_moves():
                raise ValueError(f"not your turn, or another command: {self.path}")
            game.further += bool(game.begun)
            game.hop(path[4])
        except ValueError as error:
            self.server.faults.append(f"{game.name}: {error}")
            self.server.finished.set()
            return self.answer({"error": str(error)}, 400)
        self.answer({"ok": True})
        game.reply(self.server.chance)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else len(FIRST)
    games = [Game(number, number % 2 == 0, FIRST[number % len(FIRST)]) for number in range(count)]
    mock = Mock({game.name: game for game in games})
    threading.Thread(target=mock.serve_forever, daemon=True).start()
    bot = subprocess.Popen(
        [sys.executable, ROOT / "examples" / "python" / "playstrategy_bot.py", f"http://127.0.0.1:{mock.server_port}"],
        env={**os.environ, "PLAYSTRATEGY_TOKEN": "secret"},
        stdout=subprocess.DEVNULL,
    )
    try:
        if not mock.finished.wait(120 * count + 60):
            mock.faults.append("the games have not ended")
    finally:
        bot.terminate()
        bot.wait()
    if mock.faults:
        sys.exit("\n".join(mock.faults))
    for game in games:
        won = game.winner and (game.winner == "p1") == game.first_is_bot
        result = "draw" if game.status == "draw" else "won" if won else "lost"
        print(f"{game.name}: {result} in {game.turns} moves, {game.further} further jumps of the bot")


if __name__ == "__main__":
    main()
