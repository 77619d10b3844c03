//! `env scrub`: takes every value off the disk before a snapshot, and leaves the names.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{PRIVATE, Places, failed, input, lock::Lock, path_of, values::Vault};
use crate::{
    cli::EnvScrub, dotenv::Document, failure::Failure, jail::Escape, limits::ENV_BYTES_MAX,
};

pub(crate) fn run(places: &Places, args: &EnvScrub) -> Result<Value, Failure> {
    let files = match &args.spec {
        Some(given) => input::spec(given)?,
        None => Vec::new(),
    };
    let vault = Vault::open(places)?;
    let _lock = Lock::take(places)?;
    let jail = if files.is_empty() {
        None
    } else {
        Some(places.jail()?)
    };
    let mut scrubbed = Vec::new();
    for file in &files {
        let jail = jail
            .as_ref()
            .ok_or_else(|| Failure::usage("no workspace"))?;
        let relative = path_of(jail, file)?;
        let shown = relative.display().to_string();
        let text = match jail.read(&relative, ENV_BYTES_MAX) {
            Ok(text) => text,
            Err(Escape::NotFound) => continue,
            Err(escape) => return Err(failed(&shown, &escape)),
        };
        let keys: BTreeSet<&str> = file.keys.iter().map(|key| key.key.as_str()).collect();
        let left = Document::read(&text).without(&keys);
        let done = match &left.text {
            Some(text) => jail.write(&relative, text, PRIVATE),
            None => jail.remove(&relative),
        };
        done.map_err(|escape| failed(&shown, &escape))?;
        scrubbed.push(json!({"path": shown, "keys": left.names}));
    }
    // A file of values that cannot be read goes as well; its names are then unknown.
    let values = vault.read().unwrap_or_default();
    let mut names: Vec<String> = values.into_keys().chain(vault.names()).collect();
    names.sort();
    names.dedup();
    vault.forget(&names)?;
    Ok(json!({"scrubbed": scrubbed, "values": names}))
}
