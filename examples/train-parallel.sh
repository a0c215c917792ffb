#!/bin/sh
# Plays training games in parts side by side with GNU parallel, and puts their positions into one file.
#
#   examples/train-parallel.sh games --games 100000 --nodes 1000 --option EvalFile=mine.net
#
# The parts are files in the folder that is named first; games.pos, beside it, is the whole without repetitions.
# PARTS is their number (default: one for each processor), KELSO the program. Run again after an interruption, it
# goes on.
set -eu
kelso=${KELSO:-kelso}
parts=${PARTS:-$(nproc)}
folder=${1:?expected a folder for the games}
shift
seq "$parts" | parallel --quote --halt soon,fail=1 \
    "$kelso" train play --out "$folder" --shard "{}/$parts" --threads 1 "$@"
"$kelso" train data dedup "$folder" --out "$folder.pos" --overwrite
