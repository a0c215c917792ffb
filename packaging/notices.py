#!/usr/bin/env python3
"""Writes the licences of all crates in the program and the Python module, for archives and wheels.

    packaging/notices.py [FILE]

Every crate must have a licence that is listed here, and its text, from the package or the folder `licences`; otherwise
nothing is written and the exit status is 1. Needs cargo, which downloads missing packages.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The permitted licences. .cargo/deny.toml has the same list, and a test compares both.
ALLOWED = {
    "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "ISC", "MIT", "MPL-2.0", "NCSA", "Unicode-3.0",
    "Unlicense", "Zlib",
}
# The standard texts, for packages that name a licence without including its text.
USUAL = pathlib.Path(__file__).resolve().parent / "licences"


def metadata():
    """Returns cargo's description of all crates."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)


def linked(described, roots=("kelso", "kelso-checkerboard", "kelso-python")):
    """Returns the packages compiled into the roots: no dev-dependencies, build dependencies or procedural macros."""
    packages = {package["id"]: package for package in described["packages"]}
    nodes = {node["id"]: node for node in described["resolve"]["nodes"]}
    waiting = [id for id, package in packages.items() if package["name"] in roots and package["source"] is None]
    found = {}
    while waiting:
        id = waiting.pop()
        package = packages[id]
        if id in found or any("proc-macro" in target["kind"] for target in package["targets"]):
            continue
        found[id] = package
        for dependency in nodes[id]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                waiting.append(dependency["pkg"])
    return sorted(found.values(), key=lambda package: (package["name"], package["version"]))


def is_allowed(expression):
    """Returns whether the permitted licences satisfy an SPDX expression."""
    expression = expression.replace("/", " OR ")
    # `WITH` adds a permission.
    expression = re.sub(r" WITH [\w.-]+", "", expression)
    words = re.findall(r"[()]|[\w.+-]+", expression)
    terms = {"AND": "and", "OR": "or", "(": "(", ")": ")"}
    return eval(" ".join(terms.get(word, str(word in ALLOWED)) for word in words), {"__builtins__": {}})


def texts(package):
    """Returns the licence texts in a package."""
    folder = pathlib.Path(package["manifest_path"]).parent
    names = re.compile(r"(?i)^(licen[cs]e|copying|copyright|notice|unlicense)([._-].*)?$")
    files = sorted(path for path in folder.iterdir() if path.is_file() and names.match(path.name))
    if package["license_file"]:
        files.append(folder / package["license_file"])
    return [path.read_text(encoding="utf-8", errors="replace").strip() for path in files] or usual(package)


def usual(package):
    """Returns the standard text of a licence, with the names of the package's authors."""
    authors = ", ".join(package["authors"]) or f"the authors of {package['name']}"
    for path in sorted(USUAL.iterdir(), reverse=True):
        if path.stem in re.findall(r"[\w.-]+", package["license"] or ""):
            return [path.read_text(encoding="utf-8").replace("{authors}", authors).strip()]
    return []


def notices(packages):
    """Returns the notices, and the faults found."""
    faults = []
    by_text = {}
    for package in packages:
        name = f"{package['name']} {package['version']}"
        licence = package["license"] or ""
        if not licence or not is_allowed(licence):
            faults.append(f"{name}: licence {licence or 'unknown'} is not among those that are allowed")
        found = texts(package)
        if not found:
            faults.append(f"{name}: its package has no text of the licence {licence}")
        for text in found:
            by_text.setdefault(text, []).append(f"{name} ({licence})")
    parts = ["Kelso is made of these crates, besides its own code. Their licences follow.\n"]
    parts += [f"  {package['name']} {package['version']}: {package['license']}" for package in packages]
    for text, names in sorted(by_text.items(), key=lambda entry: entry[1]):
        parts.append("\n" + "-" * 80 + "\n" + "\n".join(names) + "\n\n" + text)
    return "\n".join(parts) + "\n", faults


def main():
    packages = [package for package in linked(metadata()) if package["source"] is not None]
    text, faults = notices(packages)
    for fault in faults:
        print(f"error: {fault}", file=sys.stderr)
    if faults:
        return 1
    if len(sys.argv) > 1:
        pathlib.Path(sys.argv[1]).write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
