//! The repositories of the workspace, and their ids.

use std::path::{Path, PathBuf};

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use wire::problem::Code;

use crate::{
    daemon::refusal::Refusal,
    jail::Jail,
    limits::{REPOS_DEPTH_MAX, REPOS_LOOKED_AT_MAX, REPOS_MAX},
};

/// Lists the repositories of the workspace, by a walk that follows no links.
pub(crate) fn list_repositories(jail: &Jail) -> Value {
    let mut repos = Vec::new();
    let mut left = vec![(PathBuf::new(), 0)];
    let mut looked_at = 0;
    while let Some((relative, depth)) = left.pop() {
        looked_at += 1;
        if looked_at > REPOS_LOOKED_AT_MAX || repos.len() == REPOS_MAX {
            break;
        }
        let path = jail.path().join(&relative);
        if path.join(".git").symlink_metadata().is_ok() {
            repos.push(relative.clone());
        }
        if depth == REPOS_DEPTH_MAX {
            continue;
        }
        let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
        let below = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        let names = below.map(|entry| entry.file_name());
        let names = names.filter(|name| name != ".git" && name != "node_modules");
        left.extend(names.map(|name| (relative.join(name), depth + 1)));
    }
    repos.sort();
    let shown = |relative: &PathBuf| {
        let path = if relative.as_os_str().is_empty() {
            Path::new(".")
        } else {
            relative
        };
        json!({"id": id(path), "path": path})
    };
    let is_cut = !left.is_empty();
    json!({"repos": repos.iter().map(shown).collect::<Vec<_>>(), "truncated": is_cut})
}

fn id(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt as _;
    BASE64_URL_SAFE_NO_PAD.encode(path.as_os_str().as_bytes())
}

/// Returns the directory of a repository by its id; without one, the workspace itself.
pub(super) fn repository_directory(jail: &Jail, id: &str) -> Result<PathBuf, Refusal> {
    let unknown = || Refusal::new(Code::NotFound, "There is no such repository.");
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(id).map_err(|_| unknown())?;
    let relative = String::from_utf8(bytes).map_err(|_| unknown())?;
    let path = jail.directory(&relative).map_err(|_| unknown())?;
    if path.join(".git").symlink_metadata().is_err() {
        return Err(unknown());
    }
    Ok(path)
}
