//! The files that a sandbox needs for the agent: programs that all sandboxes share, files of this session, and the script
//! that prepares the workspace.

use agent::{
    Context, contract,
    install::{self, Installation},
};
use sandbox::{File, HomePath, Result, TemplateEntry};

/// The packages that the agent's tools import; repositories link to them.
const PACKAGES: &str = ".local/share/proliferate/node_modules";

/// Returns the files that all sandboxes share, read-only.
pub(super) fn template(
    installation: &Installation,
    helper: Option<&std::path::Path>,
) -> Result<Vec<TemplateEntry>> {
    let mut entries = vec![TemplateEntry {
        source: installation.program.clone(),
        target: HomePath::new(".local/bin/opencode")?,
    }];
    for package in install::PACKAGES {
        entries.push(TemplateEntry {
            source: installation.package(package),
            target: HomePath::new(&format!("{PACKAGES}/{package}"))?,
        });
    }
    if let Some(helper) = helper {
        entries.push(TemplateEntry {
            source: helper.to_owned(),
            target: HomePath::new(".local/bin/proliferate")?,
        });
    }
    Ok(entries)
}

/// Returns the files of this session.
pub(super) fn session_files(context: &Context) -> Result<Vec<File>> {
    let file = |file: contract::File| {
        Ok(File {
            path: HomePath::new(&file.path)?,
            bytes: file.bytes.into(),
            mode: file.mode,
        })
    };
    contract::files(context).into_iter().map(file).collect()
}

/// Returns the paths to remove that a snapshot may contain.
pub(super) fn stale_paths(context: &Context) -> Result<Vec<HomePath>> {
    let paths = contract::stale_paths(context);
    paths.iter().map(|path| HomePath::new(path)).collect()
}

/// Returns the paths of the agent's data of another session, which the snapshot contains.
pub(super) fn foreign_conversation(context: &Context) -> Result<Vec<HomePath>> {
    let paths = contract::conversation_paths(context);
    paths.iter().map(|path| HomePath::new(path)).collect()
}

/// Returns the script that links the packages and hides our files from git. Every word is quoted; the script may run again
/// in a restored sandbox.
pub(super) fn workspace_script(context: &Context) -> String {
    let repo = quoted(&context.layout.repo);
    let mut lines = vec![
        "set -eu".to_owned(),
        format!("cd {repo}"),
        "test -e .git || git init --quiet".to_owned(),
        "mkdir -p .git/info && touch .git/info/exclude".to_owned(),
    ];
    for line in contract::GIT_EXCLUDE {
        let line = quoted(line);
        let add = format!("printf '%s\\n' {line} >> .git/info/exclude");
        lines.push(format!("grep -qxF -- {line} .git/info/exclude || {add}"));
    }
    for path in contract::SKIP_WORKTREE {
        let path = quoted(path);
        // Only files that the repository tracks.
        lines.push(format!(
            "git update-index --skip-worktree -- {path} 2>/dev/null || true"
        ));
    }
    for package in contract::packages(context) {
        let from = quoted(&format!("{}/{PACKAGES}/{}", sandbox::HOME, package.name));
        let to = quoted(&package.path);
        lines.push(format!(
            "mkdir -p \"$(dirname {to})\" && ln -sfn {from} {to}"
        ));
    }
    lines.join("\n")
}

/// Quotes a text as one word of the shell.
pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_stays_one_word() {
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's; rm -rf $HOME"), "'it'\\''s; rm -rf $HOME'");
    }
}
