//! The table against itself, its schema and its limits.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    automation_run::AutomationOutcome,
    configuration::{EnvFile, ServiceCommand},
};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{
    Args, RequestedKind, Tool,
    shape::{Field, Presence, Rule, Shape},
    validate,
};
use crate::mode::Mode;

fn names(mode: Mode) -> Vec<&'static str> {
    Tool::of_mode(mode)
        .iter()
        .map(|tool| tool.as_str())
        .collect()
}

#[test]
fn each_mode_has_its_tools() {
    let setup = [
        "save_snapshot",
        "save_service_commands",
        "save_env_files",
        "verify",
        "request_env_variables",
    ];
    assert_eq!(names(Mode::Setup), setup);
    let coding = ["save_snapshot", "verify", "request_env_variables"];
    assert_eq!(names(Mode::Coding), coding);
    let automation = [
        "save_snapshot",
        "verify",
        "automation.complete",
        "request_env_variables",
    ];
    assert_eq!(names(Mode::Automation), automation);
}

#[test]
fn a_tool_is_found_by_either_name_and_by_no_other() {
    let mut seen = BTreeSet::new();
    for tool in Tool::ALL {
        assert_eq!(tool.spec().tool, *tool);
        for name in BTreeSet::from([tool.as_str(), tool.spec().agent_name]) {
            assert_eq!(Tool::find(name), Some(*tool));
            assert!(seen.insert(name), "{name} names two tools");
        }
        let allowed = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
        assert!(tool.spec().agent_name.chars().all(allowed));
    }
    for unknown in [
        "",
        "Save_Snapshot",
        "save-snapshot",
        "verify.ts",
        "automation",
    ] {
        assert_eq!(Tool::find(unknown), None, "{unknown}");
    }
}

/// A changed schema under an old version would be taken for the one of running sandboxes: increment the
/// version when this fails.
#[test]
fn a_version_stands_for_one_schema() {
    use sha2::{Digest as _, Sha256};
    let digest = |tool: &Tool| {
        let schema = without_words(&tool.schema());
        let digest = Sha256::digest(schema.to_string().as_bytes());
        digest
            .iter()
            .take(4)
            .fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
    };
    let table: Vec<_> = Tool::ALL
        .iter()
        .map(|tool| format!("{tool} {} {}", tool.spec().version, digest(tool)))
        .collect();
    insta::assert_snapshot!(table.join("\n"));
}

