//! The `navbake` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    baker_cli::cli::main()
}
