//! Limits and their use, as the database counts it.

use domain::{
    id::OrganizationId,
    model_usage::Usage,
    organization_limits::{LimitLevel, LimitSettings, OrganizationLimits},
    organization_spend::{SpendNotice, SpendPeriod},
    role::Role,
    session::SessionState,
};
use std::time::Duration;
use store::{Db, SessionRuntime, SessionsInUse};
use testkit::{
    database::{Backend, TestDatabase},
    fixture::Fixture,
};

testkit::on_both_databases!(
    limits_read_back_as_written_for_each_level,
    what_has_a_sandbox_or_starts_is_in_use,
    spending_is_summed_by_day_and_month_of_utc,
    a_notice_is_given_once_in_its_period,
    of_many_who_add_bytes_at_once_none_are_lost,
);

struct Desk {
    test: TestDatabase,
    fixture: Fixture,
    acme: OrganizationId,
    other: OrganizationId,
}

impl Desk {
    async fn open(backend: Backend) -> Self {
        let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
        let (acme, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
        let (other, _) = fixture.organization(&test.db, "other", Role::Owner).await;
        Self {
            test,
            fixture,
            acme,
            other,
        }
    }

    fn db(&self) -> &Db {
        &self.test.db
    }
}

async fn limits_read_back_as_written_for_each_level(backend: Backend) {
    let desk = Desk::open(backend).await;
    let settings = |n| LimitSettings {
        live_sessions: Some(n),
        sandboxes: Some(n + 1),
        storage_bytes: Some(n + 2),
        spend_day_micro_usd: Some(n + 3),
        spend_month_micro_usd: Some(n + 4),
        approval_seconds: Some(n + 5),
    };
    let now = desk.fixture.now();
    for (level, limits) in [
        (LimitLevel::Operator, settings(1)),
        (LimitLevel::Organization, settings(10)),
        (LimitLevel::Organization, LimitSettings::default()),
        (LimitLevel::Organization, settings(20)),
    ] {
        let mut tx = desk.db().write().await.unwrap();
        store::organization_limits_set(&mut tx, &desk.acme, level, &limits, now)
            .await
            .unwrap();
        tx.commit().await.unwrap();
    }
    let mut conn = desk.db().read().await.unwrap();
    let found = store::organization_limits_fetch(&mut conn, &desk.acme).await;
    let expected = OrganizationLimits {
        operator: settings(1),
        organization: settings(20),
    };
    assert_eq!(found.unwrap(), expected);
    let foreign = store::organization_limits_fetch(&mut conn, &desk.other).await;
    assert_eq!(foreign.unwrap(), OrganizationLimits::default());
}

async fn what_has_a_sandbox_or_starts_is_in_use(backend: Backend) {
    let desk = Desk::open(backend).await;
    let now = desk.fixture.now();
    let paused = SessionState::Running { started_at: now }
        .pause(now, "idle")
        .unwrap();
    let failed = SessionState::Starting { since: now }
        .fail(now, "no")
        .unwrap();
    let states = [
        (SessionState::Pending, false),
        (SessionState::Starting { since: now }, false),
        (SessionState::Running { started_at: now }, true),
        (paused, false),
        // Its sandbox is kept: it may be the only copy of someone's work.
        (failed, true),
    ];
    let mut starting = None;
    for (state, has_sandbox) in states {
        let mut session = desk.fixture.session(&desk.acme);
        session.state = state;
        let mut tx = desk.db().write().await.unwrap();
        store::session_insert(&mut tx, &session).await.unwrap();
        if has_sandbox {
            let runtime = SessionRuntime {
                sandbox: Some("box".to_owned()),
                ..SessionRuntime::default()
            };
            store::session_runtime_set(&mut tx, &session, &runtime, now)
                .await
                .unwrap();
        }
        tx.commit().await.unwrap();
        if matches!(session.state, SessionState::Starting { .. }) {
            starting = Some(session.id);
        }
    }
    let mut conn = desk.db().read().await.unwrap();
    let all = store::sessions_in_use(&mut conn, &desk.acme, None)
        .await
        .unwrap();
    let expected = |live_sessions, sandboxes| SessionsInUse {
        live_sessions,
        sandboxes,
    };
    assert_eq!(all, expected(2, 3));
    let others = store::sessions_in_use(&mut conn, &desk.acme, starting).await;
    assert_eq!(others.unwrap(), expected(1, 2));
    let foreign = store::sessions_in_use(&mut conn, &desk.other, None).await;
    assert_eq!(foreign.unwrap(), SessionsInUse::default());
}

async fn spending_is_summed_by_day_and_month_of_utc(backend: Backend) {
    let desk = Desk::open(backend).await;
    let session = desk.fixture.session(&desk.acme);
    let mut tx = desk.db().write().await.unwrap();
    store::session_insert(&mut tx, &session).await.unwrap();
    tx.commit().await.unwrap();
    let at = |text: &str| domain::clock::Timestamp::from_datetime(text.parse().unwrap());
    let mut last = None;
    for (now, cost) in [
        ("2026-01-31T23:59:59Z", 1),
        ("2026-02-01T00:00:00Z", 10),
        ("2026-02-01T23:59:59Z", 100),
        ("2026-02-28T12:00:00Z", 1000),
    ] {
        let more = Usage {
            cost_micro_usd: cost,
            ..Usage::default()
        };
        let mut tx = desk.db().write().await.unwrap();
        let added =
            store::model_usage_add(&mut tx, &desk.acme, session.id, "m", &more, at(now)).await;
        tx.commit().await.unwrap();
        last = Some(added.unwrap());
    }
    let last = last.unwrap();
    assert_eq!(last.spent_micro_usd, 1111);
    let spend = last.organization;
    assert_eq!((spend.day_micro_usd, spend.month_micro_usd), (1000, 1110));
    let mut conn = desk.db().read().await.unwrap();
    for (now, expected) in [
        ("2026-01-31T00:00:00Z", (1, 1)),
        ("2026-02-01T12:00:00Z", (110, 110)),
        ("2026-02-28T23:00:00Z", (1000, 1110)),
        ("2026-03-01T00:00:00Z", (0, 0)),
    ] {
        let now = at(now);
        let read = store::organization_spend_fetch(&mut conn, &desk.acme, now)
            .await
            .unwrap();
        assert_eq!((read.day_micro_usd, read.month_micro_usd), expected);
        let with_session =
            store::model_spending_fetch(&mut conn, &desk.acme, session.id, now).await;
        assert_eq!(with_session.unwrap().organization, read);
    }
}

async fn a_notice_is_given_once_in_its_period(backend: Backend) {
    let desk = Desk::open(backend).await;
    let now = desk.fixture.now();
    let tomorrow = now.plus(Duration::from_hours(24));
    let notice = |period, percent| SpendNotice {
        period,
        percent,
        spent_micro_usd: 8,
        limit_micro_usd: 10,
    };
    let (day, month) = (SpendPeriod::Day, SpendPeriod::Month);
    for (at, period, percent, is_first) in [
        (now, day, 80, true),
        (now, day, 80, false),
        (now, day, 100, true),
        (now, month, 80, true),
        (tomorrow, day, 80, true),
        (tomorrow, month, 80, false),
    ] {
        let mut tx = desk.db().write().await.unwrap();
        let notice = notice(period, percent);
        let inserted = store::spend_notice_insert(&mut tx, &desk.acme, &notice, at).await;
        tx.commit().await.unwrap();
        assert_eq!(inserted.unwrap(), is_first, "{notice:?}");
    }
    let mut conn = desk.db().read().await.unwrap();
    for (organization, at, period, expected) in [
        (&desk.acme, now, day, 100),
        (&desk.acme, tomorrow, day, 80),
        (&desk.other, now, day, 0),
    ] {
        let found = store::spend_notice_percent(&mut conn, organization, period, at).await;
        assert_eq!(found.unwrap(), expected);
    }
}

async fn of_many_who_add_bytes_at_once_none_are_lost(backend: Backend) {
    let desk = Desk::open(backend).await;
    let add = async || {
        let mut tx = desk.db().write().await.unwrap();
        store::storage_add(&mut tx, &desk.acme, 7, 1).await.unwrap();
        tx.commit().await.unwrap();
    };
    futures::future::join_all((0..16).map(|_| add())).await;
    let mut conn = desk.db().read().await.unwrap();
    let found = store::storage_fetch(&mut conn, &desk.acme).await.unwrap();
    assert_eq!((found.byte_size, found.counted_at), (16 * 8, None));
    assert_eq!(
        store::storage_fetch(&mut conn, &desk.other)
            .await
            .unwrap()
            .byte_size,
        0
    );
}
