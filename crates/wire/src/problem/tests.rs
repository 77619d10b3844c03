//! The envelope as it is sent, and every code with its page.

use super::*;

#[test]
fn a_problem_as_it_is_sent() {
    let invalid = Invalid::new("path", "must be a relative path").within("envFiles[0]");
    let problem = Problem::from(invalid).with_request_id("0192f0c1-2345-7abc-8def-0123456789ab");
    insta::assert_json_snapshot!(problem);
}

#[test]
fn what_is_empty_is_left_out() {
    let mut problem = Problem::new(Code::NotFound, "There is no such session.");
    problem.hint = None;
    insta::assert_json_snapshot!(problem);
}

#[test]
fn a_problem_is_read_back_and_unknown_codes_are_survived() {
    let problem = Problem::new(Code::Conflict, "`KEY` exists").with_hint("update it");
    let text = serde_json::to_string(&problem).unwrap();
    let read: Problem = serde_json::from_str(&text).unwrap();
    assert_eq!(read, problem);
    assert_eq!(read.known_code(), Some(Code::Conflict));

    let foreign: Problem =
        serde_json::from_str(r#"{"status":418,"code":"TEAPOT","instance":"/x"}"#).unwrap();
    assert_eq!((foreign.known_code(), foreign.status), (None, 418));
    assert_eq!(foreign.type_uri, "about:blank");
}

#[test]
fn texts_are_bounded_visibly_and_free_of_control_characters() {
    let long = format!("a\u{1b}[31m\n{}", "é".repeat(1000));
    let problem = Problem::new(Code::Internal, &long)
        .with_field(&long, &long)
        .with_hint(&long);
    let FieldError { field, message } = &problem.errors[0];
    for text in [
        &problem.detail,
        problem.hint.as_ref().unwrap(),
        field,
        message,
    ] {
        assert_eq!(text.chars().count(), ERROR_MESSAGE_LENGTH_MAX);
        assert!(text.starts_with("a[31mé") && text.ends_with('…'), "{text}");
    }
    let exact = "x".repeat(ERROR_MESSAGE_LENGTH_MAX);
    assert_eq!(Problem::new(Code::Internal, &exact).detail, exact);
}

#[test]
fn every_code_has_one_spelling_and_a_page_that_explains_it() {
    for code in Code::ALL {
        assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
        let page = code.page();
        assert!(page.starts_with(&format!("# {code}\n")), "{code}: title");
        for section in ["\n## What happened\n", "\n## What to do\n"] {
            assert!(page.contains(section), "{code}: {section:?}");
        }
        let retry = if code.retryable() {
            "Retryable: yes"
        } else {
            "Retryable: no"
        };
        let facts = format!("Status {}. {retry}", code.status());
        assert!(page.contains(&facts), "{code}: {facts}");
        assert!(
            page.contains(&format!("\"code\": \"{code}\"")),
            "{code}: example"
        );
        assert_eq!(code.type_uri(), format!("/errors/{code}"));
    }
}

#[test]
fn every_example_on_a_page_is_what_the_code_really_gives() {
    for code in Code::ALL {
        let (_, example) = code.page().split_once("```json\n").unwrap();
        let (example, _) = example.split_once("```").unwrap();
        let read: Problem =
            serde_json::from_str(example).unwrap_or_else(|error| panic!("{code}: {error}"));
        let real = Problem::new(*code, &read.detail);
        assert_eq!(read.type_uri, real.type_uri, "{code}");
        assert_eq!(read.title, real.title, "{code}");
        assert_eq!(
            (read.status, read.retryable),
            (real.status, real.retryable),
            "{code}"
        );
        assert_eq!(read.code, real.code, "{code}");
    }
}

#[test]
fn statuses_are_those_of_the_contract() {
    use Code::{
        AdmissionDenied, ArtifactAltered, BodyTooSlow, Conflict, CoordinationUnavailable,
        DatabaseUnavailable, Expired, Forbidden, IdempotencyConflict, Internal, InvalidJson,
        InvalidRequest, InvalidState, LimitReached, MethodNotAllowed, NotFound,
        OrganizationSuspended, Overloaded, PayloadTooLarge, RateLimited, RequestTimeout,
        StorageUnavailable, TokenExpired, Unauthenticated, UnsupportedMediaType,
        UpstreamUnavailable, WrongInstance,
    };
    let table: &[(u16, &[Code])] = &[
        (400, &[InvalidRequest, InvalidJson]),
        (401, &[Unauthenticated, TokenExpired]),
        (402, &[AdmissionDenied]),
        (403, &[Forbidden, OrganizationSuspended]),
        (404, &[NotFound]),
        (405, &[MethodNotAllowed]),
        (408, &[BodyTooSlow]),
        (
            409,
            &[
                Conflict,
                IdempotencyConflict,
                InvalidState,
                LimitReached,
                WrongInstance,
            ],
        ),
        (410, &[Expired]),
        (413, &[PayloadTooLarge]),
        (415, &[UnsupportedMediaType]),
        (429, &[RateLimited]),
        (500, &[Internal, ArtifactAltered]),
        (
            503,
            &[
                Overloaded,
                DatabaseUnavailable,
                CoordinationUnavailable,
                StorageUnavailable,
                UpstreamUnavailable,
                RequestTimeout,
            ],
        ),
    ];
    let listed: usize = table.iter().map(|(_, codes)| codes.len()).sum();
    assert_eq!(listed, Code::ALL.len());
    for (status, codes) in table {
        assert!(
            codes.iter().all(|code| code.status() == *status),
            "{status}"
        );
    }
}

#[test]
fn the_index_lists_every_code_with_its_facts() {
    let index = include_str!("../../../../docs/errors/README.md");
    for code in Code::ALL {
        let retry = if code.retryable() { "yes" } else { "no" };
        let row = format!(
            "| [{code}]({code}.md) | {} | {retry} | {} |",
            code.status(),
            code.title()
        );
        assert!(index.contains(&row), "{row}");
    }
    assert_eq!(index.matches("| [").count(), Code::ALL.len());
}
