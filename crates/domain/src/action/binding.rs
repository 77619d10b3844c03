//! What an approval binds: exactly this call, of exactly this tool, under exactly this policy. If any of the
//! three has changed by the time the call is to run, the approval does not cover what would run.

use std::fmt;

use serde_json::{Value, json};

use super::name::{ActionName, IntegrationName};
use crate::{
    audit::Sha256Hex,
    canonical::{self, NotCanonical},
    id::{OrganizationId, SessionId},
    policy::PolicyId,
};

/// A call of an action as it would be executed: nothing is redacted here.
#[derive(Debug, Clone, Copy)]
pub struct ActionCall<'a> {
    pub organization_id: &'a OrganizationId,
    pub session_id: SessionId,
    pub integration: &'a IntegrationName,
    pub action: &'a ActionName,
    pub params: &'a Value,
}

impl ActionCall<'_> {
    /// The digest of the call. Its position in a queue and its time are not part of it.
    pub fn sha256(&self) -> Result<Sha256Hex, NotCanonical> {
        digest(&json!({
            "kind": "action_call",
            "organization_id": self.organization_id.as_str(),
            "session_id": self.session_id.to_string(),
            "integration": self.integration.as_str(),
            "action": self.action.as_str(),
            "params": self.params,
        }))
    }
}

/// Everything that a source states about a tool, its description included: users and models act on
/// it.
#[derive(Debug, Clone, Copy)]
pub struct ToolDefinition<'a> {
    /// The tool's name in the source's own spelling.
    pub name: &'a str,
    pub description: Option<&'a str>,
    pub input_schema: &'a Value,
    pub output_schema: Option<&'a Value>,
    pub annotations: Option<&'a Value>,
}

impl ToolDefinition<'_> {
    /// The digest that pins the definition.
    pub fn sha256(&self) -> Result<Sha256Hex, NotCanonical> {
        digest(&json!({
            "kind": "tool_definition",
            "name": self.name,
            "description": self.description,
            "input_schema": self.input_schema,
            "output_schema": self.output_schema,
            "annotations": self.annotations,
        }))
    }
}

/// The three digests that an approval covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    pub call: Sha256Hex,
    pub tool: Sha256Hex,
    pub policy: PolicyId,
}

impl Binding {
    /// Fails for parameters or a definition that cannot be hashed without ambiguity.
    pub fn of(
        call: &ActionCall<'_>,
        tool: &ToolDefinition<'_>,
        policy: PolicyId,
    ) -> Result<Self, NotCanonical> {
        Ok(Self {
            call: call.sha256()?,
            tool: tool.sha256()?,
            policy,
        })
    }

    /// The digest that a decision names. It covers all three: a call that is requested again under another definition
    /// or another policy is a new approval request, and a decision about the first one does not apply to it.
    pub fn sha256(&self) -> Sha256Hex {
        let parts = json!({
            "kind": "asked_call",
            "call": self.call.as_str(),
            "tool": self.tool.as_str(),
            "policy": self.policy.as_str(),
        });
        Sha256Hex::of(&canonical::canonical_bytes(&parts))
    }

    /// Returns which of the three has changed since the approval; `None` if none has.
    pub fn mismatch(&self, found: &Self) -> Option<Mismatch> {
        let compared = [
            (self.call == found.call, Bound::Call),
            (self.tool == found.tool, Bound::Tool),
            (self.policy == found.policy, Bound::Policy),
        ];
        let changed: Vec<Bound> = compared
            .into_iter()
            .filter_map(|(same, bound)| (!same).then_some(bound))
            .collect();
        (!changed.is_empty()).then_some(Mismatch { changed })
    }
}

crate::text_enum! {
    /// The parts of a binding that can change between an approval and the call, with the word that
    /// is recorded.
    Bound {
        Call = "call_changed",
        Tool = "tool_definition_changed",
        Policy = "policy_changed",
    }
}

/// Why an approved call has to be approved again. Never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    pub changed: Vec<Bound>,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |bound: &Bound| match bound {
            Bound::Call => "the call",
            Bound::Tool => "the tool's definition",
            Bound::Policy => "the policy",
        };
        let names: Vec<&str> = self.changed.iter().map(name).collect();
        write!(f, "{} changed after it was approved", names.join(" and "))
    }
}

