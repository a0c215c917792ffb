//! The checkpoint of a match: its settings, and one line per game.

use super::header::MatchHeader;
use super::match_game::MatchGame;
use super::pdn;
use kelso_batch::checkpoint::{CheckpointHeader, CompanionFile};
use kelso_batch::error::changed;

impl CheckpointHeader for MatchHeader {
    type Item = MatchGame;
    const FORMAT: &'static str = "kelso_match";
    const JOB: &'static str = "match";
    const COMPANION: Option<CompanionFile<Self>> =
        Some(CompanionFile { extension: ".pdn", format: pdn::format });

    fn difference(&self, now: &Self) -> Option<String> {
        let settings = self.engines.iter().zip(&now.engines).find_map(|(engine, now)| {
            changed(&format!("settings of {}", engine.name), &engine.settings, &now.settings)
        });
        let plan = &self.plan;
        let later = &now.plan;
        changed("engines", &self.names(), &now.names())
            .or_else(|| changed("rules", &self.rules.to_string(), &now.rules.to_string()))
            .or_else(|| changed("openings", &self.openings, &now.openings))
            .or(settings)
            .or_else(|| changed("seed", &plan.seed, &later.seed))
            .or_else(|| changed("shard", &plan.shard.to_string(), &later.shard.to_string()))
            .or_else(|| changed("order of openings", &plan.order, &later.order))
            .or_else(|| changed("format", &plan.format, &later.format))
            .or_else(|| changed("sprt", &self.sprt, &now.sprt))
            .or_else(|| changed("rounds", &plan.rounds, &later.rounds).filter(|_| plan.rounds > later.rounds))
    }

    fn changed_program(&self, now: &Self) -> Option<String> {
        let mut engines = self.engines.iter().zip(&now.engines);
        engines.find_map(|(engine, now)| changed(&engine.name, &engine.program, &now.program))
    }

    fn resumed(&self, now: Self) -> Self {
        Self { date: self.date.clone(), ..now }
    }

    fn number(game: &MatchGame) -> u64 {
        game.number.into()
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, OpenOptions};
    use std::io::Write;
    use std::path::Path;

    use super::*;
    use crate::header::tests::{header, plan};
    use crate::match_game::tests::record;
    use kelso_batch::checkpoint::{self, Checkpoint, ResumePolicy};
    use kelso_batch::error::RunError;
    use kelso_batch::testing::Folder;

    type Store = Checkpoint<MatchHeader>;

    fn read(path: &Path) -> Result<Vec<MatchGame>, RunError> {
        let mut games = Vec::new();
        checkpoint::read::<MatchHeader>(path, false, &mut |game| games.push(game))?;
        Ok(games)
    }

    /// Returns the checkpoint, its games and its notes.
    fn resume(base: &Path, header: MatchHeader, policy: ResumePolicy) -> Result<Resumed, RunError> {
        let mut games = Vec::new();
        let (store, notes) = Store::open(base, header, policy, &mut |game| {
            games.push(game);
            Ok::<_, RunError>(())
        })?;
        Ok((store, games, notes))
    }

    type Resumed = (Store, Vec<MatchGame>, Vec<String>);

    fn text(header: &MatchHeader, games: &[MatchGame]) -> String {
        let first = serde_json::to_string(header).unwrap().replacen('{', "{\"kelso_match\":1,", 1);
        let games = games.iter().map(|game| serde_json::to_string(game).unwrap());
        std::iter::once(first).chain(games).map(|line| line + "\n").collect()
    }

