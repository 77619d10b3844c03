//! Bodies of configurations: what is accepted, refused and kept separate.

use serde_json::json;

use super::*;

#[test]
fn a_create_needs_a_name_only_and_refuses_what_it_does_not_know() {
    let request: CreateConfigurationRequest = serde_json::from_str(r#"{"name":"x"}"#).unwrap();
    assert_eq!(
        serde_json::to_value(&request).unwrap(),
        json!({"name": "x"})
    );
    for bad in [
        json!({}),
        json!({"name": "x", "repos": []}),
        json!({"name": "x", "connectors": ["text"]}),
        json!({"name": "x", "serviceCommands": [{"name": "web"}]}),
    ] {
        let result = serde_json::from_value::<CreateConfigurationRequest>(bad.clone());
        assert!(result.is_err(), "{bad}");
    }
}

#[test]
fn a_wrong_repo_id_is_named_by_its_place() {
    let good = "0192f0c1-2345-7abc-8def-0123456789ab".to_owned();
    let request = UpdateConfigurationRequest {
        repo_ids: Some(vec![good, "x".into()]),
        ..Default::default()
    };
    assert_eq!(request.repo_ids().unwrap_err().field, "repoIds[1]");
    assert_eq!(UpdateConfigurationRequest::default().repo_ids(), Ok(None));
    let request = CreateConfigurationRequest {
        repo_ids: vec!["x".into(); CONFIGURATION_REPOS_MAX + 1],
        ..Default::default()
    };
    assert_eq!(request.repo_ids().unwrap_err().field, "repoIds");
}

#[test]
fn an_update_tells_absent_from_null() {
    let body = json!({"notes": null, "repoIds": []});
    let request: UpdateConfigurationRequest = serde_json::from_value(body.clone()).unwrap();
    assert_eq!(request.notes, Patch::Clear);
    assert_eq!(request.snapshot_id, Patch::Keep);
    assert_eq!(request.repo_ids, Some(vec![]));
    assert_eq!(request.service_commands, None);
    assert_eq!(serde_json::to_value(&request).unwrap(), body);
    for member in ["name", "repoIds", "envFiles", "connectors"] {
        let result = serde_json::from_value::<UpdateConfigurationRequest>(json!({member: null}));
        assert!(result.is_err(), "{member}");
    }
}
