//! Finding sandboxes and removing abandoned ones.

use std::collections::BTreeSet;

use domain::caller::Incarnation;

use super::{Local, NAME, net, record::Record, root};
use crate::{Handle, Listed, Liveness, Result, SandboxId, unclaimed::Maker as _};

/// A sandbox that has a record here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub id: SandboxId,
    pub label: String,
    pub liveness: Liveness,
}

/// What was removed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cleaned {
    pub sandboxes: Vec<SandboxId>,
    /// Dead ones of which the disk is left: [`Local::salvage`] makes a snapshot of it.
    pub disks_kept: Vec<SandboxId>,
    /// Unfinished copies in the store.
    pub scratch: usize,
}

impl Local {
    /// All sandboxes of this provider's directory.
    pub fn found(&self) -> Vec<Found> {
        let found = |id: SandboxId| {
            let record = self.0.records.read(&id);
            let liveness = match &record {
                Ok(record) if record.is_abandoned() || record.is_dead() => Liveness::Dead,
                Ok(record) if record.running().is_ok() => Liveness::Alive,
                _ => Liveness::Unknown,
            };
            Found {
                id,
                label: record.map_or_else(|_| String::new(), |record| record.label),
                liveness,
            }
        };
        self.0.records.ids().into_iter().map(found).collect()
    }

    /// The same with what each is acted on by. Those of another tier are not this provider's to act on.
    pub(super) fn listed_here(&self) -> Vec<Listed> {
        let listed = |found: Found| {
            let record = self.0.records.read(&found.id).ok()?;
            (record.tier == self.0.tier).then(|| Listed {
                handle: Handle {
                    provider: NAME.to_owned(),
                    id: found.id,
                    incarnation: Incarnation(record.incarnation),
                    expires_at: None,
                    tier: self.0.tier.as_str().to_owned(),
                },
                label: found.label,
                liveness: found.liveness,
            })
        };
        self.found().into_iter().filter_map(listed).collect()
    }

    /// Removes what processes that were killed left: sandboxes that were not finished or were being removed,
    /// names in the kernel without a record, unfinished copies. Living sandboxes stay, and of dead ones the
    /// disk, but for those that `unwanted` names. One that cannot be removed does not keep the others: the first
    /// failure is told when everything was tried.
    pub async fn clean(&self, unwanted: impl Fn(&SandboxId) -> bool) -> Result<Cleaned> {
        let (mut cleaned, mut failure) = (Cleaned::default(), None);
        for id in self.0.records.ids() {
            let record = self.0.records.read(&id);
            // A record that cannot be read was being written when its process died, or is damaged.
            let abandoned = record.as_ref().map_or(true, Record::is_abandoned);
            let (done, list) = if abandoned || unwanted(&id) {
                (self.unmake(&id).await, &mut cleaned.sandboxes)
            } else if record.is_ok_and(|record| record.is_dead()) {
                (self.lay_down(&id).await, &mut cleaned.disks_kept)
            } else {
                continue;
            };
            match done {
                Ok(()) => list.push(id),
                Err(error) => _ = failure.get_or_insert(error),
            }
        }
        for id in self.strays().await? {
            match self.unmake(&id).await {
                Ok(()) => cleaned.sandboxes.push(id),
                Err(error) => _ = failure.get_or_insert(error),
            }
        }
        self.0.records.clean();
        cleaned.scratch = self.0.store.clean();
        failure.map_or(Ok(cleaned), Err)
    }

    /// Ids in the kernel's names that no provider has a record of.
    async fn strays(&self) -> Result<BTreeSet<SandboxId>> {
        let Some(groups) = &self.0.groups else {
            return Ok(BTreeSet::new());
        };
        let mut ids: BTreeSet<SandboxId> = root::ids().into_iter().collect();
        ids.extend(groups.ids());
        ids.extend(net::ids().await?);
        // With a record it is not abandoned, whichever process owns it: records are written first and removed last.
        ids.retain(|id| !root::has_record(id));
        Ok(ids)
    }
}
