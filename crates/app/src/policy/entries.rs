//! The entries of a policy file: reads them one by one, and notes the line of each name.

use std::collections::{BTreeMap, BTreeSet};

use domain::policy::PolicyProblem;

use super::{
    fields::Fields,
    problem::{PolicyFile, Problem, Report},
    yaml,
};

/// Reads the list that a file consists of, entry by entry. `entry` returns the name of the entry, if it could be read.
pub(super) fn each_entry(
    (root, key, count_max): (&yaml::Node, &'static str, usize),
    report: &mut Report,
    lines: &mut EntryLines,
    mut entry: impl FnMut(Fields<'_>, &mut Report, &mut EntryLines) -> Option<String>,
) {
    let Some(mut file) = Fields::of_file(root, report) else {
        lines.blind = true;
        return;
    };
    let before = report.found();
    let nodes = file.list(key, count_max, report);
    lines.blind |= report.found() > before;
    for (index, node) in nodes.iter().enumerate() {
        let fields = Fields::open(node, format!("{key}[{index}]"), report);
        let name = fields.and_then(|fields| entry(fields, report, lines));
        let end = nodes.get(index + 1).map_or(usize::MAX, |next| next.line);
        match name {
            None => lines.blind = true,
            Some(name) if report.touches(&(node.line..end)) => _ = lines.marred.insert(name),
            Some(_) => {}
        }
    }
    file.close(report);
}

/// The line of each name, for mistakes that show only when the files are compared.
#[derive(Debug, Default)]
pub(super) struct EntryLines {
    places: BTreeMap<(PolicyFile, String, String), usize>,
    /// Names of what has mistakes of its own.
    pub(super) marred: BTreeSet<String>,
    /// Something has no name that could be read.
    pub(super) blind: bool,
}

impl EntryLines {
    /// `name` within `owner`; the owner itself is the empty name.
    pub(super) fn set(&mut self, file: PolicyFile, owner: &str, name: &str, line: usize) {
        let key = (file, owner.to_owned(), name.to_owned());
        self.places.insert(key, line);
    }

    /// The mistake with its place; `None` if it may only follow from one that was reported.
    pub(super) fn place(&self, problem: &PolicyProblem) -> Option<Problem> {
        use PolicyFile::{Lanes, Roles};
        let (file, owner, name) = match problem {
            PolicyProblem::LaneTwice(lane) | PolicyProblem::EmptyLane(lane) => {
                (Lanes, lane.as_str(), "")
            }
            PolicyProblem::RoleTwice(role) => (Roles, role.as_str(), ""),
            PolicyProblem::UnknownRole { lane, role }
            | PolicyProblem::OnlyLaneGrants { lane, role } => (Lanes, lane.as_str(), role.as_str()),
            PolicyProblem::UnknownLane { role, lane }
            | PolicyProblem::OnlyRoleGrants { lane, role } => (Roles, role.as_str(), lane.as_str()),
            PolicyProblem::UnknownOperation { lane, operation } => {
                (Lanes, lane.as_str(), operation.as_str())
            }
            PolicyProblem::WritesTheLog { lane, table } => (Lanes, lane.as_str(), table.as_str()),
        };
        let one_sided = matches!(
            problem,
            PolicyProblem::OnlyLaneGrants { .. }
                | PolicyProblem::OnlyRoleGrants { .. }
                | PolicyProblem::EmptyLane(_)
        );
        if one_sided && (self.marred.contains(owner) || self.marred.contains(name)) {
            return None;
        }
        let key = (file, owner.to_owned(), name.to_owned());
        Some(Problem {
            file,
            line: self.places.get(&key).copied(),
            reason: problem.to_string(),
        })
    }
}
