//! `env scrub`: removes every value from the disk before a snapshot, and leaves the names. With `--hold` what was removed
//! is stored outside the home directory, together with the values that users gave, until `env restore`.

use std::{collections::BTreeSet, path::PathBuf};

use serde_json::{Value, json};

use super::{
    input,
    lock::EnvLock,
    paths::{EnvPaths, PRIVATE, path_failure, path_of},
    scrubbed_store::{ScrubbedFile, ScrubbedStore},
    values::ValueStore,
};
use crate::{
    cli::EnvScrubArgs,
    dotenv::{DotenvDocument, ScrubbedText},
    failure::Failure,
    jail::Escape,
    limits::ENV_BYTES_MAX,
};

pub(crate) fn run(paths: &EnvPaths, args: &EnvScrubArgs) -> Result<Value, Failure> {
    let files = match &args.spec {
        Some(given) => input::spec(given)?,
        None => Vec::new(),
    };
    let store = ValueStore::open(paths)?;
    let _lock = EnvLock::acquire(paths)?;
    let scrubbed_store = ScrubbedStore::open(paths)?;
    // What an earlier scrub stored would be lost by this one.
    scrubbed_store.restore_all(paths)?;
    let jail = if files.is_empty() {
        None
    } else {
        Some(paths.jail()?)
    };
    let mut plans: Vec<FileToScrub> = Vec::new();
    for file in &files {
        let jail = jail
            .as_ref()
            .ok_or_else(|| Failure::usage("no workspace"))?;
        let relative = path_of(jail, file)?;
        let keys: BTreeSet<&str> = file.keys.iter().map(|key| key.key.as_str()).collect();
        // A file that is named twice loses the keys of both.
        if let Some(plan) = plans.iter_mut().find(|plan| plan.relative == relative) {
            plan.keys.extend(keys.into_iter().map(str::to_owned));
            continue;
        }
        let before = match jail.read(&relative, ENV_BYTES_MAX) {
            Ok(text) => text,
            Err(Escape::NotFound) => continue,
            Err(escape) => return Err(path_failure(&relative.display().to_string(), &escape)),
        };
        plans.push(FileToScrub {
            relative,
            before,
            keys: keys.into_iter().map(str::to_owned).collect(),
        });
    }
    if args.hold && !plans.is_empty() {
        scrubbed_store.write(&plans.iter().map(FileToScrub::to_stored).collect::<Vec<_>>())?;
    }
    let mut scrubbed = Vec::new();
    for plan in &plans {
        let Some(jail) = &jail else { break };
        let shown = plan.relative.display().to_string();
        let left = plan.scrubbed();
        let done = match &left.text {
            Some(text) => jail.write(&plan.relative, text, PRIVATE),
            None => jail.remove(&plan.relative),
        };
        done.map_err(|escape| path_failure(&shown, &escape))?;
        scrubbed.push(json!({"path": shown, "keys": left.names}));
    }
    if args.hold {
        return Ok(json!({"scrubbed": scrubbed, "values": []}));
    }
    // A file of values that cannot be read goes as well; its names are then unknown.
    let values = store.read().unwrap_or_default();
    let mut names: Vec<String> = values.into_keys().chain(store.names()).collect();
    names.sort();
    names.dedup();
    store.forget(&names)?;
    Ok(json!({"scrubbed": scrubbed, "values": names}))
}

/// A file that is there, and what goes out of it.
struct FileToScrub {
    relative: PathBuf,
    before: Vec<u8>,
    keys: BTreeSet<String>,
}

impl FileToScrub {
    fn scrubbed(&self) -> ScrubbedText {
        let keys = self.keys.iter().map(String::as_str).collect();
        DotenvDocument::read(&self.before).scrub(&keys)
    }

    fn to_stored(&self) -> ScrubbedFile {
        let left = self.scrubbed().text;
        ScrubbedFile::new(self.relative.clone(), &self.before, left.as_deref())
    }
}
