//! Reports: a table, CSV and JSON. Counts are averages over games, as in the studies.

use std::fmt::Write;

use serde_json::{Value as Json, json};

use super::{PlayerSpec, Profile, Series, SeriesScore};
use common::statistics::real;
use common::table::Table;
use engine::search::SearchPart;

/// The source of figures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// Measured in this run.
    Ours,
    /// Published in a study.
    Published,
}

impl Source {
    const fn name(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Published => "published",
        }
    }
}

/// The figures of one player in one series, as far as they are known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// Games played.
    pub games: Option<f64>,
    /// Games won.
    pub wins: Option<f64>,
    /// Games lost.
    pub losses: Option<f64>,
    /// Games drawn.
    pub draws: Option<f64>,
    /// Moves of the player, for each game.
    pub moves: Option<f64>,
    /// Nodes of its searches, for each game.
    pub explored: Option<f64>,
    /// Beta cuts, for each game.
    pub cuts: Option<f64>,
    /// Exact values from the table, for each game.
    pub table_exact: Option<f64>,
    /// Cuts by the table, for each game.
    pub table_cuts: Option<f64>,
    /// The deepest ply of a game, on average.
    pub depth: Option<f64>,
    /// Milliseconds for each game.
    pub game_ms: Option<f64>,
    /// Milliseconds for each move.
    pub move_ms: Option<f64>,
    /// The shares of the parts of its searches.
    pub profile: Option<Profile>,
}

/// A row of a report.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The configuration, the game or the match.
    pub label: String,
    /// The player.
    pub player: String,
    /// Its opponent.
    pub opponent: String,
    /// The source of the figures.
    pub source: Source,
    /// The figures.
    pub figures: Figures,
}

/// Rows under a title.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The title.
    pub title: String,
    /// True if the rows have profiles instead of results.
    pub profiled: bool,
    /// The results.
    pub rows: Vec<Row>,
}

/// A figure: its names in tables and in files, its value, and its number of decimals.
pub(crate) type Figure = (&'static str, &'static str, fn(&Figures) -> Option<f64>, usize);

const RESULTS: [Figure; 4] = [
    ("games", "games", |f| f.games, 0),
    ("wins", "wins", |f| f.wins, 0),
    ("losses", "losses", |f| f.losses, 0),
    ("draws", "draws", |f| f.draws, 0),
];

const COUNTS: [Figure; 8] = [
    ("moves", "moves", |f| f.moves, 2),
    ("explored", "explored", |f| f.explored, 2),
    ("beta cuts", "beta_cuts", |f| f.cuts, 2),
    ("TT exact", "tt_exact", |f| f.table_exact, 2),
    ("TT cuts", "tt_cuts", |f| f.table_cuts, 2),
    ("max depth", "max_depth", |f| f.depth, 2),
    ("ms/game", "ms_per_game", |f| f.game_ms, 3),
    ("ms/move", "ms_per_move", |f| f.move_ms, 4),
];

/// The shares of the parts of a search, in percent, how often it was looked at, and what that costs.
pub(crate) const SHARES: [Figure; 7] = [
    ("moves", "moves", |f| f.profile?.percent(SearchPart::Moves), 1),
    ("evaluation", "evaluation", |f| f.profile?.percent(SearchPart::Evaluation), 1),
    ("table", "table", |f| f.profile?.percent(SearchPart::Table), 1),
    ("ordering", "ordering", |f| f.profile?.percent(SearchPart::Ordering), 1),
    ("rest", "rest", |f| f.profile?.percent(SearchPart::Rest), 1),
    ("samples", "samples", |f| Some(real(f.profile?.samples())), 0),
    ("cost", "cost", |f| f.profile?.cost(), 1),
];

#[expect(clippy::cast_precision_loss, reason = "averages for people")]
fn share(sum: u64, count: u64) -> f64 {
    sum as f64 / count.max(1) as f64
}

