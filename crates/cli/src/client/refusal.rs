//! What a gateway refused, in the words it gave.

use reqwest::StatusCode;
use wire::problem::Problem;

use crate::{exit::Exit, failure::Failure};

/// Most of an answer that is shown when it is no problem document.
const SHOWN_MAX: usize = 200;

/// The failure for an answer that is no success.
pub(super) fn failure(status: StatusCode, body: &[u8]) -> Failure {
    let exit = Exit::from_status(status.as_u16());
    let Ok(problem) = serde_json::from_slice::<Problem>(body) else {
        // Not ours: a proxy in between, or something else altogether.
        let text = String::from_utf8_lossy(body);
        let shown: String = text.trim().chars().take(SHOWN_MAX).collect();
        let failure = Failure::new(exit, format!("the gateway answered {status}"));
        return if shown.is_empty() {
            failure
        } else {
            failure.detail("answer", shown)
        };
    };
    let message = match problem.detail.as_str() {
        "" => problem.title.as_str(),
        detail => detail,
    };
    let mut failure = Failure::new(exit, message);
    for error in &problem.errors {
        // A single complaint is the message already.
        if message == format!("{}: {}", error.field, error.message) {
            continue;
        }
        failure = failure.detail(&error.field, &error.message);
    }
    if !problem.code.is_empty() {
        failure = failure.detail("code", &problem.code);
    }
    if let Some(request_id) = &problem.request_id {
        failure = failure.detail("request", request_id);
    }
    failure.hint = problem.hint;
    failure
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::problem::Code;

    #[test]
    fn a_problem_keeps_its_words() {
        let problem = Problem::new(Code::InvalidRequest, "two members are refused")
            .with_field("title", "is too long")
            .with_field("limit", "must be a number")
            .with_request_id("r1");
        let body = serde_json::to_vec(&problem).unwrap();
        let failure = failure(StatusCode::BAD_REQUEST, &body);
        assert_eq!(failure.exit, Exit::Usage);
        assert_eq!(failure.message, "two members are refused");
        let details: Vec<_> = failure
            .details
            .iter()
            .map(|(n, v)| format!("{n}={v}"))
            .collect();
        assert_eq!(
            details,
            [
                "title=is too long",
                "limit=must be a number",
                "code=INVALID_REQUEST",
                "request=r1"
            ]
        );
        assert!(failure.hint.is_some());
    }

    #[test]
    fn an_answer_of_another_server_is_shown_as_it_is() {
        let failure = failure(StatusCode::BAD_GATEWAY, b"<h1>nginx</h1>");
        assert_eq!(failure.exit, Exit::Unavailable);
        assert_eq!(failure.message, "the gateway answered 502 Bad Gateway");
        assert_eq!(failure.details[0].1, "<h1>nginx</h1>");
    }
}
