//! Allowed parameter values, as tables.

use serde_json::json;

use super::*;

fn spec(name: &str, kind: ParameterKind, default: Option<ParameterValue>) -> ParameterSpec {
    ParameterSpec {
        name: ParameterName::new(name).unwrap(),
        kind,
        default,
    }
}

fn specs() -> Vec<ParameterSpec> {
    let choices = ["png", "tiff"].map(|name| ChoiceName::new(name).unwrap());
    vec![
        spec(
            "language",
            ParameterKind::Text("[a-z_+]{2,20}".parse().unwrap()),
            Some(ParameterValue::Text("eng".into())),
        ),
        spec("pages", ParameterKind::Integer { min: 1, max: 9 }, None),
        spec("format", ParameterKind::Choice(choices.to_vec()), None),
        spec("strict", ParameterKind::Boolean, None),
    ]
}

fn checked(given: &Value) -> Result<ParameterValues, String> {
    let given = given.as_object().unwrap();
    check_parameters(&specs(), given).map_err(|error| error.to_string())
}

#[test]
fn defaults_fill_what_the_call_does_not_say() {
    let values = checked(&json!({"pages": 3, "format": "png", "strict": true})).unwrap();
    let shown: Vec<String> = values.values().map(ToString::to_string).collect();
    assert_eq!(shown, ["png", "eng", "3", "true"]);
}

#[test]
fn what_does_not_fit_is_named_and_not_repeated() {
    let good = json!({"pages": 3, "format": "png", "strict": true});
    let table = [
        ("language", json!("ENG"), "must be text that matches"),
        ("language", json!("eng; rm"), "must be text that matches"),
        ("language", json!("eng\n"), "must be text that matches"),
        ("language", json!(["eng"]), "must be text that matches"),
        ("language", json!(null), "must be text that matches"),
        ("pages", json!(0), "a whole number from 1 to 9"),
        ("pages", json!(10), "a whole number from 1 to 9"),
        ("pages", json!("3"), "a whole number from 1 to 9"),
        ("pages", json!(3.5), "a whole number from 1 to 9"),
        ("format", json!("PNG"), "one of png, tiff"),
        ("strict", json!("true"), "true or false"),
        ("depth", json!(1), "the tool takes no parameter depth"),
        ("bad name", json!(1), "the tool takes no parameter"),
    ];
    for (name, value, complaint) in table {
        let mut given = good.clone();
        given[name] = value.clone();
        let error = checked(&given).unwrap_err();
        assert!(error.contains(complaint), "{name} {value}: {error}");
        assert!(!error.contains("; rm") && !error.contains("bad name"));
    }
}

#[test]
fn what_is_needed_must_be_there() {
    let error = checked(&json!({"format": "png", "strict": true})).unwrap_err();
    assert_eq!(error, "parameter pages is missing");
}

#[test]
fn a_pattern_matches_the_whole_text() {
    let pattern: ParameterPattern = "a|b".parse().unwrap();
    assert!(pattern.matches("a") && pattern.matches("b"));
    for other in ["ab", "xa", "a\n", "", "b\0"] {
        assert!(!pattern.matches(other), "{other:?}");
    }
    let lines: ParameterPattern = "(?m)a$".parse().unwrap();
    assert!(!lines.matches("a\nb"));
}

#[test]
fn a_pattern_must_be_one_and_stay_small() {
    for bad in ["", "(", "a)(b", "[", "(?:a{1000}){1000}", &"a".repeat(300)] {
        assert!(bad.parse::<ParameterPattern>().is_err(), "{bad}");
    }
}
