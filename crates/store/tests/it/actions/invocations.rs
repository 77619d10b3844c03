//! Invocations.

use std::time::Duration;

use domain::{
    action::{
        ApprovalMode, Authority, Bound, DeniedBy, Effect, Invocation, InvocationState,
        InvocationStatus, Mismatch, Refusal, ResultRef,
    },
    id::{ArtifactId, GrantId},
    run::{RunError, RunErrorCode},
    sharing::SessionViewer,
};
use serde_json::json;
use store::{InvocationMove, InvocationRecord, NewInvocation};
use testkit::database::Backend;

use super::{Desk, binding, sha256};

testkit::on_both_databases!(
    every_state_comes_back_as_it_was,
    a_move_starts_from_what_was_read,
    an_approval_of_what_was_asked_before_is_none,
    parameters_are_gone_when_it_is_over,
    the_inbox_has_titles_and_a_total,
    what_is_overdue_is_found,
    the_database_refuses_what_the_lifecycle_forbids,
);

fn new(invocation: Invocation) -> NewInvocation {
    NewInvocation {
        invocation,
        params: json!({"title": "[redacted]"}),
        sealed_params: Some("sealed".to_owned()),
    }
}

async fn insert(desk: &Desk, invocation: &Invocation) {
    let mut tx = desk.test.db.write().await.unwrap();
    let rows = [new(invocation.clone())];
    store::invocation_insert_all(&mut tx, &rows).await.unwrap();
    tx.commit().await.unwrap();
}

async fn step(desk: &Desk, before: &Invocation, after: InvocationState) -> bool {
    let mut after = Invocation {
        state: after,
        ..before.clone()
    };
    after.binding = before.binding.clone();
    move_to(desk, before, after).await
}

async fn move_to(desk: &Desk, before: &Invocation, after: Invocation) -> bool {
    let mut tx = desk.test.db.write().await.unwrap();
    let step = InvocationMove {
        before: before.clone(),
        after,
        result: None,
    };
    let moved = store::invocation_move_all(&mut tx, &[step]).await.unwrap();
    tx.commit().await.unwrap();
    moved == [before.id]
}

async fn fetch(desk: &Desk, invocation: &Invocation) -> InvocationRecord {
    let mut conn = desk.test.db.read().await.unwrap();
    let found = store::invocation_fetch(&mut conn, &desk.acme, invocation.id).await;
    found.unwrap().unwrap()
}

fn states(desk: &Desk) -> Vec<InvocationState> {
    let (now, by) = (desk.fixture.now(), desk.admin.clone());
    let later = now.plus(Duration::from_mins(5));
    let grant = GrantId::generate(now, &desk.fixture.entropy);
    let approval = Authority::Approval {
        by: by.clone(),
        at: now,
    };
    let result = ResultRef {
        sha256: sha256("result"),
        artifact: Some(ArtifactId::generate(now, &desk.fixture.entropy)),
    };
    let failed = |effect, result| InvocationState::Failed {
        ended_at: later,
        authority: approval.clone(),
        error: RunError::new(
            RunErrorCode::ToolError,
            "Linear rejected the request",
            false,
        ),
        effect,
        result,
        duration: Duration::from_millis(1500),
    };
    vec![
        InvocationState::Pending {
            expires_at: later,
            returned: None,
        },
        InvocationState::Pending {
            expires_at: later,
            returned: Some(Mismatch {
                changed: vec![Bound::Tool, Bound::Policy],
            }),
        },
        InvocationState::Approved {
            by: by.clone(),
            at: now,
            mode: ApprovalMode::Once,
            expires_at: later,
        },
        InvocationState::Approved {
            by: by.clone(),
            at: now,
            mode: ApprovalMode::Grant(grant),
            expires_at: later,
        },
        InvocationState::Executing {
            claimed_at: now,
            authority: Authority::Read,
        },
        InvocationState::Executing {
            claimed_at: now,
            authority: approval.clone(),
        },
        InvocationState::Completed {
            ended_at: later,
            authority: Authority::Grant(grant),
            result: result.clone(),
            duration: Duration::from_micros(1_234_567),
        },
        failed(Effect::Known, Some(result)),
        failed(Effect::Unknown, None),
        InvocationState::Denied {
            at: later,
            by: DeniedBy::Person(by),
            reason: Some("not today".to_owned()),
        },
        InvocationState::Denied {
            at: later,
            by: DeniedBy::Platform(Refusal::Danger),
            reason: None,
        },
        InvocationState::Expired { at: later },
    ]
}

