//! From three files to a policy, or to everything that is wrong with them.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use domain::policy::{
    FilePin, Operation, PolicyId, PolicyProblem, PolicyVersions, Snapshot, ToolFacts, ToolSpec,
};

use super::{
    fields::Fields,
    lanes,
    problem::{PolicyFile, Problem, Problems, Report},
    roles,
    source::{FileBytes, PolicyFiles},
    tools, yaml,
};

/// A policy: what the decision needs, the tools it names, and the bytes it was read from.
#[derive(Debug, PartialEq, Eq)]
pub struct Policy {
    id: PolicyId,
    snapshot: Snapshot,
    tools: BTreeMap<Operation, Arc<ToolSpec>>,
    files: PolicyFiles,
}

impl Policy {
    /// What a run that is started under it is pinned to.
    pub fn id(&self) -> &PolicyId {
        &self.id
    }

    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    pub fn versions(&self) -> &PolicyVersions {
        self.snapshot.versions()
    }

    pub fn tool(&self, operation: &Operation) -> Option<&Arc<ToolSpec>> {
        self.tools.get(operation)
    }

    /// By operation.
    pub fn tools(&self) -> impl Iterator<Item = &ToolSpec> {
        self.tools.values().map(AsRef::as_ref)
    }

    /// What a decision may rely on about a tool when the run is pinned to this policy.
    pub fn tool_facts(&self, current: &Self, operation: &Operation) -> Option<ToolFacts> {
        let (pinned, current) = (self.tool(operation), current.tool(operation));
        ToolFacts::strictest(pinned.map(AsRef::as_ref), current.map(AsRef::as_ref))
    }

    /// The files as they were read, for whoever has to prove what was in force.
    pub fn files(&self) -> &PolicyFiles {
        &self.files
    }
}

/// Reads and checks a policy. Every mistake is reported; those that only follow from another are not.
pub fn load(files: PolicyFiles) -> Result<Policy, Problems> {
    let mut lines = Lines::default();
    let mut problems = Vec::new();
    let lanes = read(
        PolicyFile::Lanes,
        &files.lanes,
        &mut lines,
        &mut problems,
        lanes::read,
    );
    let roles = read(
        PolicyFile::Roles,
        &files.roles,
        &mut lines,
        &mut problems,
        roles::read,
    );
    let tools = read(
        PolicyFile::Tools,
        &files.tools,
        &mut lines,
        &mut problems,
        tools::read,
    );
    let (Some(lanes), Some(roles), Some(tools)) = (lanes, roles, tools) else {
        return Err(Problems::new(problems));
    };
    if lines.blind {
        // What refers to something without a readable name cannot be told from what refers to nothing.
        return Err(Problems::new(problems));
    }
    // A tool that could not be read whole is known by name, which is all that lanes refer to.
    let mut operations: BTreeSet<Operation> = tools.keys().cloned().collect();
    operations.extend(lines.marred.iter().filter_map(|name| name.parse().ok()));
    match Snapshot::build(lanes, roles, operations, versions(&files)) {
        Ok(snapshot) if problems.is_empty() => Ok(Policy {
            id: snapshot.versions().id(),
            snapshot,
            tools: tools
                .into_iter()
                .map(|(operation, spec)| (operation, Arc::new(spec)))
                .collect(),
            files,
        }),
        Ok(_) => Err(Problems::new(problems)),
        Err(found) => {
            problems.extend(found.iter().filter_map(|problem| lines.place(problem)));
            Err(Problems::new(problems))
        }
    }
}

fn read<T>(
    file: PolicyFile,
    content: &FileBytes,
    lines: &mut Lines,
    problems: &mut Vec<Problem>,
    shape: impl FnOnce(&yaml::Node, &mut Report, &mut Lines) -> T,
) -> Option<T> {
    let mut report = Report::of(file);
    let root = yaml::parse(&content.bytes, &mut report);
    let read = root.map(|root| shape(&root, &mut report, lines));
    problems.extend(report.finish());
    read
}

/// Reads the list a file consists of, entry by entry. `entry` answers with the entry's name, if that
/// could be read.
pub(super) fn each_entry(
    (root, key, count_max): (&yaml::Node, &'static str, usize),
    report: &mut Report,
    lines: &mut Lines,
    mut entry: impl FnMut(Fields<'_>, &mut Report, &mut Lines) -> Option<String>,
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

fn versions(files: &PolicyFiles) -> PolicyVersions {
    let pin = |file: &FileBytes| FilePin::of(&file.bytes, file.commit.clone());
    PolicyVersions {
        lanes: pin(&files.lanes),
        roles: pin(&files.roles),
        tools: pin(&files.tools),
    }
}

/// Where each name stands, for mistakes that show only when the files are seen together.
#[derive(Debug, Default)]
pub(super) struct Lines {
    places: BTreeMap<(PolicyFile, String, String), usize>,
    /// Names of what has mistakes of its own.
    marred: BTreeSet<String>,
    /// Something has no name that could be read.
    blind: bool,
}

impl Lines {
    /// `name` within `owner`; the owner itself is the empty name.
    pub(super) fn set(&mut self, file: PolicyFile, owner: &str, name: &str, line: usize) {
        let key = (file, owner.to_owned(), name.to_owned());
        self.places.insert(key, line);
    }

    /// The mistake with its place; `None` if it may only follow from one that was reported.
    fn place(&self, problem: &PolicyProblem) -> Option<Problem> {
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
