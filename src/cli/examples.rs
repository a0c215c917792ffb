//! Examples at the end of each command's help. A test runs all of them in a folder with small inputs.

/// A command, and examples of it.
pub type Examples = (&'static str, &'static [&'static str]);

pub const EXAMPLES: &[Examples] = &[
    (
        "play",
        &[
            "kelso play",
            "kelso play --white person --black kelso --level 3",
            "kelso play --ballot three-move --time 5",
        ],
    ),
    ("serve", &["kelso serve --no-open", "kelso serve --no-open --port 0 --games games.pdn"]),
    ("show", &["kelso show W:W18,K32:B5,K9", "kelso show --moves \"11-15 23-19\" --svg > board.svg"]),
    (
        "analyse",
        &[
            "kelso analyse games.pdn",
            "kelso analyse games.pdn --player Tinsley --time 0.5s --html report.html",
            "kelso analyse collection/ --nodes 100000 --concurrency 4 --out collection --resume --problems problems.pdn",
        ],
    ),
    ("pdn check", &["kelso pdn check games.pdn", "kelso pdn check collection/ --json"]),
    ("pdn format", &["kelso pdn format games.pdn -o tidy.pdn", "kelso pdn format --in-place collection/"]),
    (
        "pdn find",
        &[
            "kelso pdn find games.pdn --player Tinsley --result 1-0 -o won.pdn",
            "kelso pdn find collection/ --moves \"11-15 23-19\" --count",
        ],
    ),
    (
        "pdn dedup",
        &["kelso pdn dedup --list collection/", "kelso pdn dedup games.pdn collection/ -o all.pdn"],
    ),
    ("pdn tree", &["kelso pdn tree games.pdn --moves \"11-15 23-19\""]),
    ("pdn openings", &["kelso pdn openings games.pdn --summary"]),
    (
        "stats",
        &["kelso stats cup.jsonl --sprt elo0=0,elo1=5", "kelso stats collection/*.pdn --html report.html"],
    ),
    (
        "egdb build",
        &[
            "kelso egdb build --pieces 3 --distances 3",
            "kelso egdb build --egdb db --slice 21v10 --memory 512",
        ],
    ),
    ("egdb verify", &["kelso egdb verify --pieces 3", "kelso egdb verify --slice 21v10 --sample 100000"]),
    (
        "prove",
        &[
            "kelso prove B:W32:BK22,K23",
            "kelso prove B:W32:BK22,K23 --claim win --self-contained --out proof.txt --overwrite",
        ],
    ),
    ("book build", &["kelso book build --nodes 1000 --positions 300 -o small"]),
    ("book probe", &["kelso book probe startpos --moves \"11-15 23-19\""]),
    ("book export", &["kelso book export", "kelso book export my.book --out my.pdn"]),
    (
        "match",
        &[
            "kelso match --engine level=3 --engine random --each nodes=1000 --rounds 10",
            "kelso match --engine \"name=new cmd=./new\" --engine \"name=old cmd=./old\" --each tc=10+0.1 --sprt elo0=0,elo1=5",
            "kelso match --engine \"name=new cmd=./new\" --engine \"name=old cmd=./old\" --each tc=10+0.1 --resume --html report.html",
        ],
    ),
    ("check", &["kelso check --engine ./new", "kelso check --engine \"./new hub\" --proto hub"]),
    ("replay", &["kelso replay session.txt", "kelso replay sessions/ --engine ./new --junit report.xml"]),
    (
        "lab",
        &[
            "kelso lab --p1 \"searcher=ab depth=4 eval=v1\" --p2 random --games 20",
            "kelso lab --p1 \"searcher=ab depth=1..4 eval=v1\" --p2 \"searcher=ab depth=3 eval=v3\" --opening 6 --games 4 --svg depths.svg",
        ],
    ),
    ("lab table1", &["kelso lab table1 --games 5 --csv table1.csv"]),
    ("lab table2", &["kelso lab table2 --games 5"]),
    ("lab table3", &["kelso lab table3 --games 2"]),
    ("lab alex", &["kelso lab alex --depth 5 --minimax 4 --games 2"]),
    ("tree", &["kelso tree --depth 6 --searcher ab-tt --html -o tree.html"]),
    ("train play", &["kelso train play -o played --games 60 --nodes 200"]),
    ("train fit", &["kelso train fit games -o my.net --epochs 2"]),
    ("train terms", &["kelso train terms games -o weights.txt"]),
    ("train tune", &["kelso train tune -o tuned.txt --generations 2 --challengers 4 --games 2 --closing 4"]),
    ("train margins", &["kelso train margins -o margins.txt --pairs 10 --nodes 200"]),
];

/// Adds examples to the help of a command and its subcommands. `name` is the name of the command without the program.
pub fn added(command: clap::Command, name: &str) -> clap::Command {
    let names: Vec<String> = command.get_subcommands().map(|next| next.get_name().to_owned()).collect();
    let command = names.iter().fold(command, |command, next| {
        let path = format!("{name} {next}");
        command.mut_subcommand(next, |next| added(next, path.trim_start()))
    });
    let Some((_, examples)) = EXAMPLES.iter().find(|(of, _)| *of == name) else { return command };
    let text = format!("Examples:\n  {}", examples.join("\n  "));
    match (command.get_after_long_help(), command.get_after_help()) {
        (Some(notes), _) => {
            let notes = format!("{notes}\n\n{text}");
            command.after_long_help(notes).after_help(text)
        }
        (None, Some(notes)) => {
            let notes = format!("{notes}\n\n{text}");
            command.after_help(notes)
        }
        (None, None) => command.after_help(text),
    }
}
