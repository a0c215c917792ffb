"""Kelso, an engine for English draughts (8x8 checkers), in Python.

The program `kelso` runs as a child process, and this module speaks its protocol. It has no other dependencies.

>>> from kelso import Engine, Position
>>> with Engine(options={"Hash": 16}) as engine:
...     position = Position(moves=["11-15", "23-19"])
...     result = engine.search(position, depth=8)
...     moves = engine.legal_moves(position)
>>> result.best in moves
True

A search calls `on_info` with each line of play that it finds. MultiPV is an option:

>>> with Engine(options={"MultiPV": 2}) as engine:
...     depths = []
...     result = engine.search(Position(), depth=4, on_info=lambda info: depths.append(info.depth))
>>> [info.rank for info in result.lines], max(depths)
([1, 2], 4)

Endgame databases know the results of positions with few pieces:

>>> with Engine() as engine:
...     found = engine.probe(Position("B:W32:BK22,K23"))
>>> found.result, found.plies, found.moves["22-25"].result
('win', 5, 'win')

In a notebook, a position is shown as a board; elsewhere `board` returns it as SVG:

>>> with Engine() as engine:
...     svg = engine.board(Position(moves=["11-15"]))
>>> svg.startswith("<svg")
True
"""

from .engine import Board, Engine, EngineError, Ending, Info, Position, Probe, Result, Score, program

__all__ = ["Board", "Engine", "EngineError", "Ending", "Info", "Position", "Probe", "Result", "Score", "program"]
