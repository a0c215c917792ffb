#!/bin/sh
#SBATCH --job-name=train
#SBATCH --array=1-16
#SBATCH --cpus-per-task=4
#SBATCH --requeue
# Plays training games in parts, as a Slurm job array, and writes them to a shared folder.
#
#   sbatch examples/train-slurm.sh games --games 100000 --nodes 1000 --option EvalFile=mine.net
#   kelso train data dedup games --out games.pos
#
# A requeued job resumes its work.
set -eu
folder=${1:?missing folder for the games}
shift
exec "${KELSO:-kelso}" train play --out "$folder" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
    --threads "$SLURM_CPUS_PER_TASK" "$@"
