//! A code repository known to an organization.

use crate::{
    clock::Timestamp,
    configuration::ServiceCommand,
    id::{OrganizationId, RepoId, UserId},
    invalid::{Invalid, bounded_text},
    limits::{REPO_NAME_LENGTH_MAX, URL_LENGTH_MAX},
};

crate::text_enum! {
    /// Where the code comes from.
    RepoSource {
        Github = "github",
        Git = "git",
        Local = "local",
    }
}

crate::text_enum! {
    /// What agents may push to it. Every accepted push uses the credential of the session's connection.
    RepoPush {
        /// Nothing.
        Never = "never",
        /// Any branch but the default one.
        Branches = "branches",
        /// Anything the credential allows.
        Any = "any",
    }
}

/// A repository's record.
#[derive(Debug, Clone, PartialEq)]
pub struct Repo {
    pub id: RepoId,
    pub organization_id: OrganizationId,
    pub name: String,
    pub url: Option<String>,
    pub default_branch: String,
    pub source: RepoSource,
    pub push: RepoPush,
    pub service_commands: Vec<ServiceCommand>,
    pub is_orphaned: bool,
    pub created_by: Option<UserId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// The fields of a repository that users set.
#[derive(Debug, Clone, PartialEq)]
pub struct RepoDraft {
    pub name: String,
    pub url: Option<String>,
    pub default_branch: String,
    pub source: RepoSource,
    pub push: RepoPush,
    pub service_commands: Vec<ServiceCommand>,
}

impl RepoDraft {
    pub fn validate(&self) -> Result<(), Invalid> {
        bounded_text("name", &self.name, 1, REPO_NAME_LENGTH_MAX)?;
        bounded_text(
            "defaultBranch",
            &self.default_branch,
            1,
            REPO_NAME_LENGTH_MAX,
        )?;
        branch_name("defaultBranch", &self.default_branch)?;
        match (&self.url, self.source) {
            (Some(url), RepoSource::Github | RepoSource::Git) => clone_url("url", url)?,
            (None, RepoSource::Github | RepoSource::Git) => {
                return Err(Invalid::new("url", "is required unless source is `local`"));
            }
            (Some(_), RepoSource::Local) => {
                return Err(Invalid::new("url", "must be absent when source is `local`"));
            }
            (None, RepoSource::Local) => {}
        }
        ServiceCommand::validate_all(&self.service_commands)
    }
}

/// A URL git may clone from. Credentials in it would end up in logs and on disk, and a leading dash
/// would be read as an option by git.
fn clone_url(field: &str, url: &str) -> Result<(), Invalid> {
    bounded_text(field, url, 1, URL_LENGTH_MAX)?;
    let Some(rest) = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"))
    else {
        return Err(Invalid::new(field, "must start with https:// or http://"));
    };
    let host = rest.split('/').next().unwrap_or_default();
    if host.is_empty() || url.contains(char::is_whitespace) {
        return Err(Invalid::new(
            field,
            "must be a URL with a host and without spaces",
        ));
    }
    if host.contains('@') {
        return Err(Invalid::new(
            field,
            "must not contain credentials; store them as a secret",
        ));
    }
    Ok(())
}

/// The characters git allows in a branch, less those a shell would notice.
fn branch_name(field: &str, branch: &str) -> Result<(), Invalid> {
    let safe = |c: char| c.is_alphanumeric() || "._-/+@#".contains(c);
    if branch.starts_with('-') || branch.contains("..") || !branch.chars().all(safe) {
        return Err(Invalid::new(field, "is not a valid branch name"));
    }
    Ok(())
}

/// Where the repository goes below the workspace: the workspace itself when it is the only one,
/// else a folder with the last part of its name.
pub fn workspace_path(name: &str, only_one: bool) -> String {
    if only_one {
        return ".".to_owned();
    }
    name.rsplit('/').next().unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(url: Option<&str>, source: RepoSource) -> RepoDraft {
        RepoDraft {
            name: "acme/web".into(),
            url: url.map(Into::into),
            default_branch: "main".into(),
            source,
            push: RepoPush::Never,
            service_commands: vec![],
        }
    }

    #[test]
    fn urls() {
        assert!(
            draft(Some("https://example.com/a/b.git"), RepoSource::Git)
                .validate()
                .is_ok()
        );
        assert!(draft(None, RepoSource::Local).validate().is_ok());
        for bad in [
            "ssh://x/y",
            "https://",
            "https://user:pw@host/x",
            "https://a b/",
            "--upload-pack=x",
        ] {
            let error = draft(Some(bad), RepoSource::Github).validate().unwrap_err();
            assert_eq!(error.field, "url", "{bad}");
        }
        assert!(draft(None, RepoSource::Github).validate().is_err());
        assert!(
            draft(Some("https://x/y"), RepoSource::Local)
                .validate()
                .is_err()
        );
    }

    #[test]
    fn branches() {
        for bad in ["-x", "a..b", "a b", "a;b", ""] {
            let mut draft = draft(None, RepoSource::Local);
            draft.default_branch = bad.into();
            assert_eq!(
                draft.validate().unwrap_err().field,
                "defaultBranch",
                "{bad}"
            );
        }
    }

    #[test]
    fn workspace_paths() {
        assert_eq!(workspace_path("acme/web", true), ".");
        assert_eq!(workspace_path("acme/web", false), "web");
    }
}
