//! Reports as a table, CSV or JSON. Counts are averages over games, as in the studies.

use super::{PlayerKind, PlayerSpec, Series, SeriesScore, Side};
use kelso_draughts::result::WdlCounts;
use kelso_reports::statistics::real;
use kelso_reports::table::Table;

/// A column of figures: heading in tables, name in files, and number of decimals in tables.
pub(crate) type FigureColumn = (&'static str, &'static str, usize);

/// The results of a player, and averages of its counts per game.
pub(crate) const RESULTS: [FigureColumn; 12] = [
    ("games", "games", 0),
    ("wins", "wins", 0),
    ("losses", "losses", 0),
    ("draws", "draws", 0),
    ("moves", "moves", 2),
    ("explored", "explored", 2),
    ("beta cuts", "beta_cuts", 2),
    ("TT exact", "tt_exact", 2),
    ("TT cuts", "tt_cuts", 2),
    ("max depth", "max_depth", 2),
    ("ms/game", "ms_per_game", 3),
    ("ms/move", "ms_per_move", 4),
];

/// The share of each search phase in percent, the number of samples, and the overhead.
pub(crate) const SHARES: [FigureColumn; 7] = [
    ("moves", "moves", 1),
    ("evaluation", "evaluation", 1),
    ("table", "table", 1),
    ("ordering", "ordering", 1),
    ("rest", "rest", 1),
    ("samples", "samples", 0),
    ("cost", "cost", 1),
];

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

/// The figures of a row, one per column; `None` if unknown.
pub type Figures = Vec<Option<f64>>;

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

    /// Returns a figure by its name in files.
    pub(crate) fn result(&self, name: &str) -> Option<f64> {
        let index = RESULTS.iter().position(|column| column.1 == name)?;
        self.figures.get(index).copied().flatten()
    }

    /// Returns the score in percent.
    pub(crate) fn score(&self) -> Option<f64> {
        let points = self.result("wins")? + self.result("draws")? / 2.0;
        Some(100.0 * points / self.result("games").filter(|&games| games > 0.0)?)
    }
}

/// Returns the figures of a player from its results and its record.
fn figures(results: WdlCounts, spec: &PlayerSpec, side: &Side) -> Figures {
    let games = real(results.total().max(1));
    let counts = side.counts;
    let ms = side.time.as_secs_f64() * 1e3;
    let is_textbook = matches!(spec.kind, PlayerKind::Textbook(_));
    let [cuts, table_exact, table_cuts] = [counts.cuts, counts.table_exact, counts.table_cuts]
        .map(|sum| is_textbook.then(|| real(sum) / games));
    let searched =
        [real(counts.explored) / games, real(side.depths) / games, ms / games, ms / real(side.moves.max(1))];
    let [explored, depth, ms_per_game, ms_per_move] =
        searched.map(|figure| (spec.kind != PlayerKind::Random).then_some(figure));
    vec![
        Some(real(results.total())),
        Some(real(results.wins)),
        Some(real(results.losses)),
        Some(real(results.draws)),
        Some(real(side.moves) / games),
        explored,
        cuts,
        table_exact,
        table_cuts,
        depth,
        ms_per_game,
        ms_per_move,
    ]
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

    const fn columns(&self) -> &'static [FigureColumn] {
        if self.profiled { &SHARES } else { &RESULTS }
    }

    /// Formats the report as a table. In a match, the opponent is in the row below the first player.
    pub fn table(&self) -> String {
        let labels = std::iter::once("").chain(self.rows.iter().map(|row| row.label.as_str()));
        // Marks rows that repeat the label of the row above.
        let rows: Vec<_> =
            self.rows.iter().zip(labels).map(|(row, above)| (row, row.label == above)).collect();
        let mut table = Table::of(&rows)
            .words("configuration", |(row, again)| if *again { "" } else { row.label.as_str() });
        let mut first = 0;
        if !self.profiled {
            table = table
                .words(
                    "",
                    |&(row, again)| {
                        if again && row.players.is_some() { "opponent" } else { row.source() }
                    },
                )
                .number("W-D-L", |(row, _)| {
                    let [wins, losses, draws] = [1, 2, 3].map(|index| self.cell(row, index));
                    if wins == "-" { wins } else { format!("{wins}-{draws}-{losses}") }
                });
            first = 4;
        }
        for (index, (heading, ..)) in self.columns().iter().enumerate().skip(first) {
            table = table.number(heading, |(row, _)| self.cell(row, index));
        }
        format!("{}\n\n{}", self.title, table.build())
    }

    /// Formats a figure of a row.
    fn cell(&self, row: &Row, index: usize) -> String {
        let (_, _, digits) = self.columns()[index];
        match row.figures.get(index).copied().flatten() {
            None => "-".into(),
            Some(figure) => format!("{figure:.digits$}"),
        }
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
        for (index, column) in self.columns().iter().enumerate() {
            table = table.optional(column.1, |row| row.figures.get(index).copied().flatten());
        }
        table.build().csv()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Report {
        /// Returns the report without times, for comparison.
        pub(crate) fn timeless(mut self) -> Self {
            for Row { figures, .. } in &mut self.rows {
                figures[10..].fill(None);
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
        let published = [Some(100.0), Some(94.0), Some(2.0), Some(4.0)].into_iter();
        report.push("AB, \"shallow\"", None, published.chain([None; 8]).collect());
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
        let index = report.columns().iter().position(|column| column.1 == "explored").unwrap();
        assert_eq!(explored(first).parse().ok(), report.rows[0].figures[index]);
        assert_eq!(explored(lines.next().unwrap()), "");
    }
}
