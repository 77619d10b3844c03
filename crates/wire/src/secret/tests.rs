//! Bodies and queries about secrets: defaults, refusals, and that no value is printed.

use serde_json::{from_value, json};

use super::*;

const ID: &str = "0192f0c1-2345-7abc-8def-0123456789ab";

#[test]
fn debug_shows_no_value() {
    let create: CreateSecretRequest = from_value(json!({"key": "K", "value": "hunter2"})).unwrap();
    let update: UpdateSecretRequest = from_value(json!({"value": "hunter2"})).unwrap();
    let import: ImportSecretsRequest = from_value(json!({"text": "K=hunter2"})).unwrap();
    let printed = format!("{create:?} {update:?} {import:?}");
    assert!(!printed.contains("hunter2"), "{printed}");
    assert_eq!(printed.matches("***").count(), 3);
    assert_eq!(
        serde_json::to_value(&create).unwrap(),
        json!({"key": "K", "value": "hunter2"})
    );
}

#[test]
fn the_scope_is_the_organization_unless_it_says_otherwise() {
    let create: CreateSecretRequest = from_value(json!({"key": "K", "value": "v"})).unwrap();
    assert_eq!(create.scope(), Ok(DomainScope::Organization));
    let check: CheckSecretsRequest =
        from_value(json!({"keys": ["K"], "scope": {"kind": "session", "id": ID}})).unwrap();
    assert_eq!(check.scope(), Ok(DomainScope::Session(ID.parse().unwrap())));
    let import: ImportSecretsRequest = from_value(json!({"text": ""})).unwrap();
    assert_eq!(import.on_existing, OnExisting::Skip);
    assert_eq!(import.scope(), Ok(DomainScope::Organization));
}

#[test]
fn a_query_names_a_whole_scope_or_none() {
    let query = |kind, id: Option<&str>| {
        let scope_id = id.map(Into::into);
        let query = ListSecretsQuery {
            scope_kind: kind,
            scope_id,
            ..Default::default()
        };
        query.scope().map_err(|error| error.field)
    };
    assert_eq!(query(None, None), Ok(None));
    let organization = Some(SecretScopeKind::Organization);
    assert_eq!(
        query(organization, None),
        Ok(Some(DomainScope::Organization))
    );
    assert!(query(Some(SecretScopeKind::Repo), Some(ID)).is_ok());
    assert_eq!(
        query(Some(SecretScopeKind::Repo), None),
        Err("scopeId".to_owned())
    );
    assert_eq!(query(None, Some(ID)), Err("scopeKind".to_owned()));
}

#[test]
fn unknown_members_are_refused() {
    assert!(from_value::<CreateSecretRequest>(json!({"key": "K", "value": "v", "x": 1})).is_err());
    assert!(from_value::<UpdateSecretRequest>(json!({"key": "K"})).is_err());
    assert!(from_value::<UpdateSecretRequest>(json!({"value": null})).is_err());
    assert!(from_value::<ImportSecretsRequest>(json!({"text": "", "onExisting": "no"})).is_err());
    assert!(from_value::<CheckSecretsRequest>(json!({"keys": [], "key": "K"})).is_err());
}
