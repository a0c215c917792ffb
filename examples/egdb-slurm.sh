#!/bin/sh
#SBATCH --job-name=egdb
#SBATCH --array=1-4
#SBATCH --cpus-per-task=4
#SBATCH --mem=3G
#SBATCH --requeue
# Builds endgame databases as a Slurm job array, in a shared folder. Each job builds slices that no other job
# has begun; --memory (2048 MiB by default) applies to each job.
#
#   sbatch examples/egdb-slurm.sh --egdb egdb --pieces 7
#
# A requeued job joins the others.
set -eu
exec "${KELSO:-kelso}" egdb build --share --threads "$SLURM_CPUS_PER_TASK" "$@"
