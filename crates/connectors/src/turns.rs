//! Whose turn it is to list. Bounded for the process and for each organization, so that one whose servers
//! hang does not hold up the others.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use domain::{
    id::OrganizationId,
    limits::{CONNECTOR_LISTINGS_MAX, CONNECTOR_LISTINGS_PER_ORGANIZATION_MAX},
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

#[derive(Debug)]
pub(crate) struct Turns {
    all: Arc<Semaphore>,
    by_organization: Mutex<HashMap<OrganizationId, Weak<Semaphore>>>,
}

/// One turn; over when dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    _own: Option<OwnedSemaphorePermit>,
    _all: Option<OwnedSemaphorePermit>,
}

impl Turns {
    pub(crate) fn new() -> Self {
        Self {
            all: Arc::new(Semaphore::new(CONNECTOR_LISTINGS_MAX)),
            by_organization: Mutex::default(),
        }
    }

    /// Waits for a turn. The organization's own comes first: who waits for it holds none of the others'.
    pub(crate) async fn take(&self, organization_id: &OrganizationId) -> Turn {
        let own = self.of(organization_id);
        // Never closed, so there is always a permit in the end.
        let own = own.acquire_owned().await.ok();
        let all = Arc::clone(&self.all).acquire_owned().await.ok();
        Turn {
            _own: own,
            _all: all,
        }
    }

    fn of(&self, organization_id: &OrganizationId) -> Arc<Semaphore> {
        let known = self.by_organization.lock();
        let mut known = known.unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = known.get(organization_id).and_then(Weak::upgrade) {
            return own;
        }
        // Those that nobody holds or waits for are gone; so many remain as there are listings.
        known.retain(|_, own| own.strong_count() > 0);
        let own = Arc::new(Semaphore::new(CONNECTOR_LISTINGS_PER_ORGANIZATION_MAX));
        known.insert(organization_id.clone(), Arc::downgrade(&own));
        own
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    #[test]
    fn one_organization_cannot_take_every_turn() {
        let turns = Turns::new();
        let take = |organization: &str| {
            let organization = organization.parse().unwrap();
            turns.take(&organization).now_or_never()
        };
        let mut held: Vec<_> = (0..CONNECTOR_LISTINGS_PER_ORGANIZATION_MAX)
            .map(|_| take("busy").unwrap())
            .collect();
        assert!(take("busy").is_none());
        held.push(take("quiet").unwrap());
        for organization in 0.. {
            match take(&format!("org-{organization}")) {
                Some(turn) => held.push(turn),
                None => break,
            }
        }
        assert_eq!(held.len(), CONNECTOR_LISTINGS_MAX);
        held.clear();
        assert!(take("busy").is_some());
        assert!(take("other").is_some());
        assert_eq!(turns.by_organization.lock().unwrap().len(), 1);
    }
}
