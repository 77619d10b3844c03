//! Automations and their runs.

use chrono::{DateTime, Utc};
use domain::{
    Invalid,
    automation::{Automation, AutomationDraft},
    automation_run::{AutomationRun, AutomationRunState, Completion},
    clock::Timestamp,
    id::ConfigurationId,
    model::Model,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    ids::parse_optional,
    patch::{Patch, not_null},
};

wire_enum! {
    /// The status of a run.
    AutomationRunStatus = domain::automation_run::AutomationRunStatus {
        /// Its agent is working.
        Running = "running",
        /// Its agent reports that the task is done.
        Succeeded = "succeeded",
        /// Its agent reports that the task cannot be done, or reported nothing before its session
        /// ended.
        Failed = "failed",
        /// Its agent reports that a user must decide or help.
        NeedsHuman = "needs_human",
        /// It took too long, or its agent was silent for too long.
        TimedOut = "timed_out",
    }
}

wire_enum! {
    /// How a run ended, as its agent reports it.
    AutomationOutcome = domain::automation_run::AutomationOutcome {
        Succeeded = "succeeded",
        Failed = "failed",
        NeedsHuman = "needs_human",
    }
}

/// A task that an agent works on without a user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AutomationView {
    pub id: Uuid,
    pub organization_id: String,
    pub name: String,
    pub description: Option<String>,
    pub enabled: bool,
    pub agent_instructions: String,
    pub model_id: String,
    /// What its sessions start from; `null` is an empty workspace.
    pub default_configuration_id: Option<Uuid>,
    pub created_by: Option<String>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// Adds an automation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateAutomationRequest {
    #[schema(min_length = 1, max_length = 100, example = "Nightly triage")]
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 10_000)]
    pub description: Option<String>,
    /// The first instructions of the agent.
    #[schema(
        min_length = 1,
        max_length = 100_000,
        example = "Look at yesterday's errors."
    )]
    pub agent_instructions: String,
    /// `true` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// Any spelling of a known model; `GET /v1/models` lists them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "claude-opus-4.6")]
    pub model_id: Option<String>,
    /// An existing configuration; an empty workspace if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = "uuid")]
    pub default_configuration_id: Option<String>,
}

/// Changes an automation. Runs under way keep their settings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateAutomationRequest {
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, min_length = 1, max_length = 100)]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<String>, max_length = 10_000)]
    pub description: Patch<String>,
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, min_length = 1, max_length = 100_000)]
    pub agent_instructions: Option<String>,
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub enabled: Option<bool>,
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub model_id: Option<String>,
    /// `null` for an empty workspace.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<String>, format = "uuid")]
    pub default_configuration_id: Patch<String>,
}

/// One run of an automation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AutomationRunView {
    pub id: Uuid,
    pub automation_id: Uuid,
    /// The session its agent works in.
    pub session_id: Uuid,
    pub status: AutomationRunStatus,
    /// Why it ended, where its agent did not report.
    pub status_reason: Option<String>,
    /// The report of its agent.
    pub completion: Option<AutomationCompletion>,
    /// When it times out, while it runs.
    pub deadline_at: Option<DateTime<Utc>>,
    pub created_by: Option<String>,
    pub created_at: DateTime<Utc>,
    pub completed_at: Option<DateTime<Utc>>,
}

/// The agent's report of how a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AutomationCompletion {
    pub completion_id: String,
    pub outcome: AutomationOutcome,
    pub summary_markdown: Option<String>,
    pub citations: Vec<String>,
    pub diff_ref: Option<String>,
    pub test_report_ref: Option<String>,
    pub side_effect_refs: Vec<String>,
}

const MODEL: &str = "modelId";
const CONFIGURATION: &str = "defaultConfigurationId";

impl CreateAutomationRequest {
    pub fn draft(self) -> Result<AutomationDraft, Invalid> {
        let model = self.model_id.as_deref();
        let model = model.map(|id| Model::resolve(MODEL, id)).transpose()?;
        let configuration = self.default_configuration_id.as_deref();
        Ok(AutomationDraft {
            name: self.name,
            description: self.description,
            enabled: self.enabled.unwrap_or(true),
            agent_instructions: self.agent_instructions,
            model: model.unwrap_or(Model::DEFAULT),
            default_configuration_id: parse_optional(CONFIGURATION, configuration)?,
        })
    }
}

