//! What is given to the env commands: a text, `@FILE`, or `-` for stdin, which keeps values out of the list
//! of processes.

use std::{
    fs::File,
    io::{self, Read},
};

use wire::configuration::EnvFile;

use crate::{dotenv, failure::Failure, limits::ENV_BYTES_MAX, strict_json};

pub(super) fn read(flag: &str, given: &str) -> Result<Vec<u8>, Failure> {
    let unreadable =
        |error: io::Error| Failure::usage(format!("cannot read {flag}: {}", error.kind()));
    if given == "-" {
        bounded(flag, io::stdin().lock())
    } else if let Some(path) = given.strip_prefix('@') {
        bounded(flag, File::open(path).map_err(unreadable)?)
    } else {
        bounded(flag, given.as_bytes())
    }
}

fn bounded(flag: &str, source: impl Read) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = source.take(ENV_BYTES_MAX + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::usage(format!("cannot read {flag}: {}", error.kind())))?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > ENV_BYTES_MAX {
        return Err(Failure::usage(format!(
            "{flag}: more than {ENV_BYTES_MAX} bytes"
        )));
    }
    Ok(bytes)
}

/// The files of a configuration: which keys go where.
pub(super) fn spec(given: &str) -> Result<Vec<EnvFile>, Failure> {
    let text = read("--spec", given)?;
    let refused = |why: &str| {
        let hint =
            r#"an array such as '[{"path": ".env", "keys": [{"key": "A", "required": true}]}]'"#;
        Failure::usage(format!("--spec: {why}")).hint(hint)
    };
    let parsed = strict_json::parse(&text).map_err(|why| refused(&why))?;
    let files: Vec<EnvFile> =
        serde_json::from_value(parsed).map_err(|error| refused(&error.to_string()))?;
    for key in files.iter().flat_map(|file| &file.keys) {
        if !dotenv::is_name(&key.key) {
            return Err(refused(&format!(
                "{:?} is not a name of a variable",
                key.key
            )));
        }
    }
    Ok(files)
}
