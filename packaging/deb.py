#!/usr/bin/env python3
"""Builds a Debian package from the archive of a release for Linux.

    packaging/deb.py dist/kelso-0.2.0-x86_64-unknown-linux-gnu.tar.gz [FOLDER]

The package has the program, the manual pages, the completions, the documents and the licences of the crates. It depends only
on glibc 2.17 or later, and is reproducible. Needs dpkg-deb; prints the name of the package.
"""

import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
CONTROL = """\
Package: kelso
Version: {version}
Architecture: {architecture}
Maintainer: the Kelso developers <kelso@localhost>
Depends: libc6 (>= 2.17)
Installed-Size: {size}
Section: games
Priority: optional
Description: engine for English draughts (8x8 checkers)
 Kelso plays and analyses English draughts: on a board in the browser or in
 the terminal, in a GUI that speaks its protocol or Hub, and in matches
 between engines. It annotates games, and has endgame databases and an
 opening book.
"""


def place(source, root):
    """Moves the files of an unpacked archive to Debian's locations."""
    documents = root / "usr/share/doc/kelso"
    shutil.copytree(source / "docs", documents / "docs")
    for name in ["README.md", "protocol.md", "THIRD-PARTY.txt"]:
        shutil.copy(source / name, documents / name)
    shutil.copy(source / "LICENSE", documents / "copyright")
    (documents / "changelog.gz").write_bytes(gzip.compress((source / "CHANGELOG.md").read_bytes(), mtime=0))
    program = root / "usr/bin/kelso"
    program.parent.mkdir(parents=True)
    shutil.copy(source / "kelso", program)
    program.chmod(0o755)
    pages = root / "usr/share/man/man1"
    pages.mkdir(parents=True)
    for page in sorted((source / "man").iterdir()):
        (pages / f"{page.name}.gz").write_bytes(gzip.compress(page.read_bytes(), mtime=0))
    for name, target in [
        ("kelso.bash", "bash-completion/completions/kelso"),
        ("_kelso", "zsh/vendor-completions/_kelso"),
        ("kelso.fish", "fish/vendor_completions.d/kelso.fish"),
    ]:
        path = root / "usr/share" / target
        path.parent.mkdir(parents=True)
        shutil.copy(source / "completions" / name, path)


def settle(root):
    """Sets the same permissions and times on all files in every build."""
    for path in [root, *root.rglob("*")]:
        if path.is_dir() or path.name != "kelso" or path.parent.name != "bin":
            path.chmod(0o755 if path.is_dir() else 0o644)
        os.utime(path, (0, 0))


def make(archive, folder):
    """Builds the package, and returns its path."""
    named = re.fullmatch(r"(kelso-(\d+\.\d+\.\d+)-(x86_64|aarch64)-unknown-linux-gnu)\.tar\.gz", archive.name)
    if not named:
        sys.exit(f"error: expected an archive such as kelso-0.2.0-x86_64-unknown-linux-gnu.tar.gz, got {archive.name}")
    name, version, machine = named.groups()
    architecture = ARCHITECTURES[machine]
    with tempfile.TemporaryDirectory() as work:
        with tarfile.open(archive) as files:
            files.extractall(work)
        root = pathlib.Path(work) / "root"
        place(pathlib.Path(work) / name, root)
        size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file()) // 1024 + 1
        control = root / "DEBIAN/control"
        control.parent.mkdir()
        control.write_text(CONTROL.format(version=version, architecture=architecture, size=size))
        settle(root)
        package = folder / f"kelso_{version}_{architecture}.deb"
        command = ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, package]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "SOURCE_DATE_EPOCH": "0"})
    return package


def main():
    if len(sys.argv) not in {2, 3}:
        sys.exit(__doc__)
    archive = pathlib.Path(sys.argv[1])
    print(make(archive, pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else archive.parent))


if __name__ == "__main__":
    main()
