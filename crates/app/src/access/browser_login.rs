//! The proof that a member acts in a browser that is signed in.

use domain::{
    audit::Actor,
    caller::{Caller, Credential},
    id::{LoginId, OrganizationId},
};

use super::{AuditedActor, Person};
use crate::error::{Error, Result};

/// A member with a browser login: not a program with a token or key, which shows no person what it approves.
#[derive(Debug, Clone)]
pub struct BrowserLogin {
    person: Person,
    login_id: LoginId,
}

impl BrowserLogin {
    pub fn of(caller: &Caller) -> Result<Self> {
        let person = Person::of(caller)?;
        match caller {
            Caller::User {
                credential: Credential::Login { id, .. },
                ..
            } => Ok(Self {
                person,
                login_id: *id,
            }),
            _ => Err(Error::Forbidden(
                "only a member with a browser login may do this; sign in to the dashboard",
            )),
        }
    }

    pub fn person(&self) -> &Person {
        &self.person
    }

    pub fn login_id(&self) -> LoginId {
        self.login_id
    }
}

impl AuditedActor for BrowserLogin {
    fn organization_id(&self) -> &OrganizationId {
        self.person.organization_id()
    }

    fn actor(&self) -> Result<Actor> {
        self.person.actor()
    }
}

#[cfg(test)]
mod tests {
    use domain::{id::UserId, login::LoginMethod, role::Role};

    use super::*;

    #[test]
    fn a_token_and_a_key_are_no_browser() {
        let uuid = "0192f0c1-2345-7abc-8def-0123456789ab".parse().unwrap();
        let login = Credential::Login {
            id: LoginId::from_uuid(uuid),
            method: LoginMethod::Link,
        };
        let key = Credential::ApiKey(domain::id::ApiKeyId::from_uuid(uuid));
        for (credential, expected) in [(Credential::Token, false), (key, false), (login, true)] {
            let caller = Caller::User {
                organization_id: OrganizationId::new("acme").unwrap(),
                user_id: UserId::new("ada").unwrap(),
                role: Role::Member,
                credential,
            };
            assert_eq!(
                BrowserLogin::of(&caller).is_ok(),
                expected,
                "{credential:?}"
            );
        }
    }
}
