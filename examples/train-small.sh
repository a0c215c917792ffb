#!/bin/sh
# A small training run in a few minutes: games, positions, a network, and a match that measures its strength.
#
#   examples/train-small.sh [FOLDER]
#
# KELSO is the program (default: built here), GAMES the number of training games. To resume an interrupted run, run the
# script again.
set -eu
folder=${1:-trained}
games=${GAMES:-4000}
if [ -z "${KELSO:-}" ]; then
    here=$(dirname "$0")/..
    cargo build --release --manifest-path "$here/Cargo.toml"
    KELSO=$here/target/release/kelso
fi

"$KELSO" train play --out "$folder/games" --games "$games" --nodes 500 --branches 0 --option Evaluation=classic
"$KELSO" train data dedup "$folder/games" --out "$folder/all.pos" --overwrite
"$KELSO" train data info "$folder/all.pos"
"$KELSO" train fit "$folder/all.pos" --out "$folder/small.net" --name small --epochs 8 --batch 2048 --rate 0.002 --svg "$folder/small.svg" --overwrite

# A match is resumed only with the same weights.
version() { cksum <"$1" | cut -d ' ' -f 1; }
"$KELSO" match --engine "name=small cmd=$KELSO option.EvalFile=$folder/small.net" \
    --engine "name=material cmd=$KELSO option.Evaluation=material" \
    --each "nodes=1000" --openings eleven-man --rounds 100 --out "$folder/match-$(version "$folder/small.net")" --resume
