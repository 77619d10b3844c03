//! Secrets: named values that become environment variables of a session. The same key may exist in
//! several scopes; the narrowest wins, in a fixed order that does not depend on row order.

use std::collections::BTreeMap;

use crate::{
    clock::Timestamp,
    id::{ConfigurationId, OrganizationId, RepoId, SecretId, SessionId, UserId},
    invalid::{Invalid, bounded_text},
    limits::{SECRET_KEY_LENGTH_MAX, SECRET_VALUE_BYTES_MAX},
};

/// Where a secret applies. Declared from widest to narrowest: a later one overrides an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SecretScope {
    Organization,
    Repo(RepoId),
    Configuration(ConfigurationId),
    Session(SessionId),
}

crate::text_enum! {
    /// The word for a scope.
    SecretScopeKind {
        Organization = "organization",
        Repo = "repo",
        Configuration = "configuration",
        Session = "session",
    }
}

impl SecretScope {
    pub const fn kind(self) -> SecretScopeKind {
        match self {
            Self::Organization => SecretScopeKind::Organization,
            Self::Repo(_) => SecretScopeKind::Repo,
            Self::Configuration(_) => SecretScopeKind::Configuration,
            Self::Session(_) => SecretScopeKind::Session,
        }
    }

    /// The id within the scope as text, empty for the organization: with the key it makes a secret
    /// unique, which nullable columns could not.
    pub fn scope_id(self) -> String {
        match self {
            Self::Organization => String::new(),
            Self::Repo(id) => id.to_string(),
            Self::Configuration(id) => id.to_string(),
            Self::Session(id) => id.to_string(),
        }
    }
}

/// A secret's record, without its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secret {
    pub id: SecretId,
    pub organization_id: OrganizationId,
    pub scope: SecretScope,
    pub key: String,
    pub description: Option<String>,
    pub created_by: Option<UserId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// Names that the gateway sets itself or that its programs in a sandbox read, in capitals. A secret with such a name
/// could redirect the agent's tool calls or its model traffic, so it is refused rather than silently overridden.
pub const RESERVED_KEYS: &[&str] = &[
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_BASE_URL",
    "HOME",
    "LLM_PROXY_API_KEY",
    "PROLIFERATE_ENV_FILE",
    "PROLIFERATE_GATEWAY_URL",
    "PROLIFERATE_SANDBOX_MCP_URL",
    "PROLIFERATE_SESSION_ID",
    "SANDBOX_MCP_AUTH_TOKEN",
    "SANDBOX_MCP_AUTH_TOKEN_FILE",
    "WORKSPACE_DIR",
];

/// The same for every name that begins with one of these, in capitals: settings of the agent, and of what the agent
/// loads its tools with.
pub const RESERVED_PREFIXES: &[&str] = &["BUN_", "NPM_CONFIG_", "OPENCODE_"];

/// Whether the gateway alone sets a variable of this name. Compared without regard to capitals: npm reads its settings
/// in both spellings.
pub fn is_reserved(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    RESERVED_KEYS.contains(&name.as_str())
        || RESERVED_PREFIXES
            .iter()
            .any(|prefix| name.starts_with(prefix))
}

/// The credential of a repository at its git server, in git's own form, `https://USER:PASSWORD@HOST`. It is sent
/// to that host alone, by the gateway, and is no variable of any sandbox.
pub const GIT_CREDENTIAL: &str = "GIT_CREDENTIAL";

/// Checks a key: the grammar of environment variables, and none of the reserved names.
///
/// INVARIANT: every incoming name of a variable is checked here, whatever its scope. The boot of a sandbox leaves out
/// secrets that were stored before their name was reserved.
pub fn validate_key(field: &str, key: &str) -> Result<(), Invalid> {
    bounded_text(field, key, 1, SECRET_KEY_LENGTH_MAX)?;
    let mut bytes = key.bytes();
    let first = bytes
        .next()
        .is_some_and(|b| b.is_ascii_alphabetic() || b == b'_');
    if !first || !bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        let message = "must start with a letter or `_` and hold only letters, digits and `_`";
        return Err(Invalid::new(field, message));
    }
    if is_reserved(key) {
        return Err(Invalid::new(
            field,
            format!("`{key}` is set by the platform"),
        ));
    }
    Ok(())
}