impl Figures {
    /// Returns the figures of the first player or the second.
    pub fn of(score: &SeriesScore, index: usize, spec: &PlayerSpec) -> Self {
        let (side, other) = match index {
            0 => (&score.sides[0], &score.sides[1]),
            _ => (&score.sides[1], &score.sides[0]),
        };
        let games = u64::from(score.games);
        let each = |sum| Some(share(sum, games));
        let searches = !matches!(spec.kind, super::PlayerKind::Random);
        let counted = |sum| if spec.counts_everything() { each(sum) } else { None };
        let ms = side.time.as_secs_f64() * 1e3;
        Self {
            games: Some(f64::from(score.games)),
            wins: Some(f64::from(side.wins)),
            losses: Some(f64::from(other.wins)),
            draws: Some(f64::from(score.draws)),
            moves: each(side.moves),
            explored: searches.then(|| share(side.counts.explored, games)),
            cuts: counted(side.counts.cuts),
            table_exact: counted(side.counts.table_exact),
            table_cuts: counted(side.counts.table_cuts),
            depth: searches.then(|| share(side.depths, games)),
            game_ms: searches.then(|| ms / f64::from(score.games.max(1))),
            move_ms: searches.then(|| ms * share(1, side.moves)),
            profile: None,
        }
    }

    /// Returns the share of points, in percent.
    pub fn score(&self) -> Option<f64> {
        Some(100.0 * (self.wins? + self.draws? / 2.0) / self.games.filter(|&games| games > 0.0)?)
    }
}

impl Report {
    /// Adds the rows of a series: of both players, or of the first alone if the second has no counts.
    pub fn add(&mut self, label: &str, series: &Series, score: &SeriesScore) {
        let [first, second] = &series.players;
        for (index, spec, opponent) in [(0, first, second), (1, second, first)] {
            // With colours exchanged, a player against itself does the same on both sides.
            let same = first == second && series.exchange;
            if index == 1 && (spec.kind == super::PlayerKind::Random || same) {
                continue;
            }
            let names = [&*spec.to_string(), &*opponent.to_string()];
            self.push(label, names, Source::Ours, &Figures::of(score, index, spec));
        }
    }

    pub(crate) fn push(&mut self, label: &str, names: [&str; 2], source: Source, figures: &Figures) {
        let [player, opponent] = names.map(str::to_owned);
        self.rows.push(Row { label: label.to_owned(), player, opponent, source, figures: *figures });
    }

    /// Returns the columns of figures in files.
    fn columns(&self) -> Vec<&'static Figure> {
        if self.profiled { SHARES.iter().collect() } else { RESULTS.iter().chain(&COUNTS).collect() }
    }

    /// Formats the report as a table. The opponent of a match is below the first player.
    pub fn table(&self) -> String {
        if self.profiled {
            let table = Table::of(&self.rows).words("configuration", |row| row.label.clone());
            let table = SHARES.iter().fold(table, |table, (name, _, figure, digits)| {
                let shown = |figure: f64| format!("{figure:.digits$}");
                table.number(name, move |row| figure(&row.figures).map_or_else(|| "-".into(), shown))
            });
            return format!("{}\n\n{}", self.title, table.build());
        }
        let labels = std::iter::once("").chain(self.rows.iter().map(|row| row.label.as_str()));
        // True for rows with the label of the row above.
        let rows: Vec<_> =
            self.rows.iter().zip(labels).map(|(row, above)| (row, row.label == above)).collect();
        let table = Table::of(&rows)
            .words("configuration", |(row, again)| if *again { "" } else { &row.label }.to_owned())
            .words(
                "",
                |(row, again)| {
                    if *again && row.source == Source::Ours { "opponent" } else { row.source.name() }
                },
            )
            .number("W-D-L", |(row, _)| {
                let Figures { wins, draws, losses, .. } = row.figures;
                let [wins, draws, losses] = [wins, draws, losses].map(|figure| shown(figure, 0));
                if wins == "-" { wins } else { format!("{wins}-{draws}-{losses}") }
            });
        let table = COUNTS.iter().fold(table, |table, (name, _, figure, digits)| {
            table.number(name, |(row, _)| shown(figure(&row.figures), *digits))
        });
        let table = table.build();
        format!("{}\n\n{table}", self.title)
    }

    /// Formats the report as comma-separated values with full precision.
    pub fn csv(&self) -> String {
        let columns = self.columns();
        let names: Vec<&str> = columns.iter().map(|column| column.1).collect();
        let mut text = format!("configuration,player,opponent,source,{}\n", names.join(","));
        for row in &self.rows {
            let figures: Vec<String> = columns
                .iter()
                .map(|column| column.2(&row.figures).map_or_else(String::new, |figure| figure.to_string()))
                .collect();
            let quoted = |word: &str| format!("\"{}\"", word.replace('"', "\"\""));
            let _ = writeln!(
                text,
                "{},{},{},{},{}",
                quoted(&row.label),
                quoted(&row.player),
                quoted(&row.opponent),
                row.source.name(),
                figures.join(",")
            );
        }
        text
    }

    /// Formats the report as JSON.
    pub fn json(&self) -> String {
        let rows: Vec<Json> = self
            .rows
            .iter()
            .map(|row| {
                let mut object = serde_json::Map::new();
                object.insert("configuration".into(), json!(row.label));
                object.insert("player".into(), json!(row.player));
                object.insert("opponent".into(), json!(row.opponent));
                object.insert("source".into(), json!(row.source.name()));
                for (_, name, figure, _) in self.columns() {
                    object.insert((*name).into(), json!(figure(&row.figures)));
                }
                Json::Object(object)
            })
            .collect();
        format!("{:#}\n", json!({ "title": self.title, "rows": rows }))
    }
}

