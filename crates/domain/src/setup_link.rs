//! The one-time link that makes the first organization of an installation. `stp_` followed by 256 random bits; only a
//! hash is stored.
//!
//! Each link is valid until it expires, until a newer one replaces it, or until an organization exists. Instances that
//! start at once each print a link, and each of these works; `proliferate setup` replaces all of them.

use std::fmt;

use crate::{
    clock::{Entropy, Timestamp, random_bytes},
    id::OrganizationId,
};

/// A setup link's record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetupLink {
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    /// When it made an organization, and which.
    pub used: Option<(Timestamp, OrganizationId)>,
}

/// Whether a link can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SetupLinkValidity {
    Valid {
        until: Timestamp,
    },
    /// It made this organization.
    Used(OrganizationId),
    Expired,
}

impl SetupLink {
    pub fn validity(&self, now: Timestamp) -> SetupLinkValidity {
        match &self.used {
            Some((_, organization_id)) => SetupLinkValidity::Used(organization_id.clone()),
            None if now >= self.expires_at => SetupLinkValidity::Expired,
            None => SetupLinkValidity::Valid {
                until: self.expires_at,
            },
        }
    }
}

/// The code of a link, which exists in clear only when it is created. Has no `Display`, and `Debug` is redacted.
pub struct SetupCode(String);

const PREFIX: &str = "stp_";

impl SetupCode {
    pub fn generate(entropy: &dyn Entropy) -> Self {
        let secret = hex::encode(random_bytes::<32>(entropy));
        Self(format!("{PREFIX}{secret}"))
    }

    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SetupCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SetupCode")
    }
}

/// The hash that the store keeps and looks up; a plain hash, as for API keys.
pub fn setup_hash(code: &str) -> String {
    crate::canonical::sha256_hex(code.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000).unwrap()
    }

    #[test]
    fn it_is_valid_until_it_is_used_or_expires() {
        let acme = OrganizationId::new("acme").unwrap();
        let link = |used| SetupLink {
            created_at: at(0),
            expires_at: at(60),
            used,
        };
        let used = || Some((at(1), acme.clone()));
        let table = [
            (link(None), 0, SetupLinkValidity::Valid { until: at(60) }),
            (link(None), 59, SetupLinkValidity::Valid { until: at(60) }),
            (link(None), 60, SetupLinkValidity::Expired),
            (link(used()), 2, SetupLinkValidity::Used(acme.clone())),
            (link(used()), 99, SetupLinkValidity::Used(acme.clone())),
        ];
        for (link, now, expected) in table {
            assert_eq!(link.validity(at(now)), expected, "{link:?} at {now}");
        }
    }
}
