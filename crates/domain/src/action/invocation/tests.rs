//! All 49 pairs of the seven states and the seven moves, before and after the time to decide is over.

use serde_json::json;
use uuid::Uuid;

use super::{
    super::{
        binding::Bound,
        budget::GrantBudget,
        fixture::{admin, at, binding, grant, invocation, organization, result, session},
    },
    state::Moved,
    *,
};
use crate::{
    caller::{Credential, Incarnation},
    id::{ApiKeyId, GrantId},
    limits::{APPROVAL_LIFE, PENDING_LIFE, REASON_LENGTH_MAX},
    role::Role,
    run::{RunError, RunErrorCode, RunStatus},
};

const EXPIRES: i64 = 300;

fn pending() -> InvocationState {
    InvocationState::Pending {
        expires_at: at(EXPIRES),
        returned: None,
    }
}

fn error() -> RunError {
    RunError::new(RunErrorCode::ToolError, "it broke", false)
}

fn executing(authority: Authority) -> InvocationState {
    InvocationState::Executing {
        claimed_at: at(2),
        authority,
    }
}

/// One of each, in the order of the statuses.
fn states() -> [InvocationState; 7] {
    let approved = pending().approve(admin(), ApprovalMode::Once, at(1));
    [
        pending(),
        approved.unwrap(),
        executing(Authority::Read),
        executing(Authority::Read)
            .complete(result(), at(3))
            .unwrap(),
        executing(Authority::Read)
            .fail(error(), Effect::Known, None, at(3))
            .unwrap(),
        pending().deny(admin(), None, at(1)).unwrap(),
        pending().expire(at(EXPIRES)).unwrap(),
    ]
}

const VERBS: [&str; 7] = [
    "approved",
    "denied",
    "refused",
    "expired",
    "executed",
    "completed",
    "failed",
];

fn apply(state: InvocationState, verb: &str, now: Timestamp) -> Moved {
    match verb {
        "approved" => state.approve(admin(), ApprovalMode::Once, now),
        "denied" => state.deny(admin(), Some("no"), now),
        "refused" => state.refuse(Refusal::Policy, now),
        "expired" => state.expire(now),
        "executed" => state.claim(None, PENDING_LIFE, now),
        "completed" => state.complete(result(), now),
        "failed" => state.fail(error(), Effect::Unknown, None, now),
        other => panic!("{other} is no verb"),
    }
}

#[test]
fn every_pair_in_time() {
    use InvocationStatus::{Approved, Completed, Denied, Executing, Expired, Failed, Pending};
    let legal = [
        (Pending, "approved", Approved),
        (Pending, "denied", Denied),
        (Pending, "refused", Denied),
        (Approved, "executed", Executing),
        (Approved, "refused", Denied),
        (Executing, "completed", Completed),
        (Executing, "failed", Failed),
        (Executing, "refused", Denied),
    ];
    let (mut allowed, mut refused) = (0, 0);
    for (state, from) in states().into_iter().zip(InvocationStatus::ALL) {
        assert_eq!(state.status(), *from);
        for verb in VERBS {
            let moved = apply(state.clone(), verb, at(5));
            let step = legal.iter().find(|(f, v, _)| (f, *v) == (from, verb));
            if let Some((_, _, to)) = step {
                assert_eq!(moved.unwrap().status(), *to, "{from} {verb}");
                allowed += 1;
                continue;
            }
            let expected = if *from == Expired && matches!(verb, "approved" | "denied") {
                InvalidMove::Expired { at: at(EXPIRES) }
            } else {
                InvalidMove::Conflict {
                    status: *from,
                    verb,
                }
            };
            assert_eq!(moved, Err(expected), "{from} {verb}");
            refused += 1;
        }
    }
    assert_eq!((allowed, refused), (8, 41));
}

#[test]
fn every_pair_after_the_time_to_decide() {
    use InvocationStatus::{Approved, Executing, Pending};
    let legal = [
        (Pending, "refused"),
        (Pending, "expired"),
        (Approved, "refused"),
        (Approved, "expired"),
        (Executing, "completed"),
        (Executing, "failed"),
        (Executing, "refused"),
    ];
    let mut allowed = 0;
    for (state, from) in states().into_iter().zip(InvocationStatus::ALL) {
        for verb in VERBS {
            let moved = apply(state.clone(), verb, at(1_000));
            assert_eq!(
                moved.is_ok(),
                legal.contains(&(*from, verb)),
                "{from} {verb}"
            );
            allowed += usize::from(moved.is_ok());
        }
        assert_eq!(
            state.is_terminal(),
            apply(state, "refused", at(1_000)).is_err()
        );
    }
    assert_eq!(allowed, 7);
}

