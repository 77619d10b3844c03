//! Runs the fuzz targets of `crates/fuzz` under libFuzzer, which is guided by coverage. The installed stable toolchain
//! is enough: what instruments the code is in its LLVM, and no sanitizer is needed where no code is unsafe.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, bail, ensure};

const CORPUS: &str = "crates/fuzz/corpus";
const RUNNER: &str = "crates/fuzz/runner";
/// Everything that is made goes here.
const OUTPUT: &str = "target/fuzz";
const SECONDS: u64 = 60;
/// Coverage of edges, and the values that are compared.
const INSTRUMENTED: [&str; 5] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
];
/// An input is a finding when it takes so many seconds or megabytes.
const BOUNDS: [&str; 3] = ["-max_len=65536", "-timeout=10", "-rss_limit_mb=2048"];

/// Whether no target found anything.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> anyhow::Result<bool> {
    let known = targets(root)?;
    let (chosen, seconds) = read(arguments, &known)?;
    let runner = build(root)?;
    let mut is_clean = true;
    for target in chosen {
        println!("fuzz: {target} for {seconds} seconds");
        is_clean &= run_target(root, &runner, &target, seconds)?;
    }
    Ok(is_clean)
}

/// A folder of the corpus for each, which `crates/fuzz` checks.
fn targets(root: &Path) -> anyhow::Result<Vec<String>> {
    let entries = fs::read_dir(root.join(CORPUS)).context("the corpus is missing")?;
    let mut names = Vec::new();
    for entry in entries {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// The targets to run, all of them if none is named, and for how long each.
fn read(arguments: &[&str], known: &[String]) -> anyhow::Result<(Vec<String>, u64)> {
    let (mut chosen, mut seconds) = (Vec::new(), SECONDS);
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        if *argument == "--seconds" {
            let text = arguments.next().context("--seconds needs a number")?;
            seconds = text.parse().context("--seconds needs a number")?;
        } else if known.iter().any(|name| name == argument) {
            chosen.push((*argument).to_owned());
        } else {
            bail!("`{argument}` is no target; there are {}", known.join(", "));
        }
    }
    if chosen.is_empty() {
        chosen = known.to_vec();
    }
    Ok((chosen, seconds))
}

fn build(root: &Path) -> anyhow::Result<PathBuf> {
    let host = host()?;
    let manifest = format!("{RUNNER}/Cargo.toml");
    // The same versions as everywhere; cargo adds libFuzzer's to the copy.
    fs::copy(
        root.join("Cargo.lock"),
        root.join(RUNNER).join("Cargo.lock"),
    )
    .context("cannot copy Cargo.lock")?;
    println!(
        "fuzz: building the runner; all that it is made of is compiled once, which takes minutes"
    );
    let built = Command::new(cargo())
        .current_dir(root)
        .args([
            "build",
            "--manifest-path",
            &manifest,
            "--target-dir",
            OUTPUT,
        ])
        // Named, so that build scripts and macros are not instrumented.
        .args(["--target", &host])
        .env_remove("RUSTFLAGS")
        .env("CARGO_ENCODED_RUSTFLAGS", INSTRUMENTED.join("\u{1f}"))
        .status()
        .context("cargo could not be started")?;
    ensure!(
        built.success(),
        "the runner could not be built; it needs a C++ compiler for libFuzzer and, the first time, crates.io for the \
         crate libfuzzer-sys"
    );
    Ok(root.join(OUTPUT).join(host).join("debug/fuzz-runner"))
}

fn run_target(root: &Path, runner: &Path, target: &str, seconds: u64) -> anyhow::Result<bool> {
    let output = root.join(OUTPUT);
    // What is new to the coverage is kept between runs; only what was a finding belongs into the committed corpus.
    let grown = output.join("corpus").join(target);
    let found = output.join("found");
    for folder in [&grown, &found] {
        fs::create_dir_all(folder).context("cannot make a folder for what is found")?;
    }
    let prefix = format!("{}/{target}-", found.display());
    let status = Command::new(runner)
        .current_dir(root)
        .env("FUZZ_TARGET", target)
        .args(BOUNDS)
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-artifact_prefix={prefix}"))
        .arg("-print_final_stats=1")
        .arg(&grown)
        .arg(root.join(CORPUS).join(target))
        .status()
        .context("the runner could not be started")?;
    if !status.success() {
        println!(
            "fuzz: {target} found something; the input is {prefix}*\n\
             fuzz: mend it, and put the input into {CORPUS}/{target}/ under a name that says what it is"
        );
    }
    Ok(status.success())
}

/// The machine this is compiled for.
fn host() -> anyhow::Result<String> {
    let output = Command::new("rustc").arg("-vV").output();
    let output = output.context("rustc could not be started")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc does not say its host")?.to_owned())
}

fn cargo() -> std::ffi::OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_chosen_by_name_and_all_of_them_without_one() {
        let known = ["a".to_owned(), "b".to_owned()];
        assert_eq!(read(&[], &known).unwrap(), (known.to_vec(), SECONDS));
        let (chosen, seconds) = read(&["b", "--seconds", "5"], &known).unwrap();
        assert_eq!((&chosen[..], seconds), (&known[1..], 5));
        for wrong in [&["c"][..], &["--seconds"], &["--seconds", "x"]] {
            assert!(read(wrong, &known).is_err(), "{wrong:?}");
        }
    }
}
