//! Grants, their budgets, and requests for them.

use std::time::Duration;

use domain::{
    action::{
        BuiltInActions, Condition, GrantBasis, GrantDraft, GrantRequest, GrantRequestStatus,
        GrantScope, JsonPointer, Predicate,
    },
    audit::Sha256Hex,
    id::{GrantId, GrantRequestId, SessionId},
    page::PageRequest,
    sharing::SessionViewer,
};
use serde_json::json;
use store::{Db, GrantUse};
use testkit::database::Backend;

use super::Desk;

testkit::on_both_databases!(
    a_grant_of_five_is_spent_five_times,
    a_grant_that_is_over_pays_for_nothing,
    what_was_given_back_can_be_spent_again,
    candidates_are_those_that_may_cover_the_call_newest_first,
    a_grant_comes_back_as_it_was,
    grants_of_before_are_bound_once,
    what_is_long_over_is_removed,
    a_wish_is_decided_once,
);

async fn insert(desk: &Desk, grant: &domain::action::Grant) {
    let mut tx = desk.test.db.write().await.unwrap();
    store::grant_insert(&mut tx, grant).await.unwrap();
    tx.commit().await.unwrap();
}

async fn spend(desk: &Desk, db: &Db, id: GrantId) -> bool {
    let mut tx = db.write().await.unwrap();
    let spent = store::grant_spend(&mut tx, &desk.acme, id, desk.fixture.now()).await;
    tx.commit().await.unwrap();
    spent.unwrap()
}

async fn used(desk: &Desk, id: GrantId) -> u32 {
    let mut conn = desk.test.db.read().await.unwrap();
    let found = store::grant_fetch(&mut conn, &desk.acme, id).await.unwrap();
    found.unwrap().grant.budget.used_calls
}

async fn a_grant_of_five_is_spent_five_times(backend: Backend) {
    let desk = Desk::open(backend).await;
    let grant = desk.grant(Some(5));
    insert(&desk, &grant).await;
    let again = desk.test.open_again().await;
    // Half of them through connections of another process.
    let asking = (0..60).map(|n| {
        let db = if n % 2 == 0 { &desk.test.db } else { &again.db };
        spend(&desk, db, grant.id)
    });
    let spent = futures::future::join_all(asking).await;
    assert_eq!(spent.iter().filter(|spent| **spent).count(), 5);
    assert_eq!(used(&desk, grant.id).await, 5);
    let more = "UPDATE action_grants SET used_calls = 6";
    assert!(desk.test.try_execute(more).await.is_err());
}

async fn a_grant_that_is_over_pays_for_nothing(backend: Backend) {
    let desk = Desk::open(backend).await;
    let now = desk.fixture.now();
    let mut expired = desk.grant(None);
    expired.expires_at = Some(now);
    insert(&desk, &expired).await;
    assert!(!spend(&desk, &desk.test.db, expired.id).await);
    let revoked = desk.grant(None);
    insert(&desk, &revoked).await;
    let mut tx = desk.test.db.write().await.unwrap();
    assert!(
        store::grant_revoke(&mut tx, &desk.acme, revoked.id, now)
            .await
            .unwrap()
    );
    assert!(
        !store::grant_revoke(&mut tx, &desk.acme, revoked.id, now)
            .await
            .unwrap()
    );
    tx.commit().await.unwrap();
    assert!(!spend(&desk, &desk.test.db, revoked.id).await);
    let other = "org_other".parse().unwrap();
    let unlimited = desk.grant(None);
    insert(&desk, &unlimited).await;
    let mut tx = desk.test.db.write().await.unwrap();
    assert!(
        !store::grant_spend(&mut tx, &other, unlimited.id, now)
            .await
            .unwrap()
    );
    assert!(
        store::grant_spend(&mut tx, &desk.acme, unlimited.id, now)
            .await
            .unwrap()
    );
}

async fn what_was_given_back_can_be_spent_again(backend: Backend) {
    let desk = Desk::open(backend).await;
    let grant = desk.grant(Some(1));
    insert(&desk, &grant).await;
    assert!(spend(&desk, &desk.test.db, grant.id).await);
    assert!(!spend(&desk, &desk.test.db, grant.id).await);
    let mut tx = desk.test.db.write().await.unwrap();
    store::grant_give_back(&mut tx, &desk.acme, grant.id)
        .await
        .unwrap();
    // There is nothing more to give back.
    store::grant_give_back(&mut tx, &desk.acme, grant.id)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    assert_eq!(used(&desk, grant.id).await, 0);
    assert!(spend(&desk, &desk.test.db, grant.id).await);
}

