//! Work that the scripts in `examples` divide among processes and computers: the results must equal those of
//! one process. Tests are skipped if their programs are not installed.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::helpers::tools::has;
use crate::helpers::{Folder, kelso, result};

/// A reproducible match: limited by nodes, without recorded times.
const MATCH: &[&str] = &[
    "--engine",
    "name=A option.Level=3",
    "--engine",
    "name=B option.Level=2",
    "--each",
    "nodes=100",
    "--rounds",
    "6",
];
const GAMES: &[&str] = &["--games", "20", "--nodes", "20", "--option", "Evaluation=material"];

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name)
}

/// Runs a command that must succeed, and returns its output.
fn printed(command: &mut Command) -> String {
    let (out, errors, status) = result(&command.output().unwrap());
    assert_eq!(status, Some(0), "{command:?}:\n{out}{errors}");
    out
}

fn run(folder: &Folder, name: &str, variables: &[(&str, &str)], words: &[&str]) -> String {
    let mut command = Command::new("sh");
    command.arg(script(name)).args(words).current_dir(folder).env("KELSO", env!("CARGO_BIN_EXE_kelso"));
    printed(command.env("KELSO_UNTIMED", "1").envs(variables.iter().copied()))
}

/// Runs the three jobs of an array one after another.
fn run_jobs(folder: &Folder, name: &str, words: &[&str]) {
    for task in ["3", "1", "2"] {
        let variables =
            [("SLURM_ARRAY_TASK_ID", task), ("SLURM_ARRAY_TASK_COUNT", "3"), ("SLURM_CPUS_PER_TASK", "2")];
        run(folder, name, &variables, words);
    }
}

/// Returns the report of the match played by one process.
fn report(folder: &Folder, words: &[&str]) -> String {
    let whole = ["--quiet", "--out", "whole"];
    printed(kelso().env("KELSO_UNTIMED", "1").current_dir(folder).arg("match").args(words).args(whole))
}

fn merged(folder: &Folder, parts: usize) -> String {
    let files = (1..=parts).map(|part| format!("part-{part}.jsonl"));
    printed(kelso().current_dir(folder).arg("stats").args(files))
}

/// Returns the numbers of training games and positions.
fn positions(folder: &Folder, games: &str) -> String {
    let info = printed(kelso().current_dir(folder).args(["train", "data", "info", games]));
    // A line for each file comes first.
    info.split_once("\n\n").unwrap().1.to_owned()
}

#[test]
fn parts_run_by_an_array_of_jobs_equal_the_whole() {
    if !has("sh") {
        return;
    }
    let folder = Folder::new();
    run_jobs(&folder, "match-slurm.sh", MATCH);
    assert_eq!(merged(&folder, 3), report(&folder, MATCH));

    run_jobs(&folder, "train-slurm.sh", &[&["games"], GAMES].concat());
    printed(kelso().current_dir(&folder).args(["train", "play", "--out", "alone"]).args(GAMES));
    assert_eq!(positions(&folder, "games"), positions(&folder, "alone"));
}

#[test]
fn parts_run_in_parallel_equal_the_whole() {
    if !has("parallel") {
        return;
    }
    let folder = Folder::new();
    let variables = [("PARTS", "2")];
    let parts = run(&folder, "match-parallel.sh", &variables, MATCH);
    assert_eq!(parts, report(&folder, MATCH));
    assert!(folder.read("report.html").starts_with("<!doctype html>"));

    run(&folder, "train-parallel.sh", &variables, &[&["games"], GAMES].concat());
    printed(kelso().current_dir(&folder).args(["train", "play", "--out", "alone"]).args(GAMES));
    assert_eq!(positions(&folder, "games"), positions(&folder, "alone"));
}

/// A Slurm cluster on this machine, with two nodes of four processors each.
struct Cluster {
    folder: Folder,
    daemons: Vec<Child>,
}

