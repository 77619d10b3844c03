//! The reply of an admission service: bounded, and with a sentence that users can be shown.

use bytes::BytesMut;
use domain::{
    limits::{ADMISSION_REASON_LENGTH_MAX, ADMISSION_REPLY_BYTES_MAX},
    visible::escape_text,
};
use reqwest::Response;
use serde::Deserialize;

use super::AdmissionDenied;

/// Shown for a denial without a reason.
const NO_REASON: &str = "the operator of this installation does not admit this now";

/// Members that a later version of the service adds are not read.
#[derive(Debug, Deserialize)]
struct Reply {
    admit: bool,
    #[serde(default)]
    reason: Option<String>,
}

/// The decision, or why there is none: for the operator's log, with nothing of the reply in it.
pub(super) async fn read(
    mut response: Response,
) -> Result<Result<(), AdmissionDenied>, &'static str> {
    let status = response.status();
    if status.is_redirection() {
        return Err("it pointed elsewhere, which is not followed");
    }
    if !status.is_success() {
        return Err("it answered with an error status");
    }
    let mut body = BytesMut::new();
    while let Some(piece) = response.chunk().await.map_err(|_| "its reply broke off")? {
        if body.len() + piece.len() > ADMISSION_REPLY_BYTES_MAX {
            return Err("its reply is larger than a decision");
        }
        body.extend_from_slice(&piece);
    }
    let reply: Reply = serde_json::from_slice(&body).map_err(|_| "its reply is no decision")?;
    Ok(if reply.admit {
        Ok(())
    } else {
        Err(AdmissionDenied {
            reason: sentence(reply.reason.as_deref().unwrap_or_default()),
            retryable: false,
        })
    })
}

/// One line, without what is not visible.
fn sentence(reason: &str) -> String {
    let is_shown = |c: &char| c.is_whitespace() || !c.is_control();
    let line: String = reason.chars().filter(is_shown).collect();
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let line: String = line.chars().take(ADMISSION_REASON_LENGTH_MAX).collect();
    let line = escape_text(&line);
    match line.trim() {
        "" => NO_REASON.to_owned(),
        line => line.chars().take(ADMISSION_REASON_LENGTH_MAX).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_one_bounded_visible_line() {
        assert_eq!(
            sentence("no seats\nleft \u{7} today"),
            "no seats left today"
        );
        assert_eq!(sentence(" \t\u{0} "), NO_REASON);
        assert_eq!(
            sentence(&"x".repeat(10_000)).len(),
            ADMISSION_REASON_LENGTH_MAX
        );
        let turned = sentence("pay\u{202e}now");
        assert!(!turned.contains('\u{202e}'), "{turned}");
    }
}