pub(super) fn digest(value: &Value) -> Result<Sha256Hex, NotCanonical> {
    canonical::check(value)?;
    Ok(Sha256Hex::of(&canonical::canonical_bytes(value)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{FilePin, PolicyVersions};

    const SESSION: u128 = 7;

    fn policy(text: &str) -> PolicyId {
        let pin = FilePin::of(text.as_bytes(), None);
        let versions = PolicyVersions {
            lanes: pin.clone(),
            roles: pin.clone(),
            tools: pin,
        };
        versions.id()
    }

    fn call(session: u128, names: (&str, &str), params: &Value) -> Result<Sha256Hex, NotCanonical> {
        ActionCall {
            organization_id: &OrganizationId::new("acme").unwrap(),
            session_id: SessionId::from_uuid(uuid::Uuid::from_u128(session)),
            integration: &names.0.parse().unwrap(),
            action: &names.1.parse().unwrap(),
            params,
        }
        .sha256()
    }

    fn tool(description: &str, schema: &Value) -> Sha256Hex {
        let tool = ToolDefinition {
            name: "create_issue",
            description: Some(description),
            input_schema: schema,
            output_schema: None,
            annotations: None,
        };
        tool.sha256().unwrap()
    }

    fn binding(params: &Value, description: &str, policy_text: &str) -> Binding {
        Binding {
            call: call(SESSION, ("linear", "create_issue"), params).unwrap(),
            tool: tool(description, &json!({})),
            policy: policy(policy_text),
        }
    }

    #[test]
    fn equal_calls_have_equal_digests_however_they_are_written() {
        let one: Value = serde_json::from_str(r#"{"b": 1.0, "a": "x"}"#).unwrap();
        let same: Value = serde_json::from_str(r#"{"a":"\u0078","b":1}"#).unwrap();
        let names = ("linear", "create_issue");
        assert_eq!(call(SESSION, names, &one), call(SESSION, names, &same));
    }

    #[test]
    fn every_part_of_a_call_counts_and_none_can_be_moved_into_another() {
        let names = ("linear", "create_issue");
        let base = call(SESSION, names, &json!({"a": 1})).unwrap();
        let others = [
            call(8, names, &json!({"a": 1})),
            call(SESSION, ("sentry", "create_issue"), &json!({"a": 1})),
            call(SESSION, ("linear", "update_issue"), &json!({"a": 1})),
            call(SESSION, names, &json!({"a": 2})),
            call(SESSION, names, &json!({"a": "1"})),
            call(SESSION, names, &json!({"a": 1, "action": "create_issue"})),
            call(SESSION, names, &json!([{"a": 1}])),
            call(SESSION, names, &Value::Null),
        ];
        for other in others {
            assert_ne!(other.unwrap(), base);
        }
        // A definition with the same content as a call does not have the call's digest.
        let imitation = json!({"kind": "action_call", "params": {"a": 1}});
        assert_ne!(tool("", &imitation), base);
    }

    #[test]
    fn case_21_what_cannot_be_hashed_safely_cannot_be_bound() {
        let params = json!({ "amount": 9_007_199_254_740_993_u64 });
        assert!(call(SESSION, ("linear", "create_issue"), &params).is_err());
    }

    #[test]
    fn defect_26_a_binding_names_what_differs() {
        let bound = binding(&json!({"a": 1}), "Creates.", "v1");
        assert_eq!(bound.mismatch(&bound.clone()), None);
        assert_eq!(bound.sha256(), bound.clone().sha256());
        assert_ne!(
            bound.sha256(),
            bound.call,
            "a call's own digest approves nothing"
        );
        let table = [
            (
                binding(&json!({"a": 2}), "Creates.", "v1"),
                vec![Bound::Call],
            ),
            (
                binding(&json!({"a": 1}), "Deletes.", "v1"),
                vec![Bound::Tool],
            ),
            (
                binding(&json!({"a": 1}), "Creates.", "v2"),
                vec![Bound::Policy],
            ),
            (
                binding(&json!({"a": 2}), "Deletes.", "v2"),
                vec![Bound::Call, Bound::Tool, Bound::Policy],
            ),
        ];
        for (found, changed) in table {
            assert_eq!(bound.mismatch(&found).unwrap().changed, changed);
            assert_ne!(bound.sha256(), found.sha256());
        }
        let found = binding(&json!({"a": 1}), "Deletes.", "v2");
        assert_eq!(
            bound.mismatch(&found).unwrap().to_string(),
            "the tool's definition and the policy changed after it was approved"
        );
    }

    #[test]
    fn case_36_a_changed_description_is_a_changed_tool() {
        let schema = json!({"type": "object"});
        assert_eq!(tool("Creates.", &schema), tool("Creates.", &schema));
        assert_ne!(
            tool("Creates.", &schema),
            tool("Creates. Approved.", &schema)
        );
        assert_ne!(tool("Creates.", &schema), tool("Creates.", &json!({})));
    }
}
