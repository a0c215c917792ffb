"""Tests of the installed Python package: python3 -m unittest test_kelso"""

import copy
import faulthandler
import os
import pickle
import random
import signal
import sys
import threading
import time
import unittest

import kelso
from kelso import Board, Engine, EngineError, Game, MoveError, PdnError

try:
    import numpy
except ImportError:
    numpy = None

ENDING = Board("B:W32:BK22,K23")
REPLIES = Board()
REPLIES.push("11-15")


def perft(board, depth):
    if depth == 1:
        return sum(len(move.paths) if move.is_king else 1 for move in board.legal_moves)
    leaves = 0
    for move in board.legal_moves:
        board.push(move)
        leaves += perft(board, depth - 1)
        board.pop()
    return leaves


class Boards(unittest.TestCase):
    def test_the_tree_has_the_published_number_of_leaves(self):
        counts = [7, 49, 302, 1469, 7361, 36768]
        self.assertEqual([perft(Board(), depth) for depth in range(1, 7)], counts)
        self.assertEqual([Board().perft(depth) for depth in range(9)], [1, *counts, 179740, 845931])

    def test_legal_moves_are_a_sequence_of_the_position_before(self):
        board = Board()
        moves = board.legal_moves
        board.push(moves[0])
        self.assertEqual((len(moves), str(moves[-1]), str(moves[6])), (7, str(list(moves)[6]), str(list(moves)[6])))
        self.assertTrue(moves and "11-15" in moves and "22-18" not in moves and moves[2] in moves and 3 not in moves)
        self.assertRaises(IndexError, lambda: moves[7])
        self.assertRaises(IndexError, lambda: moves[-8])
        self.assertFalse(Board("B:W32:B28").legal_moves)

    def test_moves_have_squares_a_path_and_captures(self):
        board = Board("B:W9,10,17,18,32:B6")
        self.assertEqual([str(move) for move in board.legal_moves], ["6x13x22", "6x15x22"])
        move = board.parse_move("6x15x22")
        self.assertEqual((move.from_square, move.to_square, move.path, move.captures), (6, 22, (6, 15, 22), (10, 18)))
        self.assertEqual((move.is_capture, move.is_king, move.is_crowning, move.full), (True, False, False, "6x15x22"))
        circle = Board("B:W9,10,17,18:BK6").legal_moves[0]
        self.assertEqual(sorted(circle.paths), [(6, 13, 22, 15, 6), (6, 15, 22, 13, 6)])
        self.assertEqual((move, hash(move)), (board.legal_moves[1], hash(board.legal_moves[1])))
        self.assertNotEqual(*board.legal_moves)
        self.assertEqual(pickle.loads(pickle.dumps(move)), move)

    def test_moves_are_read_in_several_forms(self):
        for text in ["11-15", "1115"]:
            board = Board()
            board.push(text)
            self.assertEqual(board.fen(), "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15")
        board = Board("B:W18,9,32:B5")
        for text in ["5x14x23", "5x23", "0523", "5-14-23"]:
            self.assertEqual(board.parse_move(text).captures, (9, 18))
        for text in ["", "11-17", "11", "1117", "9999", "+115", "x" * 100_000, "11-15 ", "六"]:
            with self.assertRaises(MoveError):
                Board().push(text)
        with self.assertRaisesRegex(MoveError, "ambiguous"):
            Board("B:W9,10,17,18,32:B6").push("6x22")
        with self.assertRaises(MoveError):
            Board().push(board.legal_moves[0])
        with self.assertRaisesRegex(TypeError, "expected a Move or a text such as .11-15., got .*int"):
            Board().push(1115)

    def test_moves_are_taken_back(self):
        board = Board()
        self.assertRaises(IndexError, board.pop)
        self.assertRaises(IndexError, board.peek)
        moves = []
        while not board.is_game_over() and len(moves) < 60:
            moves.append(random.choice(board.legal_moves))
            board.push(moves[-1])
        self.assertEqual((board.move_stack, board.peek()), (moves, moves[-1]))
        for whole in [board.copy(), copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))]:
            self.assertEqual((whole, whole.move_stack, whole.zobrist), (board, moves, board.zobrist))
        self.assertEqual(board.copy(stack=False).move_stack, [])
        while board.move_stack:
            self.assertEqual(board.pop(), moves.pop())
        self.assertEqual((board, hash(board)), (Board(), hash(Board())))

    def test_games_end_by_the_rules_and_by_draw_rules(self):
        lost = Board("B:W32:B28")
        self.assertEqual((lost.result(), lost.winner(), lost.result(draw_rule=None)), ("0-1", kelso.WHITE, "0-1"))
        board = Board("B:WK32:BK1")
        for _ in range(2):
            for text in ["1-5", "32-28", "5-1", "28-32"]:
                self.assertEqual(board.result(), "*")
                board.push(text)
        self.assertEqual((board.repetitions(), board.result(), board.is_game_over()), (3, "1/2-1/2", True))
        self.assertEqual(board.end_reason(), "draw: third repetition")
        self.assertEqual((board.result(draw_rule=None), board.winner()), ("*", None))
        for plies in range(8, 41):
            self.assertEqual(board.is_game_over(draw_rule="alex", plies=40), plies == 40)
            self.assertEqual(board.is_game_over(draw_rule="plies 40"), plies == 40)
            board.push(board.legal_moves[0])
        self.assertRaisesRegex(ValueError, "unknown draw rule", board.result, draw_rule="none")

    def test_pieces_and_sets(self):
        board = Board("W:W5,6,K3:BK32,10")
        self.assertEqual("".join(map(str, board.pieces.values())), "WwwbB")
        self.assertEqual((board.turn, board.turn.opponent), (kelso.WHITE, kelso.BLACK))
        self.assertEqual((board.men(kelso.WHITE), board.kings(kelso.BLACK)), (1 << 4 | 1 << 5, 1 << 31))
        self.assertEqual((board.piece_at(32).color, board.piece_at(32).is_king), (kelso.BLACK, True))
        self.assertEqual(["Black", "White"][board.turn], "White")
        self.assertIsNone(board.piece_at(1))
        for square in (0, 33, -1, 1 << 40):
            self.assertRaises(ValueError, board.piece_at, square)
        sets = [board.men(kelso.BLACK), board.kings(kelso.BLACK), board.men(kelso.WHITE), board.kings(kelso.WHITE)]
        self.assertEqual(Board.from_bitboards(*sets, board.turn), board)
        self.assertEqual(board.flipped().flipped(), board)
        for wrong in [(0, 0, 0, 0), (1, 1, 0, 0), (1, 0, 1, 0), (1 << 31, 0, 0, 0), (0, 0, 1, 0), (0x1FFF, 0, 0, 0)]:
            self.assertRaises(ValueError, Board.from_bitboards, *wrong, kelso.BLACK)
        for fen in ["", "X", "B:W1:B2", "B:W32,32:B1", "B" * 100_000]:
            self.assertRaises(ValueError, Board, fen)
        self.assertTrue(board._repr_svg_().startswith("<svg") and eval(repr(board)) == board)

    def test_keys_are_those_of_every_version(self):
        self.assertEqual((Board().zobrist, Board("W:WK1,5:BK32,28").zobrist), (0x184EC5877CAF81EC, 0xF444E2366E1C1F2B))


