//! Configurations as tables: what is taken, and which field is named for what is not.

use std::sync::Arc;

use domain::{
    Invalid,
    limits::{CONNECTOR_NAME_LENGTH_MAX, CONNECTORS_MAX},
};
use serde_json::{Value, json};
use tools::egress::{EgressGuard, SystemResolver};
use uuid::Uuid;

use super::*;

fn guard(allowed: &[&str]) -> EgressGuard {
    let allowed = allowed.iter().map(|host| host.parse().unwrap());
    EgressGuard::new(Arc::new(SystemResolver), allowed)
}

fn stored() -> Value {
    json!({
        "id": "019a0000-0000-7000-8000-000000000001",
        "name": "Docs",
        "transport": "remote_http",
        "url": "https://mcp.example.com/mcp",
        "auth": {"type": "bearer", "secretKey": "DOCS_TOKEN"},
        "riskPolicy": {"defaultRisk": "read", "overrides": {"drop": "danger"}},
        "trusted": true,
        "enabled": false,
    })
}

#[test]
fn a_connector_survives_being_written_and_read() {
    let mut custom = stored();
    custom["auth"] = json!({"type": "custom_header", "secretKey": "K", "headerName": "X-Api-Key"});
    let mut open = stored();
    open["auth"] = json!({"type": "none"});
    for value in [stored(), custom, open] {
        let connector = read(&value).unwrap();
        assert_eq!(connector.check(&guard(&[])), Ok(()));
        assert_eq!(write(&connector), value);
    }
    let least = json!({
        "id": "019a0000-0000-7000-8000-000000000001", "name": "Docs", "transport": "remote_http",
        "url": "https://mcp.example.com/mcp",
    });
    let connector = read(&least).unwrap();
    assert!(connector.enabled && !connector.trusted);
    assert_eq!(connector.auth, Auth::None);
    assert_eq!(
        connector.integration(),
        "connector:019a0000-0000-7000-8000-000000000001"
    );
}

#[test]
fn what_cannot_be_read_names_its_field() {
    let table: &[(&str, Value, &str)] = &[
        ("/id", json!("7"), "id"),
        ("/id", json!(7), "id"),
        ("/name", json!(null), "name"),
        ("/transport", json!("stdio"), "transport"),
        ("/auth/type", json!("basic"), "auth.type"),
        ("/auth/secretKey", json!(1), "auth.secretKey"),
        (
            "/riskPolicy/defaultRisk",
            json!("none"),
            "riskPolicy.defaultRisk",
        ),
        (
            "/riskPolicy/overrides/drop",
            json!("Read"),
            "riskPolicy.overrides",
        ),
        ("/riskPolicy/overrides", json!([]), "riskPolicy.overrides"),
        ("/enabled", json!("yes"), "enabled"),
    ];
    for (pointer, wrong, field) in table {
        let mut value = stored();
        *value.pointer_mut(pointer).unwrap() = wrong.clone();
        let found = read(&value).unwrap_err();
        // Within a tagged enum the path ends at the enum.
        assert!(
            field.starts_with(&found.field) && !found.field.is_empty(),
            "{pointer}: {found}"
        );
    }
    let mut unknown = stored();
    unknown["headers"] = json!({"x": "y"});
    assert!(read(&unknown).unwrap_err().message.contains("headers"));
    let mut missing = stored();
    missing.as_object_mut().unwrap().remove("url");
    assert!(read(&missing).unwrap_err().message.contains("url"));
}

#[test]
fn what_may_not_be_used_names_its_field() {
    let custom =
        |header: &str| json!({"type": "custom_header", "secretKey": "K", "headerName": header});
    let table: &[(&str, Value, &str)] = &[
        ("/name", json!(""), "name"),
        (
            "/name",
            json!("n".repeat(CONNECTOR_NAME_LENGTH_MAX + 1)),
            "name",
        ),
        ("/name", json!(" Docs"), "name"),
        ("/name", json!("two\nlines"), "name"),
        ("/name", json!("bell\u{7}"), "name"),
        ("/auth/secretKey", json!(""), "auth.secretKey"),
        ("/auth/secretKey", json!("no spaces"), "auth.secretKey"),
        ("/auth/secretKey", json!("K".repeat(201)), "auth.secretKey"),
        ("/auth", custom(""), "auth.headerName"),
        ("/auth", custom("X Api"), "auth.headerName"),
        ("/auth", custom("X:Y"), "auth.headerName"),
        ("/auth", custom("X\r\nY"), "auth.headerName"),
        ("/auth", custom("Ü"), "auth.headerName"),
        ("/auth", custom(&"x".repeat(101)), "auth.headerName"),
        ("/auth", custom("Host"), "auth.headerName"),
        ("/auth", custom("content-length"), "auth.headerName"),
        ("/auth", custom("Mcp-Session-Id"), "auth.headerName"),
        (
            "/riskPolicy/overrides",
            json!({"": "read"}),
            "riskPolicy.overrides",
        ),
        (
            "/riskPolicy/overrides",
            json!({"n".repeat(129): "read"}),
            "riskPolicy.overrides",
        ),
    ];
    for (pointer, wrong, field) in table {
        let mut value = stored();
        *value.pointer_mut(pointer).unwrap() = wrong.clone();
        let found = read(&value).unwrap().check(&guard(&[])).unwrap_err();
        assert_eq!(found.field, *field, "{wrong}");
    }
}

