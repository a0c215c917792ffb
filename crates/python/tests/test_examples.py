"""Runs the code in docs/python.md and the examples that use the Python package, and compares its stubs and its rules.

    PYTHONPATH=MODULE KELSO_PROGRAM=PROGRAM python3 -m unittest discover crates/python/tests
"""

import doctest
import importlib.util
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

import kelso

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples/python"
PROGRAM = os.environ.get("KELSO_PROGRAM")
# The examples on which the page says that they have at most 60 lines.
SHORT = ["agent", "hub_engine", "native_engine", "openspiel_moves", "openspiel_bot", "judge"]


def run(*words):
    ran = subprocess.run(list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, timeout=300)
    if ran.returncode != 0:
        raise AssertionError(f"{words}: {ran.stdout}{ran.stderr}")
    return ran.stdout


def is_missing(module):
    return importlib.util.find_spec(module) is None


class Documents(unittest.TestCase):
    def test_the_page_is_true(self):
        text = (ROOT / "docs/python.md").read_text(encoding="utf-8")
        blocks = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
        test = doctest.DocTestParser().get_doctest(blocks, {}, "python.md", None, 0)
        self.assertGreater(len(test.examples), 30)
        shown = []
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        runner.run(test, out=shown.append)
        self.assertEqual(runner.failures, 0, "".join(shown))
        self.assertEqual(doctest.testmod(kelso).failed, 0)

    def test_the_page_names_everything(self):
        text = (ROOT / "docs/python.md").read_text(encoding="utf-8")
        missing = [name for name in kelso.__all__ if name not in text]
        self.assertEqual(missing, [])

    @unittest.skipIf(is_missing("mypy"), "mypy is not installed")
    def test_the_stubs_describe_the_module(self):
        with tempfile.TemporaryDirectory() as folder:
            words = [sys.executable, "-m", "mypy.stubtest", "kelso", "--concise"]
            ran = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
            self.assertEqual(ran.returncode, 0, ran.stdout)


class Examples(unittest.TestCase):
    def test_they_are_short(self):
        for name in SHORT:
            self.assertLessEqual(len((EXAMPLES / f"{name}.py").read_text(encoding="utf-8").splitlines()), 60, name)

    def test_rules_libraries_are_compared(self):
        self.assertIn("kelso: right to depth 6\n", run(sys.executable, EXAMPLES / "libraries.py", "kelso"))
        for library, module in [("openspiel", "pyspiel"), ("pydraughts", "draughts")]:
            if not is_missing(module):
                shown = run(sys.executable, EXAMPLES / "libraries.py", "--depth", 3, library)
                self.assertIn(f"{library}: right to depth 3\n", shown)

    def test_the_agent_beats_random_moves(self):
        points = float(run(sys.executable, EXAMPLES / "agent.py", 3, 4).split()[0])
        self.assertGreaterEqual(points, 3.5)

    @unittest.skipUnless(PROGRAM, "KELSO_PROGRAM does not name the program")
    def test_the_engines_follow_their_protocols(self):
        for name, protocol in [("hub_engine.py", "hub"), ("native_engine.py", "native")]:
            engine = f'{sys.executable} "{EXAMPLES / name}"'
            shown = run(PROGRAM, "check", "--engine", engine, "--proto", protocol)
            self.assertNotIn("FAIL", shown)

    def test_the_judge_reads_both_forms_and_counts_errors(self):
        # White loses a won ending.
        moves = """a3b4 d6e5 b4c5 b6d4 e3c5 c7b6 d2e3 b6d4 e3c5 b8c7 g3f4 e5g3 h2f4 e7d6 c5e7 f8d6 c1d2 d8e7 g1h2 h6g5
            f4h6 h6f8 f6e5 f8g7 h8f6 f2g3 f6g5 e1f2 a7b6 c3b4 b6c5 g3h4 c5a3 a3c1 h4f6 f6d8 c1e3 e3g1 d8b6 g1f2 b6c5 d6b4
            a1b2 b4c3 b2d4 d4f6 f2g3 h2f4""".split()
        steps = [[{"info": {"actionSubmittedToString": None}}] * 2]
        steps += [[{"info": {"actionSubmittedToString": move}}, {"info": {}}] for move in moves[:12]]
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "games.txt").write_text(" ".join(moves) + "\n\n")
            (folder / "replay.json").write_text(json.dumps({"steps": steps, "info": {"TeamNames": ["Model A", "Model B"]}}))
            shown = run(sys.executable, EXAMPLES / "judge.py", folder / "out.pdn", folder / "games.txt", folder / "replay.json")
            games = list(kelso.read_games(folder / "out.pdn"))
            (folder / "games.txt").write_text("c3d4 c3d4")
            with self.assertRaisesRegex(AssertionError, "illegal move 'c3d4' after 1 moves"):
                run(sys.executable, EXAMPLES / "judge.py", folder / "out.pdn", folder / "games.txt")
        self.assertEqual([game.tags["Black"] for game in games], ["Black", "Model A"])
        self.assertEqual((games[0].result, len(games[0].moves), games[1].result), ("1-0", 43, "*"))
        self.assertEqual(games[1].moves, games[0].moves[: len(games[1].moves)])
        for name, errors in [("Black", 0), ("White", 1), ("Model A", 0), ("Model B", 0)]:
            self.assertRegex(shown, rf"{name}: accuracy [\d.]+% of \d+ moves, rating \d+, proved errors {errors}\n")

    def test_the_bot_for_playstrategy_plays_whole_games_against_a_mock(self):
        shown = run(sys.executable, ROOT / "tests/clients/playstrategy.py").splitlines()
        self.assertEqual(len(shown), 4, shown)
        self.assertNotIn("lost", "".join(shown))
        # The last two games begin with a double jump, which the server counts as two moves.
        self.assertFalse(any(" 0 further jumps" in line for line in shown[2:]), shown)

    @unittest.skipIf(is_missing("pyspiel"), "OpenSpiel is not installed")
    def test_the_bot_beats_random_moves(self):
        self.assertIn("4 games against random moves: +4", run(sys.executable, EXAMPLES / "openspiel_bot.py", 200, 4))


