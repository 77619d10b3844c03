//! `env apply`: stores the given values, and writes the env files that need them. All of it or nothing.

use serde_json::{Value, json};
use wire::{configuration::EnvFile, secret_text::SecretText};

use super::{
    exclude, input,
    lock::EnvLock,
    paths::{EnvPaths, PRIVATE, path_failure, path_of},
    values::{self, ValueStore, Values},
};
use crate::{
    cli::EnvApplyArgs,
    dotenv::{DotenvDocument, quote},
    exit::Exit,
    failure::Failure,
    jail::{Escape, Jail},
    limits::ENV_BYTES_MAX,
    printer::Printer,
};

pub(crate) fn run(
    paths: &EnvPaths,
    printer: &Printer,
    args: &EnvApplyArgs,
) -> Result<Value, Failure> {
    let given = match &args.values {
        Some(given) => values::checked(&input::read("--values", given)?, "--values")?,
        None => Values::new(),
    };
    let files = match &args.spec {
        Some(given) => input::spec(given)?,
        None => Vec::new(),
    };
    let store = ValueStore::open(paths)?;
    let _lock = EnvLock::acquire(paths)?;
    let mut kept = store.read()?;
    let names: Vec<String> = given.keys().cloned().collect();
    kept.extend(given);
    let found = |name: &str| kept.get(name).cloned().or_else(|| values::of_process(name));
    // INVARIANT: what can be refused is refused before anything is written.
    let missing = missing_names(&files, &found);
    if !missing.is_empty() {
        return Err(Failure::new(
            Exit::Missing,
            format!("without a value: {}", missing.join(", ")),
        )
        .hint("nothing was written; ask for them with the request_env_variables tool")
        .document(json!({"missing": missing})));
    }
    let jail = if files.is_empty() {
        None
    } else {
        Some(paths.jail()?)
    };
    let mut plans: Vec<PlannedFile<'_>> = Vec::new();
    for file in &files {
        let jail = jail
            .as_ref()
            .ok_or_else(|| Failure::usage("no workspace"))?;
        plans.push(plan_file(jail, &plans, file, &found)?);
    }
    if !names.is_empty() {
        store.write(&kept)?;
    }
    let mut applied = Vec::new();
    for plan in &plans {
        plan.write(printer)?;
        applied.push(json!({"path": plan.shown, "keyCount": plan.key_count}));
    }
    Ok(json!({"applied": applied, "values": names}))
}

fn missing_names(files: &[EnvFile], found: &impl Fn(&str) -> Option<SecretText>) -> Vec<String> {
    let keys = files.iter().flat_map(|file| &file.keys);
    let missing = keys.filter(|key| key.required && found(&key.key).is_none());
    let mut names: Vec<String> = missing.map(|key| key.key.clone()).collect();
    names.sort();
    names.dedup();
    names
}

/// A file as it will be.
struct PlannedFile<'a> {
    jail: &'a Jail,
    relative: std::path::PathBuf,
    shown: String,
    text: Vec<u8>,
    key_count: usize,
    /// Values that shells alone read right.
    uncommon: Vec<String>,
}

fn plan_file<'a>(
    jail: &'a Jail,
    earlier: &[PlannedFile<'_>],
    file: &EnvFile,
    found: &impl Fn(&str) -> Option<SecretText>,
) -> Result<PlannedFile<'a>, Failure> {
    let relative = path_of(jail, file)?;
    let shown = relative.display().to_string();
    // A file that is named twice is written with the keys of both.
    let before = match earlier.iter().rev().find(|plan| plan.relative == relative) {
        Some(plan) => plan.text.clone(),
        None => match jail.read(&relative, ENV_BYTES_MAX) {
            Ok(bytes) => bytes,
            Err(Escape::NotFound) => Vec::new(),
            Err(escape) => return Err(path_failure(&shown, &escape)),
        },
    };
    let mut pairs: Vec<(&str, SecretText)> = Vec::new();
    for key in &file.keys {
        if let Some(value) = found(&key.key) {
            pairs.push((&key.key, value));
        }
    }
    let pairs: Vec<(&str, &str)> = pairs
        .iter()
        .map(|(name, value)| (*name, value.expose()))
        .collect();
    let uncommon = pairs.iter().filter(|(_, value)| !quote(value).is_common);
    Ok(PlannedFile {
        jail,
        relative,
        shown,
        text: DotenvDocument::read(&before).with_values(&pairs),
        key_count: pairs.len(),
        uncommon: uncommon.map(|(name, _)| (*name).to_owned()).collect(),
    })
}

impl PlannedFile<'_> {
    fn write(&self, printer: &Printer) -> Result<(), Failure> {
        let written = self.jail.write(&self.relative, &self.text, PRIVATE);
        written.map_err(|escape| path_failure(&self.shown, &escape))?;
        if !exclude::add(self.jail, &self.relative) {
            printer.note(&format!("{}: could not be kept out of commits", self.shown));
        }
        for name in &self.uncommon {
            let text = "shells read it right, but not every other reader of dotenv files does";
            printer.note(&format!("{}: {name}: {text}", self.shown));
        }
        Ok(())
    }
}