class Games(unittest.TestCase):
    PDN = '[Event "Tea"]\n[Black "Ann"]\n\n{first} 1. 11-15 $1 {good} 23-18 (1... 22-18 {better} 2. 15x22) 2. 8-11 *\n'

    def test_games_are_read_changed_and_written(self):
        game = Game.from_pdn(self.PDN)
        self.assertEqual((game.tags, game.comment, game.result), ({"Event": "Tea", "Black": "Ann"}, "first", "*"))
        self.assertEqual(list(map(str, game.moves)), ["11-15", "23-18", "8-11"])
        first, second, _ = game.plies
        self.assertEqual((first.comment, first.glyphs, second.variations[0].plies[0].comment), ("good", [1], "better"))
        self.assertEqual(game.board().fen(), game.board(3).fen())
        self.assertEqual(str(Game.from_pdn(str(game))), str(game))
        board = game.board()
        board.push(board.legal_moves[0])
        game.plies.append(kelso.Ply(board.peek(), "added", [2], [kelso.Variation([])]))
        game.tags["White"] = 'Bob "B" \\'
        game.result = "1-0"
        again = Game.from_pdn(str(game))
        self.assertEqual((again.plies[3].comment, again.result, again.tags["White"]), ("added", "1-0", 'Bob "B" \\'))

    def test_boards_become_games(self):
        board = Board("W:W14,13:B5")
        board.push("13-9")
        self.assertIn('[FEN "W:W13,14:B5"]', str(Game(board)))
        self.assertEqual((Game(board).result, Game().result, Game(board, result="1/2-1/2").result), ("0-1", "*", "1/2-1/2"))
        self.assertRaises(ValueError, Game, board, result="2-0x")

    def test_errors_have_a_place(self):
        with self.assertRaises(PdnError) as caught:
            Game.from_pdn('[Black "Ann"]\n1. 11-15 23-18\n2. 11-16 *')
        self.assertEqual((caught.exception.game, caught.exception.line, caught.exception.column), (1, 3, 4))
        games = list(kelso.parse_games("1. 11-15 *\n\n1. 11-15 11-17 *\n\n1. 11-16 *"))
        self.assertEqual([(game.complete, len(game.moves), len(game.errors)) for game in games], [(True, 1, 0), (False, 1, 1), (True, 1, 0)])
        self.assertEqual((games[1].errors[0].game, games[1].errors[0].line), (2, 3))
        self.assertEqual(list(kelso.parse_games(b"\xff\xfe")), [])
        self.assertRaises(TypeError, kelso.parse_games, 3)
        self.assertRaises(ValueError, Game.from_pdn, "")
        self.assertRaisesRegex(FileNotFoundError, "/no/such/file", kelso.read_games, "/no/such/file")
        self.assertRaises(IsADirectoryError, kelso.read_games, os.path.dirname(os.path.abspath(__file__)))

    def test_wrong_games_are_not_written(self):
        game = Game.from_pdn("1. 11-15 *")
        game.plies.append(game.plies[0])
        self.assertRaises(MoveError, str, game)
        nested = Game.from_pdn("1. 11-15 *")
        nested.plies[0].variations.append(kelso.Variation(nested.plies))
        self.assertRaisesRegex(ValueError, "nested", str, nested)
        with self.assertRaises(TypeError):
            nested.plies = 3
        game.plies = [3]
        self.assertRaises(TypeError, str, game)


