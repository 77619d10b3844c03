//! What git knows about the repositories of the workspace: which there are, what changed, and how.
//!
//! Looking changes nothing: programs that a repository's settings can name are switched off, and git takes no locks.
//! What people have changed is in `change.rs`.

mod change;
mod run;
mod state;
mod status;

use std::path::{Path, PathBuf};

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use wire::problem::Code;

use super::{files, refusal::Refusal};
use crate::{
    jail::Jail,
    limits::{DIFF_BYTES_MAX, REPOS_DEPTH_MAX, REPOS_LOOKED_AT_MAX, REPOS_MAX, STATUS_BYTES_MAX},
};

/// The repositories of the workspace, by a walk that follows no links.
pub(super) fn repos(jail: &Jail) -> Value {
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

/// The directory of a repository by its id; without one, the workspace itself.
fn directory(jail: &Jail, id: &str) -> Result<PathBuf, Refusal> {
    let unknown = || Refusal::new(Code::NotFound, "There is no such repository.");
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(id).map_err(|_| unknown())?;
    let relative = String::from_utf8(bytes).map_err(|_| unknown())?;
    let path = jail.directory(&relative).map_err(|_| unknown())?;
    if path.join(".git").symlink_metadata().is_err() {
        return Err(unknown());
    }
    Ok(path)
}

pub(super) use self::change::{branch, commit, push};

const STATUS: [&str; 5] = [
    "status",
    "--porcelain=v2",
    "-z",
    "--branch",
    "--untracked-files=all",
];

pub(super) async fn state(jail: &Jail, repo: &str) -> Result<Value, Refusal> {
    Ok(json!(state::state(jail, repo).await?))
}

pub(super) async fn status(jail: &Jail, repo: &str) -> Result<Value, Refusal> {
    let directory = directory(jail, repo)?;
    let output = run::git(&directory, &STATUS, STATUS_BYTES_MAX).await?;
    let status = status::parse(&output.bytes, output.is_cut);
    Ok(json!(status))
}

/// What is different from the last commit, of one path or of all; an untracked path counts as added.
pub(super) async fn diff(jail: &Jail, repo: &str, path: Option<&str>) -> Result<Value, Refusal> {
    let directory = directory(jail, repo)?;
    let base = base(&directory).await?;
    let mut arguments = vec![
        "diff",
        "--no-color",
        "--no-ext-diff",
        "--no-textconv",
        "--find-renames",
    ];
    let relative;
    if let Some(path) = path {
        let below = Jail::new(&directory).map_err(|error| files::problem(error.into()))?;
        relative = below.relative(path).map_err(files::problem)?;
        let Some(relative) = relative.to_str().filter(|path| !path.is_empty()) else {
            return Err(Refusal::new(
                Code::InvalidRequest,
                "The path cannot be used.",
            ));
        };
        if is_untracked(&directory, relative).await? {
            // Opened by the jail first: git would follow a link out of the workspace.
            let opened = below.open_file(Path::new(relative));
            opened.map_err(files::problem)?;
            arguments.extend(["--no-index", "--", "/dev/null", relative]);
        } else {
            arguments.extend([base.as_str(), "--", relative]);
        }
    } else {
        arguments.extend([base.as_str(), "--"]);
    }
    let output = run::git(&directory, &arguments, DIFF_BYTES_MAX).await?;
    let diff = String::from_utf8_lossy(&output.bytes);
    // A line of a hunk never begins like that.
    let is_binary = diff.lines().any(|line| line.starts_with("Binary files "));
    Ok(json!({"diff": diff, "truncated": output.is_cut, "binary": is_binary}))
}

/// The last commit; before the first one, nothing.
async fn base(directory: &Path) -> Result<String, Refusal> {
    let head = ["rev-parse", "--quiet", "--verify", "HEAD^{commit}"];
    let head = run::git(directory, &head, 200).await?;
    let head = String::from_utf8_lossy(&head.bytes).trim().to_owned();
    if !head.is_empty() {
        return Ok(head);
    }
    let empty = ["hash-object", "-t", "tree", "/dev/null"];
    let empty = run::git(directory, &empty, 200).await?;
    Ok(String::from_utf8_lossy(&empty.bytes).trim().to_owned())
}

async fn is_untracked(directory: &Path, path: &str) -> Result<bool, Refusal> {
    let arguments = ["ls-files", "--others", "-z", "--", path];
    let output = run::git(directory, &arguments, STATUS_BYTES_MAX).await?;
    Ok(output
        .bytes
        .split(|byte| *byte == 0)
        .any(|found| found == path.as_bytes()))
}
