//! The subject of a rejected request, from its path.

use domain::id::SessionId;
use uuid::Uuid;

/// The entity named last in a path, such as `action/ID`, and the session in it. Free text of the caller is left out:
/// only ids are recorded, or text in the form of one where ids are texts.
pub(super) fn subject(route: &str, path: &str) -> (Option<String>, Option<SessionId>) {
    let (mut subject, mut session_id, mut collection) = (None, None, "");
    for (name, value) in route.split('/').zip(path.split('/')) {
        let noun = match name {
            "{id}" => singular(collection),
            "{invocation}" => "action".to_owned(),
            "{repo}" => "repo".to_owned(),
            "{deliveryId}" => "webhook_delivery".to_owned(),
            name => {
                if !name.starts_with('{') {
                    collection = name;
                }
                continue;
            }
        };
        let value = value.strip_suffix(".git").unwrap_or(value);
        let id = value.parse::<Uuid>().ok();
        if noun == "session" {
            session_id = id.map(SessionId::from_uuid);
        }
        let is_text = ["member", "case"].contains(&noun.as_str());
        subject = match id {
            Some(id) => Some(format!("{noun}/{id}")),
            None if is_text => Some(format!("{noun}/{value}")),
            None => None,
        };
    }
    (subject, session_id)
}

/// The noun of a collection's members.
fn singular(collection: &str) -> String {
    match collection {
        "proliferate" => "session".to_owned(),
        collection => collection.trim_end_matches('s').replace('-', "_"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_names_its_last_id_and_no_text() {
        let id = "0192f0c1-2345-7abc-8def-0123456789ab";
        let other = "0192f0c1-2345-7abc-8def-0123456789ac";
        let table = [
            (
                "/v1/repos/{id}",
                format!("/v1/repos/{id}"),
                format!("repo/{id}"),
                false,
            ),
            (
                "/v1/repos/{id}",
                "/v1/repos/hush".to_owned(),
                String::new(),
                false,
            ),
            ("/v1/repos", "/v1/repos".to_owned(), String::new(), false),
            (
                "/v1/members/{id}",
                "/v1/members/user_1".to_owned(),
                "member/user_1".to_owned(),
                false,
            ),
            (
                "/v1/api-keys/{id}",
                format!("/v1/api-keys/{id}"),
                format!("api_key/{id}"),
                false,
            ),
            (
                "/v1/sessions/{id}/env",
                format!("/v1/sessions/{id}/env"),
                format!("session/{id}"),
                true,
            ),
            (
                "/proliferate/{id}/tools/{tool}",
                format!("/proliferate/{id}/tools/hush"),
                format!("session/{id}"),
                true,
            ),
            (
                "/proliferate/{id}/git/{repo}/git-receive-pack",
                format!("/proliferate/{id}/git/{other}.git/git-receive-pack"),
                format!("repo/{other}"),
                true,
            ),
            (
                "/proliferate/{id}/actions/invocations/{invocation}/approve",
                format!("/proliferate/{id}/actions/invocations/{other}/approve"),
                format!("action/{other}"),
                true,
            ),
        ];
        for (route, path, expected, in_session) in table {
            let (subject, session_id) = subject(route, &path);
            assert_eq!(subject.unwrap_or_default(), expected, "{path}");
            let session = in_session.then(|| id.parse().unwrap());
            assert_eq!(session_id, session, "{path}");
        }
    }
}
