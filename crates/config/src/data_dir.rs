//! `data_dir`: the one directory that holds everything the product keeps on disk.

use std::path::PathBuf;

use crate::{
    env,
    error::{Problem, Refusal},
    resolve::{NOT_SET, Resolver},
    setting::{Setting, Source},
};

pub const DATA_DIR: Setting = Setting {
    path: "data_dir",
    flag: "--data-dir",
    env: &[env::DATA_DIR],
};

/// Our directory below the user's.
const NAME: &str = "proliferate";

pub(crate) fn resolve(resolver: &mut Resolver<'_>, file: Option<String>) -> PathBuf {
    if let Some((path, source)) = resolver.path(&DATA_DIR, file) {
        resolver.record(&DATA_DIR, path.display().to_string(), source);
        return path;
    }
    if let Some(path) = default(resolver) {
        resolver.record(&DATA_DIR, path.display().to_string(), Source::Default);
        return path;
    }
    resolver.record(&DATA_DIR, NOT_SET.to_owned(), Source::Default);
    resolver.problems.push(Problem::new(
        DATA_DIR.path,
        Source::Default,
        Refusal::new(
            "is not set and cannot be derived, because HOME is not set either",
            "name a directory with `--data-dir` or PROLIFERATE_DATA_DIR",
        ),
    ));
    PathBuf::new()
}

fn default(resolver: &Resolver<'_>) -> Option<PathBuf> {
    // The XDG specification: a relative path is invalid and to be ignored.
    if let Some(base) = resolver.env_var(&env::XDG_DATA_HOME).map(PathBuf::from)
        && base.is_absolute()
    {
        return Some(base.join(NAME));
    }
    let home = PathBuf::from(resolver.env_var(&env::HOME)?);
    Some(home.join(".local/share").join(NAME))
}
