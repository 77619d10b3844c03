//! Capacity that all organizations of one instance share: slots for requests, uploads, streams and calls, and the bytes
//! that they hold. A pool issues permits; each permit counts for one holder (a session, a user or a service) and for
//! its organization, and is released when it is dropped.
//!
//! INVARIANT: no more than `total` is held. A holder holds at most its part of what the others of its organization
//! leave, an organization at most its part of what the other organizations leave, and either of them `floor` while
//! anything is free. So an organization that holds nothing is admitted while the others hold all they may.

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

/// The total of a capacity on one instance, and how much of it one organization and one holder may
/// hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CapacityLimits {
    /// In messages, in the plural: "uploads under way".
    pub what: &'static str,
    pub total: u64,
    /// Most that an organization may hold; while others hold something, the same part of what they leave.
    pub per_organization: u64,
    /// Most that a session, a user or a service may hold; the same part of what the other holders of its
    /// organization leave.
    pub per_holder: u64,
    /// What each of them may hold regardless of the others, as long as it is free.
    pub floor: u64,
}

/// The holder of a permit within an organization.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Holder {
    Session(SessionId),
    Person(UserId),
    Service(String),
}

/// The holder and organization that a permit is accounted to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claimant {
    pub organization_id: OrganizationId,
    pub holder: Holder,
}

/// Whose share is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exhausted {
    Session,
    Person,
    Service,
    Organization,
    /// The whole instance is in use, by several organizations.
    Instance,
}

/// No permit is available now. The same request may succeed after others have ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub struct CapacityExceeded {
    pub what: &'static str,
    pub whose: Exhausted,
}

/// One shared capacity. Clones share it.
#[derive(Debug, Clone)]
pub struct CapacityPool(Arc<Mutex<Ledger>>);

/// A part of a pool; released when dropped.
#[derive(Debug)]
pub struct CapacityPermit {
    pool: CapacityPool,
    claimant: Claimant,
    amount: u64,
}

impl CapacityLimits {
    /// The same shares of another total, as set by an operator or a test.
    #[must_use]
    pub fn with_total(self, total: u64) -> Self {
        // Rounded up: with a total of one, an organization may hold it.
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

    /// Acquires this amount on the claimant's account, if it may hold that much more now. Never
    /// waits.
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

    /// The total amount held.
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

    /// Acquires more if the claimant may hold it now; otherwise the held amount stays unchanged.
    pub fn grow(&mut self, more: u64) -> Result<(), CapacityExceeded> {
        self.pool.ledger().acquire(&self.claimant, more)?;
        self.amount += more;
        Ok(())
    }

    /// Releases everything beyond `amount`.
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

    /// The organization itself, for amounts that belong to no single session or user.
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
    /// The label in metrics.
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
    /// Whether the caller's own share is used up; otherwise the instance is full.
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
