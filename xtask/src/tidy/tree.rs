//! Reads the repository: what git tracks and what it would track, never build artefacts.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};

use super::source_file::SourceFile;

/// Every text file of the repository. A file that is new counts before it is added, so that a
/// violation shows up before the commit and not after it.
pub(super) fn read(root: &Path) -> anyhow::Result<Vec<SourceFile>> {
    let output = Command::new("git")
        // A checkout may belong to another user than the one who runs the checks (containers);
        // listing names executes nothing from it.
        .args(["-c", "safe.directory=*"])
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .current_dir(root)
        .output()
        .context("cannot start git; tidy needs it to list the files of the repository")?;
    ensure!(
        output.status.success(),
        "git ls-files failed in {}: {}",
        root.display(),
        String::from_utf8_lossy(&output.stderr).trim()
    );
    let listing = String::from_utf8(output.stdout).context("a file name is not UTF-8")?;
    let mut paths: Vec<&str> = listing
        .split('\0')
        .filter(|path| !path.is_empty())
        .collect();
    paths.sort_unstable();
    paths.dedup();
    let mut files = Vec::with_capacity(paths.len());
    for path in paths {
        let full = root.join(path);
        // Deleted but still in the index, or a link to a directory: nothing to check.
        if !full.is_file() {
            continue;
        }
        let bytes = std::fs::read(&full).with_context(|| format!("cannot read {path}"))?;
        // Pictures and other binary files have no lines.
        if let Ok(text) = String::from_utf8(bytes) {
            files.push(SourceFile {
                path: path.to_owned(),
                text,
            });
        }
    }
    Ok(files)
}
