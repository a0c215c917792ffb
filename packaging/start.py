#!/usr/bin/env python3
"""Unpacks archives and wheels in a new folder, and starts the program of each, to avoid publishing a broken one.

    packaging/start.py FILE ...

A program for another system or processor cannot be started here, which is reported but is not a failure. Every file must
contain the program, the licence, the notices of the crates and the examples that its documents name. The program and
libraries must not contain the names of folders of this machine.
"""

import os
import pathlib
import platform
import re
import stat
import subprocess
import sys
import tempfile
import zipfile
import tarfile

PROGRAMS = {"kelso", "kelso.exe"}


def unpack(path, folder):
    """Unpacks a file, and returns the paths of its files."""
    if path.suffix in {".whl", ".zip"}:
        zipfile.ZipFile(path).extractall(folder)
    else:
        with tarfile.open(path) as archive:
            archive.extractall(folder, filter="data") if hasattr(tarfile, "data_filter") else archive.extractall(folder)
    return [file for file in pathlib.Path(folder).rglob("*") if file.is_file()]


def is_own(name):
    """Returns whether a file is for this system and processor, according to its name."""
    systems = {"Linux": ("linux",), "Windows": ("windows", "win_"), "Darwin": ("apple", "macosx")}
    machines = {"x86_64": ("x86_64", "amd64"), "amd64": ("x86_64", "amd64"), "arm64": ("aarch64", "arm64"), "aarch64": ("aarch64", "arm64")}
    words = systems.get(platform.system(), ()), machines.get(platform.machine().lower(), ())
    return all(any(word in name for word in part) for part in words)


def missing_examples(files):
    """Returns the examples that documents among the files name, but that are not next to them."""
    documents = [file for file in files if file.suffix == ".md"]
    roots = {file.parent for file in documents if file.name == "README.md"}
    named = {name for file in documents for name in re.findall(r"\bexamples/[\w./-]*\w", file.read_text(encoding="utf-8"))}
    return sorted(name for root in roots for name in named if not (root / name).exists())


def own_folders():
    """Returns the names of this machine's folders that compilers may write to programs."""
    return [os.getcwd(), os.environ.get("CARGO_HOME") or str(pathlib.Path.home() / ".cargo")]


def start(path):
    """Starts the program in a file. Returns the reason for a failure, or None."""
    with tempfile.TemporaryDirectory() as folder:
        files = unpack(path, folder)
        program = next((file for file in files if file.name in PROGRAMS), None)
        if program is None:
            return "it holds no program"
        if not any(file.name == "THIRD-PARTY.txt" for file in files):
            return "it holds no THIRD-PARTY.txt, the notices of the crates"
        if missing := missing_examples(files):
            return f"its documents name files that it does not hold: {', '.join(missing)}"
        for binary in [program, *(file for file in files if file.suffix in {".so", ".pyd"})]:
            contents = binary.read_bytes()
            if found := [name for name in own_folders() if os.fsencode(name) in contents]:
                return f"{binary.name} has the names of this machine's folders inside: {', '.join(found)}"
        if not is_own(path.name):
            print(f"{path.name}: not started, for another system")
            return None
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        run = subprocess.run([program], input="uci\nposition startpos\ngo depth 5\n", capture_output=True, text=True, timeout=60)
        if run.returncode != 0 or "uciok" not in run.stdout or "bestmove " not in run.stdout:
            return f"the program ended with {run.returncode} and printed {run.stdout + run.stderr!r}"
    print(f"{path.name}: starts and searches")
    return None


def main():
    paths = [pathlib.Path(name) for name in sys.argv[1:]]
    if not paths:
        sys.exit("error: expected files, such as dist/*")
    faults = [f"error: {path}: {fault}" for path in paths if (fault := start(path))]
    sys.exit("\n".join(faults) or 0)


if __name__ == "__main__":
    main()
