import os
from typing import Any, Callable, Dict, Iterable, Iterator, List, Literal, Mapping, Optional, Sequence, Tuple, Union, final

__all__ = [
    "Analysis",
    "Board",
    "Book",
    "BookEntry",
    "BookMove",
    "Color",
    "Databases",
    "Ending",
    "Engine",
    "EngineError",
    "Game",
    "Games",
    "LegalMoves",
    "Line",
    "Move",
    "MoveError",
    "PdnError",
    "Piece",
    "Ply",
    "ProbedMove",
    "Score",
    "Search",
    "SearchResult",
    "Variation",
    "__version__",
    "analyse",
    "decode",
    "encode",
    "evaluate",
    "evaluate_rows",
    "legal_moves",
    "masks",
    "parse_games",
    "planes",
    "probe_rows",
    "read_games",
]
__version__: str

class EngineError(RuntimeError):
    """An engine cannot do what it was asked."""

class MoveError(ValueError):
    """Text or a move is not legal in a position."""

class PdnError(ValueError):
    """An error in a game in PDN."""

    game: int
    line: int
    column: int

@final
class Color:
    """The side to move, or the owner of a piece; also an index: 0 for Black, 1 for White."""

    BLACK: Color
    WHITE: Color
    @property
    def opponent(self) -> Color: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class Piece:
    @property
    def color(self) -> Color: ...
    @property
    def is_king(self) -> bool: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class Move:
    """A legal move of a position. Moves are equal if they have the same squares, captures and kind of piece."""

    @property
    def from_square(self) -> int: ...
    @property
    def to_square(self) -> int: ...
    @property
    def path(self) -> Tuple[int, ...]:
        """The squares that the piece visits, with the first and the last."""
    @property
    def paths(self) -> List[Tuple[int, ...]]:
        """All paths: a king may capture the same pieces in several orders."""
    @property
    def captures(self) -> Tuple[int, ...]:
        """The squares of the captured pieces, in numerical order."""
    @property
    def is_capture(self) -> bool: ...
    @property
    def is_king(self) -> bool: ...
    @property
    def is_crowning(self) -> bool: ...
    @property
    def full(self) -> str:
        """The move with every square of its path, such as `22x15x8`."""
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> Tuple[Any, ...]: ...

@final
class LegalMoves:
    """The legal moves of a board at the time of the call, generated when needed."""

    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __iter__(self) -> Iterator[Move]: ...
    def __getitem__(self, index: int, /) -> Move: ...
    def __contains__(self, item: object, /) -> bool: ...

_DrawRule = Optional[str]

@final
class Board:
    """A position with the moves that led to it. Boards with the same position are equal."""

    def __new__(cls, fen: Optional[str] = None) -> Board: ...
    @staticmethod
    def from_bitboards(black_men: int, black_kings: int, white_men: int, white_kings: int, turn: Color) -> Board:
        """Creates a board from sets of squares, in which bit n - 1 is square n."""
    @property
    def turn(self) -> Color: ...
    def fen(self) -> str: ...
    @property
    def legal_moves(self) -> LegalMoves: ...
    @property
    def must_capture(self) -> bool: ...
    def parse_move(self, text: str) -> Move:
        """Parses a move such as `11-15`, `22x15`, `22x15x8` or `1115`."""
    def push(self, move: Union[Move, str]) -> None: ...
    def pop(self) -> Move:
        """Takes back the last move, and returns it."""
    def peek(self) -> Move:
        """Returns the last move."""
    @property
    def move_stack(self) -> List[Move]: ...
    @property
    def start(self) -> Board:
        """The first position, without moves."""
    def copy(self, *, stack: bool = True) -> Board: ...
    def flipped(self) -> Board:
        """Returns the position with colours exchanged and the board rotated."""
    def result(self, *, draw_rule: _DrawRule = "standard", plies: Optional[int] = None) -> str:
        """Returns the result as in PDN, where Black's points come first, or `*`."""
    def is_game_over(self, *, draw_rule: _DrawRule = "standard", plies: Optional[int] = None) -> bool: ...
    def winner(self) -> Optional[Color]:
        """Returns the winner by the rules, if the side to move has no legal move."""
    def end_reason(self, *, draw_rule: _DrawRule = "standard", plies: Optional[int] = None) -> Optional[str]:
        """Describes how the game ended, such as `draw: third repetition`."""
    def repetitions(self) -> int:
        """Returns how often the position has occurred since the last capture or man's move."""
    def piece_at(self, square: int) -> Optional[Piece]: ...
    @property
    def pieces(self) -> Dict[int, Piece]: ...
    def men(self, color: Color) -> int:
        """Returns a side's men, as a number in which bit n - 1 is square n."""
    def kings(self, color: Color) -> int: ...
    @property
    def occupied(self) -> int: ...
    @property
    def zobrist(self) -> int:
        """The Zobrist key of the position, the same on every machine and in every version."""
    def perft(self, depth: int) -> int: ...
    def svg(self, *, size: int = 400, bottom: Color = ...) -> str:
        """Returns the board as SVG, with an arrow for the last move."""
    def _repr_svg_(self) -> str: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __copy__(self) -> Board: ...
    def __deepcopy__(self, memo: Any, /) -> Board: ...
    def __reduce__(self) -> Tuple[Any, ...]: ...
    def __setstate__(self, moves: List[str], /) -> None: ...