    #[test]
    fn a_killed_run_keeps_its_finished_games() {
        let folder = Folder::new();
        let base = folder.path("match.a");
        let (mut store, ..) = resume(&base, header(), ResumePolicy::default()).unwrap();
        store.add(&record()).unwrap();
        let path = store.state_path().to_owned();
        drop(store);
        // Simulate a process killed in the middle of a line.
        OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"game\":5,\"pa").unwrap();
        let refused = resume(&base, header(), ResumePolicy::default());
        assert!(matches!(refused, Err(RunError::Exists { .. })));
        let (mut store, games, _) = resume(&base, header(), ResumePolicy::RESUME).unwrap();
        assert_eq!(games, [record()]);
        let second = MatchGame { number: 5, ..record() };
        store.add(&second).unwrap();
        assert_eq!(read(&path).unwrap(), [record(), second.clone()]);
        store.finish().unwrap();
        assert_eq!(fs::read_to_string(folder.path("match.a.pdn")).unwrap().matches("[Round \"3.").count(), 2);
    }

    #[test]
    fn another_match_is_not_resumed() {
        let folder = Folder::new();
        let base = folder.path("m");
        drop(resume(&base, header(), ResumePolicy::default()).unwrap());
        for (changed, part) in [
            (MatchHeader { plan: plan(3, 8), ..header() }, "seed"),
            (MatchHeader { openings: "eleven-man".to_owned(), ..header() }, "openings"),
            (MatchHeader { plan: plan(2, 7), ..header() }, "rounds"),
            (MatchHeader { engines: vec![], ..header() }, "engines"),
        ] {
            let error = resume(&base, changed, ResumePolicy::RESUME).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
        assert!(resume(&base, MatchHeader { plan: plan(9, 7), ..header() }, ResumePolicy::RESUME).is_ok());
        // A resumed match keeps its date.
        let [old, new] =
            ["2026.01.31", "2026.02.01"].map(|date| MatchHeader { date: Some(date.to_owned()), ..header() });
        assert_eq!(
            old.resumed(MatchHeader { plan: plan(9, 7), ..new }),
            MatchHeader { plan: plan(9, 7), ..old }
        );
    }

    #[test]
    fn a_match_with_a_maximum_length_of_games_is_not_resumed() {
        let folder = Folder::new();
        let base = folder.path("m");
        let mut old = header();
        old.rules.max_plies = Some(220);
        drop(resume(&base, old, ResumePolicy::default()).unwrap());
        let error = resume(&base, header(), ResumePolicy::RESUME).unwrap_err().to_string();
        let difference = "rules was \"standard 80, 220 plies\" and is now \"standard 80\"";
        assert!(error.contains(difference), "{error}");
    }

    #[test]
    fn another_program_is_not_resumed() {
        let folder = Folder::new();
        let base = folder.path("m");
        let (mut store, ..) = resume(&base, header(), ResumePolicy::default()).unwrap();
        let mut changed = header();
        changed.engines[1].program = "B 2.0, engine 00c0ffee".to_owned();
        store.add(&record()).unwrap();
        drop(store);
        let error = resume(&base, changed.clone(), ResumePolicy::RESUME).unwrap_err().to_string();
        assert!(
            error.contains("B was \"B 1.0, engine 00c0ffee\" and is now \"B 2.0, engine 00c0ffee\""),
            "{error}"
        );
        let any = ResumePolicy { any_program: true, ..ResumePolicy::RESUME };
        assert!(resume(&base, changed, any).is_ok());
    }

    #[test]
    fn a_damaged_line_loses_only_its_game() {
        let folder = Folder::new();
        let base = folder.path("m");
        let path = base.with_extension("jsonl");
        let games: Vec<_> =
            (0..6).map(|game| MatchGame { number: game, pair: game / 2, ..record() }).collect();
        let text = text(&header(), &games);
        let lines: Vec<&str> = text.lines().collect();
        let (head, tail) = lines[2].split_at(40);
        for (damaged, part) in [
            ("not JSON at all".to_owned().into_bytes(), "not JSON"),
            (Vec::new(), "not JSON"),
            (vec![0; 300], "not JSON"),
            ([head.as_bytes(), &[0xff, 0xfe], tail.as_bytes()].concat(), "not JSON"),
            (lines[2].replace("23-18", "23-17").into_bytes(), "illegal move"),
        ] {
            let mut bytes = Vec::new();
            for (number, line) in lines.iter().enumerate() {
                bytes.extend_from_slice(if number == 2 { &damaged } else { line.as_bytes() });
                bytes.push(b'\n');
            }
            fs::write(&path, &bytes).unwrap();
            let error = resume(&base, header(), ResumePolicy::RESUME).unwrap_err();
            assert!(
                matches!(&error, RunError::Damaged { fault, .. } if fault.starts_with("line 3: ")),
                "{error}"
            );
            assert_eq!(fs::read(&path).unwrap(), bytes, "a refusal changes nothing");
            let salvage = ResumePolicy { salvage: true, ..ResumePolicy::RESUME };
            let (_, rest, notes) = resume(&base, header(), salvage).unwrap();
            assert_eq!(rest.iter().map(|game| game.number).collect::<Vec<_>>(), [0, 2, 3, 4, 5]);
            assert!(notes[0].contains(", line 3: ") && notes[0].contains(part), "{part}: {notes:?}");
            assert_eq!(fs::read(folder.path("m.jsonl.damaged")).unwrap(), bytes);
            assert_eq!(read(&path).unwrap(), rest);
        }
    }

    #[test]
    fn other_files_are_refused() {
        let folder = Folder::new();
        let path = folder.path("x.jsonl");
        for text in ["", "{}\n", "nonsense\n", "{\"kelso_match\":9}\n", "\u{0}\n"] {
            fs::write(&path, text).unwrap();
            assert!(matches!(read(&path), Err(RunError::Foreign { .. })), "{text}");
        }
        fs::write(&path, text(&header(), &[]) + "{\"game\":1}\n").unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("line 2"));
    }
}
