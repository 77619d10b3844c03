//! Seeds that every change is tried with. `cargo xtask simulate` tries others.

use std::process::Command;

/// What is done to the worlds of a set, each at least once.
const KINDS: [&str; 12] = [
    "crash",
    "cut",
    "duplicated",
    "failover",
    "impatient",
    "lost",
    "move",
    "pause",
    "provider",
    "stillborn",
    "tool",
    "unheard",
];

/// What the program says of seeds, in a process of its own, and whether their worlds kept their promises.
fn run(from: u64, seeds: u64, more: &[&str]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_simulate"));
    command.args(["--seeds", &seeds.to_string(), "--from", &from.to_string()]);
    let output = command.args(more).output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.success(), said)
}

/// What tells the course of a seed from any other, with as many seeds before it in its process.
fn digest(seed: u64, before: u64) -> String {
    let (_, said) = run(seed - before, before + 1, &["--digests"]);
    let start = format!("seed {seed}: ");
    let found = said.lines().find_map(|line| line.strip_prefix(&start));
    found.map(ToOwned::to_owned).expect("it says the digest")
}

/// All of them are run before anything is said, so that one failure does not hide the others.
fn hold(seeds: impl IntoIterator<Item = u64>) {
    let (mut failed, mut all) = (Vec::new(), String::new());
    for seed in seeds {
        let (holds, said) = run(seed, 1, &[]);
        if !holds {
            failed.push(said.clone());
        }
        all.push_str(&said);
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    for kind in KINDS {
        let named = format!("\"{kind}\"");
        assert!(all.contains(&named), "no {kind} in any of these worlds");
    }
}

#[test]
fn odd_worlds_keep_every_promise_through_their_storms() {
    hold((1..16).step_by(2));
}

#[test]
fn even_worlds_keep_every_promise_through_their_storms() {
    // In the last one prompts were lost when they were answered for before they were on record.
    hold((2..17).step_by(2).chain([20]));
}

/// In a process of its own, and after another world in the same one.
#[test]
fn a_seed_is_all_there_is_to_a_world() {
    let courses = [2, 5].map(|seed| {
        let alone = digest(seed, 0);
        assert_eq!(alone, digest(seed, 1), "seed {seed}");
        alone
    });
    assert_ne!(courses[0], courses[1]);
}