#[test]
fn case_32_an_approval_is_too_late_at_the_very_moment_it_expires() {
    let approve = |now| pending().approve(admin(), ApprovalMode::Once, now);
    assert!(approve(at(EXPIRES - 1)).is_ok());
    let late = Err(InvalidMove::Expired { at: at(EXPIRES) });
    assert_eq!(approve(at(EXPIRES)), late);
    assert_eq!(pending().deny(admin(), None, at(EXPIRES)), late);
    // The result is the same after a sweeper has stored the expiry.
    let swept = pending().expire(at(EXPIRES + 60)).unwrap();
    assert_eq!(
        swept.approve(admin(), ApprovalMode::Once, at(EXPIRES + 61)),
        late
    );
}

#[test]
fn defect_8_the_second_decision_is_a_conflict() {
    let approved = pending()
        .approve(admin(), ApprovalMode::Once, at(1))
        .unwrap();
    let denied = pending().deny(admin(), None, at(1)).unwrap();
    for (decided, status) in [
        (approved, InvocationStatus::Approved),
        (denied, InvocationStatus::Denied),
    ] {
        for verb in ["approved", "denied"] {
            let conflict = InvalidMove::Conflict { status, verb };
            assert_eq!(apply(decided.clone(), verb, at(2)), Err(conflict));
        }
    }
}

#[test]
fn defect_19_a_pending_one_is_seen_as_expired_before_any_sweeper() {
    assert_eq!(pending().seen_at(at(EXPIRES - 1)), pending());
    let seen = pending().seen_at(at(EXPIRES + 7));
    assert_eq!(seen, InvocationState::Expired { at: at(EXPIRES) });
    // Later reads see the same state, and so does the writer that stores it.
    assert_eq!(seen.clone().seen_at(at(EXPIRES + 900)), seen);
    assert_eq!(pending().expire(at(EXPIRES + 60)), Ok(seen));
    for ended in &states()[2..] {
        assert_eq!(ended.clone().seen_at(at(1_000_000)), *ended);
    }
}

#[test]
fn case_28_an_approval_for_something_else_goes_back_to_pending_and_says_why() {
    let approved = pending()
        .approve(admin(), ApprovalMode::Once, at(1))
        .unwrap();
    let waiting = invocation(approved);
    let found = binding(&json!({"title": "y"}), "v2");
    let Claim::AskAgain {
        invocation,
        mismatch,
    } = waiting
        .clone()
        .claim(found.clone(), PENDING_LIFE, at(10))
        .unwrap()
    else {
        panic!("executed a call without an approval");
    };
    assert_eq!(mismatch.changed, [Bound::Call, Bound::Policy]);
    let expected = InvocationState::Pending {
        expires_at: at(10).plus(PENDING_LIFE),
        returned: Some(mismatch),
    };
    assert_eq!((invocation.state, invocation.binding), (expected, found));

    let same = waiting.binding.clone();
    let Claim::Execute(claimed) = waiting.claim(same, PENDING_LIFE, at(10)).unwrap() else {
        panic!("asked again for what was approved");
    };
    let (by, approved_at) = (admin(), at(1));
    let authority = Authority::Approval {
        by,
        at: approved_at,
    };
    let executing = InvocationState::Executing {
        claimed_at: at(10),
        authority,
    };
    assert_eq!(claimed.state, executing);
}

#[test]
fn defect_26_an_approval_is_used_once_and_not_late() {
    let approved = pending()
        .approve(admin(), ApprovalMode::Once, at(1))
        .unwrap();
    let waiting = invocation(approved);
    let found = waiting.binding.clone();
    let late = at(1).plus(APPROVAL_LIFE);
    assert_eq!(
        waiting.clone().claim(found.clone(), PENDING_LIFE, late),
        Err(InvalidMove::Expired { at: late })
    );
    let Claim::Execute(used) = waiting.claim(found.clone(), PENDING_LIFE, at(2)).unwrap() else {
        panic!("nothing has changed");
    };
    assert!(matches!(
        used.claim(found, PENDING_LIFE, at(3)),
        Err(InvalidMove::Conflict {
            status: InvocationStatus::Executing,
            ..
        })
    ));
}

