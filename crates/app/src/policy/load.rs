//! From three files to a policy, or to everything that is wrong with them.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use domain::policy::{FilePin, Operation, PolicyId, PolicyVersions, Snapshot, ToolFacts, ToolSpec};

use super::{
    entries::EntryLines,
    files::{FileBytes, PolicyFiles},
    lanes,
    problem::{PolicyFile, Problem, Problems, Report},
    roles, tools, yaml,
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

    /// The files as they were read, to prove later what was in force.
    pub fn files(&self) -> &PolicyFiles {
        &self.files
    }
}

/// Reads and checks a policy. Every mistake is reported; those that only follow from another are not.
pub fn load(files: PolicyFiles) -> Result<Policy, Problems> {
    let mut lines = EntryLines::default();
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
    lines: &mut EntryLines,
    problems: &mut Vec<Problem>,
    shape: impl FnOnce(&yaml::Node, &mut Report, &mut EntryLines) -> T,
) -> Option<T> {
    let mut report = Report::of(file);
    let root = yaml::parse(&content.bytes, &mut report);
    let read = root.map(|root| shape(&root, &mut report, lines));
    problems.extend(report.finish());
    read
}

fn versions(files: &PolicyFiles) -> PolicyVersions {
    let pin = |file: &FileBytes| FilePin::of(&file.bytes, file.commit.clone());
    PolicyVersions {
        lanes: pin(&files.lanes),
        roles: pin(&files.roles),
        tools: pin(&files.tools),
    }
}
