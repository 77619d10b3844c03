//! Which definitions a grant covers.

use serde_json::json;

use super::*;

const CONNECTOR: &str = "connector:0192f0c1-2345-7abc-8def-0123456789ab";

fn sha(text: &str) -> Sha256Hex {
    Sha256Hex::of(text.as_bytes())
}

fn tool(now: &str, standing: Option<(&str, Option<i64>, bool)>) -> CallDefinition {
    CallDefinition::Tool {
        sha256: sha(now),
        standing: standing.map(|(text, known_as, accepted)| StandingTool {
            sha256: sha(text),
            known_as,
            accepted,
        }),
    }
}

fn why(basis: &GrantBasis, found: &CallDefinition) -> Option<Suspension> {
    let names = (&CONNECTOR.parse().unwrap(), &"send".parse().unwrap());
    basis.covers(names, found).err().map(|it| it.because)
}

#[test]
fn a_wildcard_covers_what_was_known_and_what_was_accepted_since() {
    use Suspension::{ToolChanged, ToolNew};
    let basis = GrantBasis {
        known_tools: 5,
        ..GrantBasis::default()
    };
    #[rustfmt::skip]
    let table = [
        // current definition, definition in force (its number, accepted), why not
        ("old", Some(("old", Some(5), false)), None),
        ("old", Some(("old", Some(0), true)), None),
        // Another definition, until an admin accepts it.
        ("new", Some(("old", Some(5), false)), Some(ToolChanged)),
        ("new", Some(("old", Some(5), true)), Some(ToolChanged)),
        ("new", Some(("new", Some(6), true)), None),
        // Changed back to the definition before the accepted one.
        ("old", Some(("new", Some(6), true)), Some(ToolChanged)),
        // A tool that was added later.
        ("new", Some(("new", Some(6), false)), Some(ToolNew)),
        ("new", Some(("new", None, false)), Some(ToolNew)),
        ("new", Some(("new", None, true)), None),
        ("new", None, Some(ToolNew)),
    ];
    for (now, standing, expected) in table {
        assert_eq!(
            why(&basis, &tool(now, standing)),
            expected,
            "{now} {standing:?}"
        );
    }
}

#[test]
fn a_grant_for_one_definition_is_for_no_other_that_was_known_beside_it() {
    use Suspension::ToolChanged;
    // Approved while this was the definition and the reviewed one was another.
    let basis = GrantBasis {
        tool: Some(sha("approved")),
        known_tools: 5,
        ..GrantBasis::default()
    };
    let table = [
        ("approved", Some(("first", Some(1), true)), None),
        ("approved", None, None),
        ("first", Some(("first", Some(1), true)), Some(ToolChanged)),
        ("third", Some(("third", Some(6), true)), None),
        ("third", Some(("third", Some(6), false)), Some(ToolChanged)),
    ];
    for (now, standing, expected) in table {
        assert_eq!(
            why(&basis, &tool(now, standing)),
            expected,
            "{now} {standing:?}"
        );
    }
}

#[test]
fn a_built_in_action_is_bound_by_risk_and_parameters() {
    let names = |action: &str| ("linear".parse().unwrap(), action.parse().unwrap());
    let digest = |risk, schema| built_in_digest(risk, &schema).unwrap();
    let schema = json!({"type": "object", "properties": {"title": {"type": "string"}}});
    let write = digest(Risk::Write, schema.clone());
    let all = BuiltInActions(
        [
            (names("create_issue"), write.clone()),
            (names("update_issue"), write.clone()),
        ]
        .into(),
    );
    let linear = "linear".parse().unwrap();
    let basis = GrantBasis {
        built_in: all.named_by(&linear, &"create_issue".parse().unwrap()),
        ..GrantBasis::default()
    };
    assert_eq!(basis.built_in.0.len(), 1);
    assert_eq!(all.named_by(&Pattern::Any, &Pattern::Any), all);
    let other = "sentry".parse().unwrap();
    assert!(all.named_by(&other, &Pattern::Any).0.is_empty());
    let why = |action: &str, sha256: &Sha256Hex| {
        let (integration, action) = names(action);
        let found = CallDefinition::BuiltIn {
            sha256: sha256.clone(),
        };
        basis.covers((&integration, &action), &found).err()
    };
    assert_eq!(why("create_issue", &write), None);
    let raised = digest(Risk::Read, schema);
    let wider = digest(Risk::Write, json!({"type": "object"}));
    for changed in [raised, wider] {
        let uncovered = why("create_issue", &changed).unwrap();
        assert_eq!(uncovered.because, Suspension::ActionChanged);
        let sentence = uncovered.to_string();
        assert!(sentence.contains(&write.as_str()[..12]), "{sentence}");
        assert!(sentence.contains(&changed.as_str()[..12]), "{sentence}");
    }
    let uncovered = why("update_issue", &write).unwrap();
    assert_eq!(uncovered.because, Suspension::ActionNew);
}
