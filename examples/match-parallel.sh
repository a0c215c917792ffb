#!/bin/sh
# Plays a match in parts side by side with GNU parallel, and puts them together.
#
#   examples/match-parallel.sh --engine "name=A cmd=./a" --engine "name=B cmd=./b" --each tc=10+0.1 --rounds 500
#
# PARTS is their number (default: one for each processor), KELSO the program. Run again after an interruption, it
# goes on.
set -eu
kelso=${KELSO:-kelso}
parts=${PARTS:-$(nproc)}
seq "$parts" | parallel --quote --halt soon,fail=1 \
    "$kelso" match "$@" --shard "{}/$parts" --out "part-{}" --resume --quiet >/dev/null
"$kelso" stats part-*.jsonl --html report.html --overwrite
