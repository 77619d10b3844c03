//! Seeds that every change is tried with. `cargo xtask simulate` tries others.

use std::process::Command;

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

/// What the program says of a seed, in a process of its own, and whether the world kept its promises.
fn run(seed: u64, show: bool) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_simulate"));
    command.args(["--seeds", "1", "--from", &seed.to_string()]);
    if show {
        command.arg("--show");
    }
    let output = command.output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.success(), said)
}

/// All of them are run before anything is said, so that one failure does not hide the others.
fn hold(seeds: impl IntoIterator<Item = u64>) {
    let (mut failed, mut all) = (Vec::new(), String::new());
    for seed in seeds {
        let (holds, said) = run(seed, false);
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
    hold((2..17).step_by(2));
}

#[test]
fn a_seed_is_all_there_is_to_a_world() {
    let digest = |seed| {
        let (_, said) = run(seed, true);
        let start = format!("seed {seed}: ");
        let found = said.lines().find_map(|line| line.strip_prefix(&start));
        found.map(ToOwned::to_owned).expect("it says the digest")
    };
    let once = digest(17);
    assert_eq!(once, digest(17));
    assert_ne!(once, digest(18));
}
