//! Sandbox tokens and model keys: a MAC over purpose, session and incarnation, compared in constant time, good
//! for one boot.

use domain::{
    limits::BEARER_TOKEN_BYTES_MAX,
    sandbox_token::{self, Purpose, SandboxClaim},
    session::{Session, SessionStatus},
};
use hmac::Mac;
use secrecy::{ExposeSecret, SecretString};
use store::SessionStanding;

use super::Tokens;
use crate::crypto::hmac_sha256;

impl Tokens {
    /// The token for the current boot of the session's sandbox.
    pub fn mint_sandbox(&self, session: &Session) -> SecretString {
        self.mint_for(Purpose::Sandbox, session)
    }

    /// The key to the model for the current boot of the session's sandbox. It opens nothing else.
    pub fn mint_model(&self, session: &Session) -> SecretString {
        self.mint_for(Purpose::Model, session)
    }

    fn mint_for(&self, purpose: Purpose, session: &Session) -> SecretString {
        let mut mac = hmac_sha256(self.sandbox_secret().expose_secret().as_bytes());
        mac.update(sandbox_token::message(purpose, session.id, session.incarnation).as_bytes());
        let bytes = mac.finalize().into_bytes();
        sandbox_token::render(purpose, session.id, session.incarnation, &bytes).into()
    }

    /// Whether a gateway of this installation made the token or the key for a sandbox, for this boot or an earlier one.
    pub fn is_for_sandboxes(&self, token: &str) -> bool {
        let is_short = token.len() <= BEARER_TOKEN_BYTES_MAX;
        let kinds = [Purpose::Sandbox, Purpose::Model].into_iter();
        let mut claims = kinds.filter_map(|purpose| SandboxClaim::parse(purpose, token));
        is_short && claims.any(|claim| self.sandbox_claim_is_ours(&claim))
    }

    /// Whether the claim was made by us. Says nothing about whether it is still good.
    pub(super) fn sandbox_claim_is_ours(&self, claim: &SandboxClaim<'_>) -> bool {
        let Ok(given) = hex::decode(claim.mac_hex) else {
            return false;
        };
        let mut mac = hmac_sha256(self.sandbox_secret().expose_secret().as_bytes());
        let message = sandbox_token::message(claim.purpose, claim.session_id, claim.incarnation);
        mac.update(message.as_bytes());
        mac.verify_slice(&given).is_ok()
    }
}

/// INVARIANT: a token dies with the boot it was made for, and with the session.
pub(super) fn is_current(session: &SessionStanding, claim: &SandboxClaim<'_>) -> bool {
    let ended = matches!(
        session.status,
        SessionStatus::Stopped | SessionStatus::Failed
    );
    session.incarnation == claim.incarnation && !ended
}
