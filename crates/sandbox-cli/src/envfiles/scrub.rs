//! `env scrub`: takes every value off the disk before a snapshot, and leaves the names. With `--hold` what was taken
//! out is kept outside the home directory, together with the values that people gave, until `env restore`.

use std::{collections::BTreeSet, path::PathBuf};

use serde_json::{Value, json};

use super::{
    PRIVATE, Places, failed,
    hold::{Held, Keep},
    input,
    lock::Lock,
    path_of,
    values::Vault,
};
use crate::{
    cli::EnvScrub,
    dotenv::{Document, Scrubbed},
    failure::Failure,
    jail::Escape,
    limits::ENV_BYTES_MAX,
};

pub(crate) fn run(places: &Places, args: &EnvScrub) -> Result<Value, Failure> {
    let files = match &args.spec {
        Some(given) => input::spec(given)?,
        None => Vec::new(),
    };
    let vault = Vault::open(places)?;
    let _lock = Lock::take(places)?;
    let keep = Keep::open(places)?;
    // What an earlier scrub holds would be forgotten by this one.
    keep.put_back(places)?;
    let jail = if files.is_empty() {
        None
    } else {
        Some(places.jail()?)
    };
    let mut plans: Vec<Plan> = Vec::new();
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
            Err(escape) => return Err(failed(&relative.display().to_string(), &escape)),
        };
        plans.push(Plan {
            relative,
            before,
            keys: keys.into_iter().map(str::to_owned).collect(),
        });
    }
    if args.hold && !plans.is_empty() {
        keep.write(&plans.iter().map(Plan::held).collect::<Vec<_>>())?;
    }
    let mut scrubbed = Vec::new();
    for plan in &plans {
        let Some(jail) = &jail else { break };
        let shown = plan.relative.display().to_string();
        let left = plan.left();
        let done = match &left.text {
            Some(text) => jail.write(&plan.relative, text, PRIVATE),
            None => jail.remove(&plan.relative),
        };
        done.map_err(|escape| failed(&shown, &escape))?;
        scrubbed.push(json!({"path": shown, "keys": left.names}));
    }
    if args.hold {
        return Ok(json!({"scrubbed": scrubbed, "values": []}));
    }
    // A file of values that cannot be read goes as well; its names are then unknown.
    let values = vault.read().unwrap_or_default();
    let mut names: Vec<String> = values.into_keys().chain(vault.names()).collect();
    names.sort();
    names.dedup();
    vault.forget(&names)?;
    Ok(json!({"scrubbed": scrubbed, "values": names}))
}

/// A file that is there, and what goes out of it.
struct Plan {
    relative: PathBuf,
    before: Vec<u8>,
    keys: BTreeSet<String>,
}

impl Plan {
    fn left(&self) -> Scrubbed {
        let keys = self.keys.iter().map(String::as_str).collect();
        Document::read(&self.before).without(&keys)
    }

    fn held(&self) -> Held {
        let left = self.left().text;
        Held::new(self.relative.clone(), &self.before, left.as_deref())
    }
}