class Endings(unittest.TestCase):
    def test_databases_know_results(self):
        databases = kelso.Databases(pieces=5)
        self.assertEqual((databases.probe(ENDING).result, databases.probe(ENDING).plies), ("win", 5))
        self.assertIsNone(databases.probe(Board()))
        best = databases.probe_moves(ENDING)[0]
        self.assertEqual((str(best.move), best.ending.result), ("22-25", "win"))
        self.assertEqual((databases.max_pieces, databases.errors()), (5, []))
        self.assertRaises(ValueError, kelso.Databases, "/no/such/folder")
        self.assertRaises(ValueError, kelso.Databases, pieces=9)
        self.assertRaises(ValueError, kelso.Databases, cache=0)

    def test_the_book_knows_openings(self):
        entry = kelso.Book().look_up(Board())
        self.assertEqual((len(entry.moves), entry.moves[0].drop, entry.result), (7, 0, None))
        self.assertTrue(entry.depth > 10 and abs(entry.cp) < 50)
        self.assertIsNone(kelso.Book().look_up(ENDING))
        self.assertRaises(ValueError, kelso.Book, "/no/such/book")


def fail(line):
    raise KeyError(line.depth)


class Engines(unittest.TestCase):
    def setUp(self):
        # A hang is a failure.
        faulthandler.dump_traceback_later(120, exit=True)
        self.engine = Engine(hash=16)

    def tearDown(self):
        self.engine.close()
        faulthandler.cancel_dump_traceback_later()

    def test_lines_have_scores_bounds_and_chances(self):
        seen = []
        result = self.engine.search(REPLIES, depth=8, lines=2, on_info=seen.append)
        self.assertEqual([line.rank for line in result.lines], [1, 2])
        self.assertEqual((result.best, result.ponder), tuple(result.lines[0].moves[:2]))
        self.assertEqual((result.score.kind, result.score.bound, sum(result.wdl)), ("cp", "exact", 1000))
        self.assertEqual(max(line.depth for line in seen), 8)
        self.assertTrue(all(sum(line.wdl) == 1000 and line.nodes and line.time >= 0 for line in seen))
        self.assertEqual(len(self.engine.search(REPLIES, depth=2).lines), 1)

    def test_known_results_are_results(self):
        five = Board("W:WK3,K10,K11:BK29,K32")  # beyond the compiled-in distances
        for board, kind in [(ENDING, "win"), (five, kelso.Databases(pieces=5).probe(five).result)]:
            score = self.engine.search(board, depth=4).lines[0].score
            self.assertEqual((score.kind, score.cp), (kind, 0 if kind == "draw" else None))
        drawn = self.engine.search(Board("B:WK32:BK1"), depth=3)
        self.assertEqual((drawn.score.kind, drawn.wdl), ("draw", (0, 1000, 0)))
        self.assertIsNone(self.engine.search(Board("B:W32:B28"), depth=1).best)

    def test_a_function_that_fails_ends_the_search(self):
        for _ in range(3):
            with self.assertRaises(KeyError):
                self.engine.search(REPLIES, on_info=fail)
            self.assertIn(self.engine.search(Board(), depth=3).best, Board().legal_moves)

    @unittest.skipIf(os.name == "nt", "SIGINT")
    def test_an_interrupt_ends_the_search(self):
        # A shell starts commands in the background without it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        before = self.engine.search(REPLIES, depth=9).nodes
        for act in [
            lambda: self.engine.search(REPLIES),
            lambda: self.engine.start(REPLIES).wait(),
            lambda: kelso.analyse(Game.from_pdn("1. 11-15 23-18 *"), time=60),
            lambda: Board().perft(30),
        ]:
            timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
            timer.start()
            started = time.monotonic()
            with self.assertRaises(KeyboardInterrupt):
                act()
            timer.join()
            self.assertLess(time.monotonic() - started, 20)
            self.engine.new_game()
            self.assertEqual(self.engine.search(REPLIES, depth=9).nodes, before)

    def test_threads_take_turns(self):
        results = {}

        def search(moves):
            board = Board()
            for move in moves:
                board.push(move)
            results[moves] = (board, [self.engine.search(board, depth=5).best for _ in range(5)])

        threads = [threading.Thread(target=search, args=(moves,)) for moves in ((), ("9-13",), ("11-15", "23-19"))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for board, found in results.values():
            self.assertTrue(all(move in board.legal_moves for move in found), (board, found))

    def test_several_engines_search_at_once_without_the_gil(self):
        engines = [Engine(hash=1) for _ in range(3)]
        searches = [engine.start(REPLIES) for engine in engines]
        steps, started = 0, time.monotonic()
        while time.monotonic() - started < 0.5:
            steps += 1
        self.assertGreater(steps, 10_000)
        self.assertTrue(all(not search.done for search in searches))
        for search in searches:
            self.assertTrue(search.stop().best in REPLIES.legal_moves and search.done and search.lines)

    def test_a_search_in_the_background(self):
        search = self.engine.start(REPLIES)
        self.assertIsNone(search.wait(0.1))
        with self.assertRaisesRegex(EngineError, "a search is running"):
            self.engine.search(REPLIES, depth=1)
        self.assertIn(search.stop().best, REPLIES.legal_moves)
        self.assertIsNotNone(self.engine.start(REPLIES, depth=2).wait())
        del search
        self.engine.start(REPLIES)  # ends at once, since nothing keeps it
        self.assertIsNotNone(self.engine.search(REPLIES, depth=2).best)

    def test_no_other_command_during_a_search(self):
        with self.assertRaisesRegex(EngineError, "a search is running"):
            self.engine.search(Board(), on_info=lambda line: self.engine.new_game())
        self.assertEqual(self.engine.search(ENDING, depth=3).lines[0].score.kind, "win")

    def test_a_search_is_stopped_by_its_function(self):
        depths = []

        def stop(line):
            depths.append(line.depth)
            if line.depth == 3:
                self.engine.stop()

        self.assertIsNotNone(self.engine.search(Board(), on_info=stop).best)
        self.assertGreaterEqual(max(depths), 3)

    def test_closing_ends_a_search(self):
        threading.Timer(0.3, self.engine.close).start()
        self.assertIsNotNone(self.engine.search(Board()).best)
        with self.assertRaises(EngineError):
            self.engine.search(Board(), depth=1)

    def test_a_search_that_is_closed_before_it_begins_is_an_error(self):
        for _ in range(50):
            engine = Engine(hash=1)
            search = engine.start(Board())
            engine.close()
            try:
                self.assertIsNotNone(search.wait().best)
            except EngineError:
                pass

    def test_a_block_that_fails_closes_the_engine(self):
        with self.assertRaises(KeyError):
            with Engine(hash=1) as engine:
                engine.search(Board(), on_info=fail)
        self.assertRaises(EngineError, engine.new_game)

    def test_wrong_limits_options_and_moves(self):
        search = self.engine.search
        for limits in [{"depth": 0}, {"nodes": 0}, {"time": -1.0}, {"time": float("nan")}, {"lines": 0}, {"moves": []}]:
            self.assertRaises(ValueError, search, Board(), **limits)
        self.assertRaises(OverflowError, search, Board(), depth=-1)
        self.assertRaises(ValueError, search, Board(), time=1.0, clock=(1.0, 0.0))
        self.assertLess(search(Board(), clock=(2.0, 0.01)).time, 1.5)
        self.assertRaises(MoveError, search, Board(), depth=1, moves=["11-17"])
        self.assertRaises(TypeError, search, Board(), depth=1, on_info=3)
        self.assertEqual(str(search(Board(), depth=1, moves=["9-14", "1116"]).best) in ("9-14", "11-16"), True)
        for wrong in [{"hash": 0}, {"threads": 0}, {"level": 11}, {"options": {"Hsh": 3}}, {"options": {"Book": 3}}]:
            self.assertRaises(ValueError, Engine, **wrong)
        self.assertRaises(EngineError, Engine, options={"EgdbPath": "/no/such/folder"})
        self.engine.set_option("Book", True)
        self.assertEqual(self.engine.options["Book"], "true")
        self.assertTrue(self.engine.search(Board(), depth=1).best in Board().legal_moves)

    def test_evaluation(self):
        self.assertTrue(abs(kelso.evaluate(Board())) < 50 and kelso.evaluate(Board("B:W32:B1,2,3,K9")) > 100)


class Analyses(unittest.TestCase):
    def test_errors_have_verdicts(self):
        game = Game.from_pdn('[FEN "W:WK15,24:B4,K6,12"]\n\n1... 15-19 *')
        analysis = kelso.analyse(game, nodes=20_000, options={"EgdbPieces": 5})
        self.assertEqual(analysis.moves[0]["verdicts"], [{"kind": "lost-draw", "by": "database"}])
        self.assertEqual((analysis.decided, analysis.opening), (0, ""))
        self.assertIn("blunder: this loses, 15-11 draws (database)", " ".join(str(analysis.game).split()))
        self.assertEqual({player["name"]: player["errors"]["lost_draw"] for player in analysis.players}, {"Black": 0, "White": 1})
        self.assertRaises(ValueError, kelso.analyse, game, nodes=0)


class Batches(unittest.TestCase):
    def boards(self, count=300):
        chance, boards = random.Random(5), []
        board = Board()
        while len(boards) < count:
            boards.append(board.copy())
            board = Board() if board.is_game_over() else board
            board.push(chance.choice(board.legal_moves))
        return boards

    def check(self):
        boards = self.boards()
        rows = kelso.encode_boards(boards)
        self.assertEqual(kelso.decode_boards(rows), boards)
        batch, masks, planes = kelso.legal_moves_batch(rows, after=True), kelso.legal_masks(rows), kelso.piece_planes(boards)
        rotated_masks, rotated = kelso.legal_masks(boards, rotated=True), kelso.piece_planes(rows, rotated=True)
        afters = kelso.decode_boards(batch.after)
        for index, board in enumerate(boards):
            moves = range(batch.offsets[index], batch.offsets[index + 1])
            own = [(move.from_square, move.to_square, sum(1 << (n - 1) for n in move.captures)) for move in board.legal_moves]
            self.assertEqual([(batch.from_square[at], batch.to_square[at], batch.captured[at]) for at in moves], own)
            for at, move in zip(moves, board.legal_moves):
                board.push(move)
                self.assertEqual(afters[at], board)
                board.pop()
                self.assertTrue(int(masks[index, move.from_square - 1]) >> (move.to_square - 1) & 1)
            seen = board if board.turn == kelso.BLACK else board.flipped()
            for array, one in ((planes, board), (rotated, seen)):
                self.assertEqual(sum(int(array[index, 0, n]) << n for n in range(32)), one.men(one.turn))
                self.assertEqual(sum(int(array[index, 3, n]) << n for n in range(32)), one.kings(one.turn.opponent))
            own_mask = kelso.legal_masks([seen])
            self.assertEqual([int(rotated_masks[index, n]) for n in range(32)], [int(own_mask[0, n]) for n in range(32)])
        databases = kelso.Databases()
        probed, values = kelso.probe_batch(databases, rows), kelso.evaluate_batch(rows)
        words = {1: "win", 0: "draw", -1: "loss"}
        for index, board in enumerate(boards):
            self.assertEqual(int(values[index]), kelso.evaluate(board))
            one = databases.probe(board)
            result, plies = map(int, (probed[index, 0], probed[index, 1]))
            self.assertEqual(words.get(result), one and one.result)
            self.assertEqual(plies, -1 if one is None or one.plies is None else one.plies)
        self.assertIn(2, [int(probed[index, 0]) for index in range(len(boards))])
        self.assertEqual(len(kelso.legal_moves_batch([]).from_square), 0)
        self.assertEqual(kelso.decode_boards(kelso.encode_boards([])), [])

    def test_without_numpy(self):
        hidden = sys.modules.get("numpy")
        sys.modules["numpy"] = None
        try:
            self.assertIsInstance(kelso.encode_boards([Board()]), memoryview)
            self.check()
        finally:
            del sys.modules["numpy"]
            if hidden:
                sys.modules["numpy"] = hidden

    @unittest.skipUnless(numpy, "NumPy is not installed")
    def test_with_numpy(self):
        self.assertEqual(kelso.encode_boards([Board()]).shape, (1, 5))
        self.check()
        rows = kelso.encode_boards(self.boards())
        self.assertEqual(kelso.decode_boards(rows[::-1]), kelso.decode_boards(rows)[::-1])
        for wrong in [rows[:, :4], rows.astype("int64"), rows.astype("float32"), rows[0]]:
            self.assertRaises(ValueError, kelso.legal_moves_batch, wrong)
        for column, value in [(0, 0xFFFFFFFF), (4, 2), (2, 1), (3, int(rows[0, 0]))]:
            wrong = rows.copy()
            wrong[0, column] = value
            self.assertRaisesRegex(ValueError, "position 0", kelso.legal_moves_batch, wrong)

    def test_wrong_positions(self):
        self.assertRaises(TypeError, kelso.legal_moves_batch, [3])
        self.assertRaises(TypeError, kelso.legal_moves_batch, 3)
        self.assertRaises(ValueError, kelso.legal_moves_batch, memoryview(bytes(20)))


if __name__ == "__main__":
    unittest.main()
