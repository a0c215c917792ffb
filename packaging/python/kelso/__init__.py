"""Rules, notation, endgame databases, search and analysis of English draughts (8x8 checkers).

>>> import kelso
>>> board = kelso.Board()
>>> board.push("11-15")
>>> [str(move) for move in board.legal_moves]
['21-17', '22-18', '23-19', '24-20', '22-17', '23-18', '24-19']
>>> engine = kelso.Engine()
>>> engine.search(board, depth=8).best in board.legal_moves
True
"""

from ._native import (
    Analysis,
    Board,
    Book,
    BookEntry,
    BookMove,
    Color,
    Databases,
    Ending,
    Engine,
    EngineError,
    Game,
    Games,
    LegalMoves,
    Line,
    Move,
    MoveError,
    PdnError,
    Piece,
    Ply,
    ProbedMove,
    Score,
    Search,
    SearchResult,
    Variation,
    __version__,
    analyse,
    evaluate,
    parse_games,
    read_games,
)
from .batch import (
    MoveBatch,
    decode_boards,
    encode_boards,
    evaluate_batch,
    legal_masks,
    legal_moves_batch,
    piece_planes,
    probe_batch,
)
from .program import program

BLACK = Color.BLACK
WHITE = Color.WHITE

__all__ = [
    "BLACK",
    "WHITE",
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
    "MoveBatch",
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
    "decode_boards",
    "encode_boards",
    "evaluate",
    "evaluate_batch",
    "legal_masks",
    "legal_moves_batch",
    "parse_games",
    "piece_planes",
    "probe_batch",
    "program",
    "read_games",
]
