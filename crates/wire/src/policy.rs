//! The policy in force, and queries about it.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use domain::{
    Invalid,
    policy::{
        self, FilePin, Lane, LaneId, Operation, PolicyVersions, RoleId, ScopeKey, TableName,
        ToolSpec, WriteTarget,
    },
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// A policy: its lanes, roles and tools, and the files they were read from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyView {
    /// What runs are pinned to.
    pub id: String,
    pub pins: PolicyPins,
    pub lanes: Vec<LaneView>,
    pub roles: Vec<RoleView>,
    pub tools: Vec<ToolView>,
}

/// The files of a policy, each by its bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyPins {
    pub lanes: PolicyPin,
    pub roles: PolicyPin,
    pub tools: PolicyPin,
}

/// A file of a policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyPin {
    /// `null` if it was not read from a git work tree.
    pub commit: Option<String>,
    /// The id of its content in git.
    pub blob: String,
    pub sha256: String,
}

/// A lane: who may call which tools in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LaneView {
    pub id: String,
    pub purpose: String,
    pub roles: Vec<String>,
    pub tools: Vec<String>,
    /// Tables that may be written, each with the mode: `case_notes (append)`.
    pub writes: Vec<String>,
    /// Scope values that a call must have.
    pub requires: Vec<String>,
    pub prohibits: Vec<String>,
    /// How long an approver has; `null` for the default.
    pub approval_seconds: Option<u64>,
    /// The longest that an organization may choose instead.
    #[serde(default)]
    #[schema(required)]
    pub approval_seconds_max: u64,
}

/// A role: who it is for, and its lanes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoleView {
    pub id: String,
    pub description: String,
    /// `human`, `agent` or `system`.
    pub class: String,
    pub lanes: Vec<String>,
}

/// A tool that calls can name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolView {
    pub operation: String,
    pub version: String,
    pub description: String,
    pub enabled: bool,
    /// What runs it.
    pub executor: String,
    pub timeout_ms: u64,
    /// Whether running it twice has the effect of once.
    pub idempotent: bool,
    /// Whether it sends data outside the platform.
    pub external: bool,
    /// Whether it writes where other cases or sessions read.
    pub writes_shared: bool,
    pub accepts: Vec<String>,
    pub produces: Vec<String>,
}

/// The tool of the query.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct WhoCanQuery {
    /// For example `ocr.extract`.
    pub tool: String,
}

impl WhoCanQuery {
    pub fn tool(&self) -> Result<Operation, Invalid> {
        Operation::new(&*self.tool)
            .map_err(|_| Invalid::new("tool", "is not a valid operation name"))
    }
}

/// Every lane and role that may call a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WhoCanResponse {
    pub tool: String,
    /// A disabled tool cannot be called.
    pub enabled: bool,
    pub ways: Vec<WayView>,
}

/// Through this lane, in this role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WayView {
    pub lane: String,
    pub role: String,
    pub requires: Vec<String>,
}

/// A hypothetical call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WhyRequest {
    #[schema(example = "intake_agent")]
    pub role: String,
    /// A call without a lane if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lane: Option<String>,
    #[schema(example = "ocr.extract")]
    pub tool: String,
    /// What it writes to, for a call that writes records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write: Option<WhyWrite>,
    /// The scope of the call, by the names of scope values.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(example = json!({"case_id": "CASE_1"}))]
    pub scope: BTreeMap<String, String>,
}

/// A table and how it is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WhyWrite {
    pub table: String,
    /// `append`, `upsert` or another mode that lanes name.
    pub mode: String,
}

impl WhyRequest {
    pub fn role(&self) -> Result<RoleId, Invalid> {
        RoleId::new(&*self.role).map_err(|_| Invalid::new("role", "is not a valid role name"))
    }

    pub fn lane(&self) -> Result<Option<LaneId>, Invalid> {
        let lane = self.lane.as_deref().map(LaneId::new).transpose();
        lane.map_err(|_| Invalid::new("lane", "is not a valid lane name"))
    }

    pub fn tool(&self) -> Result<Operation, Invalid> {
        Operation::new(&*self.tool)
            .map_err(|_| Invalid::new("tool", "is not a valid operation name"))
    }

    pub fn write(&self) -> Result<Option<WriteTarget>, Invalid> {
        let Some(write) = &self.write else {
            return Ok(None);
        };
        let table = TableName::new(&*write.table);
        let mode = write.mode.parse();
        Ok(Some(WriteTarget {
            table: table.map_err(|_| Invalid::new("write.table", "is not a valid table name"))?,
            mode: mode.map_err(|_| Invalid::new("write.mode", "is not a valid write mode"))?,
        }))
    }

