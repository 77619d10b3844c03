//! The policy in force, as people ask about it.

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
    /// As git names its content.
    pub blob: String,
    pub sha256: String,
}

/// A lane: who may call what in it.
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
    /// How long a person has who is asked; `null` for the usual time.
    pub approval_seconds: Option<u64>,
}

/// A role: who it is for, and where it is let in.
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
    /// Whether running it twice is as good as once.
    pub idempotent: bool,
    /// Whether it sends something out of our hands.
    pub external: bool,
    /// Whether it writes where other cases or sessions read.
    pub writes_shared: bool,
    pub accepts: Vec<String>,
    pub produces: Vec<String>,
}

/// Which tool is asked about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct WhoCanQuery {
    /// For example `ocr.extract`.
    pub tool: String,
}

impl WhoCanQuery {
    pub fn tool(&self) -> Result<Operation, Invalid> {
        Operation::new(&*self.tool).map_err(|_| Invalid::new("tool", "is no name of an operation"))
    }
}

/// Every way to a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WhoCanResponse {
    pub tool: String,
    /// A disabled tool can be had by nobody.
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

/// A call that somebody wonders about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WhyRequest {
    #[schema(example = "intake_agent")]
    pub role: String,
    /// Without one the call names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lane: Option<String>,
    #[schema(example = "ocr.extract")]
    pub tool: String,
    /// What it writes to, for a call that writes records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write: Option<WhyWrite>,
    /// What the call is about, by the names of scope values.
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
        RoleId::new(&*self.role).map_err(|_| Invalid::new("role", "is no name of a role"))
    }

    pub fn lane(&self) -> Result<Option<LaneId>, Invalid> {
        let lane = self.lane.as_deref().map(LaneId::new).transpose();
        lane.map_err(|_| Invalid::new("lane", "is no name of a lane"))
    }

    pub fn tool(&self) -> Result<Operation, Invalid> {
        Operation::new(&*self.tool).map_err(|_| Invalid::new("tool", "is no name of an operation"))
    }

    pub fn write(&self) -> Result<Option<WriteTarget>, Invalid> {
        let Some(write) = &self.write else {
            return Ok(None);
        };
        let table = TableName::new(&*write.table);
        let mode = write.mode.parse();
        Ok(Some(WriteTarget {
            table: table.map_err(|_| Invalid::new("write.table", "is no name of a table"))?,
            mode: mode.map_err(|_| Invalid::new("write.mode", "is no mode of writing"))?,
        }))
    }

    pub fn scope(&self) -> Result<BTreeMap<ScopeKey, String>, Invalid> {
        let entry = |(key, value): (&String, &String)| {
            let key = key.parse();
            let key =
                key.map_err(|_| Invalid::new("scope", "has a name that is no scope value's"))?;
            Ok((key, value.clone()))
        };
        self.scope.iter().map(entry).collect()
    }
}

/// What the policy says to a call, supposing that all that has to be looked up is in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WhyResponse {
    pub allowed: bool,
    /// The rule that a caller is told; `null` if it is allowed.
    pub rule: Option<String>,
    /// Every failed check, in the order they run.
    pub failed: Vec<FailedCheckView>,
}

/// A check that failed, and what that means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FailedCheckView {
    pub rule: String,
    pub meaning: String,
}

/// The policies that were in force: the one that is, then the others, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyVersionsResponse {
    pub items: Vec<PolicyVersionView>,
}

/// A policy that is in force or was.
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

/// Which policies are compared.
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

/// What one policy changes against another: lanes, then roles, then tools, each by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyDiffResponse {
    pub changes: Vec<PolicyChangeView>,
}

/// Something that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyChangeView {
    /// `lane`, `role` or `tool`.
    pub kind: String,
    pub name: String,
    /// `added`, `removed` or `changed`.
    pub change: String,
    /// What differs, of something that changed.
    pub fields: Vec<PolicyFieldView>,
}

/// A field's values that are gone and those that are new.
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
        }
    }
}

impl From<&policy::Role> for RoleView {
    fn from(role: &policy::Role) -> Self {
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