async fn candidates_are_those_that_may_cover_the_call_newest_first(backend: Backend) {
    let desk = Desk::open(backend).await;
    let grant = |integration: &str, action: &str, session: Option<SessionId>| {
        let mut grant = desk.grant(Some(3));
        grant.integration = integration.parse().unwrap();
        grant.action = action.parse().unwrap();
        grant.scope = session.map_or(GrantScope::Organization, GrantScope::Session);
        grant
    };
    let elsewhere = desk.fixture.session(&desk.acme);
    let mut tx = desk.test.db.write().await.unwrap();
    store::session_insert(&mut tx, &elsewhere).await.unwrap();
    tx.commit().await.unwrap();
    let covering = [
        grant("linear", "create_issue", None),
        grant("linear", "*", Some(desk.session)),
        grant("*", "create_issue", None),
        grant("*", "*", None),
    ];
    let others = [
        grant("linear", "update_issue", None),
        grant("sentry", "*", None),
        grant("*", "*", Some(elsewhere.id)),
    ];
    for one in covering.iter().chain(&others) {
        insert(&desk, one).await;
    }
    let mut conn = desk.test.db.read().await.unwrap();
    let (integration, action) = ("linear".parse().unwrap(), "create_issue".parse().unwrap());
    let now = desk.fixture.now();
    let found = store::grant_candidate_list(
        &mut conn,
        &desk.acme,
        desk.session,
        &integration,
        &action,
        now,
    )
    .await
    .unwrap();
    let mut expected: Vec<GrantId> = covering.iter().map(|grant| grant.id).collect();
    expected.sort();
    expected.reverse();
    let found: Vec<GrantId> = found.iter().map(|grant| grant.id).collect();
    assert_eq!(found, expected);
}

async fn a_grant_comes_back_as_it_was(backend: Backend) {
    let desk = Desk::open(backend).await;
    let mut grant = desk.grant(Some(7));
    let at = |pointer: &str| JsonPointer::new("pointer", pointer).unwrap();
    grant.scope = GrantScope::Session(desk.session);
    grant.expires_at = Some(desk.fixture.now().plus(Duration::from_hours(1)));
    grant.predicates = [
        (at("/teamId"), Condition::Equals(json!({"a": [1, null]}))),
        (
            at("/labels/0"),
            Condition::OneOf(vec![json!("x"), json!(2)]),
        ),
        (at(""), Condition::Prefix("proj-".to_owned())),
    ]
    .map(|(pointer, condition)| Predicate::new(pointer, condition).unwrap())
    .to_vec();
    let names = ("linear".parse().unwrap(), "create_issue".parse().unwrap());
    grant.basis = GrantBasis {
        tool: Some(Sha256Hex::of(b"tool")),
        known_tools: 7,
        built_in: BuiltInActions([(names, Sha256Hex::of(b"action"))].into()),
    };
    insert(&desk, &grant).await;
    let mut conn = desk.test.db.read().await.unwrap();
    let page = PageRequest::new(None, None).unwrap();
    let expected = GrantUse {
        grant: grant.clone(),
        last_used_at: None,
    };
    let all = store::grant_page(&mut conn, &desk.acme, SessionViewer::All, page)
        .await
        .unwrap();
    assert_eq!(all.items, [expected]);
    drop(conn);
    assert!(spend(&desk, &desk.test.db, grant.id).await);
    let mut conn = desk.test.db.read().await.unwrap();
    let now = desk.fixture.now();
    let page = PageRequest::new(None, None).unwrap();
    let usable = store::grant_page_usable(&mut conn, &desk.acme, desk.session, now, page);
    let usable = usable.await.unwrap().items;
    assert_eq!(usable[0].last_used_at, Some(now));
    assert_eq!(usable[0].grant.budget.used_calls, 1);
}

