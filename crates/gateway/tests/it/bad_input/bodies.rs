//! Bodies that break a rule, from the table in `bodies.table`.

use super::{Case, INVALID_REQUEST, NOT_FOUND, PLANTED, post};
use crate::support::UNKNOWN_ID;

pub(super) fn cases() -> Vec<Case> {
    let (mut cases, mut path) = (vec![], "");
    let lines = include_str!("bodies.table").lines();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if line.starts_with('/') {
            path = line;
            continue;
        }
        let (status, rest) = line.split_once(' ').unwrap();
        let (field, body) = rest.split_once(' ').unwrap();
        let (refusal, field) = match (status, field) {
            ("400", field) => (INVALID_REQUEST, field),
            ("404", "-") => (NOT_FOUND, ""),
            _ => panic!("{line}"),
        };
        let path = path.replace("RUN", UNKNOWN_ID);
        cases.push(post(line, &path, filled(body.trim()), refusal, field));
    }
    cases
}

/// The body with its placeholders filled in.
fn filled(body: &str) -> String {
    let body = repeated(body, "X*", "", |count| "x".repeat(count));
    let quoted = format!("\"{UNKNOWN_ID}\"");
    let list = |count| format!("[{}]", vec![quoted.as_str(); count].join(","));
    let body = repeated(&body, "ID*", "", list);
    body.replace("\"ID\"", &quoted).replace("SECRET", PLANTED)
}

/// Replaces `mark` and the number after it, at every position.
fn repeated(body: &str, mark: &str, before: &str, text: impl Fn(usize) -> String) -> String {
    let Some((head, tail)) = body.split_once(mark) else {
        return format!("{before}{body}");
    };
    let digits = tail.find(|c: char| !c.is_ascii_digit()).unwrap();
    let count = tail[..digits].parse().unwrap();
    let before = format!("{before}{head}{}", text(count));
    repeated(&tail[digits..], mark, &before, text)
}
