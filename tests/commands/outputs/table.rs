//! The commands with outputs, and the options that name no outputs. A test compares them with the help.

/// A command and its files. Its outputs are the other options in its help that name files.
pub struct Row {
    /// The command without its outputs.
    pub words: &'static str,
    /// The extensions of the files that `--out NAME` writes, the resumable one first. Empty without such an
    /// option.
    pub state: &'static [&'static str],
    /// Input files.
    pub inputs: &'static [&'static str],
    /// Further files that the command writes if an output is `mine`.
    pub own: &'static [&'static str],
    /// Whether the command takes less than a second.
    pub quick: bool,
}

const ROW: Row = Row { words: "", state: &[], inputs: &[], own: &[], quick: true };

pub const MATCH: &str = "match --engine random --engine name=B:random --rounds 1 --quiet --openings in.pdn";
const FIT: &str = "train fit games --epochs 1 --batch 64";

pub const ROWS: &[Row] = &[
    Row { words: "stats in.pdn m.jsonl", inputs: &["in.pdn", "m.jsonl"], ..ROW },
    Row {
        words: MATCH,
        state: &["jsonl", "pdn"],
        inputs: &["in.pdn"],
        own: &["match.jsonl", "match.pdn", "match.lock"],
        ..ROW
    },
    Row {
        words: "analyse in.pdn --nodes 50 --quiet",
        state: &["jsonl", "pdn"],
        inputs: &["in.pdn"],
        own: &["analysis.jsonl", "analysis.pdn", "analysis.lock"],
        ..ROW
    },
    Row { words: "prove B:W32:BK22,K23", ..ROW },
    Row { words: "replay t.txt", inputs: &["t.txt"], ..ROW },
    Row { words: "record", ..ROW },
    Row { words: "lab --games 1 --p1 random", ..ROW },
    Row { words: "lab table1 --games 1", quick: false, ..ROW },
    Row { words: "lab table2 --games 1", quick: false, ..ROW },
    Row { words: "lab table3 --games 1", quick: false, ..ROW },
    Row { words: "lab alex --games 1", quick: false, ..ROW },
    Row { words: "tree --depth 1", ..ROW },
    Row { words: "pdn format in.pdn", inputs: &["in.pdn"], ..ROW },
    Row { words: "pdn dedup in.pdn", inputs: &["in.pdn"], ..ROW },
    Row { words: "pdn find in.pdn", inputs: &["in.pdn"], ..ROW },
    Row {
        words: "book build --nodes 50 --threads 1 --roots start --quiet --positions 20",
        state: &["jsonl", "book"],
        ..ROW
    },
    Row { words: "book merge in.book in.book", inputs: &["in.book"], ..ROW },
    Row { words: "book export in.book", inputs: &["in.book"], ..ROW },
    Row { words: "train data dedup games/1-1-of-1.pos", inputs: &["games/1-1-of-1.pos"], ..ROW },
    Row { words: FIT, inputs: &["games/1-1-of-1.pos"], ..ROW },
    Row { words: "train terms games", inputs: &["games/1-1-of-1.pos"], ..ROW },
    Row {
        words: "train margins --pairs 1 --nodes 9 --option Weights=in.txt --option Evaluation=classic",
        inputs: &["in.txt"],
        ..ROW
    },
];

/// Options and arguments that name inputs, or outputs that cannot replace anything, such as a directory to
/// which a file is added.
pub const NO_OUTPUTS: &[(&str, &str)] = &[
    ("analyse", "FILE"),
    ("best", "--file"),
    ("book export", "FILE"),
    ("book info", "--book"),
    ("book merge", "FILE"),
    ("book probe", "--book"),
    ("book verify", "--book"),
    ("check", "--dir"),
    ("egdb build", "--egdb"),
    ("egdb info", "--egdb"),
    ("egdb probe", "--egdb"),
    ("egdb stats", "--egdb"),
    ("egdb verify", "--egdb"),
    ("match", "--egdb"),
    ("match", "--openings"),
    ("pdn check", "FILE"),
    ("pdn dedup", "FILE"),
    ("pdn find", "FILE"),
    ("pdn format", "FILE"),
    ("pdn openings", "FILE"),
    ("pdn tree", "FILE"),
    ("play", "--position"),
    ("prove", "--check"),
    ("prove", "--egdb"),
    ("replay", "FILE|DIR"),
    ("serve", "--games"),
    ("serve", "--library"),
    ("man", "DIR"),
    ("site", "DIR"),
    ("site", "--module"),
    ("stats", "FILE"),
    ("train data dedup", "FILE"),
    ("train data info", "FILE"),
    ("train fit", "FILE"),
    ("train fit", "--from"),
    ("train judge", "FILE"),
    ("train play", "--out"),
    ("train rescore", "FILE"),
    ("train rescore", "--out"),
    ("train terms", "FILE"),
];
