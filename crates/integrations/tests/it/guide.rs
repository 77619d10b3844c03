//! Guides are served as they are, so each command in them has to work.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::stage::{NAMES, Stage};

/// The commands of a guide: integration, action, params.
fn commands(guide: &str) -> Vec<(String, String, Value)> {
    guide
        .lines()
        .filter_map(|line| line.strip_prefix("proliferate actions run "))
        .map(|line| {
            let (flags, params) = match line.split_once(" --params ") {
                None => (line, "{}"),
                Some((flags, quoted)) => {
                    let params = quoted.strip_prefix('\'').and_then(|q| q.strip_suffix('\''));
                    (flags, params.expect("params in single quotes"))
                }
            };
            assert!(
                !params.contains('\''),
                "a quote ends the shell's text: {line}"
            );
            let words: Vec<&str> = flags.split(' ').collect();
            let ["--integration", integration, "--action", action] = words[..] else {
                panic!("not a command: {line}");
            };
            let params = serde_json::from_str(params).unwrap_or_else(|e| panic!("{e}: {line}"));
            (integration.to_owned(), action.to_owned(), params)
        })
        .collect()
}

/// Defect 27: commands were advertised that did not exist. Here each action has a command in the guide, and
/// each command is one that the action's schema takes.
#[tokio::test]
async fn defect_27_a_guide_shows_every_action_and_nothing_else() {
    for name in NAMES {
        let stage = Stage::of(name).await;
        let mut shown = BTreeSet::new();
        for (integration, action, params) in commands(stage.source.guide()) {
            assert_eq!(integration, name);
            let known = stage.source.action(&action);
            let known = known.unwrap_or_else(|| panic!("{name} has no {action}"));
            let checked = known.schema.check(params.as_object().unwrap());
            assert_eq!(checked, Ok(()), "{name} {action} {params}");
            shown.insert(action);
        }
        let all = stage.source.actions().iter();
        let all: BTreeSet<String> = all.map(|action| action.name.to_owned()).collect();
        assert_eq!(shown, all, "{name}");
    }
}

/// Every param is named somewhere: an agent reads this, not the schema.
#[tokio::test]
async fn a_guide_names_every_param() {
    for name in NAMES {
        let stage = Stage::of(name).await;
        let guide = stage.source.guide();
        assert!(guide.starts_with(&format!("# {}\n", stage.source.display_name())));
        for action in stage.source.actions() {
            for param in &action.params {
                let quoted = [format!("\"{}\"", param.name), format!("`{}`", param.name)];
                let named = quoted.iter().any(|text| guide.contains(text));
                assert!(named, "{name} {} {}", action.name, param.name);
            }
        }
    }
}
