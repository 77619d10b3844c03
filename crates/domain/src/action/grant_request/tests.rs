//! All pairs of the four states and the three moves, and that a request is not a grant.

use uuid::Uuid;

use super::{
    super::fixture::{admin, at, basis, draft, organization, session},
    *,
};

fn request() -> GrantRequest {
    let id = GrantRequestId::from_uuid(Uuid::from_u128(1));
    GrantRequest::new(id, organization(), session(1), draft("*", "*", None), at(0)).unwrap()
}

fn grant_id() -> GrantId {
    GrantId::from_uuid(Uuid::from_u128(2))
}

fn states() -> [GrantRequestState; 4] {
    let pending = request().state;
    let late = at(0).plus(GRANT_REQUEST_LIFE);
    [
        pending.clone(),
        request()
            .grant(grant_id(), (admin(), basis()), at(1))
            .unwrap()
            .0
            .state,
        pending.clone().refuse(admin(), Some("no"), at(1)).unwrap(),
        pending.expire(late).unwrap(),
    ]
}

fn apply(state: &GrantRequestState, verb: &str, now: Timestamp) -> Result<(), NotDecided> {
    let state = state.clone();
    match verb {
        "granted" => GrantRequest { state, ..request() }
            .grant(grant_id(), (admin(), basis()), now)
            .map(|_| ()),
        "refused" => state.refuse(admin(), None, now).map(|_| ()),
        "expired" => state.expire(now).map(|_| ()),
        other => panic!("{other} is no verb"),
    }
}

#[test]
fn every_pair() {
    let late = at(0).plus(GRANT_REQUEST_LIFE);
    for (state, status) in states().iter().zip(GrantRequestStatus::ALL) {
        assert_eq!(state.status(), *status);
        for verb in ["granted", "refused", "expired"] {
            let pending = *status == GrantRequestStatus::Pending;
            let decides = verb != "expired";
            assert_eq!(
                apply(state, verb, at(9)).is_ok(),
                pending && decides,
                "{status} {verb}"
            );
            assert_eq!(
                apply(state, verb, late).is_ok(),
                pending && !decides,
                "{status} {verb}"
            );
            if *status == GrantRequestStatus::Expired && decides {
                assert_eq!(
                    apply(state, verb, at(9)),
                    Err(NotDecided::Expired { at: late })
                );
            } else if !pending {
                let conflict = NotDecided::Conflict {
                    status: *status,
                    verb,
                };
                assert_eq!(apply(state, verb, at(9)), Err(conflict));
            }
        }
    }
}

#[test]
fn case_29_an_agents_wish_for_everything_is_a_wish() {
    let wish = request();
    assert!(matches!(wish.state, GrantRequestState::Pending { .. }));
    // Only an admin's decision creates a grant; it belongs to that admin, with nothing used.
    let (settled, grant) = wish.grant(grant_id(), (admin(), basis()), at(5)).unwrap();
    assert_eq!((grant.created_by, grant.created_at), (admin(), at(5)));
    assert_eq!(grant.budget.used_calls, 0);
    let expected = GrantRequestState::Granted {
        by: admin(),
        at: at(5),
        grant: grant_id(),
    };
    assert_eq!(settled.state, expected);
}

#[test]
fn defect_4_a_refused_wish_leaves_nothing_and_cannot_be_granted_later() {
    let refused = request().state.refuse(admin(), None, at(1)).unwrap();
    let wish = GrantRequest {
        state: refused,
        ..request()
    };
    let conflict = NotDecided::Conflict {
        status: GrantRequestStatus::Refused,
        verb: "granted",
    };
    assert_eq!(
        wish.grant(grant_id(), (admin(), basis()), at(2)),
        Err(conflict)
    );
}

#[test]
fn what_would_have_ended_is_not_granted() {
    let mut wish = request();
    wish.draft.expires_at = Some(at(10));
    assert!(
        wish.clone()
            .grant(grant_id(), (admin(), basis()), at(9))
            .is_ok()
    );
    assert!(matches!(
        wish.grant(grant_id(), (admin(), basis()), at(10)),
        Err(NotDecided::Invalid(invalid)) if invalid.field == "expiresAt"
    ));
}

#[test]
fn an_overdue_wish_is_seen_as_expired() {
    let late = at(0).plus(GRANT_REQUEST_LIFE);
    let seen = request().state.seen_at(late);
    assert_eq!(seen, GrantRequestState::Expired { at: late });
    assert_eq!(request().state.seen_at(at(1)), request().state);
}
