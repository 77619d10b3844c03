//! Tenants, users, and which users belong to which tenant.

mod state;

pub use state::{OrganizationState, OrganizationStatus, OrganizationSuspension, StateRefused};

use crate::{
    clock::Timestamp,
    id::{OrganizationId, UserId},
    limits::ORGANIZATION_SLUG_LENGTH_MAX,
    role::Role,
};

/// A tenant: data never crosses this boundary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Organization {
    pub id: OrganizationId,
    pub name: String,
    pub slug: String,
    pub created_at: Timestamp,
    pub state: OrganizationState,
    /// Its admins operate this installation, where the setting `fleet.operators` names no organization. At most one:
    /// that of the setup link.
    pub operates: bool,
}

impl Organization {
    pub fn new(id: OrganizationId, name: String, slug: String, created_at: Timestamp) -> Self {
        Self {
            id,
            name,
            slug,
            created_at,
            state: OrganizationState::Active,
            operates: false,
        }
    }
}

/// The slug of a name: its ASCII letters and digits in lower case, all else a hyphen. `organization` where nothing is left.
pub fn slug_of(name: &str) -> String {
    let mut slug = String::new();
    for c in name.chars() {
        if slug.len() == ORGANIZATION_SLUG_LENGTH_MAX {
            break;
        }
        if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() {
        "organization".to_owned()
    } else {
        slug.to_owned()
    }
}

/// A user who can sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    pub name: String,
    pub email: String,
    pub created_at: Timestamp,
}

/// A user's membership in a tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    pub organization_id: OrganizationId,
    pub user_id: UserId,
    pub role: Role,
    pub created_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_is_a_valid_id_whatever_the_name() {
        let table = [
            ("Acme", "acme"),
            ("  Acme, Inc.  ", "acme-inc"),
            ("Ünder & Co", "nder-co"),
            ("東京", "organization"),
            ("", "organization"),
            ("--a--b--", "a-b"),
        ];
        for (name, slug) in table {
            assert_eq!(slug_of(name), slug, "{name}");
        }
        let long = slug_of(&"ab ".repeat(100));
        assert!(long.len() <= ORGANIZATION_SLUG_LENGTH_MAX && !long.ends_with('-'));
        assert!(OrganizationId::new(long).is_ok());
    }
}
