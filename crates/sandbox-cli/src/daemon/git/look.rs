//! Reads the state of a repository: status and differences. Changes nothing.

use std::path::Path;

use serde_json::{Value, json};
use wire::problem::Code;

use super::{
    command,
    repository::repository_directory,
    state::read_state,
    status::{ARGUMENTS, parse},
};
use crate::{
    daemon::{files, refusal::Refusal},
    jail::Jail,
    limits::{DIFF_BYTES_MAX, STATUS_BYTES_MAX},
};

pub(crate) async fn state(jail: &Jail, repo: &str) -> Result<Value, Refusal> {
    Ok(json!(read_state(jail, repo).await?))
}

pub(crate) async fn status(jail: &Jail, repo: &str) -> Result<Value, Refusal> {
    let directory = repository_directory(jail, repo)?;
    let output = command::read(&directory, &ARGUMENTS, STATUS_BYTES_MAX).await?;
    let status = parse(&output.bytes, output.is_cut);
    Ok(json!(status))
}

/// Returns the differences from the last commit, of one path or of all; an untracked path counts as added.
pub(crate) async fn diff(jail: &Jail, repo: &str, path: Option<&str>) -> Result<Value, Refusal> {
    let directory = repository_directory(jail, repo)?;
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
    let output = command::read(&directory, &arguments, DIFF_BYTES_MAX).await?;
    let diff = String::from_utf8_lossy(&output.bytes);
    // A line of a hunk never begins like that.
    let is_binary = diff.lines().any(|line| line.starts_with("Binary files "));
    Ok(json!({"diff": diff, "truncated": output.is_cut, "binary": is_binary}))
}

/// Returns the last commit; before the first one, the empty tree.
async fn base(directory: &Path) -> Result<String, Refusal> {
    let head = ["rev-parse", "--quiet", "--verify", "HEAD^{commit}"];
    let head = command::read(directory, &head, 200).await?;
    let head = String::from_utf8_lossy(&head.bytes).trim().to_owned();
    if !head.is_empty() {
        return Ok(head);
    }
    let empty = ["hash-object", "-t", "tree", "/dev/null"];
    let empty = command::read(directory, &empty, 200).await?;
    Ok(String::from_utf8_lossy(&empty.bytes).trim().to_owned())
}

async fn is_untracked(directory: &Path, path: &str) -> Result<bool, Refusal> {
    let arguments = ["ls-files", "--others", "-z", "--", path];
    let output = command::read(directory, &arguments, STATUS_BYTES_MAX).await?;
    Ok(output
        .bytes
        .split(|byte| *byte == 0)
        .any(|found| found == path.as_bytes()))
}
