//! Every route that answers to GET.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::Scene;
use crate::seen::Seen;

/// Answers of at most this time: a stream has no end.
const LOOK_MAX: std::time::Duration = std::time::Duration::from_secs(3);

/// Looks at all of them, with whatever ids the answers before it had.
pub(super) async fn look_everywhere(scene: &Scene, seen: &mut Seen) {
    let document = include_str!("../../../../../docs/reference/openapi.json");
    let document: Value = serde_json::from_str(document).unwrap();
    let paths = document["paths"].as_object().unwrap().iter();
    let templates: BTreeSet<_> = paths
        .filter(|(_, operations)| operations.get("get").is_some())
        .map(|(path, _)| path.clone())
        .collect();
    let mut known: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut good = 0;
    for template in &templates {
        let mut waiting = vec![template.clone()];
        while let Some(path) = waiting.pop() {
            if let Some((before, rest)) = path.split_once("/{") {
                let (name, after) = rest.split_once('}').unwrap();
                for value in values(scene, &known, before, name) {
                    waiting.push(format!("{before}/{value}{after}"));
                }
                continue;
            }
            let query = match path.as_str() {
                "/v1/artifacts" => format!("?sessionId={}", scene.session),
                "/v1/policy/who-can" => "?tool=ocr.extract".to_owned(),
                _ => String::new(),
            };
            let (status, answer) = seen
                .look(&scene.api, &format!("{path}{query}"), LOOK_MAX)
                .await;
            good += usize::from(status == 200);
            learn(&path, &answer, &mut known);
        }
    }
    assert!(good > 60, "{good} of the routes answered");
}

fn values(
    scene: &Scene,
    known: &BTreeMap<String, Vec<String>>,
    before: &str,
    name: &str,
) -> Vec<String> {
    match (before, name) {
        ("/proliferate" | "/proliferate/sessions" | "/session", _) => vec![scene.session.clone()],
        (_, "integration") => vec!["linear".to_owned()],
        (_, "code") => vec!["NOT_FOUND".to_owned()],
        (_, "repo") => vec![scene.repo.clone()],
        (_, "port") => vec!["80".to_owned()],
        (place, _) => known.get(place).cloned().unwrap_or_default(),
    }
}

/// Ids in an answer, by the place they are looked at.
fn learn(path: &str, answer: &Value, known: &mut BTreeMap<String, Vec<String>>) {
    match answer {
        Value::Array(all) => all.iter().for_each(|one| learn(path, one, known)),
        Value::Object(members) => {
            for (name, value) in members {
                let place = match name.as_str() {
                    "id" => path,
                    "runId" => "/v1/runs",
                    "resultArtifactId" => "/v1/artifacts",
                    _ => "",
                };
                match value.as_str().filter(|_| !place.is_empty()) {
                    Some(id) => {
                        let ids = known.entry(place.to_owned()).or_default();
                        // A few say what all of them say.
                        if ids.len() < 8 && !ids.iter().any(|known| known == id) {
                            ids.push(id.to_owned());
                        }
                    }
                    None => learn(path, value, known),
                }
            }
        }
        _ => {}
    }
}