async fn grants_of_before_are_bound_once(backend: Backend) {
    let desk = Desk::open(backend).await;
    let digest = |text: &str| Sha256Hex::of(text.as_bytes());
    let actions = |text: &str| {
        let names = |action: &str| ("linear".parse().unwrap(), action.parse().unwrap());
        let named = [
            (names("create_issue"), digest(text)),
            (names("update_issue"), digest(text)),
        ];
        BuiltInActions(named.into())
    };
    let (all, mut one, mut other) = (desk.grant(None), desk.grant(None), desk.grant(None));
    one.action = "create_issue".parse().unwrap();
    other.integration = "sentry".parse().unwrap();
    let mut late = desk.grant(None);
    late.action = "update_issue".parse().unwrap();
    for grant in [&all, &one, &other, &late] {
        insert(&desk, grant).await;
    }
    // The last one was added by an instance of before, after the migration.
    desk.test
        .execute("UPDATE action_grants SET built_in = NULL, to_bind = (action <> 'update_issue')")
        .await;
    for program in ["first", "second"] {
        let mut tx = desk.test.db.write().await.unwrap();
        for patterns in store::grant_unbound_list(&mut tx).await.unwrap() {
            store::grant_bind(&mut tx, &patterns, &actions(program))
                .await
                .unwrap();
        }
        assert_eq!(store::grant_unbound_list(&mut tx).await.unwrap(), []);
        tx.commit().await.unwrap();
    }
    let mut conn = desk.test.db.read().await.unwrap();
    let named = [(all, 2), (one, 1), (other, 0), (late, 0)];
    for (grant, count) in named {
        let found = store::grant_fetch(&mut conn, &desk.acme, grant.id)
            .await
            .unwrap()
            .unwrap();
        let built_in = found.grant.basis.built_in.0;
        assert_eq!(built_in.len(), count);
        assert!(built_in.values().all(|bound| *bound == digest("first")));
    }
}

async fn what_is_long_over_is_removed(backend: Backend) {
    let desk = Desk::open(backend).await;
    let now = desk.fixture.now();
    let (usable, spent, mut expired, mut revoked) = (
        desk.grant(Some(2)),
        desk.grant(Some(1)),
        desk.grant(None),
        desk.grant(None),
    );
    expired.expires_at = Some(now);
    revoked.revoked_at = Some(now);
    for grant in [&usable, &spent, &expired, &revoked] {
        insert(&desk, grant).await;
    }
    assert!(spend(&desk, &desk.test.db, usable.id).await);
    assert!(spend(&desk, &desk.test.db, spent.id).await);
    let mut tx = desk.test.db.write().await.unwrap();
    assert_eq!(store::grant_delete_over(&mut tx, now).await.unwrap(), 0);
    let later = now.plus(Duration::from_secs(1));
    assert_eq!(store::grant_delete_over(&mut tx, later).await.unwrap(), 3);
    tx.commit().await.unwrap();
    assert_eq!(used(&desk, usable.id).await, 1);
}

async fn a_wish_is_decided_once(backend: Backend) {
    let desk = Desk::open(backend).await;
    let (now, entropy) = (desk.fixture.now(), &desk.fixture.entropy);
    let draft = GrantDraft {
        scope: GrantScope::Organization,
        integration: "*".parse().unwrap(),
        action: "*".parse().unwrap(),
        predicates: Vec::new(),
        max_calls: None,
        expires_at: Some(now.plus(Duration::from_hours(2))),
    };
    let id = GrantRequestId::generate(now, entropy);
    let wish = GrantRequest::new(id, desk.acme.clone(), desk.session, draft, now).unwrap();
    let mut tx = desk.test.db.write().await.unwrap();
    store::grant_request_insert(&mut tx, &wish).await.unwrap();
    let waiting = store::grant_request_pending_count(&mut tx, &desk.acme, desk.session, now);
    assert_eq!(waiting.await.unwrap(), 1);
    let found = store::grant_request_fetch(&mut tx, &desk.acme, id)
        .await
        .unwrap();
    assert_eq!(found.as_ref(), Some(&wish));
    let by = desk.admin.clone();
    let grant_id = GrantId::generate(now, entropy);
    let (granted, grant) = wish
        .clone()
        .grant(grant_id, (by.clone(), GrantBasis::default()), now)
        .unwrap();
    store::grant_insert(&mut tx, &grant).await.unwrap();
    assert!(
        store::grant_request_decide(&mut tx, &granted)
            .await
            .unwrap()
    );
    let mut refused = wish.clone();
    refused.state = wish.state.refuse(by, Some("no"), now).unwrap();
    assert!(
        !store::grant_request_decide(&mut tx, &refused)
            .await
            .unwrap()
    );
    tx.commit().await.unwrap();
    let mut conn = desk.test.db.read().await.unwrap();
    let page = PageRequest::new(None, None).unwrap();
    let status = Some(GrantRequestStatus::Granted);
    let listed =
        store::grant_request_page(&mut conn, &desk.acme, SessionViewer::All, status, page).await;
    assert_eq!(listed.unwrap().items, [granted]);
    let page = PageRequest::new(None, None).unwrap();
    let status = Some(GrantRequestStatus::Pending);
    let listed =
        store::grant_request_page(&mut conn, &desk.acme, SessionViewer::All, status, page).await;
    assert_eq!(listed.unwrap().items, []);
}
