//! API keys: `pk_` followed by 64 hexadecimal digits, 256 random bits. Only a hash is stored, and
//! the first characters, so that users can tell keys apart in a list.

use crate::{
    clock::{Entropy, Timestamp, random_bytes},
    id::{ApiKeyId, OrganizationId, UserId},
};

const PREFIX: &str = "pk_";
const SHOWN_LENGTH: usize = 11;

/// An API key's record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    pub id: ApiKeyId,
    pub organization_id: OrganizationId,
    pub user_id: UserId,
    pub name: String,
    /// The characters that may be shown.
    pub prefix: String,
    pub created_at: Timestamp,
    pub expires_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
}

impl ApiKey {
    pub fn is_usable(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|expires_at| now < expires_at)
    }
}

/// The key itself, which exists in clear only when it is created. Has no `Display`, and `Debug` is
/// redacted.
pub struct ApiKeyText(String);

impl ApiKeyText {
    pub fn generate(entropy: &dyn Entropy) -> Self {
        let secret = hex::encode(random_bytes::<32>(entropy));
        Self(format!("{PREFIX}{secret}"))
    }

    pub fn looks_like_one(text: &str) -> bool {
        text.starts_with(PREFIX)
    }

    pub fn expose(&self) -> &str {
        &self.0
    }

    pub fn shown_prefix(&self) -> &str {
        &self.0[..SHOWN_LENGTH]
    }
}

impl std::fmt::Debug for ApiKeyText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ApiKeyText({}…)", self.shown_prefix())
    }
}

/// The hash that the store keeps and looks up. A plain hash is enough: the key has 256 random bits,
/// so it cannot be guessed.
pub fn key_hash(text: &str) -> String {
    crate::canonical::sha256_hex(text.as_bytes())
}
