//! Inputs for the tests of actions.

use std::{num::NonZeroU32, sync::LazyLock};

use serde_json::{Value, json};
use uuid::Uuid;

use super::*;
use crate::{
    audit::Sha256Hex,
    clock::Timestamp,
    id::{GrantId, InvocationId, OrganizationId, RunId, SessionId, UserId},
    policy::{FilePin, PolicyVersions},
};

static ORGANIZATION: LazyLock<OrganizationId> =
    LazyLock::new(|| OrganizationId::new("acme").unwrap());
static LINEAR: LazyLock<IntegrationName> = LazyLock::new(|| "linear".parse().unwrap());
static CREATE_ISSUE: LazyLock<ActionName> = LazyLock::new(|| "create_issue".parse().unwrap());

pub(super) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(seconds * 1_000_000).unwrap()
}

pub(super) fn admin() -> UserId {
    UserId::new("admin").unwrap()
}

pub(super) fn organization() -> OrganizationId {
    ORGANIZATION.clone()
}

pub(super) fn session(number: u128) -> SessionId {
    SessionId::from_uuid(Uuid::from_u128(number))
}

/// `linear` `create_issue` of session 1.
pub(super) fn call(params: &Value) -> ActionCall<'_> {
    ActionCall {
        organization_id: &ORGANIZATION,
        session_id: session(1),
        integration: &LINEAR,
        action: &CREATE_ISSUE,
        params,
    }
}

/// For `integration` and `action` of the whole organization.
pub(super) fn draft(integration: &str, action: &str, max_calls: Option<u32>) -> GrantDraft {
    GrantDraft {
        scope: GrantScope::Organization,
        integration: integration.parse().unwrap(),
        action: action.parse().unwrap(),
        predicates: Vec::new(),
        max_calls: max_calls.and_then(NonZeroU32::new),
        expires_at: None,
    }
}

/// For everything, numbered, and created at the second of its number.
pub(super) fn grant(number: u8) -> Grant {
    let id = GrantId::from_uuid(Uuid::from_u128(number.into()));
    let allowed = (admin(), basis());
    draft("*", "*", None).into_grant(id, organization(), allowed, at(number.into()))
}

/// How `linear` `create_issue` is defined.
pub(super) fn definition() -> CallDefinition {
    CallDefinition::BuiltIn {
        sha256: Sha256Hex::of(b"as it is"),
    }
}

/// Created for `linear` `create_issue` as it is defined.
pub(super) fn basis() -> GrantBasis {
    let names = (LINEAR.clone(), CREATE_ISSUE.clone());
    let digest = definition().sha256().clone();
    GrantBasis {
        built_in: BuiltInActions([(names, digest)].into()),
        ..GrantBasis::default()
    }
}

pub(super) fn binding(params: &Value, policy: &str) -> Binding {
    let pin = FilePin::of(policy.as_bytes(), None);
    let versions = PolicyVersions {
        lanes: pin.clone(),
        roles: pin.clone(),
        tools: pin,
    };
    let tool = ToolDefinition {
        name: CREATE_ISSUE.as_str(),
        description: None,
        input_schema: &json!({}),
        output_schema: None,
        annotations: None,
    };
    Binding::of(&call(params), &tool, versions.id()).unwrap()
}

pub(super) fn invocation(state: InvocationState) -> Invocation {
    Invocation {
        id: InvocationId::from_uuid(Uuid::from_u128(1)),
        organization_id: organization(),
        session_id: session(1),
        run_id: RunId::from_uuid(Uuid::from_u128(1)),
        integration_id: None,
        integration: LINEAR.clone(),
        action: CREATE_ISSUE.clone(),
        risk: Risk::Write,
        binding: binding(&json!({"title": "x"}), "v1"),
        suspended: None,
        created_at: at(0),
        state,
    }
}

pub(super) fn result() -> ResultRef {
    ResultRef {
        sha256: Sha256Hex::of(b"{}"),
        artifact: None,
    }
}