#[test]
fn case_33_what_was_spent_is_given_back_when_it_is_refused_before_it_ran() {
    let grant = GrantId::from_uuid(Uuid::from_u128(5));
    let claimed = executing(Authority::Grant(grant));
    assert_eq!(claimed.spent_grant(), Some(grant));
    let refused = claimed.refuse(Refusal::Policy, at(3)).unwrap();
    assert_eq!(refused.spent_grant(), None);
    assert!(matches!(
        refused,
        InvocationState::Denied {
            by: DeniedBy::Platform(Refusal::Policy),
            ..
        }
    ));
    for other in [
        executing(Authority::Read),
        executing(Authority::Approval {
            by: admin(),
            at: at(1),
        }),
    ] {
        assert_eq!(other.spent_grant(), None);
    }
}

#[test]
fn case_31_a_call_that_is_denied_after_the_claim_costs_its_grant_nothing() {
    let mut grant = grant(5);
    grant.budget = GrantBudget::new(std::num::NonZeroU32::new(1));
    let before = grant.budget;
    grant.budget = grant.budget.spend().unwrap();
    let claimed = executing(Authority::Grant(grant.id));
    // The budget to give back is read before the refusal; no later state reports it again.
    assert_eq!(claimed.spent_grant(), Some(grant.id));
    grant.budget = grant.budget.give_back();
    assert_eq!(grant.budget, before);
    let refused = claimed.refuse(Refusal::Policy, at(3)).unwrap();
    assert_eq!(refused.spent_grant(), None);
    // A call that ran is not given back, however it ended.
    let ran = executing(Authority::Grant(grant.id));
    let failed = ran.fail(error(), Effect::Unknown, None, at(3)).unwrap();
    assert_eq!(failed.spent_grant(), None);
}

#[test]
fn defect_23_an_error_that_a_tool_reports_is_a_failure_with_its_content() {
    let failed = executing(Authority::Read)
        .fail(error(), Effect::Known, Some(result()), at(9))
        .unwrap();
    let InvocationState::Failed {
        result: kept,
        duration,
        authority,
        ..
    } = failed
    else {
        panic!("not failed");
    };
    assert_eq!((kept, authority), (Some(result()), Authority::Read));
    assert_eq!(duration, Duration::from_secs(7));
}

#[test]
fn a_reason_is_bounded_and_harmless() {
    let denied = pending()
        .deny(admin(), Some(&"x\u{1b}[31m\n".repeat(1000)), at(1))
        .unwrap();
    let InvocationState::Denied {
        reason: Some(reason),
        ..
    } = denied
    else {
        panic!("no reason");
    };
    assert_eq!(reason.chars().count(), REASON_LENGTH_MAX);
    assert!(!reason.contains(char::is_control));
}

#[test]
fn every_state_has_its_place_in_the_run() {
    use InvocationStatus as I;
    let table = [
        (I::Pending, RunStatus::Created),
        (I::Approved, RunStatus::Created),
        (I::Executing, RunStatus::Running),
        (I::Completed, RunStatus::Completed),
        (I::Failed, RunStatus::Failed),
        (I::Denied, RunStatus::Denied),
        (I::Expired, RunStatus::Cancelled),
    ];
    for (status, run) in table {
        assert_eq!(status.run_status(), run, "{status}");
    }
}

fn callers() -> [Caller; 5] {
    let user = |role, credential| Caller::User {
        organization_id: organization(),
        user_id: admin(),
        role,
        credential,
    };
    let key = Credential::ApiKey(ApiKeyId::from_uuid(Uuid::nil()));
    [
        user(Role::Member, Credential::Token),
        user(Role::Admin, key),
        user(Role::Owner, Credential::Token),
        Caller::Service {
            organization_id: organization(),
            name: "billing".to_owned(),
        },
        Caller::Sandbox {
            organization_id: organization(),
            session_id: session(1),
            incarnation: Incarnation(1),
        },
    ]
}

#[test]
fn case_32_only_admins_decide() {
    let may: Vec<bool> = callers()
        .iter()
        .map(|caller| decider(caller).is_some())
        .collect();
    assert_eq!(may, [false, true, true, false, false]);
}

#[test]
fn defect_7_an_invocation_is_found_only_in_its_own_session_and_organization() {
    let invocation = invocation(pending());
    for caller in callers() {
        assert!(invocation.is_visible_to(&caller, session(1)), "{caller:?}");
        assert!(!invocation.is_visible_to(&caller, session(2)), "{caller:?}");
    }
    let elsewhere = Invocation {
        organization_id: OrganizationId::new("other").unwrap(),
        ..invocation.clone()
    };
    for caller in callers() {
        assert!(!elsewhere.is_visible_to(&caller, session(1)), "{caller:?}");
    }
    let other_agent = Caller::Sandbox {
        organization_id: organization(),
        session_id: session(2),
        incarnation: Incarnation(1),
    };
    assert!(!invocation.is_visible_to(&other_agent, session(1)));
}
