//! The operator's service that admits sessions. It admits every one, unless a fault answers otherwise. Its requests are
//! signed as webhooks are ([`super::hook::is_signed`]).

use serde_json::json;

use super::service::{Answer, Recorded, Standin, Wire};

/// What its requests are signed with.
pub const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

pub async fn start() -> Standin {
    Standin::start(AdmissionService, "/admit", "").await
}

/// A denial with this sentence, for [`super::Fault::Answer`].
pub fn denial(reason: &str) -> Answer {
    Answer::json(200, json!({"admit": false, "reason": reason}))
}

#[derive(Debug)]
struct AdmissionService;

impl Wire for AdmissionService {
    fn answer(&mut self, _: &Recorded) -> Answer {
        Answer::json(200, json!({"admit": true})).changed()
    }

    fn refusal(&self, status: u16) -> Answer {
        Answer::json(status, json!({"admit": true}))
    }

    fn rate_limited(&self, retry_after: &str) -> Answer {
        Answer::json(429, json!({"admit": true})).with_header("retry-after", retry_after)
    }
}