#[test]
fn case_40_an_address_that_leads_inside_is_refused_when_it_is_saved() {
    for bad in [
        "http://mcp.example.com/mcp",
        "https://169.254.169.254/latest",
        "https://2852039166/",
        "https://0xa9fea9fe/",
        "https://0251.0376.0251.0376/",
        "https://[::ffff:169.254.169.254]/",
        "https://[64:ff9b::a9fe:a9fe]/",
        "https://[fd00:ec2::254]/",
        "https://localhost./mcp",
        "https://user:hunter2@mcp.example.com/",
        "file:///etc/passwd",
        "mcp.example.com",
        "",
    ] {
        let mut value = stored();
        value["url"] = json!(bad);
        let found = read(&value).unwrap().check(&guard(&[])).unwrap_err();
        assert_eq!(found.field, "url", "{bad}");
        assert!(!found.message.contains("hunter2"), "{found}");
    }
    let mut own = stored();
    own["url"] = json!("http://127.0.0.1:9000/mcp");
    let own = read(&own).unwrap();
    assert!(own.check(&guard(&[])).is_err());
    assert_eq!(own.check(&guard(&["127.0.0.1:9000"])), Ok(()));
}

#[test]
fn a_scope_has_twenty_connectors_with_ids_of_their_own() {
    let id = |n: u128| ConnectorId::from_uuid(Uuid::from_u128(n));
    let connector = |n| Preset::Custom.connector(id(n), "https://mcp.example.com/", None);
    let most: Vec<_> = (0..CONNECTORS_MAX as u128).map(connector).collect();
    assert_eq!(check_all(&most, &guard(&[])), Ok(()));
    let many: Vec<_> = (0..=CONNECTORS_MAX as u128).map(connector).collect();
    let found = check_all(&many, &guard(&[])).unwrap_err();
    assert_eq!(
        found,
        Invalid::new("connectors", "must have at most 20 entries, has 21")
    );
    let twice = [connector(1), connector(2), connector(1)];
    assert_eq!(
        check_all(&twice, &guard(&[])).unwrap_err().field,
        "connectors[2].id"
    );
    let mut bad = connector(3);
    bad.url = "http://x/".into();
    assert_eq!(
        check_all(&[connector(1), bad], &guard(&[]))
            .unwrap_err()
            .field,
        "connectors[1].url"
    );
}

#[test]
fn one_bad_entry_does_not_take_the_others_with_it() {
    let (good, bad) = read_all(&json!([stored(), {"id": "x"}, stored()]));
    assert_eq!(good.len(), 2);
    assert_eq!(bad.len(), 1);
    assert!(bad[0].field.starts_with("connectors[1]."), "{}", bad[0]);
    let (good, bad) = read_all(&json!({"not": "a list"}));
    assert!(good.is_empty());
    assert_eq!(bad[0].field, "connectors");
}

#[test]
fn the_organizations_connectors_come_first_in_a_union() {
    let id = |n: u128| ConnectorId::from_uuid(Uuid::from_u128(n));
    let named = |n: u128, name: &str| {
        let mut connector = Preset::Custom.connector(id(n), "https://mcp.example.com/", None);
        connector.name = name.to_owned();
        connector
    };
    let all = union(
        vec![named(1, "org 1"), named(2, "org 2")],
        vec![named(2, "configuration 2"), named(3, "configuration 3")],
    );
    let names: Vec<_> = all
        .iter()
        .map(|connector| connector.name.as_str())
        .collect();
    assert_eq!(names, ["org 1", "org 2", "configuration 3"]);
}

#[test]
fn the_fingerprint_is_of_what_decides_who_answers() {
    let first = read(&stored()).unwrap();
    let changed = |pointer: &str, value: Value| {
        let mut stored = stored();
        *stored.pointer_mut(pointer).unwrap() = value;
        read(&stored).unwrap().fingerprint() != first.fingerprint()
    };
    assert!(changed("/url", json!("https://other.example.com/")));
    assert!(changed("/auth", json!({"type": "none"})));
    assert!(changed("/auth/secretKey", json!("OTHER")));
    assert!(!changed("/name", json!("Other")));
    assert!(!changed("/trusted", json!(false)));
}

#[test]
fn presets_pass_their_own_checks() {
    for preset in Preset::ALL {
        for secret in [None, Some("TOKEN")] {
            let id = ConnectorId::from_uuid(Uuid::nil());
            let connector = preset.connector(id, "https://mcp.example.com/mcp", secret);
            assert_eq!(connector.check(&guard(&[])), Ok(()), "{preset}");
            assert_eq!(read(&write(&connector)), Ok(connector));
        }
    }
    let context7 = Preset::Context7.auth(Some("K"));
    assert!(
        matches!(context7, Auth::CustomHeader { header_name, .. } if header_name == "X-Api-Key")
    );
}
