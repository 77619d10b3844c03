//! What a member may do in an organization.

crate::text_enum! {
    /// Declared from least to most, so that `>=` means "at least".
    Role {
        Member = "member",
        Admin = "admin",
        Owner = "owner",
    }
}

impl Role {
    /// May approve, grant, and manage what belongs to the whole organization.
    pub fn is_admin(self) -> bool {
        self >= Self::Admin
    }
}

#[cfg(test)]
mod tests {
    use super::Role;

    #[test]
    fn owners_and_admins_administer() {
        let table = [
            (Role::Member, false),
            (Role::Admin, true),
            (Role::Owner, true),
        ];
        for (role, admin) in table {
            assert_eq!(role.is_admin(), admin, "{role}");
        }
        assert!("root".parse::<Role>().is_err());
    }
}
