//! A process of the platform, as the other instances see it.

use crate::{clock::Timestamp, id::InstanceId};

crate::text_enum! {
    /// What the process does.
    InstanceRole {
        Gateway = "gateway",
        Worker = "worker",
        /// Both in one process.
        All = "all",
    }
}

/// An entry of the instance registry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    pub id: InstanceId,
    pub role: InstanceRole,
    /// Where other instances and redirected clients reach it.
    pub advertised_url: String,
    pub version: String,
    pub started_at: Timestamp,
    pub heartbeat_at: Timestamp,
    pub load: Load,
}

/// The number of live sessions of an instance. Each has a lease that the instance holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Load {
    pub hubs_max: u32,
    /// Open, without an agent.
    pub cold: u32,
    /// With an agent that is booting.
    pub booting: u32,
    pub running: u32,
    /// Being closed.
    pub leaving: u32,
    /// Those among all of them whose lease cannot be confirmed.
    pub unconfirmed: u32,
    /// Connected clients.
    pub clients: u32,
    /// Set while it accepts no new sessions and hands its own over.
    pub drain: Option<Drain>,
    pub swept: Swept,
}

/// The progress of an instance's drain. The remaining sessions are counted by phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drain {
    pub since: Timestamp,
    /// Sessions handed over to other instances since.
    pub handed_over: u32,
    /// Sessions that were saved and paused, because no instance could take them over.
    pub put_away: u32,
}

/// Ownerless sessions and sandboxes that an instance has found since it started.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Swept {
    /// Sessions without an owner that it took over.
    pub adopted: u32,
    /// Sessions that it paused because their sandboxes were dead.
    pub dead: u32,
    /// Sandboxes without a session that it ended.
    pub ended: u32,
    /// Sandboxes without a session, as of the last sweep, that it will end after their grace
    /// period.
    pub waiting: u32,
    /// Sandboxes, as of the last sweep, of sessions that this installation does not know. They are not
    /// touched.
    pub foreign: u32,
}

impl Load {
    pub const fn hubs(&self) -> u32 {
        self.cold + self.booting + self.running + self.leaving
    }
}

impl Instance {
    /// Whether it accepts sessions.
    fn takes_sessions(&self) -> bool {
        let serves = matches!(self.role, InstanceRole::Gateway | InstanceRole::All);
        serves && self.load.drain.is_none()
    }
}

/// Returns the instance that takes over a session: of the others that accept sessions the least loaded one, by its
/// last report and the sessions `given` since. A full one is better than none: it may evict idle sessions.
pub fn successor(
    instances: &[Instance],
    leaving: InstanceId,
    given: impl Fn(InstanceId) -> u32,
) -> Option<&Instance> {
    let others = instances.iter();
    let others = others.filter(|one| one.id != leaving && one.takes_sessions());
    others.min_by_key(|one| {
        let hubs = one.load.hubs().saturating_add(given(one.id));
        let permille = u64::from(hubs) * 1000 / u64::from(one.load.hubs_max.max(1));
        (permille, hubs, one.id)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u8) -> InstanceId {
        let text = format!("0192f0c1-2345-7abc-8def-0123456789{number:02x}");
        text.parse().unwrap()
    }

    fn one(number: u8, role: InstanceRole, running: u32, hubs_max: u32) -> Instance {
        let at = Timestamp::from_micros(1_700_000_000_000_000).unwrap();
        Instance {
            id: id(number),
            role,
            advertised_url: String::new(),
            version: String::new(),
            started_at: at,
            heartbeat_at: at,
            load: Load {
                hubs_max,
                running,
                ..Load::default()
            },
        }
    }

    #[test]
    fn the_emptiest_of_the_others_follows() {
        use InstanceRole::{All, Gateway, Worker};
        let draining = |mut one: Instance| {
            one.load.drain = Some(Drain {
                since: one.started_at,
                handed_over: 0,
                put_away: 0,
            });
            one
        };
        let (leaving, worker) = (one(1, Gateway, 0, 500), one(2, Worker, 0, 0));
        let table: [(&str, Vec<Instance>, Option<u8>); 7] = [
            ("no other instance", vec![], None),
            ("a worker serves no sessions", vec![worker], None),
            (
                "who leaves too",
                vec![draining(one(3, Gateway, 0, 500))],
                None,
            ),
            (
                "fewer sessions",
                vec![one(4, Gateway, 9, 500), one(5, All, 8, 500)],
                Some(5),
            ),
            (
                "more room",
                vec![one(4, Gateway, 100, 1000), one(5, All, 90, 500)],
                Some(4),
            ),
            (
                "with what it was given",
                vec![one(6, Gateway, 0, 500), one(7, Gateway, 5, 500)],
                Some(7),
            ),
            ("full", vec![one(8, Gateway, 500, 500)], Some(8)),
        ];
        for (what, others, expected) in table {
            let all: Vec<_> = others.into_iter().chain([leaving.clone()]).collect();
            let given = |one| if one == id(6) { 10 } else { 0 };
            let found = successor(&all, leaving.id, given);
            assert_eq!(found.map(|one| one.id), expected.map(id), "{what}");
        }
    }
}
