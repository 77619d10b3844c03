//! How much of one capacity each claimant holds, and whether it may hold more. Decides only; permits are
//! the pool's.
//!
//! INVARIANT: an entry that holds nothing is removed, so the ledger is as large as what is held.

use std::collections::HashMap;

use super::{CapacityExceeded, CapacityLimits, Claimant, Exhausted, Holder};
use crate::id::OrganizationId;

#[derive(Debug)]
pub(super) struct Ledger {
    limits: CapacityLimits,
    held: u64,
    organizations: HashMap<OrganizationId, OrganizationAccount>,
}

#[derive(Debug, Default)]
struct OrganizationAccount {
    held: u64,
    holders: HashMap<Holder, u64>,
}

impl Ledger {
    pub(super) fn new(limits: CapacityLimits) -> Self {
        Self {
            limits,
            held: 0,
            organizations: HashMap::new(),
        }
    }

    pub(super) fn held(&self) -> u64 {
        self.held
    }

    pub(super) fn organizations(&self) -> usize {
        self.organizations.len()
    }

    pub(super) fn full_organizations(&self) -> Vec<OrganizationId> {
        let ids = self.organizations.keys().cloned();
        ids.filter(|id| self.check(&Claimant::organization(id.clone()), 1).is_err())
            .collect()
    }

    /// How much the organization holds, and how much the holder does.
    pub(super) fn held_by(&self, claimant: &Claimant) -> (u64, u64) {
        let account = self.organizations.get(&claimant.organization_id);
        account.map_or((0, 0), |account| {
            let holder = account.holders.get(&claimant.holder);
            (account.held, holder.copied().unwrap_or(0))
        })
    }

    /// Whether the claimant may hold this much more. The instance's total is checked first: beyond it no share
    /// matters.
    pub(super) fn check(&self, claimant: &Claimant, amount: u64) -> Result<(), CapacityExceeded> {
        let CapacityLimits {
            what,
            total,
            per_organization,
            per_holder,
            floor,
        } = self.limits;
        let (organization, holder) = self.held_by(claimant);
        let exceeded = |whose| Err(CapacityExceeded { what, whose });
        if self.held.saturating_add(amount) > total {
            return exceeded(Exhausted::Instance);
        }
        // The amounts of other holders reduce what is shared; the share of it stays the same.
        let left_by_holders = per_organization.saturating_sub(organization - holder);
        let holder_max = part(left_by_holders, per_holder, per_organization).max(floor);
        if holder.saturating_add(amount) > holder_max {
            return exceeded(claimant.holder.exhausted());
        }
        let left_by_organizations = total - (self.held - organization);
        let organization_max = part(left_by_organizations, per_organization, total).max(floor);
        if organization.saturating_add(amount) > organization_max {
            return exceeded(Exhausted::Organization);
        }
        Ok(())
    }

    pub(super) fn acquire(
        &mut self,
        claimant: &Claimant,
        amount: u64,
    ) -> Result<(), CapacityExceeded> {
        self.check(claimant, amount)?;
        if amount == 0 {
            return Ok(());
        }
        self.held += amount;
        // Known organizations are found without a copy of their names.
        if let Some(account) = self.organizations.get_mut(&claimant.organization_id) {
            account.add(&claimant.holder, amount);
            return Ok(());
        }
        let mut account = OrganizationAccount::default();
        account.add(&claimant.holder, amount);
        let organization_id = claimant.organization_id.clone();
        self.organizations.insert(organization_id, account);
        Ok(())
    }

    /// Returns what was acquired to the ledger.
    pub(super) fn release(&mut self, claimant: &Claimant, amount: u64) {
        let Some(account) = self.organizations.get_mut(&claimant.organization_id) else {
            return;
        };
        self.held -= account.remove(&claimant.holder, amount);
        if account.holders.is_empty() {
            self.organizations.remove(&claimant.organization_id);
        }
    }
}

impl OrganizationAccount {
    fn add(&mut self, holder: &Holder, amount: u64) {
        self.held += amount;
        if let Some(held) = self.holders.get_mut(holder) {
            *held += amount;
        } else {
            self.holders.insert(holder.clone(), amount);
        }
    }

    /// Returns how much was released: never more than was held.
    fn remove(&mut self, holder: &Holder, amount: u64) -> u64 {
        let Some(held) = self.holders.get_mut(holder) else {
            return 0;
        };
        let back = amount.min(*held);
        *held -= back;
        self.held -= back;
        if *held == 0 {
            self.holders.remove(holder);
        }
        back
    }
}

/// `left * share / whole`, rounded down.
fn part(left: u64, share: u64, whole: u64) -> u64 {
    let part = u128::from(left) * u128::from(share) / u128::from(whole.max(1));
    u64::try_from(part).unwrap_or(u64::MAX)
}