fn shown(figure: Option<f64>, digits: usize) -> String {
    match figure {
        None => "-".into(),
        // Published whole numbers are shown without decimals.
        Some(figure) if figure.fract() == 0.0 => format!("{figure:.0}"),
        Some(figure) => format!("{figure:.digits$}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Report {
        /// Returns the report without times, for comparison.
        pub(crate) fn timeless(mut self) -> Self {
            for Row { figures, .. } in &mut self.rows {
                (figures.game_ms, figures.move_ms) = (None, None);
            }
            self
        }
    }

    fn sample() -> Report {
        let players = [PlayerSpec::parse("searcher=ab depth=2 eval=v1").unwrap(), PlayerSpec::random()];
        let series = Series::new(players, 4, 1);
        let score = series.run(&mut |_| true).unwrap();
        let mut report = Report { title: "Sample".into(), ..Report::default() };
        report.add("AB, \"shallow\"", &series, &score);
        let published =
            Figures { wins: Some(94.0), losses: Some(2.0), draws: Some(4.0), ..Figures::default() };
        report.push("AB, \"shallow\"", ["", ""], Source::Published, &published);
        report.timeless()
    }

    #[test]
    fn a_table_shows_each_row_and_a_label_once() {
        let table = sample().table();
        let lines: Vec<_> = table.lines().collect();
        assert_eq!(lines.len(), 5, "{table}");
        assert!(lines[3].starts_with("AB, \"shallow\"  ours "), "{table}");
        assert!(lines[4].starts_with("               published  94-4-2 "), "{table}");
        assert!(lines[4].ends_with('-'));
    }

    #[test]
    fn csv_and_json_hold_the_same_figures() {
        let report = sample();
        let csv = report.csv();
        let mut lines = csv.lines();
        let names: Vec<_> = lines.next().unwrap().split(',').collect();
        let first = lines.next().unwrap();
        assert!(
            first.starts_with("\"AB, \"\"shallow\"\"\",\"searcher=ab depth=2 eval=v1\",\"random\",ours,4,")
        );
        let json: Json = serde_json::from_str(&report.json()).unwrap();
        let row = &json["rows"][0];
        assert_eq!(row["configuration"], "AB, \"shallow\"");
        let place = names.iter().position(|&name| name == "explored").unwrap();
        // The label's comma makes one more part.
        let explored: f64 = first.split(',').nth(place + 1).unwrap().parse().unwrap();
        assert_eq!(row["explored"].as_f64(), Some(explored));
        assert_eq!(json["rows"][1]["explored"], Json::Null);
    }
}
