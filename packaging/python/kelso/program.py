"""The program `kelso` that is installed with this package."""

import os
import shutil
import sys
import sysconfig


def program() -> str:
    """Returns the path of the program installed with this package, or else of the one on the path."""
    name = "kelso.exe" if os.name == "nt" else "kelso"
    folders = [os.path.dirname(sys.executable), sysconfig.get_path("scripts")]
    folders.append(sysconfig.get_path("scripts", f"{os.name}_user"))
    for folder in folders:
        path = os.path.join(folder, name) if folder else ""
        if path and os.path.isfile(path):
            return path
    found = shutil.which("kelso")
    if not found:
        raise FileNotFoundError("cannot find the program kelso: install it with pip, or put it on the path")
    return found
