"""Tests of the scripts next to this file: python3 -m unittest discover packaging"""

import doctest
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import unittest
import unittest.mock
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import manifests
import notes
import notices
import sbom
import start


class Notices(unittest.TestCase):
    def test_expressions_of_licences(self):
        for expression in ["MIT", "MIT OR GPL-3.0", "MIT/Apache-2.0", "(MIT OR GPL-3.0) AND Zlib"]:
            self.assertTrue(notices.is_allowed(expression), expression)
        self.assertTrue(notices.is_allowed("Apache-2.0 WITH LLVM-exception"))
        for expression in ["GPL-3.0", "MIT AND GPL-3.0", "GPL-2.0-only OR LGPL-3.0"]:
            self.assertFalse(notices.is_allowed(expression), expression)

    def test_every_crate_of_the_program_has_a_notice(self):
        crates = [package for package in notices.linked(notices.metadata()) if package["source"]]
        names = {package["name"] for package in crates}
        self.assertIn("clap", names)
        self.assertNotIn("proptest", names, "only tests use it")
        self.assertNotIn("serde_derive", names, "it runs when the program is compiled")
        text, faults = notices.notices(crates)
        self.assertEqual(faults, [])
        for package in crates:
            self.assertRegex(text, re.escape(f"{package['name']} {package['version']} ("))

    def test_a_crate_without_a_licence_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            package = {"name": "a", "version": "1.0.0", "license": "GPL-3.0", "license_file": None}
            package |= {"authors": [], "manifest_path": f"{folder}/Cargo.toml"}
            faults = notices.notices([package])[1]
            self.assertEqual(len(faults), 2, faults)

    def test_cargo_deny_allows_the_same(self):
        deny = tomllib.loads((notices.ROOT / ".cargo/deny.toml").read_text())
        self.assertEqual(set(deny["licenses"]["allow"]), notices.ALLOWED)


class Bill(unittest.TestCase):
    def test_every_crate_has_its_checksum(self):
        sums = sbom.checksums((sbom.ROOT / "Cargo.lock").read_text())
        bill = sbom.bill(notices.linked(notices.metadata()), sums)
        self.assertEqual(bill["metadata"]["component"]["name"], "kelso")
        self.assertGreater(len(bill["components"]), 50)
        for component in bill["components"]:
            self.assertRegex(component["hashes"][0]["content"], "^[0-9a-f]{64}$")
            self.assertIn("expression", component["licenses"][0])


