//! Seeds that every change is tried with. `cargo xtask simulate` tries others.

use std::collections::BTreeSet;

/// What is done to the worlds of a set, each at least once.
const KINDS: [&str; 8] = [
    "crash",
    "cut",
    "duplicated",
    "failover",
    "impatient",
    "lost",
    "pause",
    "unheard",
];

/// All of them are run before anything is said, so that one failure does not hide the others.
fn hold(seeds: impl IntoIterator<Item = u64>) {
    let (mut failed, mut kinds) = (Vec::new(), BTreeSet::new());
    for seed in seeds {
        let outcome = simulate::run(seed);
        kinds.extend(outcome.faults.keys().copied());
        if let Some(violation) = &outcome.violation {
            outcome.tail.iter().for_each(|line| println!("{line}"));
            failed.push(format!("seed {seed}: {violation}; {}", outcome.replay()));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    for kind in KINDS {
        assert!(kinds.contains(kind), "no {kind} in any of these worlds");
    }
}

#[test]
fn odd_worlds_keep_every_promise_through_their_storms() {
    hold((1..16).step_by(2));
}

#[test]
fn even_worlds_keep_every_promise_through_their_storms() {
    hold((2..17).step_by(2));
}

#[test]
fn a_seed_is_all_there_is_to_a_world() {
    let (once, again) = (simulate::run(17), simulate::run(17));
    assert_eq!(once.digest, again.digest, "{}", differs(&once, &again));
    assert_eq!(once.simulated, again.simulated);
    assert_ne!(once.digest, simulate::run(18).digest);
}

/// Where two runs part, as far as it is kept.
fn differs(once: &simulate::Outcome, again: &simulate::Outcome) -> String {
    let pairs = once.tail.iter().zip(&again.tail);
    let mut parted = pairs.filter(|(one, other)| one != other);
    parted.next().map_or_else(String::new, |(one, other)| {
        format!("one has {one:?}, the other {other:?}")
    })
}
