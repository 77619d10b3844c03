//! What scrubbing took out, kept beside the values until it is put back: outside the home directory, so that no
//! snapshot has it, and on the sandbox's own disk, so that it is restored even if a process dies in between.

use std::path::PathBuf;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{PRIVATE, Places, failed, lock::Lock};
use crate::{
    dotenv::Document,
    failure::Failure,
    jail::{Escape, Jail},
    limits::{ENV_BYTES_MAX, HELD_BYTES_MAX},
};

const WHAT: &str = "the file of what was scrubbed";

/// A file as it was, and as scrubbing left it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Held {
    /// Below the workspace.
    pub(super) path: PathBuf,
    before: String,
    left: Option<String>,
}

impl Held {
    pub(super) fn new(path: PathBuf, before: &[u8], left: Option<&[u8]>) -> Self {
        Self {
            path,
            before: STANDARD.encode(before),
            left: left.map(|left| STANDARD.encode(left)),
        }
    }

    /// The file with everything that was taken out, whatever became of it since.
    fn whole(&self, now: Option<&[u8]>) -> Result<Vec<u8>, Failure> {
        let damaged = |_| Failure::usage(format!("{WHAT} is damaged"));
        let before = STANDARD.decode(&self.before).map_err(damaged)?;
        let left = self.left.as_ref().map(|left| STANDARD.decode(left));
        let left = left.transpose().map_err(damaged)?;
        Ok(match now {
            Some(now) if Some(now) != left.as_deref() => {
                Document::read(now).with_back(&Document::read(&before))
            }
            _ => before,
        })
    }
}

/// Where it is kept.
#[derive(Debug)]
pub(super) struct Keep {
    jail: Jail,
    file: PathBuf,
}

impl Keep {
    pub(super) fn open(places: &Places) -> Result<Self, Failure> {
        let unusable = || Failure::usage("the path of the values is no path of a file");
        let parent = places.values.parent().ok_or_else(unusable)?;
        let name = PathBuf::from(places.values.file_name().ok_or_else(unusable)?);
        Ok(Self {
            jail: Jail::new(parent).map_err(|_| unusable())?,
            file: name.with_extension("held.json"),
        })
    }

    pub(super) fn write(&self, held: &[Held]) -> Result<(), Failure> {
        let written = self
            .jail
            .write(&self.file, json!(held).to_string().as_bytes(), PRIVATE);
        written.map_err(|escape| failed(WHAT, &escape))
    }

    /// Puts everything back, under the caller's lock. Gives the files that were changed.
    pub(super) fn put_back(&self, places: &Places) -> Result<Vec<String>, Failure> {
        let bytes = match self.jail.read(&self.file, HELD_BYTES_MAX) {
            Ok(bytes) => bytes,
            Err(Escape::NotFound) => return Ok(Vec::new()),
            Err(escape) => return Err(failed(WHAT, &escape)),
        };
        let held: Vec<Held> = serde_json::from_slice(&bytes)
            .map_err(|_| Failure::usage(format!("{WHAT} is damaged")))?;
        let jail = places.jail()?;
        let mut restored = Vec::new();
        for file in &held {
            let shown = file.path.display().to_string();
            let now = match jail.read(&file.path, ENV_BYTES_MAX) {
                Ok(now) => Some(now),
                Err(Escape::NotFound) => None,
                Err(escape) => return Err(failed(&shown, &escape)),
            };
            let whole = file.whole(now.as_deref())?;
            let written = jail.write(&file.path, &whole, PRIVATE);
            written.map_err(|escape| failed(&shown, &escape))?;
            restored.push(shown);
        }
        // Last: after a crash before it the same is put back again.
        let removed = self.jail.remove(&self.file);
        removed.map_err(|escape| failed(WHAT, &escape))?;
        Ok(restored)
    }
}

/// `env restore`: puts back what `env scrub --hold` took out. Without anything held it does nothing.
pub(crate) fn run(places: &Places) -> Result<Value, Failure> {
    let _lock = Lock::take(places)?;
    let restored = Keep::open(places)?.put_back(places)?;
    Ok(json!({"restored": restored}))
}