async fn every_state_comes_back_as_it_was(backend: Backend) {
    let desk = Desk::open(backend).await;
    let now = desk.fixture.now();
    let pending = InvocationState::Pending {
        expires_at: now.plus(Duration::from_mins(1)),
        returned: None,
    };
    for state in states(&desk) {
        let inserted = desk.invocation(state.clone());
        insert(&desk, &inserted).await;
        assert_eq!(fetch(&desk, &inserted).await.invocation, inserted);
        let begun = desk.invocation(pending.clone());
        insert(&desk, &begun).await;
        assert!(step(&desk, &begun, state.clone()).await, "{state:?}");
        let found = fetch(&desk, &begun).await;
        assert_eq!(found.invocation.state, state);
        assert_eq!(found.params, json!({"title": "[redacted]"}));
        let mut conn = desk.test.db.read().await.unwrap();
        let by_run = store::invocation_fetch_by_run(&mut conn, begun.run_id)
            .await
            .unwrap();
        assert_eq!(by_run, Some(found));
    }
}

async fn a_move_starts_from_what_was_read(backend: Backend) {
    let desk = Desk::open(backend).await;
    let [pending, _, approved, .., expired] = states(&desk).try_into().unwrap_or_else(
        |states: Vec<InvocationState>| -> [InvocationState; 12] { panic!("{}", states.len()) },
    );
    let invocation = desk.invocation(pending);
    insert(&desk, &invocation).await;
    assert!(step(&desk, &invocation, approved.clone()).await);
    // A caller that read an earlier state moves nothing: not with the same step, not with another.
    assert!(!step(&desk, &invocation, approved.clone()).await);
    assert!(!step(&desk, &invocation, expired).await);
    assert_eq!(fetch(&desk, &invocation).await.invocation.state, approved);
}

async fn an_approval_of_what_was_asked_before_is_none(backend: Backend) {
    let desk = Desk::open(backend).await;
    let mut all = states(&desk).into_iter();
    let (pending, returned, approved) = (all.next(), all.next(), all.next());
    let asked = desk.invocation(pending.unwrap());
    insert(&desk, &asked).await;
    // It comes back for another call, until the same moment: only the binding tells the two apart.
    let again = Invocation {
        binding: binding("another call"),
        state: returned.unwrap(),
        ..asked.clone()
    };
    assert!(move_to(&desk, &asked, again.clone()).await);
    let approved = approved.unwrap();
    assert!(!step(&desk, &asked, approved.clone()).await);
    assert_eq!(fetch(&desk, &asked).await.invocation, again);
    assert!(step(&desk, &again, approved).await);
}

async fn parameters_are_gone_when_it_is_over(backend: Backend) {
    let desk = Desk::open(backend).await;
    let all = states(&desk);
    for state in all.iter().skip(2) {
        let invocation = desk.invocation(all[0].clone());
        insert(&desk, &invocation).await;
        let mut tx = desk.test.db.write().await.unwrap();
        let step = InvocationMove {
            before: invocation.clone(),
            after: Invocation {
                state: state.clone(),
                ..invocation.clone()
            },
            result: Some(json!({"ok": true})),
        };
        store::invocation_move_all(&mut tx, &[step]).await.unwrap();
        tx.commit().await.unwrap();
        let mut conn = desk.test.db.read().await.unwrap();
        let sealed = store::invocation_sealed_params(&mut conn, &desk.acme, invocation.id);
        let expected = (!state.is_terminal()).then(|| "sealed".to_owned());
        assert_eq!(sealed.await.unwrap(), expected, "{state:?}");
        let found = fetch(&desk, &invocation).await;
        assert_eq!(found.result, Some(json!({"ok": true})));
    }
}

