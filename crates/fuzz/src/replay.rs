//! The committed corpus of a target and mutants of it, tried by an ordinary test.

use std::{fs, io, path::PathBuf};

use crate::{
    Target, find,
    mutate::{Numbers, mutant},
};

/// Mutants of each target in an ordinary run: all targets together stay far below a minute on two processors.
const MUTANTS: usize = 1000;
/// More of them, for longer runs by hand.
const MUTANTS_VARIABLE: &str = "FUZZ_MUTANTS";
/// Other ones than those of the last run.
const SEED_VARIABLE: &str = "FUZZ_SEED";

/// Tries every file of the target's corpus, then mutants. Panics where a property does not hold, and says with what.
pub fn replay(name: &str) {
    let Some(target) = find(name) else {
        panic!("there is no target `{name}`")
    };
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("corpus")
        .join(name);
    let mut inputs = Vec::new();
    match files(&folder) {
        Ok(files) if !files.is_empty() => {
            for path in files {
                let bytes = fs::read(&path).unwrap_or_default();
                let _named = OnPanic(|| path.display().to_string());
                target(&bytes);
                inputs.push(bytes);
            }
        }
        other => panic!("{} has no inputs ({other:?})", folder.display()),
    }
    let mut numbers = Numbers::new(variable(SEED_VARIABLE, 1) as u64);
    for _ in 0..variable(MUTANTS_VARIABLE, MUTANTS) {
        try_mutant(name, target, &mutant(&inputs, &mut numbers));
    }
}

fn try_mutant(name: &str, target: Target, bytes: &[u8]) {
    let _kept = OnPanic(|| {
        let folder = std::env::temp_dir().join(format!("fuzz-{name}"));
        let digest = domain::canonical::sha256_hex(bytes);
        let path = folder.join(&digest[..16]);
        let kept = fs::create_dir_all(&folder).and_then(|()| fs::write(&path, bytes));
        match kept {
            Ok(()) => path.display().to_string(),
            Err(_) => hex::encode(bytes),
        }
    });
    target(bytes);
}

/// By name, so that two runs try the same in the same order.
fn files(folder: &PathBuf) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?;
    let mut files: Vec<PathBuf> = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<_>>()?;
    files.sort();
    Ok(files)
}

fn variable(name: &str, otherwise: usize) -> usize {
    let said = std::env::var(name).ok();
    said.and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Names the input when the target does not return.
struct OnPanic<F: Fn() -> String>(F);

impl<F: Fn() -> String> Drop for OnPanic<F> {
    #[expect(clippy::print_stderr, reason = "beside the message of the panic")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("with the input {}", (self.0)());
        }
    }
}
