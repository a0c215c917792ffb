"""Runs a program in a pseudo-terminal, and types to it.

    python terminal.py STEP ... -- PROGRAM [ARGUMENT ...]

A step is `type TEXT`, with Python's escapes, or `await TEXT`, which waits until the program has printed the text after the
previous step, or `signal NAME`. Prints all output and `status N` at the end.
"""

import os
import pty
import select
import signal
import sys
import time

PATIENCE = 30

steps, program = sys.argv[1 : sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1 :]
process, terminal = pty.fork()
if process == 0:
    os.environ["TERM"] = "xterm"
    os.execv(program[0], program)
shown, seen = "", 0


def read(timeout):
    """Reads the available output; returns false at its end."""
    global shown
    if terminal not in select.select([terminal], [], [], timeout)[0]:
        return True
    try:
        data = os.read(terminal, 65536)
    except OSError:
        return False
    shown += data.decode(errors="replace")
    return bool(data)


def fail(text):
    os.kill(process, 9)
    sys.exit(f"{text}\n{shown}")


def wait(condition, text):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline or not read(0.1) and not condition():
            fail(text)


for step in steps:
    word, text = step.split(" ", 1)
    if word == "type":
        os.write(terminal, text.encode().decode("unicode_escape").encode())
    elif word == "signal":
        os.kill(process, signal.Signals[text])
    else:
        wait(lambda: text in shown[seen:], f"not shown: {text!r}")
        seen = shown.index(text, seen) + len(text)
deadline = time.monotonic() + PATIENCE
while read(0.1):
    if time.monotonic() > deadline:
        fail("it does not end")
print(shown.replace("\r\n", "\n"))
print("status", os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
