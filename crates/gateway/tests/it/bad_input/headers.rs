//! Contradictory headers, unknown queries, and paths without an entity.

use axum::http::Method;

use super::{Case, INVALID_REQUEST, NOT_FOUND, PLANTED, get, post};
use crate::support::SESSIONS;

pub(super) fn cases() -> Vec<Case> {
    let mut cases = vec![];
    let long = "k".repeat(256);
    let keys: [&[&str]; 4] = [&["a", "b"], &["a", "a"], &[""], &[&long]];
    for keys in keys {
        let header = |key: &&str| ("idempotency-key", (*key).to_owned());
        cases.push(Case {
            headers: keys.iter().map(header).collect(),
            ..post(
                "bad key",
                SESSIONS,
                "{}",
                INVALID_REQUEST,
                "Idempotency-Key",
            )
        });
    }
    for organization in ["org_other", "org_nowhere", "a b"] {
        cases.push(Case {
            headers: vec![("x-org-id", organization.to_owned())],
            ..post("not the caller's", SESSIONS, "{}", NOT_FOUND, "")
        });
    }
    let queries = [
        ("/v1/sessions?limit=0", "limit"),
        ("/v1/repos?limit=101", "limit"),
        ("/v1/secrets?limit=many", "limit"),
        ("/v1/api-keys?limit=-1", "limit"),
        ("/v1/sessions?limit=1&limit=2", "limit"),
        ("/v1/sessions?cursor=zzz", "cursor"),
        ("/v1/sessions?colour=red", "colour"),
        ("/v1/sessions?configurationId=x", "configurationId"),
        ("/v1/sessions?createdBy=a%20b", "createdBy"),
        ("/v1/sessions?status=asleep", "status"),
        ("/v1/secrets?scopeId=x", "scopeKind"),
        ("/v1/secrets?scopeKind=repo", "scopeId"),
    ];
    for (path, field) in queries {
        cases.push(get(post(path, path, "", INVALID_REQUEST, field)));
    }
    let nowhere = [
        (Method::GET, "/v1/sessions/1"),
        (Method::DELETE, "/v1/sessions/%FF"),
        (Method::GET, "/v1/sessions/"),
        (Method::GET, "/errors/NOPE"),
        (Method::GET, "/errors/%FF"),
        (Method::GET, "/assets/%2e%2e%2fCargo.toml"),
        (Method::GET, "/assets/%FF"),
        (Method::GET, "/v2/x?token=SECRET"),
    ];
    for (method, path) in nowhere {
        let case = get(post(
            path,
            &path.replace("SECRET", PLANTED),
            "",
            NOT_FOUND,
            "",
        ));
        cases.push(Case { method, ..case });
    }
    cases
}