def evaluate(board: Board) -> int:
    """Evaluates a position without a search, in hundredths of a man for the side to move."""

@final
class Ending:
    """A known result for the side to move."""

    @property
    def result(self) -> Literal["win", "draw", "loss"]: ...
    @property
    def plies(self) -> Optional[int]:
        """The plies to the end of the game, if they are known."""
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class ProbedMove:
    @property
    def move(self) -> Move: ...
    @property
    def ending(self) -> Optional[Ending]:
        """The result that the move leads to, for the side that makes it."""

@final
class Databases:
    """Endgame databases: those built in, and those of a folder, by default of the user's data folder."""

    def __new__(
        cls, folder: Union[str, os.PathLike[str], None] = None, *, pieces: int = 7, cache: int = 64
    ) -> Databases: ...
    @property
    def max_pieces(self) -> int: ...
    def probe(self, board: Board) -> Optional[Ending]:
        """Returns the result of a position with best play, without regard to draw rules."""
    def probe_moves(self, board: Board) -> List[ProbedMove]:
        """Returns the legal moves with their results, best first."""
    def errors(self) -> List[str]:
        """Returns a message for each file found to be damaged or missing since the last call."""

@final
class BookMove:
    @property
    def move(self) -> Move: ...
    @property
    def drop(self) -> int:
        """How much worse the move is than the best one, in hundredths of a man; 255 stands for 255 or more."""

@final
class BookEntry:
    @property
    def cp(self) -> Optional[int]:
        """Hundredths of a man for the side to move; None if the result is known."""
    @property
    def result(self) -> Optional[Literal["win", "loss"]]: ...
    @property
    def depth(self) -> int: ...
    @property
    def moves(self) -> List[BookMove]: ...

@final
class Book:
    """An opening book: a file, or the built-in book."""

    def __new__(cls, path: Union[str, os.PathLike[str], None] = None) -> Book: ...
    def look_up(self, board: Board) -> Optional[BookEntry]: ...

@final
class Ply:
    """A move of a game with its remarks."""

    def __new__(
        cls,
        move: Move,
        comment: Optional[str] = None,
        glyphs: Optional[List[int]] = None,
        variations: Optional[List[Variation]] = None,
    ) -> Ply: ...
    move: Move
    comment: str
    glyphs: List[int]
    variations: List[Variation]

@final
class Variation:
    """A line that begins in place of a move."""

    def __new__(cls, plies: Optional[List[Ply]] = None, comment: Optional[str] = None) -> Variation: ...
    plies: List[Ply]
    comment: str

@final
class Game:
    """A game with its tags, moves and result. `str` writes it as PDN."""

    def __new__(
        cls, board: Optional[Board] = None, *, tags: Optional[Dict[str, str]] = None, result: Optional[str] = None
    ) -> Game: ...
    @staticmethod
    def from_pdn(text: str) -> Game:
        """Reads the first game of a text. Raises PdnError if a move cannot be read."""
    tags: Dict[str, str]
    comment: str
    plies: List[Ply]
    result: str
    @property
    def errors(self) -> List[PdnError]: ...
    @property
    def complete(self) -> bool:
        """Whether all moves could be read. If not, the moves end before the first error."""
    @property
    def start(self) -> Board: ...
    @property
    def moves(self) -> List[Move]: ...
    def board(self, plies: Optional[int] = None) -> Board:
        """Returns the board after the first plies, or after all."""

@final
class Games(Iterator[Game]):
    def __iter__(self) -> Games: ...
    def __next__(self) -> Game: ...

