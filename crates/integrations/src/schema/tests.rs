//! Schemas of others as tables: what is read, what is refused, what is found wrong.

use serde_json::{Value, json};

use super::{Schema, SchemaError, short};

fn object(properties: &Value) -> Value {
    json!({"type": "object", "additionalProperties": false, "properties": properties})
}

fn check(schema: &Value, params: &Value) -> Result<(), String> {
    let schema = Schema::read(schema.clone()).expect("a good schema");
    let params = params.as_object().expect("an object");
    schema.check(params).map_err(|problem| problem.to_string())
}

#[test]
fn params_are_checked_and_the_mistake_is_named_without_its_value() {
    let schema = json!({
        "type": "object",
        "required": ["title"],
        "additionalProperties": false,
        "properties": {
            "title": {"type": "string", "minLength": 1, "maxLength": 5},
            "first": {"type": "integer", "minimum": 1, "maximum": 50},
            "labels": {"type": "array", "items": {"type": "string"}},
            "state": {"enum": ["open", "closed"]},
            "code": {"type": "string", "pattern": "^[a-z]+$"},
        },
    });
    for good in [
        json!({"title": "x"}),
        json!({"title": "xxxxx", "first": 50, "labels": ["a"], "state": "open", "code": "abc"}),
        json!({"title": "äääää", "first": 1.0}),
    ] {
        assert_eq!(check(&schema, &good), Ok(()), "{good}");
    }
    let table = [
        (json!({}), "\"title\" is a required property"),
        (
            json!({"title": ""}),
            "title: value is shorter than 1 character",
        ),
        (
            json!({"title": "secret"}),
            "title: value is longer than 5 characters",
        ),
        (
            json!({"title": 7}),
            "title: value is not of type \"string\"",
        ),
        (
            json!({"title": "x", "first": 51}),
            "first: value is greater than the maximum of 50",
        ),
        (
            json!({"title": "x", "first": 1.5}),
            "first: value is not of type \"integer\"",
        ),
        (
            json!({"title": "x", "first": "7"}),
            "first: value is not of type \"integer\"",
        ),
        (
            json!({"title": "x", "labels": ["a", 7]}),
            "labels/1: value is not of type \"string\"",
        ),
        (
            json!({"title": "x", "state": "secret"}),
            "state: value is not one of \"open\" or \"closed\"",
        ),
        (
            json!({"title": "x", "code": "S3CRET"}),
            "code: value does not match \"^[a-z]+$\"",
        ),
        (
            json!({"title": "x", "other": 1}),
            "Additional properties are not allowed ('other' was unexpected)",
        ),
    ];
    for (bad, expected) in table {
        assert_eq!(check(&schema, &bad), Err(expected.to_owned()), "{bad}");
    }
}

#[test]
fn schemas_of_other_drafts_and_with_references_are_read() {
    let table = [
        json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
            "definitions": {"name": {"type": "string"}},
            "properties": {"a": {"$ref": "#/definitions/name"}}}),
        json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
            "$id": "https://example.com/tool.json",
            "$defs": {"name": {"type": "string"}},
            "properties": {"a": {"$ref": "#/$defs/name"}}}),
        // A tree: each node has two below it.
        json!({"type": "object", "properties": {"a": {"type": "string"}, "tree": {"$ref": "#/$defs/node"}},
            "$defs": {"node": {"type": "object", "properties": {
                "left": {"$ref": "#/$defs/node"}, "right": {"$ref": "#/$defs/node"}}}}}),
        json!({"type": "object", "properties": {"a": {"type": "string"}, "self": {"$ref": "#"}}}),
        // A list of itself, as filters are written.
        json!({"type": "object", "properties": {"a": {"type": "string"}, "filter": {"$ref": "#/$defs/f"}},
            "$defs": {"f": {"type": "object", "properties": {
                "and": {"type": "array", "items": {"$ref": "#/$defs/f"}},
                "or": {"type": "array", "items": {"$ref": "#/$defs/f"}}}}}}),
        // Members may be called like keywords.
        json!({"type": "object", "properties": {
            "a": {"type": "string"}, "$ref": {"type": "string"}, "$id": {"type": "string"},
            "items": {"type": "string"}, "enum": {"type": "string"}}}),
    ];
    for schema in table {
        assert_eq!(check(&schema, &json!({"a": "x"})), Ok(()), "{schema}");
        assert!(check(&schema, &json!({"a": 7})).is_err(), "{schema}");
    }
}

/// Each of so many definitions refers to the next one twice.
fn doubling(count: usize) -> Value {
    let mut definitions = serde_json::Map::new();
    for index in 0..count {
        let next = format!("#/$defs/d{}", index + 1);
        let both = json!({"allOf": [{"$ref": next}, {"$ref": next}]});
        definitions.insert(format!("d{index}"), both);
    }
    definitions.insert(format!("d{count}"), json!({"type": "string"}));
    json!({"type": "object", "$defs": definitions, "properties": {"a": {"$ref": "#/$defs/d0"}}})
}

