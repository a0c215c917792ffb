#!/bin/sh
# Prints the best move of each position on standard input:
#     echo "B:W9,10,17,18,32:B6" | sh best-move.sh [DEPTH]
# One FEN per line; KELSO is the program if it is not on the path.
# The last line may lack a line feed.
while read -r fen || [ -n "$fen" ]; do
    printf 'position fen %s\ngo depth %s\n' "$fen" "${1:-12}" | "${KELSO:-kelso}" |
        sed -n -e 's/^info string error: \(.*\)/error: \1/p' -e '/^error/q' -e 's/^bestmove \([^ ]*\).*/\1/p' |
        head -n 1
done
