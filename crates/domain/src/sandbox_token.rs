//! The token a sandbox holds: `sbx_{session id}_{incarnation}_{mac}`. It says itself which session
//! and which boot of it it is for; the MAC makes that believable. The key is `app`'s.

use crate::{caller::Incarnation, id::SessionId};

const PREFIX: &str = "sbx_";

/// A token taken apart; not yet believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SandboxClaim<'a> {
    pub session_id: SessionId,
    pub incarnation: Incarnation,
    pub mac_hex: &'a str,
}

impl<'a> SandboxClaim<'a> {
    pub fn looks_like_one(token: &str) -> bool {
        token.starts_with(PREFIX)
    }

    pub fn parse(token: &'a str) -> Option<Self> {
        let mut parts = token.strip_prefix(PREFIX)?.splitn(3, '_');
        let session_id = parts.next()?.parse().ok()?;
        let incarnation = parts.next()?;
        // One token, one spelling: no sign, no leading zero.
        let number: i64 = incarnation.parse().ok()?;
        if number.to_string() != incarnation || number < 0 {
            return None;
        }
        let mac_hex = parts.next()?;
        Some(Self {
            session_id,
            incarnation: Incarnation(number),
            mac_hex,
        })
    }
}

/// What the MAC covers. The leading word keeps it apart from every other use of the key.
pub fn message(session_id: SessionId, incarnation: Incarnation) -> String {
    format!("sandbox-token:{session_id}:{}", incarnation.0)
}

/// The token for a MAC over [`message`].
pub fn render(session_id: SessionId, incarnation: Incarnation, mac: &[u8]) -> String {
    format!(
        "{PREFIX}{session_id}_{}_{}",
        incarnation.0,
        hex::encode(mac)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const SESSION: &str = "0192f0c1-2345-7abc-8def-0123456789ab";

    #[test]
    fn a_rendered_token_parses_to_what_it_was_made_from() {
        let token = render(SESSION.parse().unwrap(), Incarnation(7), &[1, 2, 255]);
        let claim = SandboxClaim::parse(&token).unwrap();
        assert_eq!(claim.session_id.to_string(), SESSION);
        assert_eq!(claim.incarnation, Incarnation(7));
        assert_eq!(claim.mac_hex, "0102ff");
    }

    #[test]
    fn anything_else_is_no_token() {
        let bad = [
            "",
            "sbx_",
            "sbx_x_1_00",
            "sbx_0192f0c1-2345-7abc-8def-0123456789ab_1",
        ];
        for text in bad {
            assert_eq!(SandboxClaim::parse(text), None, "{text}");
        }
        for incarnation in ["-1", "+1", "01", "1.0", "99999999999999999999"] {
            let token = format!("sbx_{SESSION}_{incarnation}_00");
            assert_eq!(SandboxClaim::parse(&token), None, "{token}");
        }
    }
}
