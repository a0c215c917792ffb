#!/bin/sh
#SBATCH --job-name=match
#SBATCH --array=1-16
#SBATCH --cpus-per-task=4
#SBATCH --requeue
# Plays a match in parts, as a Slurm job array. Each game has two processors, so that engines can ponder.
#
#   sbatch examples/match-slurm.sh --engine "name=A cmd=./a" --engine "name=B cmd=./b" --each tc=10+0.1 --rounds 500
#   kelso stats part-*.jsonl --html report.html
#
# A requeued job resumes its work.
set -eu
exec "${KELSO:-kelso}" match "$@" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
    --out "part-$SLURM_ARRAY_TASK_ID" --concurrency "$((SLURM_CPUS_PER_TASK / 2))" --resume --quiet