/// Descriptions may change: they affect no call.
fn without_words(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => members
            .iter()
            .filter(|(name, value)| *name != "description" || !value.is_string())
            .map(|(name, value)| (name.clone(), without_words(value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        Value::Array(entries) => entries.iter().map(without_words).collect(),
        other => other.clone(),
    }
}

#[test]
fn a_callback_for_another_version_is_refused_with_both() {
    let tool = Tool::SaveSnapshot;
    assert_eq!(tool.check_version(Some("1")), Ok(()));
    assert_eq!(tool.check_version(None), Ok(()));
    for given in ["2", "0", "", "one", "1.0", " 1"] {
        let error = tool.check_version(Some(given)).unwrap_err().to_string();
        let said = format!("has version {given} of save_snapshot, the gateway has version 1;");
        assert!(error.contains(&said), "{error}");
    }
}

#[test]
fn the_words_of_the_shapes_are_those_of_the_types() {
    let words = |fields: &[Field], name: &str| {
        let field = fields.iter().find(|field| field.name == name).unwrap();
        match field.shape {
            Shape::OneOf(words) => words.to_vec(),
            _ => panic!("{name} is no choice"),
        }
    };
    let outcomes: Vec<_> = AutomationOutcome::ALL
        .iter()
        .map(|outcome| outcome.as_str())
        .collect();
    let spec = Tool::AutomationComplete.spec();
    assert_eq!(words(spec.parameters, "outcome"), outcomes);
    let kinds: Vec<_> = RequestedKind::ALL
        .iter()
        .map(|kind| kind.as_str())
        .collect();
    let Shape::List {
        of: Shape::Record(key),
        ..
    } = &Tool::RequestEnvVariables.spec().parameters[0].shape
    else {
        panic!("no list of records");
    };
    assert_eq!(words(key, "type"), kinds);
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let command = |name: &str| json!({"name": name, "command": "npm start"});
    let file = |path: &str| json!({"path": path, "format": "dotenv", "mode": "secret", "keys": [{"key": "A", "required": true}]});
    let complete = |outcome: &str| json!({"run_id": "r", "completion_id": "c", "outcome": outcome});
    let table: BTreeMap<_, _> = [
        ("unknown tool", ("no_such", json!({}))),
        ("not an object", ("verify", json!(["x"]))),
        ("text for a text", ("save_snapshot", json!({"message": 7}))),
        ("unknown member", ("save_snapshot", json!({"mesage": "x"}))),
        (
            "too long",
            ("save_snapshot", json!({"message": "x".repeat(1001)})),
        ),
        (
            "control characters",
            ("save_snapshot", json!({"message": "a\u{1b}b"})),
        ),
        ("missing list", ("save_service_commands", json!({}))),
        (
            "null where needed",
            ("save_service_commands", json!({"commands": null})),
        ),
        (
            "empty list",
            ("save_service_commands", json!({"commands": []})),
        ),
        (
            "long list",
            (
                "save_service_commands",
                json!({"commands": vec![command("x"); 11]}),
            ),
        ),
        (
            "second entry",
            (
                "save_service_commands",
                json!({"commands": [command("x"), command("")]}),
            ),
        ),
        (
            "entry is no object",
            ("save_service_commands", json!({"commands": ["npm start"]})),
        ),
        (
            "absolute path",
            ("save_env_files", json!({"files": [file("/etc/passwd")]})),
        ),
        (
            "traversal",
            ("save_env_files", json!({"files": [file("a/../../b")]})),
        ),
        (
            "deep unknown",
            (
                "save_env_files",
                json!({"files": [{"path": "a", "value": "x"}]}),
            ),
        ),
        ("traversal of verify", ("verify", json!({"folder": ".."}))),
        ("home of verify", ("verify", json!({"folder": "~/x"}))),
        ("outcome", ("automation.complete", complete("done"))),
        (
            "empty id",
            (
                "automation_complete",
                json!({"run_id": "", "completion_id": "c", "outcome": "failed"}),
            ),
        ),
        (
            "flag as text",
            (
                "request_env_variables",
                json!({"keys": [{"key": "A", "required": "yes"}]}),
            ),
        ),
        (
            "not a name",
            ("request_env_variables", json!({"keys": [{"key": "A-B"}]})),
        ),
        (
            "the platform's name",
            (
                "request_env_variables",
                json!({"keys": [{"key": "SANDBOX_MCP_AUTH_TOKEN"}]}),
            ),
        ),
        (
            "deep choice",
            (
                "request_env_variables",
                json!({"keys": [{"key": "A", "suggestions": [{"label": "x"}, {"label": ""}]}]}),
            ),
        ),
    ]
    .into();
    let said: Vec<_> = table
        .iter()
        .map(|(name, (tool, args))| format!("{name}: {}", validate(tool, args).unwrap_err()))
        .collect();
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn what_is_right_becomes_types_with_defaults_filled_in() {
    let calls = [
        ("save_snapshot", json!({})),
        ("save_snapshot", json!({"message": null})),
        (
            "save_service_commands",
            json!({"commands": [{"name": "web", "command": "npm start", "cwd": "apps/web"}]}),
        ),
        (
            "save_env_files",
            json!({"files": [{"path": ".env", "format": "dotenv", "mode": "secret",
                "keys": [{"key": "A", "required": false}]}]}),
        ),
        ("verify", json!({})),
        (
            "automation_complete",
            json!({"run_id": "r", "completion_id": "c", "outcome": "needs_human", "citations": ["a", "b"]}),
        ),
        (
            "request_env_variables",
            json!({"keys": [{"key": "A"}, {"key": "B", "type": "secret", "required": false,
                "suggestions": [{"label": "local", "value": "x"}]}]}),
        ),
    ];
    let read: Vec<_> = calls
        .iter()
        .map(|(name, args)| validate(name, args).unwrap())
        .collect();
    insta::assert_debug_snapshot!(read);
}

/// Arbitrary JSON that a model could send: mostly almost valid, sometimes anything.
fn value_of(shape: &'static Shape) -> BoxedStrategy<Value> {
    let anything = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        ".{0,20}".prop_map(Value::from),
        Just(json!([])),
        Just(json!({})),
    ];
    let right = match shape {
        Shape::Text { max, rule, .. } => {
            let free = prop_oneof![
                "\\PC{0,30}",
                Just("x".repeat(*max)),
                Just("x".repeat(max + 1))
            ];
            match rule {
                Rule::Free => free.boxed(),
                Rule::RelativePath => prop_oneof!["[a-z./~\\\\:]{1,12}", free].boxed(),
                Rule::EnvName => prop_oneof!["[A-Z_][A-Z0-9_]{0,9}", free].boxed(),
            }
            .prop_map(Value::from)
            .boxed()
        }
        Shape::Flag => any::<bool>().prop_map(Value::from).boxed(),
        Shape::OneOf(words) => proptest::sample::select(*words)
            .prop_map(Value::from)
            .boxed(),
        Shape::List { of, max, .. } => {
            proptest::collection::vec(value_of(of), 0..=(*max + 1).min(4))
                .prop_map(Value::from)
                .boxed()
        }
        Shape::Record(fields) => record_of(fields),
    };
    prop_oneof![12 => right, 1 => anything].boxed()
}

fn record_of(fields: &'static [Field]) -> BoxedStrategy<Value> {
    let members: Vec<_> = fields
        .iter()
        .map(|field| {
            let present = if field.presence == Presence::Required {
                0.95
            } else {
                0.5
            };
            let name = field.name;
            proptest::option::weighted(present, value_of(&field.shape))
                .prop_map(move |value| value.map(|value| (name.to_owned(), value)))
        })
        .collect();
    (members, proptest::bool::weighted(0.03))
        .prop_map(|(members, odd)| {
            let mut record: serde_json::Map<_, _> = members.into_iter().flatten().collect();
            if odd {
                record.insert("odd".to_owned(), Value::Null);
            }
            Value::Object(record)
        })
        .boxed()
}

fn call() -> impl Strategy<Value = (Tool, Value)> {
    proptest::sample::select(Tool::ALL)
        .prop_flat_map(|tool| record_of(tool.spec().parameters).prop_map(move |args| (tool, args)))
}

/// Members that are null are absent, as the check has it.
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(members) => members
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| (name.clone(), without_nulls(value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        Value::Array(entries) => entries.iter().map(without_nulls).collect(),
        other => other.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    /// The check is the schema and its rules, no more and no less.
    #[test]
    fn check_and_schema_agree((tool, args) in call()) {
        let names_odd = args.get("odd").is_some() || args.to_string().contains("\"odd\":");
        let fits = jsonschema::is_valid(&tool.schema(), &without_nulls(&args)) && !names_odd;
        match validate(tool.as_str(), &args) {
            Ok(read) => {
                prop_assert!(fits, "{tool} {args}");
                prop_assert_eq!(read.tool(), tool);
            }
            Err(fault) => {
                let by_rule = ["relative path", "`..`", "control characters", "set by the platform"];
                prop_assert!(!fits || by_rule.iter().any(|rule| fault.message.contains(rule)), "{}", fault);
                prop_assert!(!fault.field.is_empty());
            }
        }
    }

    /// Arguments that the tools accept are valid for a configuration.
    #[test]
    fn what_is_valid_here_is_valid_for_a_configuration((tool, args) in call()) {
        match validate(tool.as_str(), &args) {
            Ok(Args::SaveServiceCommands { commands }) => prop_assert!(ServiceCommand::validate_all(&commands).is_ok()),
            Ok(Args::SaveEnvFiles { files }) => prop_assert!(EnvFile::validate_all(&files).is_ok()),
            _ => {}
        }
    }
}
