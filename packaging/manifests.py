#!/usr/bin/env python3
"""Fills the manifests for winget, scoop, Homebrew and the AUR with the checksums of a release.

    packaging/manifests.py --tag v0.2.0 --repository OWNER/NAME SHA256SUMS FOLDER

The templates are in the folder `manifests` next to this script. `{version}`, `{address}`, `{download}` and the ends of archive
names, such as `{x86_64-pc-windows-msvc.zip}`, are replaced; an archive that is not listed in SHA256SUMS is an error.
"""

import argparse
import pathlib
import re
import sys

FORMS = pathlib.Path(__file__).resolve().parent / "manifests"


class Fault(Exception):
    """The reason why a template cannot be filled in."""


def read_sums(text):
    """Returns the checksums by name, from the output of sha256sum."""
    sums = {}
    for number, line in enumerate(text.splitlines(), 1):
        found = re.fullmatch(r"([0-9a-f]{64})  ?\*?(\S+)", line)
        if not found:
            raise Fault(f"line {number} is not a checksum and a name: {line!r}")
        if found[2] in sums:
            raise Fault(f"line {number} lists {found[2]} again")
        sums[found[2]] = found[1]
    return sums


def fill(form, version, repository, sums):
    """Returns a template with the values of a release."""
    address = f"https://github.com/{repository}"
    values = {"version": version, "address": address, "download": f"{address}/releases/download/v{version}"}

    def value(found):
        name = found[1]
        if name in values:
            return values[name]
        archive = f"kelso-{version}-{name}"
        if archive not in sums:
            raise Fault(f"SHA256SUMS does not list {archive}")
        return sums[archive]

    return re.sub(r"\{([a-z_0-9.-]+)\}", value, form)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tag", required=True, help="the tag of the release, such as v0.2.0")
    parser.add_argument("--repository", required=True, help="the owner and the name of the repository on GitHub")
    parser.add_argument("sums", type=pathlib.Path, help="the file SHA256SUMS of the release")
    parser.add_argument("folder", type=pathlib.Path, help="a new folder for the manifests")
    arguments = parser.parse_args()
    if not re.fullmatch(r"v\d+\.\d+\.\d+", arguments.tag):
        parser.error(f"expected a tag such as v0.2.0, got {arguments.tag!r}")
    try:
        sums = read_sums(arguments.sums.read_text(encoding="utf-8"))
        forms = sorted(path for path in FORMS.rglob("*") if path.is_file())
        filled = [
            (path.relative_to(FORMS), fill(path.read_text(encoding="utf-8"), arguments.tag[1:], arguments.repository, sums))
            for path in forms
        ]
        arguments.folder.mkdir(parents=True)
        for name, text in filled:
            path = arguments.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except (Fault, OSError) as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
