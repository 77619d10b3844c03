//! Keys of stored bytes: `artifacts/ORGANIZATION/case/ID/sha256/aa/aabb..`. Every part is a fixed
//! word, a digest or a validated id, none of which can contain a separator.

use domain::{artifact::ArtifactScope, audit::Sha256Hex, id::OrganizationId};
use object_store::path::Path;

use crate::error::{Error, Result};

/// The owner of the bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    pub organization_id: OrganizationId,
    pub of: ArtifactScope,
}

impl Scope {
    pub fn new(organization_id: &OrganizationId, of: &ArtifactScope) -> Self {
        Self {
            organization_id: organization_id.clone(),
            of: of.clone(),
        }
    }

    pub(crate) fn key(&self, prefix: &Path, sha256: &Sha256Hex) -> Result<Path> {
        let (kind, id) = match &self.of {
            ArtifactScope::Case(case_id) => ("case", case_id.as_str().to_owned()),
            ArtifactScope::Session(session_id) => ("session", session_id.to_string()),
        };
        let organization = self.organization_id.as_str();
        let digest = sha256.as_str();
        let parts = [
            "artifacts",
            organization,
            kind,
            &id,
            "sha256",
            &digest[..2],
            digest,
        ];
        join(prefix, &parts)
    }
}

/// Joins parts that are each one segment and nothing else.
///
/// INVARIANT: no part can escape the prefix. An organization's id may be `..` by its grammar, and
/// `object_store` would drop an empty part silently.
pub(crate) fn join(prefix: &Path, parts: &[&str]) -> Result<Path> {
    let safe = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    let mut key = prefix.clone();
    for part in parts {
        if part.is_empty() || part.bytes().all(|b| b == b'.') || !part.bytes().all(safe) {
            return Err(Error::Key(part.chars().take(120).collect()));
        }
        key = key.join(*part);
    }
    Ok(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_names_organization_scope_and_digest() {
        let scope = |of| Scope::new(&OrganizationId::new("org_a").unwrap(), &of);
        let sha256 = Sha256Hex::of(b"");
        let case = scope(ArtifactScope::Case("CASE-1".parse().unwrap()));
        assert_eq!(
            case.key(&Path::default(), &sha256).unwrap().as_ref(),
            "artifacts/org_a/case/CASE-1/sha256/e3/\
             e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
        let id = "0192f0c1-2345-7abc-8def-0123456789ab";
        let session = scope(ArtifactScope::Session(id.parse().unwrap()));
        let key = session.key(&Path::from("team/blobs"), &sha256).unwrap();
        assert!(
            key.as_ref()
                .starts_with(&format!("team/blobs/artifacts/org_a/session/{id}/"))
        );
    }

    #[test]
    fn case_14_no_id_leads_out_of_its_place() {
        for bad in [
            "", ".", "..", "...", "a/b", "a\\b", "../C2", "%2e%2e", "a\0", "ä", "a b",
        ] {
            assert!(
                join(&Path::default(), &["case", bad, "x"]).is_err(),
                "{bad}"
            );
        }
        // Such an organization's id is a valid one.
        let scope = Scope::new(
            &OrganizationId::new("..").unwrap(),
            &ArtifactScope::Case("CASE-1".parse().unwrap()),
        );
        let key = scope.key(&Path::default(), &Sha256Hex::of(b""));
        assert!(matches!(key, Err(Error::Key(part)) if part == ".."));
    }
}