    pub fn scope(&self) -> Result<BTreeMap<ScopeKey, String>, Invalid> {
        let entry = |(key, value): (&String, &String)| {
            let key = key.parse();
            let key = key.map_err(|_| {
                Invalid::new("scope", "has a key that is not the name of a scope value")
            })?;
            Ok((key, value.clone()))
        };
        self.scope.iter().map(entry).collect()
    }
}

/// The policy's decision on a call, assuming that everything that would be looked up is valid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WhyResponse {
    pub allowed: bool,
    /// The rule that the caller is told; `null` if it is allowed.
    pub rule: Option<String>,
    /// Every failed check, in the order they run.
    pub failed: Vec<FailedCheckView>,
}

/// A failed check, and its explanation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FailedCheckView {
    pub rule: String,
    pub meaning: String,
}

/// The policies in use over time: the one in force, then earlier ones, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyVersionsResponse {
    pub items: Vec<PolicyVersionView>,
}

/// A policy that is or was in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyVersionView {
    pub id: String,
    /// When it first came into force.
    pub first_used_at: DateTime<Utc>,
    /// Whether it is the one in force.
    pub current: bool,
    pub lanes_sha256: String,
    pub roles_sha256: String,
    pub tools_sha256: String,
}

/// The policies to compare.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PolicyDiffQuery {
    /// The old one: an id of `/v1/policy/versions`.
    pub from: String,
    /// The new one; the policy in force if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

/// The differences between two policies: lanes, then roles, then tools, each by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyDiffResponse {
    pub changes: Vec<PolicyChangeView>,
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyChangeView {
    /// `lane`, `role` or `tool`.
    pub kind: String,
    pub name: String,
    /// `added`, `removed` or `changed`.
    pub change: String,
    /// The changed fields, of a `changed` entry.
    pub fields: Vec<PolicyFieldView>,
}

/// A field's removed and added values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyFieldView {
    pub field: String,
    pub removed: Vec<String>,
    pub added: Vec<String>,
}

fn strings<T: ToString>(names: impl IntoIterator<Item = T>) -> Vec<String> {
    names.into_iter().map(|name| name.to_string()).collect()
}

impl From<&FilePin> for PolicyPin {
    fn from(pin: &FilePin) -> Self {
        Self {
            commit: pin.commit.clone(),
            blob: pin.blob.clone(),
            sha256: pin.sha256.clone(),
        }
    }
}

impl From<&PolicyVersions> for PolicyPins {
    fn from(versions: &PolicyVersions) -> Self {
        Self {
            lanes: (&versions.lanes).into(),
            roles: (&versions.roles).into(),
            tools: (&versions.tools).into(),
        }
    }
}

impl From<&Lane> for LaneView {
    fn from(lane: &Lane) -> Self {
        let writes = lane.writes.iter();
        Self {
            id: lane.id.to_string(),
            purpose: lane.purpose.clone(),
            roles: strings(&lane.callers),
            tools: strings(&lane.tools),
            writes: writes
                .map(|write| format!("{} ({})", write.table, write.mode))
                .collect(),
            requires: strings(&lane.requires),
            prohibits: strings(&lane.prohibits),
            approval_seconds: lane.hold.map(|hold| hold.as_secs()),
            approval_seconds_max: lane.approval_ceiling().as_secs(),
        }
    }
}

impl From<&policy::PolicyRole> for RoleView {
    fn from(role: &policy::PolicyRole) -> Self {
        Self {
            id: role.id.to_string(),
            description: role.description.clone(),
            class: role.class.to_string(),
            lanes: strings(&role.lanes),
        }
    }
}

impl From<&ToolSpec> for ToolView {
    fn from(tool: &ToolSpec) -> Self {
        Self {
            operation: tool.operation.to_string(),
            version: tool.version.to_string(),
            description: tool.description.clone(),
            enabled: tool.enabled,
            executor: tool.executor().to_string(),
            timeout_ms: u64::try_from(tool.timeout.as_millis()).unwrap_or(u64::MAX),
            idempotent: tool.idempotent,
            external: tool.external,
            writes_shared: tool.writes_shared,
            accepts: strings(&tool.accepts),
            produces: strings(&tool.produces),
        }
    }
}
