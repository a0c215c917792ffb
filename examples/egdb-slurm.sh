#!/bin/sh
#SBATCH --job-name=egdb
#SBATCH --array=1-4
#SBATCH --cpus-per-task=4
#SBATCH --mem=3G
#SBATCH --requeue
# Builds endgame databases as an array of jobs, in one folder that all nodes see. Each job builds what no other
# has begun, and --memory (2048 MiB by default) is what each may use.
#
#   sbatch examples/egdb-slurm.sh --dir egdb --pieces 7
#
# A job that was interrupted and put back into the queue goes on where the others are.
set -eu
exec "${KELSO:-kelso}" egdb build --share --threads "$SLURM_CPUS_PER_TASK" "$@"
