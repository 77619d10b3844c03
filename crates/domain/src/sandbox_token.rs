//! The tokens by which a sandbox authenticates: `sbx_{session id}_{incarnation}_{mac}` for the gateway's own
//! routes, and `mdl_...` of the same form for the model. Each names its session and its boot; the MAC
//! authenticates that. `app` has the key.
//!
//! INVARIANT: neither can be made into the other: the MAC covers what it is for.

use crate::{caller::Incarnation, id::SessionId};

/// What a token gives access to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// The routes for a session's agent.
    Sandbox,
    /// The model, and nothing else. The agent passes it to a third-party library.
    Model,
}

impl Purpose {
    const fn prefix(self) -> &'static str {
        match self {
            Self::Sandbox => "sbx_",
            Self::Model => "mdl_",
        }
    }

    /// The leading word of what the MAC covers, which keeps it apart from every other use of the key.
    const fn word(self) -> &'static str {
        match self {
            Self::Sandbox => "sandbox-token",
            Self::Model => "model-key",
        }
    }
}

/// A parsed token, not verified yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SandboxClaim<'a> {
    pub purpose: Purpose,
    pub session_id: SessionId,
    pub incarnation: Incarnation,
    pub mac_hex: &'a str,
}

impl<'a> SandboxClaim<'a> {
    pub fn looks_like_one(purpose: Purpose, token: &str) -> bool {
        token.starts_with(purpose.prefix())
    }

    pub fn parse(purpose: Purpose, token: &'a str) -> Option<Self> {
        let mut parts = token.strip_prefix(purpose.prefix())?.splitn(3, '_');
        let session = parts.next()?;
        let session_id: SessionId = session.parse().ok()?;
        let incarnation = parts.next()?;
        // A token has one spelling: no capitals, no sign, no leading zero.
        if session_id.to_string() != session {
            return None;
        }
        let number: i64 = incarnation.parse().ok()?;
        if number.to_string() != incarnation || number < 0 {
            return None;
        }
        let mac_hex = parts.next()?;
        Some(Self {
            purpose,
            session_id,
            incarnation: Incarnation(number),
            mac_hex,
        })
    }
}

/// The message that the MAC covers.
pub fn message(purpose: Purpose, session_id: SessionId, incarnation: Incarnation) -> String {
    format!("{}:{session_id}:{}", purpose.word(), incarnation.0)
}

/// The token for a MAC over [`message`].
pub fn render(
    purpose: Purpose,
    session_id: SessionId,
    incarnation: Incarnation,
    mac: &[u8],
) -> String {
    format!(
        "{}{session_id}_{}_{}",
        purpose.prefix(),
        incarnation.0,
        hex::encode(mac)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const SESSION: &str = "0192f0c1-2345-7abc-8def-0123456789ab";
    const PURPOSES: [Purpose; 2] = [Purpose::Sandbox, Purpose::Model];

    #[test]
    fn one_token_has_one_spelling() {
        let token = |session: &str| format!("sbx_{session}_7_00ff");
        assert!(SandboxClaim::parse(Purpose::Sandbox, &token(SESSION)).is_some());
        let spelled = token(&SESSION.to_uppercase());
        assert_eq!(SandboxClaim::parse(Purpose::Sandbox, &spelled), None);
    }

    #[test]
    fn a_rendered_token_parses_to_what_it_was_made_from() {
        for purpose in PURPOSES {
            let token = render(
                purpose,
                SESSION.parse().unwrap(),
                Incarnation(7),
                &[1, 2, 255],
            );
            assert!(SandboxClaim::looks_like_one(purpose, &token));
            let claim = SandboxClaim::parse(purpose, &token).unwrap();
            assert_eq!(claim.purpose, purpose);
            assert_eq!(claim.session_id.to_string(), SESSION);
            assert_eq!(claim.incarnation, Incarnation(7));
            assert_eq!(claim.mac_hex, "0102ff");
        }
    }

    #[test]
    fn one_purpose_is_not_read_as_another_and_has_a_message_of_its_own() {
        let session_id = SESSION.parse().unwrap();
        let [sandbox, model] = PURPOSES.map(|purpose| {
            (
                render(purpose, session_id, Incarnation(1), &[0]),
                message(purpose, session_id, Incarnation(1)),
            )
        });
        assert_eq!(SandboxClaim::parse(Purpose::Model, &sandbox.0), None);
        assert_eq!(SandboxClaim::parse(Purpose::Sandbox, &model.0), None);
        assert_eq!(sandbox.1, format!("sandbox-token:{SESSION}:1"));
        assert_eq!(model.1, format!("model-key:{SESSION}:1"));
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
            assert_eq!(SandboxClaim::parse(Purpose::Sandbox, text), None, "{text}");
        }
        for incarnation in ["-1", "+1", "01", "1.0", "99999999999999999999"] {
            let token = format!("sbx_{SESSION}_{incarnation}_00");
            assert_eq!(
                SandboxClaim::parse(Purpose::Sandbox, &token),
                None,
                "{token}"
            );
        }
    }
}