def random_board(chance):
    """Returns a board with random pieces and neither side without any."""
    while True:
        squares = chance.sample(range(32), chance.randint(2, 20))
        sets = [0, 0, 0, 0]
        for square in squares:
            sets[chance.randrange(4)] |= 1 << square
        try:
            return kelso.Board.from_bitboards(*sets, chance.choice([kelso.BLACK, kelso.WHITE]))
        except ValueError:
            pass


class Rules(unittest.TestCase):
    """Random games with the legal moves and results of other packages. KELSO_GAMES sets their number."""

    games = int(os.environ.get("KELSO_GAMES", "3"))

    @unittest.skipIf(is_missing("draughts"), "pydraughts is not installed")
    def test_pydraughts_has_the_same_moves_and_results(self):
        import draughts

        chance = random.Random(11)
        for number in range(self.games):
            ours = kelso.Board() if number % 3 else random_board(chance)
            theirs = draughts.Board("english", ours.fen())
            for _ in range(150):
                moves = {}
                for move in theirs.legal_moves():
                    moves[(move.board_move[0][0], *(step[1] for step in move.board_move))] = move
                own = {path: move for move in ours.legal_moves for path in move.paths}
                self.assertEqual(set(moves), set(own), ours.fen())
                over = ours.is_game_over(draw_rule=None)
                if over or not moves:
                    self.assertTrue(over and not moves)
                    winner = theirs.winner()
                    self.assertEqual(winner, draughts.BLACK if ours.winner() == kelso.BLACK else draughts.WHITE)
                    break
                path = chance.choice(sorted(own))
                theirs.push(moves[path])
                ours.push(own[path])

    @unittest.skipIf(is_missing("pyspiel"), "OpenSpiel is not installed")
    def test_openspiel_has_the_same_moves_and_results(self):
        import pyspiel

        sys.path.insert(0, str(EXAMPLES))
        from openspiel_moves import NUMBERS

        chance = random.Random(13)
        for _ in range(self.games):
            state = pyspiel.load_game("checkers").new_initial_state()
            board, squares = kelso.Board(), ()
            while not state.is_terminal():
                player = state.current_player()
                self.assertEqual(player, int(board.turn))
                paths = {path: move for move in board.legal_moves for path in move.paths}
                at = max(len(squares), 1)
                steps = {(path[at - 1], path[at]) for path in paths if path[: len(squares)] == squares}
                actions = {}
                for action in state.legal_actions():
                    text = state.action_to_string(player, action)
                    actions[NUMBERS[text[:2]], NUMBERS[text[2:4]]] = action
                self.assertEqual(set(actions), steps, board.fen())
                step = chance.choice(sorted(actions))
                state.apply_action(actions[step])
                squares = (squares or step[:1]) + step[1:]
                if squares in paths:
                    board.push(paths[squares])
                    squares = ()
                    over = board.is_game_over(draw_rule="alex", plies=40)
                    self.assertEqual(over, state.is_terminal(), board.fen())
            result = {1.0: "1-0", -1.0: "0-1", 0.0: "1/2-1/2"}[state.returns()[0]]
            self.assertEqual(board.result(draw_rule="alex", plies=40), result)


if __name__ == "__main__":
    unittest.main()
