//! Session bodies: what is accepted, refused, hidden and shown.

use domain::{
    caller::Incarnation,
    clock::Timestamp,
    id::OrganizationId,
    model::{AgentConfig, Model},
    session::{Session, SessionState},
};
use serde_json::{from_value, json, to_value};

use super::*;
use domain::session::ConfigurationChoice;

const ID: &str = "0192f0c1-2345-7abc-8def-0123456789ab";

fn create(body: serde_json::Value) -> CreateSessionRequest {
    from_value(body).unwrap()
}

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(1_767_605_400_000_000 + seconds * 1_000_000).unwrap()
}

fn session(state: SessionState) -> Session {
    Session {
        id: ID.parse().unwrap(),
        organization_id: OrganizationId::new("acme").unwrap(),
        created_by: Some(UserId::new("ann").unwrap()),
        configuration_id: None,
        visibility: domain::sharing::Visibility::Organization,
        session_type: domain::session::SessionType::Coding,
        client_type: domain::session::ClientType::Web,
        client_metadata: Some(json!({"tab": 1})),
        agent_config: AgentConfig::default(),
        system_prompt: None,
        initial_prompt: Some("The login page is blank.".into()),
        title: Some("Login".into()),
        snapshot_id: None,
        ssh_public_keys: vec!["ssh-ed25519 AAAA".into()],
        integration_warnings: vec![],
        state,
        owner_epoch: 2,
        incarnation: Incarnation(3),
        idempotency_key: Some("key-of-the-request".into()),
        request_digest: Some("digest-of-the-request".into()),
        created_at: at(0),
        updated_at: at(5),
        last_activity_at: at(9),
    }
}

fn paused() -> SessionState {
    SessionState::Paused {
        started_at: at(1),
        paused_at: at(5),
        reason: "idle".into(),
    }
}

#[test]
fn a_session_as_it_is_shown() {
    let integration = "0192f0c1-2345-7abc-8def-000000000001".parse().unwrap();
    let detail = SessionDetail::new(
        session(paused()),
        &[integration],
        &[domain::sharing::SessionRight::See],
    );
    insta::assert_json_snapshot!(detail);
    let text = serde_json::to_string(&detail).unwrap();
    assert!(!text.contains("of-the-request"), "{text}");
    assert_eq!(
        serde_json::from_str::<SessionDetail>(&text).unwrap(),
        detail
    );
}

#[test]
fn terminated_means_ended() {
    let reason = || "r".to_owned();
    let ended_at = at(7);
    let cases = [
        (
            SessionState::Pending,
            json!({"state": "running", "status": "pending"}),
        ),
        (
            SessionState::Starting { since: at(1) },
            json!({"state": "running", "status": "starting"}),
        ),
        (
            SessionState::Running { started_at: at(1) },
            json!({"state": "running", "status": "running"}),
        ),
        (
            paused(),
            json!({"state": "running", "status": "paused", "reason": "idle"}),
        ),
        (
            SessionState::Stopped {
                ended_at,
                reason: reason(),
            },
            json!({"state": "terminated", "status": "stopped", "terminatedAt": "2026-01-05T09:30:07Z", "reason": "r"}),
        ),
        (
            SessionState::Failed {
                ended_at,
                reason: reason(),
            },
            json!({"state": "terminated", "status": "failed", "terminatedAt": "2026-01-05T09:30:07Z", "reason": "r"}),
        ),
    ];
    for (state, expected) in cases {
        let response = SessionStatusResponse::from(&session(state));
        assert_eq!(to_value(&response).unwrap(), expected);
    }
}

#[test]
fn a_full_request_comes_back_as_it_went() {
    let body = json!({
        "organizationId": "acme",
        "sessionType": "coding",
        "clientType": "cli",
        "clientMetadata": {"a": [1, null]},
        "provisioning": "immediate",
        "cliConfiguration": {"localPathHash": "abc", "displayName": "shop"},
        "snapshotId": "snap_1",
        "initialPrompt": "Go",
        "title": "T",
        "agentConfig": {"agentType": "opencode", "modelId": "claude-opus-4.5", "tools": ["verify"]},
        "systemPrompt": "S",
        "integrationIds": [ID],
        "envVars": {"A": "1"},
        "sshOptions": {"publicKeys": ["k"], "localPath": "p", "gitToken": "t", "envVars": {"B": "2"}},
    });
    assert_eq!(to_value(create(body.clone())).unwrap(), body);
    assert_eq!(to_value(create(json!({}))).unwrap(), json!({}));
}

