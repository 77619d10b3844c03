//! Which refused requests get an event of their own, and which are counted until the next fold.
//!
//! INVARIANT: however many requests are refused, an organization has at most
//! [`AUDIT_REFUSALS_PER_ORGANIZATION_MAX`] entries and one for the rest between two folds, each of them at most one event
//! when it is first seen and one when it is folded. No refusal is dropped: it is recorded, or counted in one that is.

use std::collections::BTreeMap;

use super::Actor;
use crate::{
    id::{OrganizationId, SessionId},
    limits::{AUDIT_REFUSALS_PER_ACTOR_MAX, AUDIT_REFUSALS_PER_ORGANIZATION_MAX},
};

/// A refused request. Requests that are equal in all of it share one event and a count.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Refused {
    pub actor: Actor,
    /// The operation, such as `action_approve`.
    pub operation: String,
    /// The target, such as `action/ID`; the noun alone where the request names no id.
    pub subject: String,
    /// The session that it belongs to.
    pub session_id: Option<SessionId>,
    /// The status of the response.
    pub status: u16,
    /// Why: the code of the problem, in lower case.
    pub reason: &'static str,
}

/// Refused requests since the last event about them. Without the refusal: those that exceeded the bound and were
/// counted together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folded {
    pub refused: Option<Refused>,
    pub count: u64,
}

/// The refusals of one process since its last fold.
#[derive(Debug, Default)]
pub struct Refusals(BTreeMap<OrganizationId, Window>);

#[derive(Debug, Default)]
struct Window {
    /// How often each was refused without an event.
    counted: BTreeMap<Refused, u64>,
    rest: u64,
}

impl Refusals {
    /// Notes a refusal. Returns `true` if it is to be recorded now; otherwise it is counted.
    pub fn note(&mut self, organization_id: &OrganizationId, refused: &Refused) -> bool {
        let window = self.window(organization_id);
        if let Some(count) = window.counted.get_mut(refused) {
            *count = count.saturating_add(1);
            return false;
        }
        let is_full = window.counted.len() >= AUDIT_REFUSALS_PER_ORGANIZATION_MAX;
        let of_actor = window
            .counted
            .keys()
            .filter(|other| other.actor == refused.actor);
        if !is_full && of_actor.count() < AUDIT_REFUSALS_PER_ACTOR_MAX {
            window.counted.insert(refused.clone(), 0);
            return true;
        }
        // The rest of this actor's refusals: without their subjects.
        window.count(&refused.without_subject(), 1);
        false
    }

    /// Takes what was counted since the last fold, and starts anew.
    pub fn take(&mut self) -> Vec<(OrganizationId, Folded)> {
        let windows = std::mem::take(&mut self.0).into_iter();
        windows
            .flat_map(|(organization_id, window)| {
                let counted = window.counted.into_iter().map(|(refused, count)| Folded {
                    refused: Some(refused),
                    count,
                });
                let rest = Folded {
                    refused: None,
                    count: window.rest,
                };
                let told = counted.chain([rest]).filter(|folded| folded.count > 0);
                told.map(move |folded| (organization_id.clone(), folded))
            })
            .collect()
    }

    /// Puts back what could not be recorded.
    pub fn put_back(&mut self, organization_id: &OrganizationId, folded: &Folded) {
        let window = self.window(organization_id);
        match &folded.refused {
            Some(refused) => window.count(refused, folded.count),
            None => window.rest = window.rest.saturating_add(folded.count),
        }
    }

    fn window(&mut self, organization_id: &OrganizationId) -> &mut Window {
        self.0.entry(organization_id.clone()).or_default()
    }
}

impl Window {
    fn count(&mut self, refused: &Refused, by: u64) {
        let is_full = self.counted.len() >= AUDIT_REFUSALS_PER_ORGANIZATION_MAX;
        let count = match self.counted.get_mut(refused) {
            Some(count) => count,
            None if is_full => &mut self.rest,
            None => self.counted.entry(refused.clone()).or_default(),
        };
        *count = count.saturating_add(by);
    }
}

impl Refused {
    fn without_subject(&self) -> Self {
        let noun = self.subject.split('/').next().unwrap_or_default();
        Self {
            subject: noun.to_owned(),
            session_id: None,
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{audit::SafeText, policy::RoleClass};

    fn organization() -> OrganizationId {
        OrganizationId::new("org_acme").unwrap()
    }

    fn refused(actor: usize, subject: usize) -> Refused {
        Refused {
            actor: Actor {
                class: RoleClass::Human,
                id: SafeText::new("actor_id", format!("user_{actor}")).unwrap(),
            },
            operation: "session_stop".to_owned(),
            subject: format!("session/{subject}"),
            session_id: None,
            status: 404,
            reason: "not_found",
        }
    }

    #[test]
    fn the_first_is_recorded_and_its_repetitions_are_counted() {
        let (mut refusals, acme) = (Refusals::default(), organization());
        assert!(refusals.note(&acme, &refused(1, 1)));
        assert!(!refusals.note(&acme, &refused(1, 1)));
        assert!(!refusals.note(&acme, &refused(1, 1)));
        assert!(refusals.note(&acme, &refused(1, 2)));
        let other = OrganizationId::new("org_other").unwrap();
        assert!(refusals.note(&other, &refused(1, 1)));
        let folded = Folded {
            refused: Some(refused(1, 1)),
            count: 2,
        };
        assert_eq!(refusals.take(), [(acme.clone(), folded)]);
        assert_eq!(refusals.take(), []);
        assert!(refusals.note(&acme, &refused(1, 1)), "a new window");
    }

    #[test]
    fn a_flood_of_one_actor_is_bounded_and_hides_no_other() {
        let (mut refusals, acme) = (Refusals::default(), organization());
        let recorded = (0..10_000).filter(|n| refusals.note(&acme, &refused(1, *n)));
        assert_eq!(recorded.count(), AUDIT_REFUSALS_PER_ACTOR_MAX);
        assert!(refusals.note(&acme, &refused(2, 1)));
        let folded = refusals.take();
        let [(_, folded)] = folded.as_slice() else {
            panic!("{folded:?}");
        };
        let subject = &folded.refused.as_ref().unwrap().subject;
        assert_eq!(subject, "session");
        assert_eq!(folded.count, 10_000 - AUDIT_REFUSALS_PER_ACTOR_MAX as u64);
    }

    #[test]
    fn a_flood_of_many_actors_is_bounded_and_all_of_it_is_counted() {
        let (mut refusals, acme) = (Refusals::default(), organization());
        let recorded = (0..5_000).filter(|n| refusals.note(&acme, &refused(*n, *n)));
        let recorded = recorded.count();
        assert_eq!(recorded, AUDIT_REFUSALS_PER_ORGANIZATION_MAX);
        let folded = refusals.take();
        assert_eq!(folded.len(), 1);
        assert_eq!(folded[0].1.refused, None);
        assert_eq!(folded[0].1.count + recorded as u64, 5_000);
    }

    #[test]
    fn what_could_not_be_recorded_is_told_later() {
        let (mut refusals, acme) = (Refusals::default(), organization());
        let folded = |refused| Folded { refused, count: 3 };
        refusals.put_back(&acme, &folded(Some(refused(1, 1))));
        refusals.put_back(&acme, &folded(None));
        assert!(!refusals.note(&acme, &refused(1, 1)));
        let counts: Vec<u64> = { refusals.take().into_iter() }
            .map(|(_, folded)| folded.count)
            .collect();
        assert_eq!(counts, [4, 3]);
    }
}
