//! Commands that consist of commands.

/// Defines a command: its description, then for each of its commands the description, the type of the
/// arguments, and the function that runs it.
macro_rules! subcommands {
    (
        $(#[$about:meta])*
        pub struct Args;
        $($(#[$description:meta])* $name:ident($args:ty) => $run:path;)+
    ) => {
        $(#[$about])*
        #[derive(clap::Args, Debug)]
        pub struct Args {
            #[command(subcommand)]
            command: Command,
        }

        #[derive(clap::Subcommand, Debug)]
        enum Command {
            $($(#[$description])* $name($args),)+
        }

        pub(super) fn run(args: &Args) -> Outcome {
            match &args.command {
                $(Command::$name(args) => $run(args),)+
            }
        }
    };
}

pub(crate) use subcommands;
