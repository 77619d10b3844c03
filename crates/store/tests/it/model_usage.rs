//! What sessions have had of their models, as the database counts it.

use domain::{
    configuration::Configuration,
    id::{OrganizationId, SessionId},
    model_usage::{Budget, Tokens, Usage},
    role::Role,
    session::SessionState,
};
use store::{Error, ModelSpending, ModelUsage, Tx};
use testkit::{
    database::{Backend, TestDatabase},
    fixture::Fixture,
};

testkit::on_both_databases!(
    counts_grow_by_what_is_added_for_each_model,
    no_count_is_lost_among_many_at_once,
    a_budget_of_its_own_goes_before_and_may_be_none,
    a_sessions_configuration_has_a_budget_for_it,
    an_organization_has_a_budget_for_its_sessions,
    sessions_that_rest_for_a_budget_are_found_by_what_they_have_spent,
    a_foreign_organization_sees_and_changes_nothing,
);

struct Desk {
    test: TestDatabase,
    fixture: Fixture,
    acme: OrganizationId,
    other: OrganizationId,
    session: SessionId,
}

impl Desk {
    async fn open(backend: Backend) -> Self {
        let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
        let (acme, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
        let (other, _) = fixture.organization(&test.db, "other", Role::Owner).await;
        let session = fixture.session(&acme);
        let mut tx = test.db.write().await.unwrap();
        store::session_insert(&mut tx, &session).await.unwrap();
        tx.commit().await.unwrap();
        Self {
            test,
            fixture,
            acme,
            other,
            session: session.id,
        }
    }

    async fn add(
        &self,
        organization_id: &OrganizationId,
        model: &str,
    ) -> store::Result<ModelSpending> {
        let mut tx = self.test.db.write().await?;
        let now = self.fixture.now();
        let spending =
            store::model_usage_add(&mut tx, organization_id, self.session, model, &more(), now)
                .await?;
        tx.commit().await?;
        Ok(spending)
    }

    async fn give(&self, organization_id: &OrganizationId, budget: Budget) -> store::Result<()> {
        let mut tx = self.test.db.write().await?;
        store::model_budget_set(
            &mut tx,
            organization_id,
            self.session,
            budget,
            self.fixture.now(),
        )
        .await?;
        tx.commit().await
    }

    async fn list(&self, organization_id: &OrganizationId) -> Vec<ModelUsage> {
        let mut conn = self.test.db.read().await.unwrap();
        store::model_usage_list(&mut conn, organization_id, self.session)
            .await
            .unwrap()
    }

    async fn spending(&self, organization_id: &OrganizationId) -> ModelSpending {
        let mut conn = self.test.db.read().await.unwrap();
        store::model_spending_fetch(&mut conn, organization_id, self.session, self.fixture.now())
            .await
            .unwrap()
    }
}

fn more() -> Usage {
    Usage {
        requests: 1,
        estimated: 0,
        tokens: Tokens {
            input: 1,
            output: 2,
            cache_read: 3,
            cache_write: 4,
        },
        cost_micro_usd: 100,
    }
}

async fn counts_grow_by_what_is_added_for_each_model(backend: Backend) {
    let desk = Desk::open(backend).await;
    for (model, spent) in [("b", 100), ("a", 200), ("b", 300)] {
        let spending = desk.add(&desk.acme, model).await.unwrap();
        assert_eq!((spending.spent_micro_usd, spending.budget), (spent, None));
    }
    let of = |model: &str, usage| ModelUsage {
        model: model.to_owned(),
        usage,
    };
    let listed = desk.list(&desk.acme).await;
    assert_eq!(listed, [of("a", more()), of("b", more().plus(more()))]);
}

async fn no_count_is_lost_among_many_at_once(backend: Backend) {
    let desk = Desk::open(backend).await;
    let adding = (0..30).map(|n| desk.add(&desk.acme, if n % 3 == 0 { "a" } else { "b" }));
    let spent = futures::future::join_all(adding).await;
    let mut spent: Vec<_> = spent
        .into_iter()
        .map(|spending| spending.unwrap().spent_micro_usd)
        .collect();
    spent.sort_unstable();
    // Each of them saw what the others before it had added: one alone reaches any budget.
    let expected: Vec<_> = (1..=30).map(|n| n * 100).collect();
    assert_eq!(spent, expected);
}

async fn a_budget_of_its_own_goes_before_and_may_be_none(backend: Backend) {
    let desk = Desk::open(backend).await;
    assert_eq!(desk.spending(&desk.acme).await.budget, None);
    for budget in [Budget::MicroUsd(5), Budget::Unlimited, Budget::MicroUsd(0)] {
        desk.give(&desk.acme, budget).await.unwrap();
        assert_eq!(desk.spending(&desk.acme).await.budget, Some(budget));
    }
}

async fn a_sessions_configuration_has_a_budget_for_it(backend: Backend) {
    let desk = Desk::open(backend).await;
    let mut tx = desk.test.db.write().await.unwrap();
    let mut sessions = Vec::new();
    for budget in [None, Some(0), Some(7)] {
        let mut configuration = desk.fixture.configuration(&desk.acme);
        configuration.budget_micro_usd = budget;
        let mut session = desk.fixture.session(&desk.acme);
        session.configuration_id = Some(configuration.id);
        store::configuration_insert(&mut tx, &configuration)
            .await
            .unwrap();
        store::session_insert(&mut tx, &session).await.unwrap();
        sessions.push((session.id, budget.map(Budget::MicroUsd)));
    }
    tx.commit().await.unwrap();
    sessions.push((desk.session, None));
    let mut conn = desk.test.db.read().await.unwrap();
    for (session, budget) in sessions {
        let own =
            store::model_spending_fetch(&mut conn, &desk.acme, session, desk.fixture.now()).await;
        let own = own.unwrap();
        assert_eq!((own.budget, own.configuration_budget), (None, budget));
        let foreign =
            store::model_spending_fetch(&mut conn, &desk.other, session, desk.fixture.now()).await;
        assert_eq!(foreign.unwrap().configuration_budget, None);
    }
}

async fn an_organization_has_a_budget_for_its_sessions(backend: Backend) {
    let desk = Desk::open(backend).await;
    for limit in [Some(0), Some(7), None] {
        let mut tx = desk.test.db.write().await.unwrap();
        assert!(
            store::organization_budget_set(&mut tx, &desk.acme, limit)
                .await
                .unwrap()
        );
        tx.commit().await.unwrap();
        let budget = limit.map(Budget::MicroUsd);
        assert_eq!(desk.spending(&desk.acme).await.organization_budget, budget);
        let mut conn = desk.test.db.read().await.unwrap();
        let fetched = store::organization_budget_fetch(&mut conn, &desk.acme).await;
        assert_eq!(fetched.unwrap(), budget);
        let foreign = store::organization_budget_fetch(&mut conn, &desk.other).await;
        assert_eq!(foreign.unwrap(), None);
    }
    let mut tx = desk.test.db.write().await.unwrap();
    let below = store::organization_budget_set(&mut tx, &desk.acme, Some(-1)).await;
    assert!(below.is_err(), "{below:?}");
}

/// Each has spent a hundred.
async fn sessions_that_rest_for_a_budget_are_found_by_what_they_have_spent(backend: Backend) {
    let desk = Desk::open(backend).await;
    let now = desk.fixture.now();
    let configuration = |budget| Configuration {
        budget_micro_usd: budget,
        ..desk.fixture.configuration(&desk.acme)
    };
    let (free, bound) = (configuration(None), configuration(Some(5)));
    let paused = || SessionState::Paused {
        started_at: now,
        paused_at: now,
        reason: "x".to_owned(),
    };
    let mut tx = desk.test.db.write().await.unwrap();
    let mut ids = Vec::new();
    for configuration in [&free, &bound] {
        store::configuration_insert(&mut tx, configuration)
            .await
            .unwrap();
    }
    let sessions = [
        (None, paused()),
        (Some(&free), paused()),
        (Some(&bound), paused()),
        (None, SessionState::Pending),
    ];
    for (of, state) in sessions {
        let mut session = desk.fixture.session(&desk.acme);
        session.configuration_id = of.map(|configuration| configuration.id);
        session.state = state;
        store::session_insert(&mut tx, &session).await.unwrap();
        store::model_usage_add(&mut tx, &desk.acme, session.id, "m", &more(), now)
            .await
            .unwrap();
        ids.push(session.id);
    }
    tx.commit().await.unwrap();
    let [alone, of_free, of_bound, unopened] = ids[..] else {
        panic!("four");
    };
    let sorted = |mut ids: Vec<SessionId>| {
        ids.sort_unstable();
        ids
    };
    let mut tx = desk.test.db.write().await.unwrap();
    let found = async |tx: &mut Tx, of: Option<&Configuration>, spent| {
        let of = of.map(|configuration| configuration.id);
        let found = store::model_spent_list(tx, &desk.acme, of, spent, 10).await;
        sorted(found.unwrap())
    };
    // That of the organization is for those whose configuration says nothing, and who have begun.
    let both = sorted(vec![alone, of_free]);
    assert_eq!(found(&mut tx, None, 100..=100).await, both);
    for other in [0..=99, 101..=i64::MAX] {
        assert_eq!(found(&mut tx, None, other).await, []);
    }
    assert_eq!(found(&mut tx, Some(&bound), 0..=i64::MAX).await, [of_bound]);
    assert_eq!(found(&mut tx, Some(&free), 0..=i64::MAX).await, [of_free]);
    let one = store::model_spent_list(&mut tx, &desk.acme, None, 0..=i64::MAX, 1).await;
    assert_eq!(one.unwrap(), both[1..], "the newest first");
    let foreign = store::model_spent_list(&mut tx, &desk.other, None, 0..=i64::MAX, 10).await;
    assert_eq!(foreign.unwrap(), []);

    // One of its own decides alone; and one that was opened may have been told something.
    store::model_budget_set(&mut tx, &desk.acme, alone, Budget::MicroUsd(1), now)
        .await
        .unwrap();
    store::session_claim(&mut tx, &desk.acme, unopened, now)
        .await
        .unwrap();
    let both = sorted(vec![of_free, unopened]);
    assert_eq!(found(&mut tx, None, 0..=100).await, both);
}

async fn a_foreign_organization_sees_and_changes_nothing(backend: Backend) {
    let desk = Desk::open(backend).await;
    desk.add(&desk.acme, "a").await.unwrap();
    desk.give(&desk.acme, Budget::MicroUsd(7)).await.unwrap();
    for refused in [
        desk.add(&desk.other, "a").await.map(drop),
        desk.give(&desk.other, Budget::Unlimited).await,
    ] {
        assert!(
            matches!(refused, Err(Error::MissingReference)),
            "{refused:?}"
        );
    }
    let own = desk.spending(&desk.acme).await;
    assert_eq!(
        (own.spent_micro_usd, own.budget),
        (100, Some(Budget::MicroUsd(7)))
    );
    assert_eq!(desk.list(&desk.other).await, []);
    assert_eq!(desk.spending(&desk.other).await, ModelSpending::default());
}
