//! `roles.yaml`: who a caller can be, and which lanes that opens.

use domain::{
    limits::POLICY_ROLES_MAX,
    policy::{LaneId, PolicyRole, RoleClass, RoleId},
};

use super::{
    entries::{EntryLines, each_entry},
    fields::Fields,
    lanes::values,
    problem::{PolicyFile, Report},
    yaml::Node,
};

pub(super) fn read(root: &Node, report: &mut Report, lines: &mut EntryLines) -> Vec<PolicyRole> {
    let mut roles = Vec::new();
    let list = (root, "roles", POLICY_ROLES_MAX);
    each_entry(list, report, lines, |fields, report, lines| {
        let role = role(fields, report, lines)?;
        let name = role.id.to_string();
        roles.push(role);
        Some(name)
    });
    roles
}

fn role(mut fields: Fields<'_>, report: &mut Report, lines: &mut EntryLines) -> Option<PolicyRole> {
    let id = fields.word::<RoleId>("role_id", report);
    let description = fields.prose("description", report);
    let class = fields.word::<RoleClass>("class", report);
    let mut lanes = Vec::new();
    if let Some(mut privileges) = fields.inner("privileges", report) {
        lanes = privileges.words::<LaneId>("lanes", report);
        privileges.close(report);
    }
    fields.close(report);

    let id = id?;
    let name = id.value.as_str();
    lines.set(PolicyFile::Roles, name, "", id.line);
    for lane in &lanes {
        lines.set(PolicyFile::Roles, name, lane.value.as_str(), lane.line);
    }
    Some(PolicyRole {
        id: id.value,
        description: description.unwrap_or_default(),
        // A role whose class could not be read is in the report, so nothing is built from this one.
        class: class.map_or(RoleClass::System, |class| class.value),
        lanes: values(lanes),
    })
}
