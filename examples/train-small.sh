#!/bin/sh
# A training run in small, in a few minutes: games, their positions, a network, and a match that shows what it is worth.
#
#   examples/train-small.sh [FOLDER]
#
# KELSO is the program (default: built here), GAMES the number of games to learn from. Run again after an interruption, it goes on.
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

# Other weights are another engine: their match is another match, and one that was interrupted goes on.
version() { cksum <"$1" | cut -d ' ' -f 1; }
"$KELSO" match --engine "name=small cmd=$KELSO option.EvalFile=$folder/small.net" \
    --engine "name=material cmd=$KELSO option.Evaluation=material" \
    --each "nodes=1000" --openings eleven-man --rounds 100 --out "$folder/match-$(version "$folder/small.net")" --resume
