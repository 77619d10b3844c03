//! The scope of a secret, as it is written on the wire.

use domain::{
    Invalid,
    id::parse_field,
    secret::{SecretScope as DomainScope, SecretScopeKind as DomainKind},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

wire_enum! {
    /// The kind of a scope, from widest to narrowest: a narrower one overrides a wider one.
    SecretScopeKind = DomainKind {
        Organization = "organization",
        Repo = "repo",
        Configuration = "configuration",
        Session = "session",
    }
}

/// Where a secret applies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"kind": "repo", "id": "0192f0c1-2345-7abc-8def-0123456789ab"}))]
pub struct SecretScope {
    pub kind: SecretScopeKind,
    /// Id of the repository, configuration or session; absent for the organization.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, format = "uuid")]
    pub id: Option<String>,
}

impl From<DomainScope> for SecretScope {
    fn from(scope: DomainScope) -> Self {
        let id = match scope {
            DomainScope::Organization => None,
            narrower => Some(narrower.scope_id()),
        };
        Self {
            kind: scope.kind().into(),
            id,
        }
    }
}

impl TryFrom<SecretScope> for DomainScope {
    type Error = Invalid;

    fn try_from(scope: SecretScope) -> Result<Self, Invalid> {
        to_domain(scope.kind, "scope.id", scope.id.as_deref())
    }
}

/// A kind and an id that match, or an error about the field that holds the id.
pub(super) fn to_domain(
    kind: SecretScopeKind,
    id_field: &str,
    id: Option<&str>,
) -> Result<DomainScope, Invalid> {
    let word = DomainKind::from(kind);
    let needed = || id.ok_or_else(|| Invalid::new(id_field, format!("is required for `{word}`")));
    Ok(match kind {
        SecretScopeKind::Organization if id.is_some() => {
            return Err(Invalid::new(id_field, "must be absent for `organization`"));
        }
        SecretScopeKind::Organization => DomainScope::Organization,
        SecretScopeKind::Repo => DomainScope::Repo(parse_field(id_field, needed()?)?),
        SecretScopeKind::Configuration => {
            DomainScope::Configuration(parse_field(id_field, needed()?)?)
        }
        SecretScopeKind::Session => DomainScope::Session(parse_field(id_field, needed()?)?),
    })
}

/// The scope of a request that may leave it out.
pub(super) fn or_organization(scope: Option<SecretScope>) -> Result<DomainScope, Invalid> {
    scope.map_or(Ok(DomainScope::Organization), DomainScope::try_from)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0192f0c1-2345-7abc-8def-0123456789ab";

    #[test]
    fn every_kind_comes_back_as_it_went() {
        for kind in DomainKind::ALL {
            let id = (*kind != DomainKind::Organization).then(|| ID.to_owned());
            let scope = SecretScope {
                kind: (*kind).into(),
                id,
            };
            let domain = DomainScope::try_from(scope.clone()).unwrap();
            assert_eq!(domain.kind(), *kind);
            assert_eq!(SecretScope::from(domain), scope);
        }
    }

    #[test]
    fn kind_and_id_must_go_together() {
        let cases = [
            (
                SecretScopeKind::Organization,
                Some(ID),
                "must be absent for `organization`",
            ),
            (SecretScopeKind::Session, None, "is required for `session`"),
            (SecretScopeKind::Repo, Some("x"), "not a valid repo id"),
        ];
        for (kind, id, message) in cases {
            let scope = SecretScope {
                kind,
                id: id.map(Into::into),
            };
            let error = DomainScope::try_from(scope).unwrap_err();
            assert_eq!(
                (error.field.as_str(), error.message.as_str()),
                ("scope.id", message)
            );
        }
    }
}
