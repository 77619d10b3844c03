//! A policy checked as a whole. Lanes and roles must agree both ways; a name that refers to nothing, or
//! a grant that only one side makes, is a mistake that is reported before the policy decides anything.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    lane::{Lane, PolicyRole, RECORD_WRITE},
    name::{LaneId, Operation, RoleId},
    pins::PolicyVersions,
};

/// A policy in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    lanes: BTreeMap<LaneId, Lane>,
    roles: BTreeMap<RoleId, PolicyRole>,
    operations: BTreeSet<Operation>,
    versions: PolicyVersions,
}

/// Why a policy cannot be loaded; one entry per mistake.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PolicyProblem {
    #[error("lane {0} is defined twice")]
    LaneTwice(LaneId),
    #[error("role {0} is defined twice")]
    RoleTwice(RoleId),
    #[error("lane {lane} names role {role}, which does not exist")]
    UnknownRole { lane: LaneId, role: RoleId },
    #[error("role {role} names lane {lane}, which does not exist")]
    UnknownLane { role: RoleId, lane: LaneId },
    #[error("lane {lane} lists role {role}, but the role does not list the lane")]
    OnlyLaneGrants { lane: LaneId, role: RoleId },
    #[error("role {role} lists lane {lane}, but the lane does not list the role")]
    OnlyRoleGrants { lane: LaneId, role: RoleId },
    #[error("lane {lane} names operation {operation}, which is not registered")]
    UnknownOperation { lane: LaneId, operation: Operation },
    #[error("lane {0} allows nothing")]
    EmptyLane(LaneId),
    #[error("lane {lane} may not write to {table}: only the log itself does")]
    WritesTheLog { lane: LaneId, table: String },
}

/// The prefix of the log's tables, including future ones. No lane may write them, whatever its file
/// allows.
const LOG_TABLE: &str = "audit";

impl Snapshot {
    /// Checks everything and reports every mistake.
    pub fn build(
        lanes: Vec<Lane>,
        roles: Vec<PolicyRole>,
        operations: BTreeSet<Operation>,
        versions: PolicyVersions,
    ) -> Result<Self, Vec<PolicyProblem>> {
        let mut problems = Vec::new();
        let mut lanes_by_id = BTreeMap::new();
        for lane in lanes {
            let id = lane.id.clone();
            if lanes_by_id.insert(id.clone(), lane).is_some() {
                problems.push(PolicyProblem::LaneTwice(id));
            }
        }
        let mut roles_by_id = BTreeMap::new();
        for role in roles {
            let id = role.id.clone();
            if roles_by_id.insert(id.clone(), role).is_some() {
                problems.push(PolicyProblem::RoleTwice(id));
            }
        }
        let snapshot = Self {
            lanes: lanes_by_id,
            roles: roles_by_id,
            operations,
            versions,
        };
        for lane in snapshot.lanes.values() {
            snapshot.check_lane(lane, &mut problems);
        }
        for role in snapshot.roles.values() {
            snapshot.check_role(role, &mut problems);
        }
        if problems.is_empty() {
            Ok(snapshot)
        } else {
            Err(problems)
        }
    }

    fn check_lane(&self, lane: &Lane, problems: &mut Vec<PolicyProblem>) {
        let id = || lane.id.clone();
        for caller in &lane.callers {
            let role = caller.clone();
            match self.roles.get(caller) {
                None => problems.push(PolicyProblem::UnknownRole { lane: id(), role }),
                Some(known) if !known.lanes.contains(&lane.id) => {
                    problems.push(PolicyProblem::OnlyLaneGrants { lane: id(), role });
                }
                Some(_) => {}
            }
        }
        for operation in lane.tools.difference(&self.operations) {
            let operation = operation.clone();
            problems.push(PolicyProblem::UnknownOperation {
                lane: id(),
                operation,
            });
        }
        for write in &lane.writes {
            if write.table.as_str().starts_with(LOG_TABLE) {
                let table = write.table.to_string();
                problems.push(PolicyProblem::WritesTheLog { lane: id(), table });
            }
        }
        if lane.tools.is_empty() && lane.writes.is_empty() {
            problems.push(PolicyProblem::EmptyLane(id()));
        }
    }

    fn check_role(&self, role: &PolicyRole, problems: &mut Vec<PolicyProblem>) {
        for lane in &role.lanes {
            let (lane_id, role_id) = (lane.clone(), role.id.clone());
            match self.lanes.get(lane) {
                None => {
                    problems.push(PolicyProblem::UnknownLane {
                        role: role_id,
                        lane: lane_id,
                    });
                }
                Some(known) if !known.callers.contains(&role.id) => {
                    problems.push(PolicyProblem::OnlyRoleGrants {
                        lane: lane_id,
                        role: role_id,
                    });
                }
                Some(_) => {}
            }
        }
    }

    pub fn lane(&self, id: &LaneId) -> Option<&Lane> {
        self.lanes.get(id)
    }

    pub fn role(&self, id: &RoleId) -> Option<&PolicyRole> {
        self.roles.get(id)
    }

    pub fn lanes(&self) -> impl Iterator<Item = &Lane> {
        self.lanes.values()
    }

    pub fn roles(&self) -> impl Iterator<Item = &PolicyRole> {
        self.roles.values()
    }

    pub fn versions(&self) -> &PolicyVersions {
        &self.versions
    }

    /// Every lane and role that may call the operation.
    pub fn who_can<'a>(
        &'a self,
        operation: &'a Operation,
    ) -> impl Iterator<Item = (&'a Lane, &'a PolicyRole)> {
        let writes = operation.as_str() == RECORD_WRITE;
        self.lanes
            .values()
            .filter(move |lane| {
                lane.tools.contains(operation) || (writes && !lane.writes.is_empty())
            })
            .flat_map(move |lane| {
                lane.callers
                    .iter()
                    .filter_map(move |id| Some((lane, self.roles.get(id)?)))
            })
    }
}
