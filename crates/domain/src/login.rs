//! Logins: a user's browser, identified by a cookie. `lgn_` followed by 256 random bits; only a hash is stored. A
//! login expires: after a while without use, after a longer one in any case, and with the credential it was created
//! from. One-time codes (`otc_`) let an operator give a user the first access.

use std::fmt;

use crate::{
    clock::{Entropy, Timestamp, random_bytes},
    email::EmailAddress,
    id::{ApiKeyId, LoginId, OrganizationId, UserId},
    limits::{LOGIN_IDLE_MAX, LOGIN_LIFE, LOGIN_SEEN_EVERY},
};

crate::text_enum! {
    /// The credential a user presented to log in.
    LoginMethod {
        /// A signed token; the login ends with it.
        Token = "token",
        /// An API key; the login ends with it.
        ApiKey = "api_key",
        /// A link with a one-time code.
        Link = "link",
        /// An external identity provider.
        Oidc = "oidc",
    }
}

/// A login's record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Login {
    pub id: LoginId,
    pub organization_id: OrganizationId,
    pub user_id: UserId,
    pub method: LoginMethod,
    /// For a login by API key.
    pub api_key_id: Option<ApiKeyId>,
    pub created_at: Timestamp,
    /// When it was last used, to within [`LOGIN_SEEN_EVERY`].
    pub seen_at: Timestamp,
    /// Its expiry, however much it is used.
    pub expires_at: Timestamp,
}

impl Login {
    /// The expiry of a login that starts now, at most that of the credential it is created from.
    pub fn end(now: Timestamp, made_from: Option<Timestamp>) -> Timestamp {
        let end = now.plus(LOGIN_LIFE);
        made_from.map_or(end, |made_from| made_from.min(end))
    }

    pub fn is_live(&self, now: Timestamp) -> bool {
        now < self.expires_at && now < self.seen_at.plus(LOGIN_IDLE_MAX)
    }

    /// Whether its use is due to be recorded.
    pub fn is_to_be_noted(&self, now: Timestamp) -> bool {
        now >= self.seen_at.plus(LOGIN_SEEN_EVERY)
    }
}

/// A one-time login code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginCode {
    pub organization_id: OrganizationId,
    pub user_id: UserId,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    /// The address that the code was mailed to, if the user has not proved it before: using the code does.
    pub proves_email: Option<EmailAddress>,
}

/// The secret of a login, of a code or of an invitation, which exists in clear only when it is created. Has no `Display`,
/// and `Debug` is redacted.
pub struct LoginText(String);

const LOGIN: &str = "lgn_";
const CODE: &str = "otc_";
const INVITATION: &str = "inv_";

impl LoginText {
    /// For a cookie.
    pub fn login(entropy: &dyn Entropy) -> Self {
        Self::generate(LOGIN, entropy)
    }

    /// For a link.
    pub fn code(entropy: &dyn Entropy) -> Self {
        Self::generate(CODE, entropy)
    }

    /// For the link of an invitation.
    pub fn invitation(entropy: &dyn Entropy) -> Self {
        Self::generate(INVITATION, entropy)
    }

    fn generate(prefix: &str, entropy: &dyn Entropy) -> Self {
        let secret = hex::encode(random_bytes::<32>(entropy));
        Self(format!("{prefix}{secret}"))
    }

    pub fn looks_like_a_code(text: &str) -> bool {
        text.starts_with(CODE)
    }

    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for LoginText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LoginText")
    }
}

/// The hash that the store keeps and looks up; a plain hash, as for API keys.
pub fn login_hash(text: &str) -> String {
    crate::canonical::sha256_hex(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000).unwrap()
    }

    fn login(seen_at: i64, expires_at: i64) -> Login {
        Login {
            id: LoginId::from_uuid(uuid::Uuid::nil()),
            organization_id: OrganizationId::new("acme").unwrap(),
            user_id: UserId::new("ada").unwrap(),
            method: LoginMethod::Link,
            api_key_id: None,
            created_at: at(0),
            seen_at: at(seen_at),
            expires_at: at(expires_at),
        }
    }

    #[test]
    fn it_ends_by_idleness_and_by_age() {
        let seconds = |duration: Duration| i64::try_from(duration.as_secs()).unwrap();
        let (idle, life) = (seconds(LOGIN_IDLE_MAX), seconds(LOGIN_LIFE));
        assert!(idle < life);
        let table = [
            (login(0, life), 0, true),
            (login(0, life), idle - 1, true),
            (login(0, life), idle, false),
            (login(idle, life), 2 * idle - 1, true),
            (login(life - 1, life), life - 1, true),
            (login(life - 1, life), life, false),
        ];
        for (login, now, live) in table {
            assert_eq!(login.is_live(at(now)), live, "{login:?} at {now}");
        }
    }

    #[test]
    fn it_ends_no_later_than_what_it_was_made_from() {
        let long = at(0).plus(LOGIN_LIFE);
        assert_eq!(Login::end(at(0), None), long);
        assert_eq!(Login::end(at(0), Some(at(60))), at(60));
        assert_eq!(Login::end(at(0), Some(long.plus(LOGIN_LIFE))), long);
    }
}
