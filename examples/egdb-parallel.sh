#!/bin/sh
# Builds endgame databases on several computers with GNU parallel and ssh, in one folder that all of them see.
#
#   HOSTS=:,ada,bert examples/egdb-parallel.sh --dir /net/egdb --pieces 7
#
# HOSTS are the computers (":" is this one), KELSO the program, by a path that is the same on all of them. One
# computer alone needs no more than `kelso egdb build`, which uses all of its processors. Run again after an
# interruption, it goes on.
set -eu
exec parallel --quote --nonall --sshlogin "${HOSTS:?expected computers, as in :,ada,bert}" --tag --line-buffer \
    "${KELSO:-kelso}" egdb build --share "$@"
