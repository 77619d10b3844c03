//! Runs seeds and says what came of them: `simulate --seeds N [--from S] [--digests] [--show]`. A seed that fails prints
//! the end of what happened and the line that makes it happen again.
//!
//! INVARIANT: each seed has a process of its own, so that it takes the same course alone and among others. What a process
//! keeps from one world to the next would otherwise be part of the second.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line tool"
)]

use std::{
    collections::BTreeMap,
    process::{Command, ExitCode},
    time::Duration,
};

use anyhow::Context as _;
use app::system::SystemClock;
use domain::clock::Clock as _;

const USAGE: &str = "usage: simulate --seeds N [--from S] [--digests] [--show]";
/// Lines that are printed of a world that failed.
const END: usize = 600;
/// How the line begins that one process tells another what came of its seed.
const TOLD: &str = "told ";

struct Wanted {
    seeds: u64,
    from: u64,
    /// Print what tells one course of a world from another.
    digests: bool,
    /// Print what happened in each, and what the product logs.
    show: bool,
    /// The one seed of this process.
    is_child: bool,
}

/// What came of a seed, as its process tells it.
#[derive(Debug, Default)]
struct Told {
    failed: bool,
    simulated: Duration,
    faults: BTreeMap<String, u64>,
}

fn main() -> ExitCode {
    let Some(wanted) = wanted() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    if wanted.is_child {
        return run(&wanted);
    }
    match run_all(&wanted) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::from(2)
        }
    }
}

fn run_all(wanted: &Wanted) -> anyhow::Result<ExitCode> {
    let clock = SystemClock::new();
    let mut faults: BTreeMap<String, u64> = BTreeMap::new();
    let (mut failed, mut simulated) = (Vec::new(), Duration::ZERO);
    for seed in wanted.from..wanted.from + wanted.seeds {
        let told = in_a_process(wanted, seed)?;
        simulated += told.simulated;
        for (kind, count) in told.faults {
            *faults.entry(kind).or_default() += count;
        }
        if told.failed {
            failed.push(seed);
        }
    }
    let took = clock.monotonic();
    #[expect(clippy::cast_precision_loss, reason = "shown to users")]
    let per_minute = wanted.seeds as f64 * 60.0 / took.as_secs_f64().max(0.001);
    let injected: u64 = faults.values().sum();
    println!(
        "{} seeds in {:.1} s ({per_minute:.0} per minute), {} min of virtual time, {injected} faults: {faults:?}",
        wanted.seeds,
        took.as_secs_f64(),
        simulated.as_secs() / 60,
    );
    if failed.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    println!("{} failed: {failed:?}", failed.len());
    Ok(ExitCode::FAILURE)
}

/// Passes on what it says for developers.
fn in_a_process(wanted: &Wanted, seed: u64) -> anyhow::Result<Told> {
    let program = std::env::current_exe().context("the program itself")?;
    let mut command = Command::new(program);
    command.args(["--child", "--from", &seed.to_string()]);
    command.args(wanted.digests.then_some("--digests"));
    command.args(wanted.show.then_some("--show"));
    command.stderr(std::process::Stdio::inherit());
    let output = command.output().context("a process for a seed")?;
    let mut told = None;
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        match line.strip_prefix(TOLD) {
            Some(numbers) => told = Some(read(numbers)),
            None => println!("{line}"),
        }
    }
    let told = told.with_context(|| format!("seed {seed} ended without a word"))?;
    Ok(Told {
        failed: !output.status.success(),
        ..told
    })
}

/// The milliseconds, and each kind of fault with its count.
fn read(numbers: &str) -> Told {
    let mut told = Told::default();
    for (index, word) in numbers.split(' ').enumerate() {
        if index == 0 {
            told.simulated = Duration::from_millis(word.parse().unwrap_or_default());
        } else if let Some((kind, count)) = word.split_once('=') {
            let count = count.parse().unwrap_or_default();
            told.faults.insert(kind.to_owned(), count);
        }
    }
    told
}

fn run(wanted: &Wanted) -> ExitCode {
    if wanted.show {
        tracing_subscriber::fmt()
            .with_writer(std::io::stderr)
            .without_time()
            .with_max_level(tracing_subscriber::filter::LevelFilter::DEBUG)
            .init();
    }
    let seed = wanted.from;
    let outcome = simulate::run(seed);
    if wanted.show || outcome.violation.is_some() {
        let shown = if wanted.show { usize::MAX } else { END };
        let from = outcome.tail.len().saturating_sub(shown);
        outcome.tail[from..]
            .iter()
            .for_each(|line| println!("{line}"));
    }
    if let Some(violation) = &outcome.violation {
        println!("seed {seed} failed: {violation}");
        println!("replay: {}", outcome.replay());
    }
    if wanted.show || wanted.digests {
        println!("seed {seed}: {}", outcome.digest);
    }
    let faults = outcome.faults.iter();
    let faults: Vec<String> = faults
        .map(|(kind, count)| format!("{kind}={count}"))
        .collect();
    println!(
        "{TOLD}{} {}",
        outcome.simulated.as_millis(),
        faults.join(" ")
    );
    if outcome.violation.is_some() {
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn wanted() -> Option<Wanted> {
    let mut wanted = Wanted {
        seeds: 1,
        from: 1,
        digests: false,
        show: false,
        is_child: false,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--seeds" => wanted.seeds = arguments.next()?.parse().ok()?,
            "--from" => wanted.from = arguments.next()?.parse().ok()?,
            "--digests" => wanted.digests = true,
            "--show" => wanted.show = true,
            "--child" => wanted.is_child = true,
            _ => return None,
        }
    }
    Some(wanted)
}
