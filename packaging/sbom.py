#!/usr/bin/env python3
"""Prints the program's bill of materials in CycloneDX 1.5: every crate with version, licence and checksum.

    packaging/sbom.py > kelso.cdx.json
"""

import json
import re
import sys

from notices import ROOT, linked, metadata


def checksums(lock):
    """Returns the SHA-256 of each package by name and version, from the text of Cargo.lock."""
    form = re.compile(r'name = "(.+)"\nversion = "(.+)"\nsource = ".+"\nchecksum = "([0-9a-f]{64})"')
    return {(name, version): checksum for name, version, checksum in form.findall(lock)}


def component(package, sums):
    """Describes a package."""
    name, version = package["name"], package["version"]
    described = {
        "type": "library",
        "bom-ref": f"pkg:cargo/{name}@{version}",
        "name": name,
        "version": version,
        "purl": f"pkg:cargo/{name}@{version}",
    }
    if package["license"]:
        described["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    if (name, version) in sums:
        described["hashes"] = [{"alg": "SHA-256", "content": sums[name, version]}]
    return described


def bill(packages, sums):
    """Returns the bill of materials."""
    program = next(package for package in packages if package["name"] == "kelso")
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": component(program, sums) | {"type": "application"}},
        "components": [component(package, sums) for package in packages if package["source"] is not None],
    }


if __name__ == "__main__":
    sums = checksums((ROOT / "Cargo.lock").read_text(encoding="utf-8"))
    json.dump(bill(linked(metadata()), sums), sys.stdout, indent=2)
    print()
