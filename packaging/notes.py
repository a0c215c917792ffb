#!/usr/bin/env python3
"""Prints the release notes: the section of CHANGELOG.md for a version. Fails if the tag is not the version of Cargo.toml.

    packaging/notes.py --tag v0.2.0
"""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def version(manifest):
    """Returns the version of the workspace from the text of Cargo.toml."""
    part = manifest.split("[workspace.package]", 1)[1]
    return re.search(r'^version = "(.+)"$', part, re.MULTILINE).group(1)


def notes(changelog, number):
    """Returns the section of a changelog for a version, or None if it is missing or empty."""
    parts = re.split(r"^## ", changelog, flags=re.MULTILINE)[1:]
    for part in parts:
        heading, _, text = part.partition("\n")
        if heading.split(" ")[0].strip("[]") == number:
            return text.strip() + "\n" if text.strip() else None
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tag", required=True, help="the tag of the release")
    tag = parser.parse_args().tag
    number = version((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
    if tag != f"v{number}":
        sys.exit(f"error: the tag {tag} is not the version {number} of Cargo.toml; expected v{number}")
    text = notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), number)
    if text is None:
        sys.exit(f'error: CHANGELOG.md has nothing for {number}; expected a heading "## {number}"')
    print(text, end="")


if __name__ == "__main__":
    main()
