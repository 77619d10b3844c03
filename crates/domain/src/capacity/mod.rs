//! Capacity that all organizations of one instance share: places for requests, uploads, streams and calls, and the bytes
//! that they hold. A pool hands out permits; each permit counts for one holder (a session, a person or a service) and for
//! its organization, and comes back when it is dropped.
//!
//! INVARIANT: no more than `total` is held. A holder holds at most its part of what the others of its organization leave,
//! an organization at most its part of what the other organizations leave, and either of them `floor` while anything is
//! free. So an organization that holds nothing is admitted while the others hold all they may.

mod ledger;
#[cfg(test)]
mod tests;

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use self::ledger::Ledger;
use crate::{
    caller::Caller,
    id::{OrganizationId, SessionId, UserId},
};

/// What an instance has of something, and how much of it one organization and one holder may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CapacityLimits {
    /// In messages, in the plural: "uploads under way".
    pub what: &'static str,
    pub total: u64,
    /// Most that an organization may hold; while others hold something, the same part of what they leave.
    pub per_organization: u64,
    /// Most that a session, a person or a service may hold; the same part of what its organization's others leave.
    pub per_holder: u64,
    /// What each of them may hold whatever the others do, as long as it is free.
    pub floor: u64,
}

/// Who holds a permit within an organization.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Holder {
    Session(SessionId),
    Person(UserId),
    Service(String),
}

/// On whose account a permit is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claimant {
    pub organization_id: OrganizationId,
    pub holder: Holder,
}

/// Whose part is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exhausted {
    Session,
    Person,
    Service,
    Organization,
    /// Everything is in use, by several.
    Instance,
}

/// There is no permit now. The same request may succeed when others have ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub struct CapacityExceeded {
    pub what: &'static str,
    pub whose: Exhausted,
}

/// One shared capacity. Clones are the same.
#[derive(Debug, Clone)]
pub struct CapacityPool(Arc<Mutex<Ledger>>);

/// A part of a pool; given back when dropped.
#[derive(Debug)]
pub struct CapacityPermit {
    pool: CapacityPool,
    claimant: Claimant,
    amount: u64,
}

impl CapacityLimits {
    /// The same shares of another total, as an operator or a test sets it.
    #[must_use]
    pub fn with_total(self, total: u64) -> Self {
        // Rounded up: where there is one place, an organization may hold it.
        let part = |of: u64| {
            let share = u128::from(total) * u128::from(of);
            let share = share.div_ceil(u128::from(self.total.max(1)));
            u64::try_from(share).unwrap_or(u64::MAX).max(1)
        };
        Self {
            total,
            per_organization: part(self.per_organization),
            per_holder: part(self.per_holder),
            floor: part(self.floor),
            ..self
        }
    }
}

impl CapacityPool {
    pub fn new(limits: CapacityLimits) -> Self {
        Self(Arc::new(Mutex::new(Ledger::new(limits))))
    }

    /// So much on the claimant's account, if it may hold so much more now. Never waits.
    pub fn try_acquire(
        &self,
        claimant: &Claimant,
        amount: u64,
    ) -> Result<CapacityPermit, CapacityExceeded> {
        self.ledger().acquire(claimant, amount)?;
        Ok(CapacityPermit {
            pool: self.clone(),
            claimant: claimant.clone(),
            amount,
        })
    }

    /// How much is held, by all.
    pub fn held(&self) -> u64 {
        self.ledger().held()
    }

    /// Organizations that hold something.
    pub fn organizations(&self) -> usize {
        self.ledger().organizations()
    }

    /// Organizations that hold something, and could not take one more on their own account.
    pub fn full_organizations(&self) -> Vec<OrganizationId> {
        self.ledger().full_organizations()
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CapacityPermit {
    pub fn amount(&self) -> u64 {
        self.amount
    }

    /// So much more, if the claimant may hold it now; else what is held stays as it is.
    pub fn grow(&mut self, more: u64) -> Result<(), CapacityExceeded> {
        self.pool.ledger().acquire(&self.claimant, more)?;
        self.amount += more;
        Ok(())
    }

    /// Gives back what is beyond `amount`.
    pub fn shrink_to(&mut self, amount: u64) {
        let surplus = self.amount.saturating_sub(amount);
        self.pool.ledger().release(&self.claimant, surplus);
        self.amount -= surplus;
    }
}

impl Drop for CapacityPermit {
    fn drop(&mut self) {
        self.pool.ledger().release(&self.claimant, self.amount);
    }
}

impl Claimant {
    pub fn session(organization_id: OrganizationId, session_id: SessionId) -> Self {
        Self {
            organization_id,
            holder: Holder::Session(session_id),
        }
    }

    /// The organization itself, where what it holds is no one session's or person's.
    pub fn organization(organization_id: OrganizationId) -> Self {
        Self {
            organization_id,
            holder: Holder::Service(String::new()),
        }
    }
}

impl From<&Caller> for Claimant {
    fn from(caller: &Caller) -> Self {
        let holder = match caller {
            Caller::User { user_id, .. } => Holder::Person(user_id.clone()),
            Caller::Service { name, .. } => Holder::Service(name.clone()),
            Caller::Sandbox { session_id, .. } => Holder::Session(*session_id),
        };
        Self {
            organization_id: caller.organization_id().clone(),
            holder,
        }
    }
}

impl Exhausted {
    /// The word for it in measurements.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Person => "user",
            Self::Service => "service",
            Self::Organization => "organization",
            Self::Instance => "instance",
        }
    }
}

impl Holder {
    const fn exhausted(&self) -> Exhausted {
        match self {
            Self::Session(_) => Exhausted::Session,
            Self::Person(_) => Exhausted::Person,
            Self::Service(_) => Exhausted::Service,
        }
    }
}

impl CapacityExceeded {
    /// Whether the caller's own side holds its share; else the instance is full.
    pub const fn is_own_share(self) -> bool {
        !matches!(self.whose, Exhausted::Instance)
    }
}

impl fmt::Display for CapacityExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, whose } = self;
        if matches!(whose, Exhausted::Instance) {
            return write!(
                f,
                "all of this instance's {what} are taken; try again in a moment"
            );
        }
        let owner = whose.as_str();
        write!(
            f,
            "this {owner} has its share of this instance's {what} already; end some, or try again when some have ended"
        )
    }
}
