//! Forms that agents wait for people to fill in, read from what was told of them.

use std::collections::{HashMap, HashSet};

use domain::{id::SessionId, limits::ENV_REQUESTS_SHOWN_MAX};
use serde_json::Value;
use store::FormEvent;

/// How many are open in each session that has any. The same call told again, with its arguments, is the same form; one
/// that failed asks nobody. Shown are no more than the session itself shows.
pub(super) fn open_forms(events: &[FormEvent]) -> HashMap<SessionId, usize> {
    let mut open: HashMap<SessionId, HashSet<String>> = HashMap::new();
    for event in events {
        let Ok(payload) = serde_json::from_str::<Value>(&event.payload) else {
            continue;
        };
        let Some(call) = payload["toolCallId"].as_str() else {
            continue;
        };
        let calls = open.entry(event.session_id).or_default();
        match event.kind.as_str() {
            "tool_start" => {
                calls.insert(call.to_owned());
            }
            _ if payload["status"] == "error" => {
                calls.remove(call);
            }
            _ => {}
        }
    }
    let count =
        |(id, calls): (SessionId, HashSet<String>)| (id, calls.len().min(ENV_REQUESTS_SHOWN_MAX));
    open.into_iter().map(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_open_until_it_failed() {
        let id: SessionId = "0192f0c1-2345-7abc-8def-0123456789ab".parse().unwrap();
        let start = |call: &str| ("tool_start", format!(r#"{{"toolCallId":"{call}"}}"#));
        let end = |call: &str, status: &str| {
            let payload = format!(r#"{{"toolCallId":"{call}","status":"{status}"}}"#);
            ("tool_end", payload)
        };
        let many: Vec<_> = (0..ENV_REQUESTS_SHOWN_MAX + 3)
            .map(|n| start(&n.to_string()))
            .collect();
        let table = [
            (vec![], 0),
            (vec![start("a")], 1),
            (vec![start("a"), start("a"), end("a", "success")], 1),
            (vec![start("a"), end("a", "error")], 0),
            (vec![start("a"), start("b"), end("a", "error")], 1),
            (vec![("tool_start", "not JSON".to_owned())], 0),
            (many, ENV_REQUESTS_SHOWN_MAX),
        ];
        for (told, expected) in table {
            let event = |(kind, payload): (&str, String)| FormEvent {
                session_id: id,
                kind: kind.to_owned(),
                payload,
            };
            let events: Vec<_> = told.into_iter().map(event).collect();
            let open = open_forms(&events);
            assert_eq!(
                open.get(&id).copied().unwrap_or_default(),
                expected,
                "{events:?}"
            );
        }
    }
}
