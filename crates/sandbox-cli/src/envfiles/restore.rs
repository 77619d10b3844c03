//! `env restore`: restores what `env scrub --hold` took out. Without anything stored it does nothing.

use serde_json::{Value, json};

use super::{lock::EnvLock, paths::EnvPaths, scrubbed_store::ScrubbedStore};
use crate::failure::Failure;

pub(crate) fn run(paths: &EnvPaths) -> Result<Value, Failure> {
    let _lock = EnvLock::acquire(paths)?;
    let restored = ScrubbedStore::open(paths)?.restore_all(paths)?;
    Ok(json!({"restored": restored}))
}
