//! Lists sandboxes and removes abandoned ones.

use std::collections::BTreeSet;

use domain::caller::Incarnation;

use super::{Local, name::NAME, network, record::SandboxRecord, root_tier};
use crate::{Handle, ListedSandbox, Liveness, Result, SandboxId, unclaimed::SandboxMaker as _};

/// What was removed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CleanReport {
    pub sandboxes: Vec<SandboxId>,
    /// Dead sandboxes whose disk is left.
    pub disks_kept: Vec<SandboxId>,
    /// Unfinished copies in the store.
    pub scratch: usize,
}

impl Local {
    /// Lists the sandboxes of this provider's directory. Those of another tier are not this provider's to act on.
    pub(super) fn list_recorded(&self) -> Vec<ListedSandbox> {
        let listed = |id: SandboxId| {
            let record = self.0.records.read(&id).ok()?;
            let liveness = if record.is_abandoned() || record.is_dead() {
                Liveness::Dead
            } else if record.running().is_ok() {
                Liveness::Alive
            } else {
                Liveness::Unknown
            };
            (record.tier == self.0.tier).then(|| ListedSandbox {
                handle: Handle {
                    provider: NAME.to_owned(),
                    id,
                    incarnation: Incarnation(record.incarnation),
                    expires_at: None,
                    tier: self.0.tier.as_str().to_owned(),
                },
                label: record.label.clone(),
                liveness,
            })
        };
        self.0
            .records
            .ids()
            .into_iter()
            .filter_map(listed)
            .collect()
    }

    /// Removes what processes that were killed left: sandboxes that were not finished or were being removed,
    /// names in the kernel without a record, unfinished copies. Living sandboxes stay, and the disks of dead ones, except
    /// for sandboxes that `unwanted` names. Tries everything, and then returns the first failure.
    pub async fn clean(&self, unwanted: impl Fn(&SandboxId) -> bool) -> Result<CleanReport> {
        let (mut cleaned, mut failure) = (CleanReport::default(), None);
        for id in self.0.records.ids() {
            let record = self.0.records.read(&id);
            // A record that cannot be read was being written when its process died, or is damaged.
            let abandoned = record.as_ref().map_or(true, SandboxRecord::is_abandoned);
            let (done, list) = if abandoned || unwanted(&id) {
                (self.remove_sandbox(&id).await, &mut cleaned.sandboxes)
            } else if record.is_ok_and(|record| record.is_dead()) {
                (self.remove_all_but_disk(&id).await, &mut cleaned.disks_kept)
            } else {
                continue;
            };
            match done {
                Ok(()) => list.push(id),
                Err(error) => _ = failure.get_or_insert(error),
            }
        }
        for id in self.strays().await? {
            match self.remove_sandbox(&id).await {
                Ok(()) => cleaned.sandboxes.push(id),
                Err(error) => _ = failure.get_or_insert(error),
            }
        }
        self.0.records.clean();
        cleaned.scratch = self.0.store.clean();
        failure.map_or(Ok(cleaned), Err)
    }

    /// Lists the ids in the kernel's names that no provider has a record of.
    async fn strays(&self) -> Result<BTreeSet<SandboxId>> {
        let Some(groups) = &self.0.groups else {
            return Ok(BTreeSet::new());
        };
        let mut ids: BTreeSet<SandboxId> = root_tier::list_sandboxes().into_iter().collect();
        ids.extend(groups.list_sandboxes());
        ids.extend(network::list_sandboxes().await?);
        // With a record it is not abandoned, whichever process owns it: records are written first and removed last.
        ids.retain(|id| !root_tier::has_record(id));
        Ok(ids)
    }
}
