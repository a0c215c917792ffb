#!/bin/sh
# Plays training games in parallel parts with GNU parallel, and merges their positions into one file.
#
#   examples/train-parallel.sh games --games 100000 --nodes 1000 --option EvalFile=mine.net
#
# The parts are files in the folder; games.pos, next to it, has all distinct positions. PARTS is the
# number of parts (default: one per processor), KELSO the program. To resume an interrupted run, run the script
# again.
set -eu
kelso=${KELSO:-kelso}
parts=${PARTS:-$(nproc)}
folder=${1:?missing folder for the games}
shift
seq "$parts" | parallel --quote --halt soon,fail=1 \
    "$kelso" train play --out "$folder" --shard "{}/$parts" --threads 1 "$@"
"$kelso" train data dedup "$folder" --out "$folder.pos" --overwrite