#[test]
fn a_schema_that_would_make_endless_work_is_refused() {
    assert!(Schema::read(doubling(10)).is_ok());
    let circle = json!({"type": "object", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}},
        "properties": {"x": {"$ref": "#/$defs/a"}}});
    let itself = json!({"type": "object", "allOf": [{"$ref": "#"}]});
    let tree = |branches: usize| {
        let branch = json!({"properties": {"x": {"$ref": "#/$defs/n"}}});
        json!({"type": "object", "$defs": {"n": {"allOf": vec![branch; branches]}},
            "properties": {"x": {"$ref": "#/$defs/n"}}})
    };
    for schema in [doubling(60), circle, itself, tree(3)] {
        let read = Schema::read(schema.clone());
        assert_eq!(read.err(), Some(SchemaError::TooHeavy), "{schema}");
    }
}

#[test]
fn a_schema_that_is_too_large_or_leads_elsewhere_is_refused() {
    let long = object(&json!({"a": {"type": "string", "description": "x".repeat(300_000)}}));
    assert_eq!(Schema::read(long).err(), Some(SchemaError::TooLong));
    let mut deep = json!({"type": "string"});
    for _ in 0..20 {
        deep = json!({"properties": {"a": deep}});
    }
    deep["type"] = "object".into();
    assert_eq!(Schema::read(deep).err(), Some(SchemaError::TooDeep));
    for reference in [
        "https://example.com/schema.json",
        "file:///etc/passwd",
        "other.json#/x",
        "#/$defs/absent",
        "#anchor",
    ] {
        let schema = object(&json!({"a": {"$ref": reference}}));
        let expected = SchemaError::Reference(reference.to_owned());
        assert_eq!(Schema::read(schema).err(), Some(expected), "{reference}");
    }
    let nested = object(&json!({"a": {"$id": "https://example.com/", "type": "string"}}));
    assert!(matches!(
        Schema::read(nested),
        Err(SchemaError::Reference(_))
    ));
    let dynamic = object(&json!({"a": {"$dynamicRef": "#x"}}));
    assert!(matches!(
        Schema::read(dynamic),
        Err(SchemaError::Reference(_))
    ));
    for none in [json!(true), json!([]), json!({}), json!({"type": "string"})] {
        assert_eq!(Schema::read(none).err(), Some(SchemaError::NotAnObject));
    }
    for bad in [
        json!({"a": {"type": "nothing"}}),
        json!({"a": {"minLength": -1}}),
        json!({"a": {"pattern": "("}}),
        json!({"a": {"pattern": "(?=look)ahead"}}),
        json!({"a": {"pattern": "(a{1000}){1000}"}}),
    ] {
        let read = Schema::read(object(&bad));
        assert!(
            matches!(read, Err(SchemaError::Invalid(_))),
            "{bad}: {read:?}"
        );
    }
}

#[test]
fn params_that_are_too_deep_are_refused_before_they_are_checked() {
    let schema = json!({"type": "object"});
    let nested = |levels: usize| (1..levels).fold(json!({}), |inner, _| json!({"a": inner}));
    assert_eq!(check(&schema, &nested(16)), Ok(()));
    let refused = check(&schema, &nested(17));
    assert_eq!(
        refused.unwrap_err(),
        "params are nested more than 16 levels deep"
    );
}

#[test]
fn many_params_are_checked_only_against_a_light_schema() {
    let many = json!({"a": vec!["x"; 60_000]});
    let light = json!({"type": "object", "properties": {"a": {"items": {"type": "string"}}}});
    assert_eq!(check(&light, &many), Ok(()));
    let heavy = doubling(10);
    let refused = check(&heavy, &many).unwrap_err();
    assert_eq!(refused, "params have more parts than can be checked");
}

#[test]
fn a_bad_pattern_costs_linear_time() {
    let schema = object(&json!({"a": {"type": "string", "pattern": "^(a+)+$"}}));
    let evil = format!("{}!", "a".repeat(20_000));
    assert!(check(&schema, &json!({"a": evil})).is_err());
}

#[test]
fn only_a_few_mistakes_are_named_and_each_shortly() {
    let schema = json!({"type": "object", "additionalProperties": {"type": "string"}});
    let many: serde_json::Map<String, Value> = (0..50)
        .map(|index| (format!("{index}"), json!(1)))
        .collect();
    let problems = check(&schema, &Value::Object(many)).unwrap_err();
    assert_eq!(problems.split("; ").count(), 5);
    assert_eq!(short(&"ä".repeat(300)).chars().count(), 201);
}
