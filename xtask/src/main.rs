//! The repository's own commands. `tidy` keeps the rules that a compiler cannot see, `dependencies` those of deny.toml,
//! `generate` keeps the committed reference pages equal to the code, `simulate` tries seeds, `fuzz` tries bytes. None knows
//! the product's rules.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line tool: its findings go to stdout, its errors to stderr"
)]

mod dependencies;
mod fuzz;
mod generate;
mod simulate;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <command>

  tidy              check the rules of the repository; prints `path:line: what, how to fix`
  dependencies      check licences, bans and sources of the dependencies by deny.toml
  generate          write the generated files under docs/reference
  generate --check  compare the committed generated files with what the code says now
  simulate --seeds N [--from S] [--show]
                    run the simulation of many gateways with these seeds
  fuzz [TARGET ..] [--seconds N]
                    run fuzz targets under libFuzzer, each for 60 seconds unless told otherwise";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let root = repository_root();
    let outcome = match arguments.as_slice() {
        ["tidy"] => tidy::run(&root),
        ["dependencies"] => dependencies::run(&root),
        ["generate"] => generate::write(&root),
        ["generate", "--check"] => generate::check(&root),
        ["simulate", rest @ ..] => simulate::run(&root, rest),
        ["fuzz", rest @ ..] => fuzz::run(&root, rest),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(true)
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The workspace of the source this binary was built from, so that the commands work from any
/// directory inside it.
fn repository_root() -> PathBuf {
    let manifest_dir = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    manifest_dir
        .parent()
        .map_or(manifest_dir.clone(), Path::to_path_buf)
}