def read_games(path: Union[str, os.PathLike[str]]) -> Games:
    """Reads games from a file, one by one."""

def parse_games(text: Union[str, bytes]) -> Games:
    """Reads games from a text."""

@final
class Score:
    """A score for the side to move."""

    @property
    def kind(self) -> Literal["cp", "win", "draw", "loss"]: ...
    @property
    def cp(self) -> Optional[int]:
        """Hundredths of a man; None for a known win or loss."""
    @property
    def plies(self) -> Optional[int]:
        """The plies to the end of a known win or loss, if they are known."""
    @property
    def bound(self) -> Literal["exact", "lower", "upper"]: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class Line:
    """A line of play found by a search."""

    @property
    def rank(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def seldepth(self) -> int: ...
    @property
    def score(self) -> Score: ...
    @property
    def wdl(self) -> Optional[Tuple[int, int, int]]:
        """The chances of a win, a draw and a loss for the side to move, in thousandths."""
    @property
    def nodes(self) -> int: ...
    @property
    def time(self) -> float: ...
    @property
    def moves(self) -> List[Move]: ...

@final
class SearchResult:
    @property
    def best(self) -> Optional[Move]: ...
    @property
    def ponder(self) -> Optional[Move]: ...
    @property
    def lines(self) -> List[Line]: ...
    @property
    def score(self) -> Optional[Score]: ...
    @property
    def wdl(self) -> Optional[Tuple[int, int, int]]: ...
    @property
    def nodes(self) -> int: ...
    @property
    def time(self) -> float: ...

@final
class Search:
    """A search in the background. It ends when the object is deleted."""

    @property
    def done(self) -> bool: ...
    @property
    def lines(self) -> List[Line]: ...
    def stop(self) -> SearchResult:
        """Ends the search, and returns its result."""
    def wait(self, timeout: Optional[float] = None) -> Optional[SearchResult]:
        """Waits for the result; returns None after `timeout` seconds."""

@final
class Engine:
    """An engine that searches in this process. Calls from several threads run one after another."""

    def __new__(
        cls, *, threads: int = 1, hash: int = 64, level: int = 0, options: Optional[Mapping[str, object]] = None
    ) -> Engine: ...
    def search(
        self,
        board: Board,
        *,
        depth: Optional[int] = None,
        nodes: Optional[int] = None,
        time: Optional[float] = None,
        clock: Optional[Tuple[float, float]] = None,
        lines: int = 1,
        moves: Optional[Sequence[Union[Move, str]]] = None,
        on_info: Optional[Callable[[Line], object]] = None,
    ) -> SearchResult:
        """Searches a position. `time` is the seconds for the move, `clock` the seconds left and added for each move."""
    def start(
        self,
        board: Board,
        *,
        depth: Optional[int] = None,
        nodes: Optional[int] = None,
        time: Optional[float] = None,
        clock: Optional[Tuple[float, float]] = None,
        lines: int = 1,
        moves: Optional[Sequence[Union[Move, str]]] = None,
    ) -> Search: ...
    def stop(self) -> None: ...
    def set_option(self, name: str, value: object = None) -> None: ...
    @property
    def options(self) -> Dict[str, str]: ...
    def new_game(self) -> None:
        """Forgets what earlier searches found, so that the next one does not depend on them."""
    def close(self) -> None: ...
    def __enter__(self) -> Engine: ...
    def __exit__(self, *_args: object) -> None: ...

@final
class Analysis:
    """An analysed game."""

    @property
    def game(self) -> Game: ...
    @property
    def moves(self) -> List[Dict[str, Any]]: ...
    @property
    def players(self) -> List[Dict[str, Any]]: ...
    @property
    def opening(self) -> str: ...
    @property
    def decided(self) -> Optional[int]: ...

def analyse(
    game: Game,
    *,
    depth: Optional[int] = None,
    nodes: Optional[int] = None,
    time: Optional[float] = None,
    options: Optional[Mapping[str, object]] = None,
) -> Analysis:
    """Analyses a game like `kelso analyse`."""

def encode(boards: Iterable[Board]) -> bytearray: ...
def decode(rows: bytes) -> List[Board]: ...
def legal_moves(rows: bytes, with_after: bool) -> List[bytearray]: ...
def evaluate_rows(rows: bytes) -> bytearray: ...
def probe_rows(databases: Databases, rows: bytes) -> bytearray: ...
def masks(rows: bytes, rotated: bool) -> bytearray: ...
def planes(rows: bytes, rotated: bool) -> bytearray: ...