class Notes(unittest.TestCase):
    CHANGELOG = "# Changelog\n\n## Unreleased\n\n- b\n\n## 0.2.0 (2026-01-02)\n\n- a\n\n## 0.1.0\n"

    def test_the_part_of_a_version(self):
        self.assertEqual(notes.notes(self.CHANGELOG, "0.2.0"), "- a\n")
        self.assertIsNone(notes.notes(self.CHANGELOG, "0.1.0"), "an empty part")
        self.assertIsNone(notes.notes(self.CHANGELOG, "0.2"))

    def test_another_tag_is_refused(self):
        run = subprocess.run([sys.executable, HERE / "notes.py", "--tag", "v99.0.0"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 1)
        self.assertIn("the tag v99.0.0 is not the version", run.stderr)


class Citation(unittest.TestCase):
    def test_it_names_the_version_and_the_licence(self):
        text = (notes.ROOT / "CITATION.cff").read_text(encoding="utf-8")
        manifest = (notes.ROOT / "Cargo.toml").read_text(encoding="utf-8")
        self.assertEqual(re.search(r"^version: (.+)$", text, re.MULTILINE).group(1), notes.version(manifest))
        self.assertIn("\nlicense: MIT\n", text)


class Manifests(unittest.TestCase):
    ARCHIVES = [
        f"kelso-0.2.0-{machine}-{system}"
        for machine in ["x86_64", "aarch64"]
        for system in ["unknown-linux-gnu.tar.gz", "pc-windows-msvc.zip", "apple-darwin.tar.gz"]
    ]

    def fill(self, sums, tag="v0.2.0"):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (folder / "SHA256SUMS").write_text(sums)
        command = [sys.executable, HERE / "manifests.py", "--tag", tag, "--repository", "o/kelso"]
        run = subprocess.run([*command, folder / "SHA256SUMS", folder / "out"], capture_output=True, text=True)
        return run, folder / "out"

    def sums(self, archives):
        return "".join(f"{index:064x}  {name}\n" for index, name in enumerate(archives, 1))

    def test_all_forms_are_filled(self):
        run, folder = self.fill(self.sums(self.ARCHIVES))
        self.assertEqual(run.returncode, 0, run.stderr)
        files = [path for path in folder.rglob("*") if path.is_file()]
        self.assertEqual(len(files), 6)
        for path in files:
            self.assertIn("0.2.0", path.read_text(), path)
            self.assertNotRegex(path.read_text(), r"\{[a-z0-9_]+[}.-]", path)
        scoop = json.loads((folder / "scoop.json").read_text())
        x64 = scoop["architecture"]["64bit"]
        self.assertEqual(x64["hash"], f"{2:064x}")
        self.assertEqual(x64["url"], f"https://github.com/o/kelso/releases/download/v0.2.0/{self.ARCHIVES[1]}")
        subprocess.run(["bash", "-n", folder / "aur" / "PKGBUILD"], check=True)
        if shutil.which("ruby"):
            subprocess.run(["ruby", "-c", folder / "kelso.rb"], check=True, stdout=subprocess.DEVNULL)

    def test_wrong_sums_are_refused(self):
        missing = self.sums(self.ARCHIVES[:-1])
        twice = self.sums(self.ARCHIVES) + self.sums(self.ARCHIVES[:1])
        for sums, fault in [(missing, "does not list"), ("a b\n", "line 1"), (twice, "again")]:
            run, folder = self.fill(sums)
            self.assertEqual(run.returncode, 1)
            self.assertIn(fault, run.stderr)
            self.assertFalse(folder.exists())
        self.assertEqual(self.fill(self.sums(self.ARCHIVES), "0.2.0")[0].returncode, 2)


class Start(unittest.TestCase):
    def test_an_archive_without_the_program_or_notices_is_refused(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        path = folder / "kelso-0.2.0-x86_64-pc-windows-msvc.zip"
        for names, fault in [(["README.md"], "no program"), (["kelso.exe"], "THIRD-PARTY")]:
            with zipfile.ZipFile(path, "w") as archive:
                for name in names:
                    archive.writestr(f"kelso/{name}", "")
            self.assertIn(fault, start.start(path))


@unittest.skipUnless("KELSO_PROGRAM" in os.environ, "KELSO_PROGRAM does not name the program")
class Module(unittest.TestCase):
    """The Python module, with the program named by KELSO_PROGRAM."""

    def setUp(self):
        sys.path.insert(0, str(HERE / "python"))
        folder = self.enterContext(tempfile.TemporaryDirectory())
        os.symlink(os.path.abspath(os.environ["KELSO_PROGRAM"]), os.path.join(folder, "kelso"))
        self.enterContext(unittest.mock.patch.dict(os.environ, {"PATH": f"{folder}:{os.environ['PATH']}"}))

    def test_examples(self):
        import kelso

        result = doctest.testmod(kelso)
        self.assertEqual(result.failed, 0)
        self.assertGreater(result.attempted, 5)

    def test_errors(self):
        from kelso import Engine, EngineError, Position

        with Engine() as engine:
            for refused in [
                lambda: engine.search(Position("X"), depth=1),
                lambda: engine.search(Position(moves=["1-2"]), depth=1),
                lambda: engine.set_option("Hsh", 3),
                lambda: engine.board(Position("X")),
            ]:
                self.assertRaises(EngineError, refused)
            self.assertRaises(ValueError, engine.send, "a\nb")
            # The engine can still be used.
            self.assertIn(engine.search(depth=2).best, engine.legal_moves())
        self.assertRaises(EngineError, engine.search)
        self.assertRaises(EngineError, Engine, "/no/such/program")

    def test_a_search_is_stopped(self):
        from kelso import Engine, Position

        with Engine() as engine:
            depths = []

            def stop(info):
                depths.append(info.depth)
                if info.depth == 3:
                    engine.stop()

            self.assertIsNotNone(engine.search(on_info=stop).best)
            self.assertGreaterEqual(max(depths), 3)
            self.assertIsNone(engine.search(Position("B:W32:B28"), depth=1).best)


@unittest.skipUnless("KELSO_PROGRAM" in os.environ, "KELSO_PROGRAM does not name the program")
@unittest.skipUnless(importlib.util.find_spec("pyspiel"), "OpenSpiel is not installed")
class OpenSpiel(unittest.TestCase):
    def run_script(self, name, *words):
        command = [sys.executable, HERE.parent / name, os.path.abspath(os.environ["KELSO_PROGRAM"]), *words]
        run = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def test_both_have_the_same_moves(self):
        self.assertIn("no difference", self.run_script("tests/clients/openspiel.py", "2000"))

    def test_the_bot_beats_random_moves(self):
        self.assertIn("4 games against random moves: +4", self.run_script("examples/python/openspiel_bot.py", "200", "4"))
        lines = (HERE.parent / "examples/python/openspiel_bot.py").read_text().splitlines()
        self.assertLessEqual(len(lines), 100)


if __name__ == "__main__":
    unittest.main()
