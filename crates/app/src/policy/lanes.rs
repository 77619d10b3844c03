//! `lanes.yaml`: who may do what, about what.

use std::{collections::BTreeSet, time::Duration};

use domain::{
    limits::{PENDING_LIFE, PENDING_LIFE_MAX, POLICY_LANES_MAX},
    policy::{Lane, LaneId, Operation, Prohibition, RoleId, ScopeKey, WriteMode, WriteTarget},
};

use super::{
    entries::{EntryLines, each_entry},
    fields::{Fields, Spot},
    problem::{PolicyFile, Report},
    yaml::Node,
};

/// The one level of audit there is.
const AUDIT_LEVEL: &str = "full";

pub(super) fn read(root: &Node, report: &mut Report, lines: &mut EntryLines) -> Vec<Lane> {
    let mut lanes = Vec::new();
    let list = (root, "lanes", POLICY_LANES_MAX);
    each_entry(list, report, lines, |fields, report, lines| {
        let lane = lane(fields, report, lines)?;
        let name = lane.id.to_string();
        lanes.push(lane);
        Some(name)
    });
    lanes
}

/// With what could be read; `None` if not even its name could.
fn lane(mut fields: Fields<'_>, report: &mut Report, lines: &mut EntryLines) -> Option<Lane> {
    let id = fields.word::<LaneId>("lane_id", report);
    let purpose = fields.prose("purpose", report);
    let mut callers = Vec::new();
    if let Some(mut allowed) = fields.inner("allowed_callers", report) {
        callers = allowed.words::<RoleId>("roles", report);
        allowed.close(report);
    }
    let (mut tools, mut writes) = (Vec::new(), Vec::new());
    if let Some(mut allowed) = fields.inner("allowed_actions", report) {
        tools = allowed.words::<Operation>("tools", report);
        for fields in allowed.inners("writes", report) {
            writes.extend(write(fields, report));
        }
        allowed.close(report);
    }
    let (mut requires, mut prohibits) = (Vec::new(), Vec::new());
    if let Some(mut scope) = fields.inner("scope", report) {
        requires = scope.words::<ScopeKey>("requires", report);
        prohibits = scope.words::<Prohibition>("prohibits", report);
        scope.close(report);
    }
    let hold = fields.has("approval_seconds").then(|| {
        let range = 1..=PENDING_LIFE_MAX.as_secs();
        fields.bounded("approval_seconds", range, report)
    });
    let hold = hold.flatten();
    // Not below the time of the lane itself, which is the default where it has none.
    let hold_max = fields.has("approval_seconds_max").then(|| {
        let least = hold.unwrap_or(PENDING_LIFE.as_secs());
        let range = least..=PENDING_LIFE_MAX.as_secs();
        fields.bounded("approval_seconds_max", range, report)
    });
    if let Some(audit) = fields.inner("audit", report) {
        check_audit(audit, report);
    }
    fields.close(report);

    let id = id?;
    let name = id.value.as_str();
    lines.set(PolicyFile::Lanes, name, "", id.line);
    for role in &callers {
        lines.set(PolicyFile::Lanes, name, role.value.as_str(), role.line);
    }
    for tool in &tools {
        lines.set(PolicyFile::Lanes, name, tool.value.as_str(), tool.line);
    }
    for write in &writes {
        let table = write.value.table.as_str();
        lines.set(PolicyFile::Lanes, name, table, write.line);
    }
    Some(Lane {
        id: id.value,
        purpose: purpose.unwrap_or_default(),
        callers: values(callers),
        tools: values(tools),
        writes: values(writes),
        requires: values(requires),
        prohibits: values(prohibits),
        hold: hold.map(Duration::from_secs),
        hold_max: hold_max.flatten().map(Duration::from_secs),
    })
}

fn write(mut fields: Fields<'_>, report: &mut Report) -> Option<Spot<WriteTarget>> {
    let table = fields.word("table", report);
    let mode = fields.word::<WriteMode>("mode", report);
    fields.close(report);
    let (table, mode) = (table?, mode?);
    Some(Spot {
        line: table.line,
        value: WriteTarget {
            table: table.value,
            mode: mode.value,
        },
    })
}

/// INVARIANT: every lane is audited in full. The fields are there to say so, not to choose.
fn check_audit(mut audit: Fields<'_>, report: &mut Report) {
    if let Some(required) = audit.flag("required", report)
        && !required.value
    {
        let path = audit.path_of("required");
        let reason = format!("{path}: must be true; every call is on record");
        report.at(required.line, reason);
    }
    if let Some(level) = audit.text("level", report)
        && level.value != AUDIT_LEVEL
    {
        let path = audit.path_of("level");
        report.at(level.line, format!("{path}: must be {AUDIT_LEVEL}"));
    }
    audit.close(report);
}

pub(super) fn values<T: Ord>(spots: Vec<Spot<T>>) -> BTreeSet<T> {
    spots.into_iter().map(|spot| spot.value).collect()
}
