//! The stored reference to a sandbox: enough to find it again from another process.

use std::{fmt, str::FromStr};

use domain::{
    caller::Incarnation,
    clock::{Entropy, Timestamp, random_bytes},
};
use serde::{Deserialize, Serialize};

use crate::Error;

/// Names a sandbox on its provider: twelve hexadecimal digits, safe in names of files, interfaces and groups.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SandboxId(String);

impl SandboxId {
    const BYTES: usize = 6;

    pub fn generate(entropy: &dyn Entropy) -> Self {
        Self(hex::encode(random_bytes::<{ Self::BYTES }>(entropy)))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SandboxId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for SandboxId {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let digits = text
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'a'..=b'f'));
        if text.len() == 2 * Self::BYTES && digits {
            Ok(Self(text.to_owned()))
        } else {
            Err(Error::invalid("not a sandbox id"))
        }
    }
}

impl TryFrom<String> for SandboxId {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        text.parse()
    }
}

impl From<SandboxId> for String {
    fn from(id: SandboxId) -> Self {
        id.0
    }
}

/// A sandbox as it is stored on its session. It holds no secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handle {
    /// The provider's name: a handle of another one is refused.
    pub provider: String,
    pub id: SandboxId,
    /// Which boot of its session this is.
    #[serde(with = "incarnation")]
    pub incarnation: Incarnation,
    /// When its provider may end it, if its life is limited; its session is moved before.
    #[serde(with = "timestamp", default)]
    pub expires_at: Option<Timestamp>,
    /// How strongly it is isolated, in the provider's words; shown to users.
    pub tier: String,
}

mod incarnation {
    use domain::caller::Incarnation;
    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
    pub(super) fn serialize<S: Serializer>(of: &Incarnation, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_i64(of.0)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Incarnation, D::Error> {
        i64::deserialize(from).map(Incarnation)
    }
}

/// Microseconds.
mod timestamp {
    use domain::clock::Timestamp;
    use serde::{Deserialize, Deserializer, Serializer, de::Error as _};

    #[expect(clippy::ref_option, reason = "serde calls it")]
    pub(super) fn serialize<S: Serializer>(
        at: &Option<Timestamp>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match at {
            Some(at) => to.serialize_some(&at.micros()),
            None => to.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Timestamp>, D::Error> {
        let micros = Option::<i64>::deserialize(from)?;
        let read = |micros| {
            Timestamp::from_micros(micros).ok_or_else(|| D::Error::custom("a time out of range"))
        };
        micros.map(read).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_survives_being_stored() {
        let handle = Handle {
            provider: "local".into(),
            id: "0123456789ab".parse().unwrap(),
            incarnation: Incarnation(7),
            expires_at: Timestamp::from_micros(1_700_000_000_000_000),
            tier: "root".into(),
        };
        let text = serde_json::to_string(&handle).unwrap();
        assert_eq!(
            text,
            r#"{"provider":"local","id":"0123456789ab","incarnation":7,"expires_at":1700000000000000,"tier":"root"}"#
        );
        assert_eq!(serde_json::from_str::<Handle>(&text).unwrap(), handle);
    }

    #[test]
    fn an_id_has_one_form() {
        for bad in [
            "",
            "0123456789a",
            "0123456789abc",
            "0123456789aB",
            "../456789abc",
            "0123456789a/",
        ] {
            assert!(bad.parse::<SandboxId>().is_err(), "{bad}");
            let text = format!(r#""{bad}""#);
            assert!(serde_json::from_str::<SandboxId>(&text).is_err(), "{bad}");
        }
    }
}
