#!/bin/sh
# Builds endgame databases on several computers with GNU parallel and ssh, in a shared folder.
#
#   HOSTS=:,ada,bert examples/egdb-parallel.sh --egdb /net/egdb --pieces 7
#
# HOSTS are the computers (":" is this one), KELSO the path of the program on all of them. On one computer,
# `kelso egdb build` uses all processors. To resume an interrupted build, run the script again.
set -eu
exec parallel --quote --nonall --sshlogin "${HOSTS:?set it to the computers, such as :,ada,bert}" --tag --line-buffer \
    "${KELSO:-kelso}" egdb build --share "$@"