async fn the_inbox_has_titles_and_a_total(backend: Backend) {
    let desk = Desk::open(backend).await;
    let mut ids = Vec::new();
    for state in states(&desk) {
        let invocation = desk.invocation(state);
        insert(&desk, &invocation).await;
        ids.push(invocation.id);
    }
    ids.sort();
    ids.reverse();
    let mut conn = desk.test.db.read().await.unwrap();
    assert_eq!(
        store::invocation_count(&mut conn, &desk.acme, SessionViewer::All, None)
            .await
            .unwrap(),
        12
    );
    let page = store::invocation_inbox(&mut conn, &desk.acme, SessionViewer::All, None, 5, 4)
        .await
        .unwrap();
    let found: Vec<_> = page.iter().map(|item| item.record.invocation.id).collect();
    assert_eq!(found, ids[4..9]);
    let titles = page.iter().map(|item| item.session_title.as_deref());
    assert!(titles.eq([Some("Mend the build"); 5]));
    let denied = Some(InvocationStatus::Denied);
    let inbox =
        store::invocation_inbox(&mut conn, &desk.acme, SessionViewer::All, denied, 50, 0).await;
    assert_eq!(inbox.unwrap().len(), 2);
    assert_eq!(
        store::invocation_count(&mut conn, &desk.acme, SessionViewer::All, denied)
            .await
            .unwrap(),
        2
    );
    let listed = store::invocation_list(&mut conn, &desk.acme, desk.session, None, 100, 0);
    let listed: Vec<_> = listed.await.unwrap();
    let listed: Vec<_> = listed.iter().map(|one| one.invocation.id).collect();
    assert_eq!(listed, ids);
    let second = store::invocation_list(&mut conn, &desk.acme, desk.session, None, 1, 1);
    assert_eq!(second.await.unwrap()[0].invocation.id, ids[1]);
    let of_status = store::invocation_list(&mut conn, &desk.acme, desk.session, denied, 100, 0);
    assert_eq!(of_status.await.unwrap().len(), 2);
    let other = "org_other".parse().unwrap();
    assert_eq!(
        store::invocation_count(&mut conn, &other, SessionViewer::All, None)
            .await
            .unwrap(),
        0
    );
    assert_eq!(
        store::invocation_fetch(&mut conn, &other, ids[0])
            .await
            .unwrap(),
        None
    );
}

async fn what_is_overdue_is_found(backend: Backend) {
    let desk = Desk::open(backend).await;
    for state in states(&desk) {
        insert(&desk, &desk.invocation(state)).await;
    }
    let (now, session) = (desk.fixture.now(), desk.session);
    let later = now.plus(Duration::from_mins(5));
    let mut tx = desk.test.db.write().await.unwrap();
    let waiting = store::invocation_hold_standing(&mut tx, &desk.acme, session, now);
    assert_eq!(waiting.await.unwrap().pending, 2);
    let waiting = store::invocation_hold_standing(&mut tx, &desk.acme, session, later);
    assert_eq!(waiting.await.unwrap().pending, 0);
    drop(tx);
    let mut conn = desk.test.db.read().await.unwrap();
    assert_eq!(
        store::invocation_overdue_list(&mut conn, now, 10)
            .await
            .unwrap(),
        []
    );
    let overdue = store::invocation_overdue_list(&mut conn, later, 10)
        .await
        .unwrap();
    let statuses: Vec<_> = overdue.iter().map(|one| one.state.status()).collect();
    assert_eq!(statuses.len(), 4);
    assert!(statuses.iter().all(|status| matches!(
        status,
        InvocationStatus::Pending | InvocationStatus::Approved
    )));
}

async fn the_database_refuses_what_the_lifecycle_forbids(backend: Backend) {
    let desk = Desk::open(backend).await;
    let pending = states(&desk).remove(0);
    let invocation = desk.invocation(pending);
    insert(&desk, &invocation).await;
    for change in [
        "status = 'sleeping'",
        "status = 'executing', expires_at = NULL",
        "status = 'executing', expires_at = NULL, claimed_at = created_at, authority = 'grant'",
        "status = 'executing', expires_at = NULL, claimed_at = created_at, authority = 'approval'",
        "status = 'approved'",
        "status = 'completed', expires_at = NULL, completed_at = created_at",
        "status = 'denied', expires_at = NULL, completed_at = created_at",
        "expires_at = NULL",
        "sealed_params = NULL",
        "risk_level = 'harmless'",
    ] {
        let sql = format!("UPDATE action_invocations SET {change}");
        assert!(desk.test.try_execute(&sql).await.is_err(), "{change}");
    }
    assert_eq!(fetch(&desk, &invocation).await.invocation, invocation);
}
