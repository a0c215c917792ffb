#!/usr/bin/env python3
"""The build backend of the Python package: builds the program, which `pip install` puts on the path, then calls maturin.

The profile is `release`, as of `cargo install`, so what that has built is used again; `.ci/wheel` builds with `dist`.

    packaging/backend.py [CARGO OPTIONS ...]

only builds the program, before `maturin build`.
"""

import json
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCRIPTS = ROOT / "packaging/python/kelso.data/scripts"


def build_program(*options):
    """Builds the program and copies it to the folder from which maturin takes scripts."""
    words = ["cargo", "build", "--locked", "--bin", "kelso", "--message-format", "json-render-diagnostics", *options]
    built = subprocess.run(words, cwd=str(ROOT), stdout=subprocess.PIPE, universal_newlines=True)
    if built.returncode != 0:
        sys.exit("error: cannot build the program")
    messages = [json.loads(line) for line in built.stdout.splitlines() if line.startswith("{")]
    program = next(message["executable"] for message in messages if message.get("executable"))
    shutil.rmtree(str(SCRIPTS), ignore_errors=True)
    SCRIPTS.mkdir(parents=True)
    shutil.copy(program, str(SCRIPTS))


def build_wheel(folder, config_settings=None, metadata_directory=None):
    import maturin

    build_program("--release")
    return maturin.build_wheel(folder, config_settings, metadata_directory)


def build_sdist(folder, config_settings=None):
    import maturin

    SCRIPTS.mkdir(parents=True, exist_ok=True)
    return maturin.build_sdist(folder, config_settings)


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []


if __name__ == "__main__":
    build_program(*sys.argv[1:])
