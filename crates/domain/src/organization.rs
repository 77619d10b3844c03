//! Tenants, users, and which users belong to which tenant.

use crate::{
    clock::Timestamp,
    id::{OrganizationId, UserId},
    role::Role,
};

/// A tenant: data never crosses this boundary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Organization {
    pub id: OrganizationId,
    pub name: String,
    pub slug: String,
    pub created_at: Timestamp,
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
