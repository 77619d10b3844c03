//! A receiver of webhooks. It accepts every delivery, and verifies signatures by the specification
//! (Standard Webhooks 1.0), sharing no code with the sender.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::service::{Answer, Recorded, Standin, Wire};

pub async fn start() -> Standin {
    Standin::start(Hook, "/hook", "").await
}

#[derive(Debug)]
struct Hook;

impl Wire for Hook {
    fn answer(&mut self, _: &Recorded) -> Answer {
        Answer::json(200, json!({"ok": true})).changed()
    }

    fn refusal(&self, status: u16) -> Answer {
        Answer::json(status, json!({"ok": false}))
    }

    fn rate_limited(&self, retry_after: &str) -> Answer {
        Answer::json(429, json!({"ok": false})).with_header("retry-after", retry_after)
    }
}

/// Whether one of the request's signatures was made with this secret.
pub fn is_signed(request: &Recorded, secret: &str) -> bool {
    let key = secret.strip_prefix("whsec_").expect("a secret");
    let key = STANDARD.decode(key).expect("a secret in base64");
    let (id, timestamp) = (
        request.header("webhook-id"),
        request.header("webhook-timestamp"),
    );
    let mut content = format!("{id}.{timestamp}.").into_bytes();
    content.extend_from_slice(&request.bytes);
    let expected = format!("v1,{}", STANDARD.encode(hmac(&key, &content)));
    request
        .header("webhook-signature")
        .split(' ')
        .any(|signature| signature == expected)
}

/// RFC 2104 over SHA-256.
fn hmac(key: &[u8], text: &[u8]) -> [u8; 32] {
    const BLOCK: usize = 64;
    let mut block = [0; BLOCK];
    if key.len() > BLOCK {
        block[..32].copy_from_slice(&Sha256::digest(key));
    } else {
        block[..key.len()].copy_from_slice(key);
    }
    let inner = Sha256::digest([&block.map(|byte| byte ^ 0x36), text].concat());
    let outer = [&block.map(|byte| byte ^ 0x5c)[..], &inner].concat();
    Sha256::digest(outer).into()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// The worked example of the specification's libraries.
    #[test]
    fn the_published_vector_is_recognised_and_nothing_beside_it() {
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let signature = "v1,bm9ldHU= v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        let mut request = Recorded {
            method: "POST".into(),
            path: "/".into(),
            query: BTreeMap::new(),
            headers: BTreeMap::from([
                header("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek"),
                header("webhook-timestamp", "1614265330"),
                header("webhook-signature", signature),
            ]),
            body: json!(null),
            form: BTreeMap::new(),
            bytes: br#"{"test": 2432232314}"#.to_vec(),
            connection: 1,
        };
        let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        assert!(is_signed(&request, secret));
        assert!(!is_signed(
            &request,
            "whsec_AAAA9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        ));
        request.bytes.push(b' ');
        assert!(!is_signed(&request, secret));
    }
}
