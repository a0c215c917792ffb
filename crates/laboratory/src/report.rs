//! Reports as a table, CSV or JSON. Counts are averages over games, as in the studies.

use super::profile::PHASES;
use super::{Phase, PlayerKind, PlayerSpec, Series, SeriesScore, Side};
use kelso_draughts::result::WdlCounts;
use kelso_reports::statistics::real;
use kelso_reports::table::Table;

/// A column of figures: heading in tables, name in files, number of decimals in tables, and the figure.
pub(crate) type FigureColumn = (&'static str, &'static str, usize, fn(&Figures) -> Option<f64>);

/// The averages of a player's counts per game.
const AVERAGES: [FigureColumn; 8] = [
    ("moves", "moves", 2, |figures| figures.moves),
    ("explored", "explored", 2, |figures| figures.explored),
    ("beta cuts", "beta_cuts", 2, |figures| figures.beta_cuts),
    ("TT exact", "tt_exact", 2, |figures| figures.table_exact),
    ("TT cuts", "tt_cuts", 2, |figures| figures.table_cuts),
    ("max depth", "max_depth", 2, |figures| figures.max_depth),
    ("ms/game", "ms_per_game", 3, |figures| figures.ms_per_game),
    ("ms/move", "ms_per_move", 4, |figures| figures.ms_per_move),
];

/// The share of each search phase in percent.
pub(crate) const SHARES: [FigureColumn; PHASES] = [
    ("moves", "moves", 1, |figures| figures.shares[Phase::Moves as usize]),
    ("evaluation", "evaluation", 1, |figures| figures.shares[Phase::Evaluation as usize]),
    ("table", "table", 1, |figures| figures.shares[Phase::Table as usize]),
    ("ordering", "ordering", 1, |figures| figures.shares[Phase::Ordering as usize]),
    ("rest", "rest", 1, |figures| figures.shares[Phase::Rest as usize]),
];

/// The number of samples, and the overhead.
const SAMPLING: [FigureColumn; 2] =
    [("samples", "samples", 0, |figures| figures.samples), ("cost", "cost", 1, |figures| figures.cost)];

/// The legend of results.
const RESULTS_LEGEND: &str = "\
AB alpha-beta (otherwise plain minimax), TT transposition table, Q quiescence search, ID iterative deepening, D depth,
E evaluation. W-D-L: games that the row's player won, drew and lost. All counts are averages per game. Explored: moves
made in the search. TT exact and TT cuts: nodes that the table settled with an exact value, and with a bound.
";

/// The legend of shares.
const SHARES_LEGEND: &str = "\
Percent of search time spent on generating moves, evaluation, the transposition table, ordering moves, and the rest.
Samples: how often the search was sampled. Cost: the overhead of sampling, in percent.
";

/// The figures of a row; `None` if unknown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// The results of the player.
    pub results: Option<WdlCounts>,
    /// Averages per game.
    pub moves: Option<f64>,
    pub explored: Option<f64>,
    pub beta_cuts: Option<f64>,
    pub table_exact: Option<f64>,
    pub table_cuts: Option<f64>,
    pub max_depth: Option<f64>,
    pub ms_per_game: Option<f64>,
    pub ms_per_move: Option<f64>,
    /// The share of each [`Phase`] in percent of the search time.
    pub shares: [Option<f64>; PHASES],
    pub samples: Option<f64>,
    /// The overhead of sampling in percent.
    pub cost: Option<f64>,
}

/// A row of a report.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The configuration, the game or the match.
    pub label: String,
    /// The player and its opponent, or `None` for the figures of a study.
    pub players: Option<[PlayerSpec; 2]>,
    pub figures: Figures,
}

/// Rows under a title.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    pub title: String,
    /// Whether the rows have profiles instead of results.
    pub profiled: bool,
    pub rows: Vec<Row>,
    /// Other programs used a lot of processor time during the measurement, so times and shares are
    /// inaccurate.
    pub busy: bool,
}

impl Row {
    const fn source(&self) -> &'static str {
        if self.players.is_some() { "ours" } else { "published" }
    }

    /// Returns the players as text, or empty strings for the figures of a study.
    fn names(&self) -> [String; 2] {
        self.players.as_ref().map(|players| players.each_ref().map(ToString::to_string)).unwrap_or_default()
    }

    /// Returns the score in percent.
    pub(crate) fn score(&self) -> Option<f64> {
        self.figures.results.filter(|results| results.total() > 0).map(|results| 100.0 * results.score())
    }
}

/// Returns the figures of a player from its results and its record.
fn figures(results: WdlCounts, spec: &PlayerSpec, side: &Side) -> Figures {
    let games = real(results.total().max(1));
    let counts = side.counts;
    let ms = side.time.as_secs_f64() * 1e3;
    let searches = spec.kind != PlayerKind::Random;
    let is_textbook = matches!(spec.kind, PlayerKind::Textbook(_));
    Figures {
        results: Some(results),
        moves: Some(real(side.moves) / games),
        explored: searches.then_some(real(counts.explored) / games),
        beta_cuts: is_textbook.then_some(real(counts.cuts) / games),
        table_exact: is_textbook.then_some(real(counts.table_exact) / games),
        table_cuts: is_textbook.then_some(real(counts.table_cuts) / games),
        max_depth: searches.then_some(real(side.depths) / games),
        ms_per_game: searches.then_some(ms / games),
        ms_per_move: searches.then_some(ms / real(side.moves.max(1))),
        ..Figures::default()
    }
}

