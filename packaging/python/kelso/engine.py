"""The engine as a child process, and the values that it returns."""

from __future__ import annotations

import os
import queue
import re
import shutil
import subprocess
import sys
import sysconfig
import threading
from dataclasses import dataclass, field
from typing import Callable, Dict, Iterator, List, Mapping, Optional, Sequence


class EngineError(Exception):
    """The engine rejected a command, could not be started, or has exited."""


@dataclass(frozen=True)
class Position:
    """A position: a FEN, or the start, and moves from there in PDN notation."""

    fen: Optional[str] = None
    moves: Sequence[str] = ()

    def __post_init__(self) -> None:
        if isinstance(self.moves, str):
            raise TypeError(f"expected a list of moves, such as [{self.moves!r}]")

    def after(self, *moves: str) -> Position:
        """Returns the position after further moves."""
        return Position(self.fen, (*self.moves, *moves))

    def _line(self) -> str:
        words = ["fen", self.fen] if self.fen else ["startpos"]
        return " ".join(["position", *words, *(["moves", *self.moves] if self.moves else [])])

    def _repr_svg_(self) -> str:
        """The board, for notebooks."""
        return str(draw(self))


@dataclass(frozen=True)
class Score:
    """A score for the side to move."""

    kind: str
    """`cp` for hundredths of a man, or `win` or `loss` for a known result."""
    value: Optional[int] = None
    """Hundredths of a man, or the plies to the end; None if they are unknown."""


@dataclass(frozen=True)
class Info:
    """A line of play found by a search."""

    depth: int
    rank: int
    score: Score
    nodes: int
    milliseconds: int
    moves: List[str]


@dataclass(frozen=True)
class Result:
    """The result of a search."""

    best: Optional[str]
    """The best move; None if there is no legal one."""
    ponder: Optional[str]
    """The expected reply."""
    lines: List[Info]
    """The last line of each rank."""


@dataclass(frozen=True)
class Ending:
    """A known result for the side to move."""

    result: str
    """`win`, `loss`, `draw` or `unknown`."""
    plies: Optional[int] = None
    """The plies to the end of the game, if they are known."""


@dataclass(frozen=True)
class Probe(Ending):
    """The database result of a position, and of each of its moves for the side that makes it."""

    moves: Dict[str, Ending] = field(default_factory=dict)


class Board(str):
    """A board as SVG, which notebooks show as a picture."""

    def _repr_svg_(self) -> str:
        return str(self)


def program() -> str:
    """Returns the path of the program installed with this module, or else of the one on the path."""
    name = "kelso.exe" if os.name == "nt" else "kelso"
    schemes = [None, f"{os.name}_user"]
    folders = [sysconfig.get_path("scripts", scheme) if scheme else sysconfig.get_path("scripts") for scheme in schemes]
    for folder in [os.path.dirname(sys.executable), *folders]:
        path = os.path.join(folder, name) if folder else ""
        if path and os.path.isfile(path):
            return path
    found = shutil.which("kelso")
    if not found:
        raise EngineError("cannot find the program kelso: install it with pip, or put it on the path")
    return found


def draw(position: Position, path: Optional[str] = None) -> Board:
    """Draws a position as SVG."""
    words = [path or program(), "show", "--svg"]
    words += [position.fen] if position.fen else []
    words += ["--moves", " ".join(position.moves)] if position.moves else []
    shown = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if shown.returncode != 0:
        raise EngineError(shown.stderr.strip().removeprefix("error: "))
    return Board(shown.stdout)


_INFO = re.compile(
    r"info depth (\d+) seldepth \d+ multipv (\d+) score (\w+)(?: (-?\d+))?.* nodes (\d+) .* time (\d+) pv (.*)"
)


def _info(line: str) -> Optional[Info]:
    found = _INFO.fullmatch(line)
    if not found:
        return None
    depth, rank, kind, value, nodes, time, moves = found.groups()
    score = Score(kind, None if value is None else int(value))
    return Info(int(depth), int(rank), score, int(nodes), int(time), [] if moves == "none" else moves.split())


def _ending(words: Sequence[str]) -> Ending:
    """Parses `win 5` or `draw`, ignoring any further words."""
    return Ending(words[0], int(words[1]) if words[1:] and words[1].isdigit() else None)


