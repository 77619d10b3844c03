//! What deliveries are signed with, as Standard Webhooks has it: `webhook-signature` holds, for each key that
//! counts, `v1,` and the base64 of HMAC-SHA256 over `{id}.{timestamp}.{body}`.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use domain::{
    clock::{Timestamp, random_bytes},
    limits::WEBHOOK_SECRET_BYTES,
    webhook::Webhook,
};
use hmac::Mac as _;
use secrecy::{ExposeSecret as _, SecretString};
use store::SealedWebhook;
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::{context::App, crypto::hmac_sha256, error::Result};

const PREFIX: &str = "whsec_";

/// A new secret as its owner is shown it.
pub(super) fn generate(app: &App) -> SecretString {
    let bytes = Zeroizing::new(random_bytes::<WEBHOOK_SECRET_BYTES>(&*app.entropy));
    SecretString::from(format!("{PREFIX}{}", STANDARD.encode(bytes.as_slice())))
}

pub(super) fn seal(app: &App, webhook: &Webhook, secret: &SecretString) -> Result<String> {
    let place = associated_data(webhook);
    app.keyring
        .seal(&*app.entropy, &place, secret.expose_secret())
}

/// The secrets that count now, the newest first.
pub(super) fn open(app: &App, sealed: &SealedWebhook, now: Timestamp) -> Result<Vec<SecretString>> {
    let place = associated_data(&sealed.webhook);
    let before = sealed.before.iter().filter(|(_, until)| now < *until);
    std::iter::once(&sealed.sealed_secret)
        .chain(before.map(|(secret, _)| secret))
        .map(|secret| app.keyring.open(&place, secret))
        .collect()
}

/// The header's value.
pub(crate) fn signatures(secrets: &[SecretString], id: Uuid, timestamp: i64, body: &str) -> String {
    let id = id.to_string();
    let one = |secret: &SecretString| sign(secret, &id, timestamp, body);
    secrets.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn sign(secret: &SecretString, id: &str, timestamp: i64, body: &str) -> String {
    let text = secret.expose_secret();
    let encoded = text.strip_prefix(PREFIX).unwrap_or(text);
    // Ours decode; another text would be a key as it is.
    let key = STANDARD.decode(encoded);
    let key = Zeroizing::new(key.unwrap_or_else(|_| text.as_bytes().to_vec()));
    let mut mac = hmac_sha256(&key);
    mac.update(format!("{id}.{timestamp}.{body}").as_bytes());
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

fn associated_data(webhook: &Webhook) -> String {
    format!("webhook:{}:{}", webhook.organization_id, webhook.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The worked example of the specification and its libraries.
    #[test]
    fn the_published_vector_of_standard_webhooks_is_signed_as_published() {
        let secret = SecretString::from("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        let signed = sign(
            &secret,
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            1_614_265_330,
            r#"{"test": 2432232314}"#,
        );
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }
}
