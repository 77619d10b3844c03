//! Logins of terminals (RFC 8628): a terminal asks, a member approves in a browser, and the terminal fetches an API key.
//!
//! INVARIANT: two secrets, and neither is enough alone. The device code is the terminal's and fetches the key; the user
//! code is what the member compares and decides about. The store keeps a digest of each.

use std::fmt;

use crate::{
    clock::{Entropy, Timestamp, random_bytes},
    id::{DeviceLoginId, OrganizationId, UserId},
    limits::DEVICE_LOGIN_LIFE,
};

crate::text_enum! {
    /// Where a login of a terminal stands.
    DeviceLoginStatus {
        /// No member has decided.
        Pending = "pending",
        /// A member approved it; the key is there to be fetched.
        Approved = "approved",
        /// A member denied it.
        Denied = "denied",
    }
}

/// A login of a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceLogin {
    pub id: DeviceLoginId,
    /// What the terminal says its machine is called.
    pub machine: String,
    /// Where its request came from, as the gateway saw it.
    pub client: String,
    pub state: DeviceLoginState,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeviceLoginState {
    Pending,
    Approved {
        organization_id: OrganizationId,
        user_id: UserId,
    },
    Denied,
}

impl DeviceLoginState {
    pub const fn status(&self) -> DeviceLoginStatus {
        match self {
            Self::Pending => DeviceLoginStatus::Pending,
            Self::Approved { .. } => DeviceLoginStatus::Approved,
            Self::Denied => DeviceLoginStatus::Denied,
        }
    }
}

impl DeviceLogin {
    pub fn new(id: DeviceLoginId, machine: String, client: String, now: Timestamp) -> Self {
        Self {
            id,
            machine,
            client,
            state: DeviceLoginState::Pending,
            created_at: now,
            expires_at: now.plus(DEVICE_LOGIN_LIFE),
        }
    }
}

/// What the terminal fetches the key with. Has no `Display`, and `Debug` is redacted.
pub struct DeviceCode(String);

impl DeviceCode {
    pub fn generate(entropy: &dyn Entropy) -> Self {
        let secret = hex::encode(random_bytes::<32>(entropy));
        Self(format!("dvc_{secret}"))
    }

    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for DeviceCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DeviceCode")
    }
}

/// The hash that the store keeps and looks up. A plain hash is enough: the code has 256 random bits.
pub fn device_code_hash(text: &str) -> String {
    crate::canonical::sha256_hex(text.as_bytes())
}

/// Letters of a user code: none is a vowel, so that no word arises, and none looks like another one or a digit.
const LETTERS: &[u8; 20] = b"BCDFGHJKLMNPQRSTVWXZ";
const USER_CODE_LENGTH: usize = 8;

/// What the member compares: eight letters, 34 bits. They are good for ten minutes, and a browser may try few.
#[derive(Clone, PartialEq, Eq)]
pub struct UserCode(String);

impl UserCode {
    pub fn generate(entropy: &dyn Entropy) -> Self {
        // 128 bits for 34: each code is as likely as any other to one part in 10^28.
        let mut rest = u128::from_be_bytes(random_bytes::<16>(entropy));
        let mut letters = String::with_capacity(USER_CODE_LENGTH);
        for _ in 0..USER_CODE_LENGTH {
            let index = usize::try_from(rest % LETTERS.len() as u128).unwrap_or_default();
            letters.push(char::from(LETTERS[index]));
            rest /= LETTERS.len() as u128;
        }
        Self(letters)
    }

    /// Reads what a person typed: in any case, with or without the hyphen and blanks.
    pub fn parse(text: &str) -> Option<Self> {
        let given = text.bytes().filter(|byte| !b"- \t".contains(byte));
        let letters: Vec<u8> = given
            .take(USER_CODE_LENGTH + 1)
            .map(|byte| byte.to_ascii_uppercase())
            .collect();
        let is_code =
            letters.len() == USER_CODE_LENGTH && letters.iter().all(|byte| LETTERS.contains(byte));
        is_code.then(|| Self(letters.into_iter().map(char::from).collect()))
    }

    /// In two groups, as people read it.
    pub fn shown(&self) -> String {
        let (first, second) = self.0.split_at(USER_CODE_LENGTH / 2);
        format!("{first}-{second}")
    }

    /// The hash that the store keeps and looks up.
    pub fn hash(&self) -> String {
        crate::canonical::sha256_hex(format!("user-code:{}", self.0).as_bytes())
    }
}

impl fmt::Debug for UserCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("UserCode")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Constant(u8);

    impl Entropy for Constant {
        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(self.0);
        }
    }

    #[test]
    fn a_user_code_is_read_the_way_people_type_it() {
        let code = UserCode::generate(&Constant(7));
        let shown = code.shown();
        assert_eq!(shown.len(), 9);
        let letters = shown.replace('-', "");
        for typed in [
            shown.clone(),
            shown.to_lowercase(),
            letters.clone(),
            format!(" {} ", shown.replace('-', " ")),
        ] {
            assert_eq!(UserCode::parse(&typed), Some(code.clone()), "{typed}");
        }
        for wrong in [
            "",
            "BCDF",
            "BCDF-GHJA",
            "BCDF-GHJ1",
            &format!("{letters}B"),
            "ÄCDFGHJK",
        ] {
            assert_eq!(UserCode::parse(wrong), None, "{wrong}");
        }
        assert_eq!(format!("{code:?}"), "UserCode");
    }

    #[test]
    fn every_letter_occurs() {
        let codes = (0..=255).map(|byte| UserCode::generate(&Constant(byte)).0);
        let all: std::collections::BTreeSet<char> = codes
            .flat_map(|code| code.chars().collect::<Vec<_>>())
            .collect();
        assert_eq!(all.len(), LETTERS.len());
    }

    #[test]
    fn the_two_codes_have_hashes_of_their_own() {
        let code = UserCode::generate(&Constant(7));
        assert_ne!(code.hash(), device_code_hash(&code.0));
        let device = DeviceCode::generate(&Constant(7));
        assert!(device.expose().starts_with("dvc_"));
        assert_eq!(format!("{device:?}"), "DeviceCode");
    }
}
