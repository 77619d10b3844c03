//! What an operator says of an identity provider.

use domain::{id::OrganizationId, identity_provider::RoleMapping, role::Role};
use secrecy::SecretString;

/// An identity provider that the operator has configured.
#[derive(Debug, Clone)]
pub struct OidcSettings {
    /// Unique, and safe in a URL and in an event.
    pub name: String,
    /// What its button says.
    pub label: String,
    pub issuer: String,
    pub client_id: String,
    /// Absent for a client that has none; the proof key stands in for it.
    pub client_secret: Option<SecretString>,
    pub scopes: Vec<String>,
    /// The email domains that it is authoritative for, and where their users belong.
    pub domains: Vec<OidcDomain>,
    /// Whether users who are not members yet may join.
    pub allows_sign_up: bool,
    /// The names on the way to the groups of a user in the ID token.
    pub groups_claim: Vec<String>,
    /// With one, it manages the roles of its users.
    pub mapping: Option<RoleMapping>,
}

/// Users of an identity provider by the domain of their address: their organization, and their role without a mapped
/// group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OidcDomain {
    pub domain: EmailDomain,
    pub organization_id: OrganizationId,
    pub role: Role,
}

/// The domain of an email address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EmailDomain {
    /// Every one that no provider lists, and users without a verified address.
    Any,
    /// In lower case.
    Only(String),
}

impl OidcSettings {
    /// The entry that lists this domain.
    pub(super) fn listed(&self, domain: &str) -> Option<&OidcDomain> {
        let mut domains = self.domains.iter();
        domains.find(|listed| matches!(&listed.domain, EmailDomain::Only(only) if only == domain))
    }

    /// The entry for users whose domain no provider lists.
    pub(super) fn any(&self) -> Option<&OidcDomain> {
        let mut domains = self.domains.iter();
        domains.find(|listed| listed.domain == EmailDomain::Any)
    }

    /// Its organizations, each once.
    pub(super) fn organizations(&self) -> Vec<&OrganizationId> {
        let mut found: Vec<&OrganizationId> = Vec::new();
        for listed in &self.domains {
            if !found.contains(&&listed.organization_id) {
                found.push(&listed.organization_id);
            }
        }
        found
    }
}

/// What is behind the last `@`, in lower case.
pub(super) fn domain_of(email: &str) -> Option<String> {
    let (_, domain) = email.rsplit_once('@')?;
    Some(domain.to_lowercase())
}