impl Report {
    /// Adds the rows of a series: for both players, or only for the first if the second has no counts.
    pub fn add(&mut self, label: &str, series: &Series, score: &SeriesScore) {
        let [first, second] = &series.players;
        let [one, other] = &score.sides;
        self.push(label, Some([first.clone(), second.clone()]), figures(score.results, first, one));
        // If a player plays itself with exchanged colours, both sides have the same figures.
        if second.kind != PlayerKind::Random && !(first == second && series.exchange) {
            self.push(
                label,
                Some([second.clone(), first.clone()]),
                figures(score.results.reversed(), second, other),
            );
        }
    }

    pub(crate) fn push(&mut self, label: &str, players: Option<[PlayerSpec; 2]>, figures: Figures) {
        self.rows.push(Row { label: label.to_owned(), players, figures });
    }

    /// Returns the columns after the results.
    fn columns(&self) -> impl Iterator<Item = &'static FigureColumn> {
        if self.profiled { SHARES.iter().chain(&SAMPLING) } else { AVERAGES.iter().chain(&[]) }
    }

    /// Formats the report as a table. In a match, the opponent is in the row below the first player.
    pub fn table(&self) -> String {
        let labels = std::iter::once("").chain(self.rows.iter().map(|row| row.label.as_str()));
        // Marks rows that repeat the label of the row above.
        let rows: Vec<_> =
            self.rows.iter().zip(labels).map(|(row, above)| (row, row.label == above)).collect();
        let mut table = Table::of(&rows)
            .words("configuration", |(row, again)| if *again { "" } else { row.label.as_str() });
        if !self.profiled {
            table = table
                .words(
                    "",
                    |&(row, again)| {
                        if again && row.players.is_some() { "opponent" } else { row.source() }
                    },
                )
                .number("W-D-L", |(row, _)| {
                    shown(row.figures.results, |WdlCounts { wins, draws, losses }| {
                        format!("{wins}-{draws}-{losses}")
                    })
                });
        }
        for (heading, _, decimals, figure) in self.columns() {
            table = table.number(heading, |(row, _)| {
                shown(figure(&row.figures), |figure| format!("{figure:.decimals$}"))
            });
        }
        format!("{}\n\n{}", self.title, table.build())
    }

    /// Explains the headings and configurations of the table.
    pub const fn legend(&self) -> &'static str {
        if self.profiled { SHARES_LEGEND } else { RESULTS_LEGEND }
    }

    /// Formats the report as comma-separated values in full precision.
    pub fn csv(&self) -> String {
        let mut table = Table::of(&self.rows)
            .words("configuration", |row| row.label.clone())
            .words("player", |row| row.names()[0].clone())
            .words("opponent", |row| row.names()[1].clone())
            .words("source", Row::source);
        if !self.profiled {
            table = table
                .optional("games", |row| row.figures.results.map(WdlCounts::total))
                .optional("wins", |row| row.figures.results.map(|results| results.wins))
                .optional("losses", |row| row.figures.results.map(|results| results.losses))
                .optional("draws", |row| row.figures.results.map(|results| results.draws));
        }
        for (_, name, _, figure) in self.columns() {
            table = table.optional(name, |row| figure(&row.figures));
        }
        table.build().csv()
    }
}

/// Formats a figure for a table.
fn shown<T>(figure: Option<T>, format: impl Fn(T) -> String) -> String {
    figure.map_or_else(|| "-".to_owned(), format)
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Report {
        /// Returns the report without times, for comparison.
        pub(crate) fn timeless(mut self) -> Self {
            for Row { figures, .. } in &mut self.rows {
                figures.ms_per_game = None;
                figures.ms_per_move = None;
            }
            self
        }
    }

    fn sample() -> Report {
        let players = [PlayerSpec::parse("searcher=ab depth=2 eval=v1").unwrap(), PlayerSpec::random()];
        let series = Series::new(players, 4, 1);
        let score = series.run(&kelso_runtime::stop::StopToken::default(), &mut |_| {}).unwrap();
        let mut report = Report { title: "Sample".into(), ..Report::default() };
        report.add("AB, \"shallow\"", &series, &score);
        let published = Figures { results: Some(WdlCounts::new(94, 4, 2)), ..Figures::default() };
        report.push("AB, \"shallow\"", None, published);
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
    fn csv_has_a_line_per_row_and_a_place_per_figure() {
        let report = sample();
        let csv = report.csv();
        let mut lines = csv.lines();
        let names: Vec<_> = lines.next().unwrap().split(',').collect();
        let first = lines.next().unwrap();
        assert!(first.starts_with("\"AB, \"\"shallow\"\"\",searcher=ab depth=2 eval=v1,random,ours,4,"));
        let place = names.iter().position(|&name| name == "explored").unwrap();
        // The label contains a comma, which adds a part.
        let explored = |line: &str| line.split(',').nth(place + 1).unwrap().to_owned();
        assert_eq!(explored(first).parse().ok(), report.rows[0].figures.explored);
        assert_eq!(explored(lines.next().unwrap()), "");
    }
}
