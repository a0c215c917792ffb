"""Tests of the scripts next to this file: python3 -m unittest discover packaging"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import notes
import notices
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


class Start(unittest.TestCase):
    def test_an_archive_without_the_program_or_notices_is_refused(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        path = folder / "kelso-0.2.0-x86_64-pc-windows-msvc.zip"
        for names, fault in [(["README.md"], "no program"), (["kelso.exe"], "THIRD-PARTY")]:
            with zipfile.ZipFile(path, "w") as archive:
                for name in names:
                    archive.writestr(f"kelso/{name}", "")
            self.assertIn(fault, start.start(path))

    def test_examples_that_documents_name_are_in_the_archive(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        path = folder / "kelso-0.2.0-x86_64-pc-windows-msvc.zip"
        parts = {"kelso.exe": "", "THIRD-PARTY.txt": "", "README.md": "", "docs/a.md": "Run `examples/a.py`."}
        for more, fault in [({}, "examples/a.py"), ({"examples/a.py": ""}, None)]:
            with zipfile.ZipFile(path, "w") as archive:
                for name, text in (parts | more).items():
                    archive.writestr(f"kelso/{name}", text)
            found = start.start(path)
            self.assertTrue(found is None if fault is None else fault in found, found)

    def test_folders_of_the_builder_are_found(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        path = folder / "kelso-0.2.0-py3-none-win_amd64.whl"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("kelso.exe", f"at {os.getcwd()}/src/main.rs")
            archive.writestr("THIRD-PARTY.txt", "")
        self.assertIn("names of this machine's folders", start.start(path))


if __name__ == "__main__":
    unittest.main()
