#!/bin/sh
# Plays a match in parallel parts with GNU parallel, and merges them.
#
#   examples/match-parallel.sh --engine "name=A cmd=./a" --engine "name=B cmd=./b" --each tc=10+0.1 --rounds 500
#
# PARTS is the number of parts (default: one per processor), KELSO the program. To resume an interrupted match, run the
# script again.
set -eu
kelso=${KELSO:-kelso}
parts=${PARTS:-$(nproc)}
seq "$parts" | parallel --quote --halt soon,fail=1 \
    "$kelso" match "$@" --shard "{}/$parts" --out "part-{}" --resume --quiet >/dev/null
"$kelso" stats part-*.jsonl --html report.html --overwrite
