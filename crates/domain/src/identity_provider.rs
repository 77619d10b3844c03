//! What an identity provider decides here: the role of a user by their groups, and which logins it ends.

use std::collections::BTreeMap;

use crate::{
    id::{LoginId, OrganizationId, UserId},
    role::Role,
};

/// Which groups of an identity provider stand for which role. A provider with a mapping manages the roles of its users.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoleMapping {
    pub roles: BTreeMap<String, Role>,
    /// Whether a user in none of these groups is refused.
    pub requires_group: bool,
}

impl RoleMapping {
    /// The highest role of the groups; without a mapped group `default`, or `None` where one is required.
    pub fn role_of(&self, groups: &[String], default: Role) -> Option<Role> {
        let mapped = groups.iter().filter_map(|group| self.roles.get(group));
        match mapped.max() {
            Some(role) => Some(*role),
            None => (!self.requires_group).then_some(default),
        }
    }
}

crate::text_enum! {
    /// Why a member keeps a role that would be lowered.
    LastOf {
        /// The organization would have no owner.
        Owner = "last_owner_kept",
        /// The organization would have no admin.
        Admin = "last_admin_kept",
    }
}

impl LastOf {
    /// Whether a member whose role would change `from` one `to` another is the last of an organization with so many
    /// owners, and so many admins without them.
    pub fn of(from: Role, to: Role, owners: i64, admins: i64) -> Option<Self> {
        if from == Role::Owner && to != Role::Owner && owners < 2 {
            return Some(Self::Owner);
        }
        (from.is_admin() && !to.is_admin() && owners + admins < 2).then_some(Self::Admin)
    }
}

/// What a login by an identity provider keeps of it, for as long as the login lasts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OidcLogin {
    pub login_id: LoginId,
    /// The provider's name in the settings.
    pub provider: String,
    pub issuer: String,
    pub subject: String,
    /// Of the provider's session, if it names one. A digest, which is bounded however long the name is.
    pub sid_digest: Option<String>,
    /// Where the provider ends its session, if it can.
    pub end_session_url: Option<String>,
    /// The ID token, sealed, to end that session with.
    pub sealed_id_token: Option<String>,
}

/// Whose logins an identity provider ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OidcSession {
    pub provider: String,
    pub issuer: String,
    /// INVARIANT: a subject, a session, or both.
    pub subject: Option<String>,
    pub sid_digest: Option<String>,
}

/// A login that an identity provider has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedLogin {
    pub login_id: LoginId,
    pub organization_id: OrganizationId,
    pub user_id: UserId,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapping(requires_group: bool) -> RoleMapping {
        let roles = [("staff", Role::Member), ("admins", Role::Admin)];
        RoleMapping {
            roles: roles.map(|(group, role)| (group.to_owned(), role)).into(),
            requires_group,
        }
    }

    #[test]
    fn the_highest_mapped_role_counts() {
        let table: [(&[&str], Option<Role>, Option<Role>); 5] = [
            // Groups, without and with `requires_group`.
            (
                &["staff", "admins", "others"],
                Some(Role::Admin),
                Some(Role::Admin),
            ),
            (&["staff"], Some(Role::Member), Some(Role::Member)),
            (&["Admins"], Some(Role::Owner), None),
            (&["others"], Some(Role::Owner), None),
            (&[], Some(Role::Owner), None),
        ];
        for (groups, optional, required) in table {
            let groups: Vec<_> = groups.iter().map(|group| (*group).to_owned()).collect();
            assert_eq!(
                mapping(false).role_of(&groups, Role::Owner),
                optional,
                "{groups:?}"
            );
            assert_eq!(
                mapping(true).role_of(&groups, Role::Owner),
                required,
                "{groups:?}"
            );
        }
    }

    #[test]
    fn the_last_owner_and_the_last_admin_stay() {
        use Role::{Admin, Member, Owner};
        let table = [
            (Owner, Member, 1, 3, Some(LastOf::Owner)),
            (Owner, Admin, 1, 0, Some(LastOf::Owner)),
            (Owner, Member, 2, 0, None),
            (Owner, Owner, 1, 0, None),
            (Admin, Member, 0, 1, Some(LastOf::Admin)),
            (Admin, Member, 1, 1, None),
            (Admin, Member, 0, 2, None),
            (Admin, Owner, 0, 1, None),
            (Member, Admin, 0, 0, None),
        ];
        for (from, to, owners, admins, expected) in table {
            assert_eq!(
                LastOf::of(from, to, owners, admins),
                expected,
                "{from} {to}"
            );
        }
    }
}