class Engine:
    """An engine, which runs until the end of its `with` block or until `close`.

    Calls from several threads run one after another, except for `stop` and `close`.
    """

    def __init__(self, path: Optional[str] = None, options: Optional[Mapping[str, object]] = None) -> None:
        self.path = path or program()
        try:
            self._process = subprocess.Popen(
                [self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", bufsize=1
            )
        except OSError as error:
            raise EngineError(f"cannot start {self.path!r}: {error.strerror}") from error
        self._lines: queue.SimpleQueue[Optional[str]] = queue.SimpleQueue()
        self._writing = threading.Lock()
        self._calls = threading.RLock()
        # Set unless the engine still has to answer `go`, and whether `search` is waiting for that answer.
        self._idle = threading.Event()
        self._idle.set()
        self._is_waiting = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        for name, value in (options or {}).items():
            self.set_option(name, value)

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line.rstrip("\n"))
            if line.startswith("bestmove"):
                self._idle.set()
        self._lines.put(None)
        self._idle.set()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the engine."""
        if self._process.poll() is None:
            try:
                self.send("quit")
                self._process.wait(5)
            except (EngineError, subprocess.TimeoutExpired):
                self._process.kill()
                self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                try:
                    pipe.close()
                except OSError:
                    pass

    def send(self, line: str) -> None:
        """Sends a line of the protocol."""
        if "\n" in line or "\r" in line:
            raise ValueError("expected one line")
        assert self._process.stdin is not None
        try:
            with self._writing:
                self._process.stdin.write(line + "\n")
                self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise EngineError("the engine has ended") from error

    def lines(self, last: str) -> Iterator[str]:
        """Yields the lines of the engine up to the first that begins with `last`. Raises errors reported by the engine."""
        while True:
            line = self._lines.get()
            if line is None:
                self._lines.put(None)
                raise EngineError("the engine has ended")
            if line.startswith("info string error: "):
                # If this was the answer to `go`, there is no other.
                self._idle.set()
                raise EngineError(line.removeprefix("info string error: "))
            yield line
            if line.startswith(last):
                return

    def ask(self, line: str, last: str) -> List[str]:
        """Sends a line and returns the lines of its answer, up to the first that begins with `last`."""
        self.send(line)
        return list(self.lines(last))

    def _command(self, line: str) -> None:
        """Sends a line without an answer, and waits until it has been executed."""
        if self._is_waiting:
            raise EngineError("a search is running")
        self._abandon()
        self.send(line)
        self.send("isready")
        error = None
        while True:
            try:
                for _ in self.lines("readyok"):
                    pass
                break
            except EngineError as found:
                if self._process.poll() is not None:
                    raise
                error = error or found
        if error:
            raise error

    def _abandon(self) -> None:
        """Stops an abandoned search and discards its output."""
        if self._idle.is_set():
            return
        try:
            self.send("stop")
        except EngineError:
            pass
        while self._reader.is_alive() and not self._idle.wait(0.1):
            pass
        self._idle.set()
        try:
            while self._lines.get_nowait() is not None:
                pass
            self._lines.put(None)
        except queue.Empty:
            pass

    def set_option(self, name: str, value: object = None) -> None:
        """Sets an option, such as Hash, Threads, MultiPV or EgdbPath; booleans are for check options."""
        shown = str(value).lower() if isinstance(value, bool) else value
        with self._calls:
            self._command(f"setoption name {name}" + ("" if shown is None else f" value {shown}"))

    def new_game(self) -> None:
        """Begins a new game: clears the results of earlier searches."""
        with self._calls:
            self._command("ucinewgame")

    def search(
        self,
        position: Position = Position(),
        *,
        depth: Optional[int] = None,
        nodes: Optional[int] = None,
        seconds: Optional[float] = None,
        on_info: Optional[Callable[[Info], None]] = None,
    ) -> Result:
        """Searches a position. Without a limit, `stop` ends the search, from `on_info` or another thread."""
        milliseconds = None if seconds is None else round(seconds * 1000)
        limits = {"depth": depth, "nodes": nodes, "movetime": milliseconds}
        words = [f"{name} {value}" for name, value in limits.items() if value is not None]
        with self._calls:
            self._command(position._line())
            found: Dict[int, Info] = {}
            line = ""
            try:
                self._is_waiting = True
                self._idle.clear()
                self.send(" ".join(["go", *(words or ["infinite"])]))
                for line in self.lines("bestmove"):
                    info = _info(line)
                    if info:
                        found[info.rank] = info
                        if on_info:
                            on_info(info)
            except BaseException:
                # The caller's function has failed, or the search was interrupted: the engine must not go on.
                self._abandon()
                raise
            finally:
                self._is_waiting = False
        moves = line.split()
        best = None if moves[1] == "none" else moves[1]
        return Result(best, moves[3] if len(moves) > 3 else None, [found[rank] for rank in sorted(found)])

    def stop(self) -> None:
        """Ends the running search."""
        self.send("stop")

    def legal_moves(self, position: Position = Position()) -> List[str]:
        """Returns the legal moves."""
        with self._calls:
            self._command(position._line())
            return [move for move in self.ask("moves", "moves")[-1].split()[1:] if move != "none"]

    def evaluate(self, position: Position = Position()) -> int:
        """Evaluates a position for the side to move, in hundredths of a man, without a search."""
        with self._calls:
            self._command(position._line())
            return int(self.ask("eval", "eval cp")[-1].split()[2])

    def probe(self, position: Position) -> Probe:
        """Looks up a position and its moves in the endgame databases."""
        with self._calls:
            self._command(position._line())
            *moves, side = (line.split() for line in self.ask("probe", "probe side"))
        whole = _ending(side[3:])
        return Probe(whole.result, whole.plies, {words[2]: _ending(words[3:]) for words in moves})

    def board(self, position: Position = Position()) -> Board:
        """Draws a position as SVG."""
        return draw(position, self.path)