impl Cluster {
    fn start() -> Self {
        let mut cluster = Self { folder: Folder::new(), daemons: Vec::new() };
        let ports: Vec<u16> = {
            let listeners = [0; 3].map(|_| TcpListener::bind("127.0.0.1:0").unwrap());
            listeners.iter().map(|listener| listener.local_addr().unwrap().port()).collect()
        };
        let said = |program: &str, word: &str| printed(Command::new(program).arg(word)).trim().to_owned();
        let (host, user) = (said("hostname", "-s"), said("id", "-un"));
        let here = cluster.folder.path("");
        let here = here.to_str().unwrap().trim_end_matches('/');
        let configuration = format!(
            "ClusterName=kelso\nSlurmctldHost={host}(127.0.0.1)\nSlurmctldPort={}\n\
             SlurmUser={user}\nSlurmdUser={user}\nAuthInfo=socket={here}/munge.socket\n\
             StateSaveLocation={here}/state\nSlurmdSpoolDir={here}/%n\n\
             SlurmctldPidFile={here}/slurmctld.pid\nSlurmdPidFile={here}/%n.pid\n\
             ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nMpiDefault=none\n\
             SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nSlurmdParameters=config_overrides\n\
             NodeName=node1 NodeHostname={host} NodeAddr=127.0.0.1 Port={} CPUs=4 RealMemory=16000\n\
             NodeName=node2 NodeHostname={host} NodeAddr=127.0.0.1 Port={} CPUs=4 RealMemory=16000\n\
             PartitionName=all Nodes=node1,node2 Default=YES MaxTime=INFINITE State=UP\n",
            ports[0], ports[1], ports[2]
        );
        cluster.folder.write("slurm.conf", configuration);
        for folder in ["state", "node1", "node2"] {
            std::fs::create_dir(cluster.folder.path(folder)).unwrap();
        }
        // The key must not be readable by others.
        let key = "umask 077; head -c 1024 /dev/urandom > munge.key";
        printed(Command::new("sh").args(["-c", key]).current_dir(&cluster.folder));
        let munge = |name: &str, file: &str| format!("--{name}={here}/munge.{file}");
        let arguments = [
            munge("key-file", "key"),
            munge("socket", "socket"),
            munge("pid-file", "pid"),
            munge("seed-file", "seed"),
            munge("log-file", "log"),
        ];
        cluster.daemon("munged", &[&["--force".into(), "--foreground".into()], &arguments[..]].concat());
        cluster.wait("munged", |cluster| cluster.folder.path("munge.socket").exists());
        cluster.daemon("slurmctld", &["-D".into()]);
        for node in ["node1", "node2"] {
            cluster.daemon("slurmd", &["-D".into(), "-N".into(), node.into()]);
        }
        cluster.wait("two idle nodes", |cluster| {
            cluster.ask("sinfo", &["--noheader", "--states=idle", "--format=%D"]).trim() == "2"
        });
        cluster
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("SLURM_CONF", self.folder.path("slurm.conf")).current_dir(&self.folder);
        command
    }

