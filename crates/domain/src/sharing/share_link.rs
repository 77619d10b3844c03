//! Share links: a transcript, read-only, for whom no credential is asked. `shr_` followed by 256 random bits; only a
//! hash is stored. A link ends at its time, when it is revoked, with the membership of the member who made it, and
//! while the organization allows no links.

use std::{fmt, time::Duration};

use crate::{
    Invalid,
    clock::{Entropy, Timestamp, random_bytes},
    id::{OrganizationId, SessionId, ShareLinkId, UserId},
    limits::{SHARE_LINK_LIFE, SHARE_LINK_LIFE_MAX, SHARE_LINK_LIFE_MIN},
};

/// A share link's record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShareLink {
    pub id: ShareLinkId,
    pub organization_id: OrganizationId,
    pub session_id: SessionId,
    pub created_by: UserId,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    pub revoked_at: Option<Timestamp>,
    /// When an opening was last recorded.
    pub opened_at: Option<Timestamp>,
    /// How many openings were recorded: one an hour at most.
    pub openings: i64,
}

impl ShareLink {
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && now < self.expires_at
    }

    /// Its life as requested, or the usual one.
    pub fn life(field: &str, hours: Option<u32>) -> Result<Duration, Invalid> {
        let Some(hours) = hours else {
            return Ok(SHARE_LINK_LIFE);
        };
        let life = Duration::from_secs(u64::from(hours) * 60 * 60);
        if (SHARE_LINK_LIFE_MIN..=SHARE_LINK_LIFE_MAX).contains(&life) {
            return Ok(life);
        }
        let hours_of = |life: Duration| life.as_secs() / (60 * 60);
        let (min, max) = (hours_of(SHARE_LINK_LIFE_MIN), hours_of(SHARE_LINK_LIFE_MAX));
        let message = format!("must be {min} to {max} hours (30 days)");
        Err(Invalid::new(field, message))
    }
}

/// The code of a link, which exists in clear only when it is created. Has no `Display`, and `Debug` is redacted.
pub struct ShareLinkText(String);

const PREFIX: &str = "shr_";
const LENGTH: usize = PREFIX.len() + 64;

impl ShareLinkText {
    pub fn generate(entropy: &dyn Entropy) -> Self {
        let secret = hex::encode(random_bytes::<32>(entropy));
        Self(format!("{PREFIX}{secret}"))
    }

    /// Whether the text has the form of a code: what has not is not looked up.
    pub fn looks_like_one(text: &str) -> bool {
        text.len() == LENGTH && text.starts_with(PREFIX)
    }

    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ShareLinkText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ShareLinkText")
    }
}

/// The hash that the store keeps and looks up; a plain hash, as for API keys.
pub fn share_link_hash(text: &str) -> String {
    crate::canonical::sha256_hex(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_life_is_between_an_hour_and_thirty_days() {
        let hour = 60 * 60;
        let table = [
            (None, Some(7 * 24 * hour)),
            (Some(0), None),
            (Some(1), Some(hour)),
            (Some(720), Some(720 * hour)),
            (Some(721), None),
            (Some(u32::MAX), None),
        ];
        for (hours, seconds) in table {
            let life = ShareLink::life("expiresInHours", hours).ok();
            assert_eq!(life, seconds.map(Duration::from_secs), "{hours:?}");
        }
    }

    #[derive(Debug)]
    struct Constant;

    impl Entropy for Constant {
        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(7);
        }
    }

    #[test]
    fn a_code_is_recognised_and_not_printed() {
        let code = ShareLinkText::generate(&Constant);
        assert!(ShareLinkText::looks_like_one(code.expose()));
        assert_eq!(format!("{code:?}"), "ShareLinkText");
        for other in ["", "shr_", "otc_", &code.expose()[1..]] {
            assert!(!ShareLinkText::looks_like_one(other), "{other}");
        }
    }
}
