//! Runs seeds and says what came of them: `simulate --seeds N [--from S] [--show]`. A seed that fails prints the end of
//! what happened and the line that makes it happen again.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line tool"
)]

use std::{collections::BTreeMap, process::ExitCode, time::Duration};

use app::system::SystemClock;
use domain::clock::Clock as _;

const USAGE: &str = "usage: simulate --seeds N [--from S] [--show]";

struct Wanted {
    seeds: u64,
    from: u64,
    /// Print what happened in each, and what the product logs.
    show: bool,
}

fn main() -> ExitCode {
    let Some(wanted) = wanted() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    if wanted.show {
        tracing_subscriber::fmt()
            .with_writer(std::io::stderr)
            .without_time()
            .with_max_level(tracing_subscriber::filter::LevelFilter::DEBUG)
            .init();
    }
    let clock = SystemClock::new();
    let mut faults: BTreeMap<&str, u64> = BTreeMap::new();
    let (mut failed, mut simulated) = (Vec::new(), Duration::ZERO);
    for seed in wanted.from..wanted.from + wanted.seeds {
        let outcome = simulate::run(seed);
        simulated += outcome.simulated;
        for (kind, count) in &outcome.faults {
            *faults.entry(kind).or_default() += count;
        }
        if wanted.show || outcome.violation.is_some() {
            outcome.tail.iter().for_each(|line| println!("{line}"));
        }
        if let Some(violation) = &outcome.violation {
            println!("seed {seed} failed: {violation}");
            println!("replay: {}", outcome.replay());
            failed.push(seed);
        }
        if wanted.show {
            println!("seed {seed}: {}", outcome.digest);
        }
    }
    let took = clock.monotonic();
    #[expect(clippy::cast_precision_loss, reason = "shown to people")]
    let per_minute = wanted.seeds as f64 * 60.0 / took.as_secs_f64().max(0.001);
    let injected: u64 = faults.values().sum();
    println!(
        "{} seeds in {:.1} s ({per_minute:.0} per minute), {} min of virtual time, {injected} faults: {faults:?}",
        wanted.seeds,
        took.as_secs_f64(),
        simulated.as_secs() / 60,
    );
    if failed.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("{} failed: {failed:?}", failed.len());
    ExitCode::FAILURE
}

fn wanted() -> Option<Wanted> {
    let mut wanted = Wanted {
        seeds: 1,
        from: 1,
        show: false,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--seeds" => wanted.seeds = arguments.next()?.parse().ok()?,
            "--from" => wanted.from = arguments.next()?.parse().ok()?,
            "--show" => wanted.show = true,
            _ => return None,
        }
    }
    Some(wanted)
}