    fn daemon(&mut self, program: &str, arguments: &[String]) {
        let name = format!("daemon-{}.out", self.daemons.len());
        let log = std::fs::File::create(self.folder.path(&name)).unwrap();
        let mut command = self.command(program);
        command.args(arguments).stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log);
        self.daemons.push(command.spawn().unwrap());
    }

    /// Returns the output of a command, even if it fails.
    fn ask(&self, program: &str, words: &[&str]) -> String {
        result(&self.command(program).args(words).output().unwrap()).0
    }

    fn wait(&self, what: &str, is_true: impl Fn(&Self) -> bool) {
        let deadline = Instant::now() + Duration::from_secs(500);
        while !is_true(self) {
            assert!(Instant::now() < deadline, "waited for {what}\n{}", self.log());
            thread::sleep(Duration::from_millis(50));
        }
    }

    fn log(&self) -> String {
        (0..self.daemons.len()).map(|number| self.folder.read(&format!("daemon-{number}.out"))).collect()
    }

    /// Queues an array of eight jobs with two processors each, and returns its number.
    fn submit(&self, name: &str, words: &[&str]) -> String {
        let mut command = self.command("sbatch");
        command.args(["--parsable", "--array=1-8", "--cpus-per-task=2"]).arg(script(name)).args(words);
        printed(command.env("KELSO", env!("CARGO_BIN_EXE_kelso"))).trim().to_owned()
    }

    /// Waits until all jobs have succeeded.
    fn finish(&self) {
        self.wait("the end of all jobs", |cluster| cluster.ask("squeue", &["--noheader"]).is_empty());
        let states = self.ask("scontrol", &["--oneliner", "show", "jobs"]);
        for job in states.lines() {
            assert!(job.contains("JobState=COMPLETED"), "{job}");
        }
    }

    /// Returns the finished games of a part, one per line.
    fn games(&self, part: usize) -> Vec<String> {
        let text =
            std::fs::read_to_string(self.folder.path(&format!("part-{part}.jsonl"))).unwrap_or_default();
        // The last line may be incomplete.
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        whole.lines().skip(1).map(str::to_owned).collect()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let user = std::env::var("USER").unwrap_or_else(|_| "root".into());
        self.ask("scancel", &["--user", &user]);
        let deadline = Instant::now() + Duration::from_secs(10);
        while !self.ask("squeue", &["--noheader"]).is_empty() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(100));
        }
        for daemon in self.daemons.iter_mut().rev() {
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

/// Eight jobs on two nodes, one of them requeued, must equal one process. Needs Debian's packages slurmctld,
/// slurmd, slurm-client and munge.
#[test]
#[ignore = "starts a cluster and takes minutes"]
fn slurm_jobs_equal_the_whole() {
    const LONGER: &[&str] = &[
        "--engine",
        "name=A",
        "--engine",
        "name=B option.Level=5",
        "--each",
        "nodes=3000",
        "--rounds",
        "24",
    ];
    if !["munged", "slurmctld", "slurmd", "sbatch"].into_iter().all(has) {
        return;
    }
    // Times differ between runs; results don't.
    let games = |report: String| -> String {
        let counted = |line: &&str| !line.contains("ms/move") && !line.starts_with(['A', 'B']);
        let results = report.lines().filter(|line| line.starts_with(['A', 'B'])).take(4);
        report.lines().filter(counted).chain(results).collect::<Vec<_>>().join("\n")
    };
    let cluster = Cluster::start();
    let array = cluster.submit("match-slurm.sh", LONGER);
    // Requeue a job that has finished some of its six games.
    let begun = |cluster: &Cluster| (1..=8).find(|&part| (2..=4).contains(&cluster.games(part).len()));
    cluster.wait("a job at work", |cluster| begun(cluster).is_some());
    let part = begun(&cluster).unwrap();
    let job = format!("{array}_{part}");
    printed(cluster.command("scontrol").args(["requeue", &job]));
    cluster.wait("the job in the queue again", |cluster| {
        cluster.ask("scontrol", &["show", "job", &job]).contains("Restarts=1")
    });
    let before = cluster.games(part);
    assert!(before.len() < 6, "the job was finished before it was requeued");
    // Otherwise, the requeued job would wait for two minutes.
    cluster.wait("the job to be eligible", |cluster| {
        let update = ["update", &format!("JobId={job}"), "StartTime=now"];
        cluster.command("scontrol").args(update).output().unwrap().status.success()
    });
    cluster.finish();
    let after = cluster.games(part);
    assert_eq!(after.len(), 6);
    assert_eq!(after[..before.len()], before, "finished games were played again");
    let (parts, whole) = (merged(&cluster.folder, 8), report(&cluster.folder, LONGER));
    assert_eq!(games(parts), games(whole));
    println!("job {job} was requeued after {} of 6 games; eight jobs add up to the whole", before.len());

    cluster.submit("train-slurm.sh", &[&["games"], GAMES].concat());
    cluster.finish();
    let folder = &cluster.folder;
    printed(kelso().current_dir(folder).args(["train", "play", "--out", "alone"]).args(GAMES));
    assert_eq!(positions(folder, "games"), positions(folder, "alone"));
}