/// Checks a value: bounded, and without a zero byte, which no environment can hold.
pub fn validate_value(field: &str, value: &str) -> Result<(), Invalid> {
    if value.len() > SECRET_VALUE_BYTES_MAX {
        let message = format!("must have at most {SECRET_VALUE_BYTES_MAX} bytes");
        return Err(Invalid::new(field, message));
    }
    if value.contains('\0') {
        return Err(Invalid::new(field, "must not contain a zero byte"));
    }
    Ok(())
}

/// The associated data of the sealed value: moved to another organization, scope or key it cannot be
/// opened.
pub fn associated_data(organization_id: &OrganizationId, scope: SecretScope, key: &str) -> String {
    format!(
        "secret:{organization_id}:{}:{}:{key}",
        scope.kind(),
        scope.scope_id()
    )
}

/// Merges values found in several scopes: the narrowest scope wins for each key.
pub fn resolve_environment<V>(
    found: impl IntoIterator<Item = (SecretScope, String, V)>,
) -> BTreeMap<String, V> {
    let mut winners: BTreeMap<String, (SecretScope, V)> = BTreeMap::new();
    for (scope, key, value) in found {
        let wins = winners.get(&key).is_none_or(|(held, _)| scope >= *held);
        if wins {
            winners.insert(key, (scope, value));
        }
    }
    winners
        .into_iter()
        .map(|(key, (_, value))| (key, value))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_names_of_environment_variables() {
        for good in ["A", "_x", "DATABASE_URL", "a1"] {
            assert!(validate_key("key", good).is_ok(), "{good}");
        }
        for bad in ["", "1A", "A-B", "A B", "A=B", "Ä", &"K".repeat(201)] {
            assert!(validate_key("key", bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn names_of_the_gateway_are_refused_by_name_in_any_spelling() {
        for reserved in [
            "ANTHROPIC_API_KEY",
            "HOME",
            "Workspace_Dir",
            "PROLIFERATE_SANDBOX_MCP_URL",
            "OPENCODE_CONFIG_DIR",
            "opencode_permission",
            "npm_config_script_shell",
            "NPM_CONFIG_REGISTRY",
            "BUN_OPTIONS",
        ] {
            let refused = validate_key("envVars", reserved).unwrap_err();
            assert_eq!(refused.field, "envVars", "{reserved}");
            assert!(refused.message.contains(reserved), "{refused}");
        }
        for free in [
            "DATABASE_URL",
            "BUNNY",
            "OPENCODER",
            "HOMEPAGE",
            "NPM_TOKEN",
        ] {
            assert_eq!(validate_key("envVars", free), Ok(()), "{free}");
        }
    }

    #[test]
    fn the_narrowest_scope_wins_whatever_the_order_of_rows() {
        let id = uuid::Uuid::from_u128(7);
        let scopes = [
            SecretScope::Organization,
            SecretScope::Repo(RepoId::from_uuid(id)),
            SecretScope::Configuration(ConfigurationId::from_uuid(id)),
            SecretScope::Session(SessionId::from_uuid(id)),
        ];
        for (narrower_at, narrower) in scopes.iter().enumerate() {
            for wider in &scopes[..narrower_at] {
                let rows = [
                    (*narrower, "K".to_owned(), "narrow"),
                    (*wider, "K".to_owned(), "wide"),
                ];
                let reversed = [rows[1].clone(), rows[0].clone()];
                assert_eq!(resolve_environment(rows)["K"], "narrow");
                assert_eq!(resolve_environment(reversed)["K"], "narrow");
            }
        }
    }

    #[test]
    fn a_sealed_value_is_bound_to_its_place() {
        let acme = OrganizationId::new("acme").unwrap();
        let other = OrganizationId::new("other").unwrap();
        let repo = SecretScope::Repo(RepoId::from_uuid(uuid::Uuid::nil()));
        let data = [
            associated_data(&acme, SecretScope::Organization, "K"),
            associated_data(&other, SecretScope::Organization, "K"),
            associated_data(&acme, repo, "K"),
            associated_data(&acme, SecretScope::Organization, "L"),
        ];
        let distinct: std::collections::HashSet<_> = data.iter().collect();
        assert_eq!(distinct.len(), data.len());
    }
}
