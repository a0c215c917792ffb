#!/bin/sh
# A position in, the best move out:
#     echo "B:W9,10,17,18,32:B6" | sh best-move.sh [DEPTH]
# One FEN a line; KELSO names the program if it isn't on the path.
# The last line counts with or without its end.
while read -r fen || [ -n "$fen" ]; do
    printf 'position fen %s\ngo depth %s\n' "$fen" "${1:-12}" | "${KELSO:-kelso}" |
        sed -n -e 's/^info string error: \(.*\)/error: \1/p' -e '/^error/q' -e 's/^bestmove \([^ ]*\).*/\1/p' |
        head -n 1
done