/// A change with its ids read.
#[derive(Debug)]
pub struct AutomationChange {
    request: UpdateAutomationRequest,
    model: Option<Model>,
    configuration_id: Patch<ConfigurationId>,
}

impl UpdateAutomationRequest {
    pub fn read(self) -> Result<AutomationChange, Invalid> {
        let model = self.model_id.as_deref();
        let configuration_id = match &self.default_configuration_id {
            Patch::Keep => Patch::Keep,
            Patch::Clear => Patch::Clear,
            Patch::Set(id) => Patch::Set(domain::id::parse_field(CONFIGURATION, id)?),
        };
        Ok(AutomationChange {
            model: model.map(|id| Model::resolve(MODEL, id)).transpose()?,
            configuration_id,
            request: self,
        })
    }
}

impl AutomationChange {
    /// The automation after the change; not yet validated.
    pub fn apply_to(self, current: AutomationDraft) -> AutomationDraft {
        let request = self.request;
        let instructions = request.agent_instructions;
        AutomationDraft {
            name: request.name.unwrap_or(current.name),
            description: request.description.apply_to(current.description),
            enabled: request.enabled.unwrap_or(current.enabled),
            agent_instructions: instructions.unwrap_or(current.agent_instructions),
            model: self.model.unwrap_or(current.model),
            default_configuration_id: self
                .configuration_id
                .apply_to(current.default_configuration_id),
        }
    }
}

impl From<Automation> for AutomationView {
    fn from(automation: Automation) -> Self {
        Self {
            id: automation.id.uuid(),
            organization_id: automation.organization_id.to_string(),
            name: automation.name,
            description: automation.description,
            enabled: automation.enabled,
            agent_instructions: automation.agent_instructions,
            model_id: automation.model.spec().canonical.to_owned(),
            default_configuration_id: automation
                .default_configuration_id
                .map(ConfigurationId::uuid),
            created_by: automation.created_by.map(|id| id.to_string()),
            created_at: automation.created_at.datetime(),
            updated_at: automation.updated_at.datetime(),
        }
    }
}

impl From<AutomationRun> for AutomationRunView {
    fn from(run: AutomationRun) -> Self {
        let deadline = match run.state {
            AutomationRunState::Running { deadline } => Some(deadline),
            _ => None,
        };
        Self {
            id: run.id.uuid(),
            automation_id: run.automation_id.uuid(),
            session_id: run.session_id.uuid(),
            status: run.state.status().into(),
            status_reason: run.state.reason().map(str::to_owned),
            completion: run.state.completion().cloned().map(Into::into),
            deadline_at: deadline.map(Timestamp::datetime),
            created_by: run.created_by.map(|id| id.to_string()),
            created_at: run.created_at.datetime(),
            completed_at: run.state.ended_at().map(Timestamp::datetime),
        }
    }
}

impl From<Completion> for AutomationCompletion {
    fn from(completion: Completion) -> Self {
        Self {
            completion_id: completion.id,
            outcome: completion.outcome.into(),
            summary_markdown: completion.summary_markdown,
            citations: completion.citations,
            diff_ref: completion.diff_ref,
            test_report_ref: completion.test_report_ref,
            side_effect_refs: completion.side_effect_refs,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_change_touches_only_what_it_names() {
        let body = json!({"name": "a", "agentInstructions": "b", "modelId": "claude-sonnet-4"});
        let request: CreateAutomationRequest = serde_json::from_value(body).unwrap();
        let draft = request.draft().unwrap();
        assert!(draft.enabled);
        let change = |body| serde_json::from_value::<UpdateAutomationRequest>(body);
        let same = change(json!({})).unwrap().read().unwrap();
        assert_eq!(same.apply_to(draft.clone()), draft);
        let off = change(json!({"enabled": false, "description": "d"})).unwrap();
        let off = off.read().unwrap().apply_to(draft.clone());
        assert_eq!(
            (off.enabled, off.description.as_deref()),
            (false, Some("d"))
        );
        assert_eq!(off.model, draft.model);
        for (body, field) in [
            (json!({"modelId": "gpt-2"}), "modelId"),
            (
                json!({"defaultConfigurationId": "x"}),
                "defaultConfigurationId",
            ),
        ] {
            let refused = change(body).unwrap().read().unwrap_err();
            assert_eq!(refused.field, field);
        }
        assert!(change(json!({"name": null})).is_err());
    }
}