#[test]
fn other_names_are_understood_and_unknown_ones_refused() {
    let request = create(json!({"sandboxMode": "immediate", "clientType": "browser"}));
    assert_eq!(request.provisioning, Some(Provisioning::Immediate));
    assert_eq!(request.client_type, Some(ClientType::Web));
    for bad in [
        json!({"sandbox_mode": "immediate"}),
        json!({"sandboxMode": "immediate", "provisioning": "deferred"}),
        json!({"sessionType": "terminal"}),
        json!({"clientMetadata": []}),
        json!({"agentConfig": {"model": "x"}}),
        json!({"sshOptions": {}}),
    ] {
        assert!(
            from_value::<CreateSessionRequest>(bad.clone()).is_err(),
            "{bad}"
        );
    }
}

#[test]
fn debug_shows_no_value_of_a_variable_and_no_token() {
    let request = create(json!({
        "envVars": {"A": "hunter2"},
        "sshOptions": {"publicKeys": [], "gitToken": "hunter2", "envVars": {"B": "hunter2"}},
    }));
    let printed = format!("{request:?}");
    assert!(!printed.contains("hunter2"), "{printed}");
    assert_eq!(printed.matches("***").count(), 3);
}

#[test]
fn at_most_one_choice_of_a_configuration() {
    let choice = |body| create(body).configuration_choice();
    assert_eq!(choice(json!({})), Ok(ConfigurationChoice::Scratch));
    assert_eq!(
        choice(json!({"configurationId": ID})),
        Ok(ConfigurationChoice::Existing(ID.parse().unwrap()))
    );
    assert_eq!(
        choice(json!({"managedConfiguration": {}})),
        Ok(ConfigurationChoice::Managed { repo_ids: None })
    );
    let error = choice(json!({"managedConfiguration": {"repoIds": [ID, "x"]}})).unwrap_err();
    assert_eq!(error.field, "managedConfiguration.repoIds[1]");
    let cli = json!({"localPathHash": "h"});
    let two = json!({"managedConfiguration": {}, "cliConfiguration": cli});
    assert_eq!(choice(two).unwrap_err().field, "configurationId");
}

#[test]
fn the_model_can_be_named_in_two_places_that_must_agree() {
    let config = |body| create(body).agent_config();
    assert_eq!(config(json!({})), Ok(AgentConfig::default()));
    let same = json!({"modelId": "claude-opus-4-5-20251101", "agentConfig": {"modelId": "claude-opus-4.5"}});
    assert_eq!(config(same).unwrap().model, Model::ClaudeOpus45);
    let cases = [
        (json!({"modelId": "gpt"}), "modelId"),
        (
            json!({"agentConfig": {"modelId": "gpt"}}),
            "agentConfig.modelId",
        ),
        (
            json!({"modelId": "claude-opus-4.6", "agentConfig": {"modelId": "claude-opus-4.5"}}),
            "modelId",
        ),
        (
            json!({"agentConfig": {"tools": [""]}}),
            "agentConfig.tools[0]",
        ),
    ];
    for (body, field) in cases {
        assert_eq!(config(body).unwrap_err().field, field);
    }
}

#[test]
fn ids_that_are_none_are_named() {
    let request = create(json!({"organizationId": "a b", "integrationIds": [ID, ID, "x"]}));
    assert_eq!(
        request.organization_id().unwrap_err().field,
        "organizationId"
    );
    assert_eq!(
        request.integration_ids().unwrap_err().field,
        "integrationIds[2]"
    );
    let query: ListSessionsQuery =
        from_value(json!({"configurationId": "x", "createdBy": "", "cursor": "y"})).unwrap();
    assert_eq!(
        query.configuration_id().unwrap_err().field,
        "configurationId"
    );
    assert_eq!(query.created_by().unwrap_err().field, "createdBy");
    assert_eq!(query.page_request().unwrap_err().field, "cursor");
    assert!(from_value::<ListSessionsQuery>(json!({"offset": "1"})).is_err());
}

#[test]
fn a_title_can_be_set_and_removed() {
    let update = |body| from_value::<UpdateSessionRequest>(body).unwrap().title;
    assert_eq!(update(json!({})), Patch::Keep);
    assert_eq!(update(json!({"title": null})), Patch::Clear);
    assert_eq!(update(json!({"title": "x"})), Patch::Set("x".into()));
    assert!(from_value::<UpdateSessionRequest>(json!({"status": "stopped"})).is_err());
}
