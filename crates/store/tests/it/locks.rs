//! Safety locks and their tickets: one lock at a time, one winner of a move, and nothing of another organization's.

use std::{collections::BTreeSet, time::Duration};

use domain::{
    clock::{Clock as _, Timestamp},
    id::{OrganizationId, OverrideTicketId, RunId, SafetyLockId, UserId},
    override_ticket::{OverrideDraft, OverrideTicket, OverrideTicketStatus},
    page::PageRequest,
    role::Role,
    safety_lock::{SafetyLock, Turn},
};
use testkit::{
    clock::{FakeClock, SeededEntropy},
    database::{Backend, TestDatabase},
    fixture::Fixture,
};

testkit::on_both_databases!(
    an_organization_has_one_lock_at_a_time,
    a_ticket_reads_back_as_written_in_every_state,
    of_two_moves_one_is_written,
    a_fact_is_what_holds_at_its_moment,
    the_database_refuses_what_is_no_ticket,
);

const HOUR: Duration = Duration::from_hours(1);

struct Bench {
    database: TestDatabase,
    acme: OrganizationId,
    other: OrganizationId,
    entropy: SeededEntropy,
}

fn now() -> Timestamp {
    FakeClock::new().now()
}

fn user(id: &str) -> UserId {
    UserId::new(id).unwrap()
}

impl Bench {
    async fn set(backend: Backend) -> Self {
        let database = TestDatabase::create(backend).await;
        let fixture = Fixture::default();
        let db = &database.db;
        let (acme, _) = fixture.organization(db, "acme", Role::Owner).await;
        let (other, _) = fixture.organization(db, "other", Role::Owner).await;
        Self {
            acme,
            other,
            database,
            entropy: SeededEntropy::new(7),
        }
    }

    /// A lock of acme's that holds.
    async fn locked(&self) -> SafetyLock {
        let lock = self.lock();
        let mut tx = self.database.db.write().await.unwrap();
        assert!(store::safety_lock_insert(&mut tx, &lock).await.unwrap());
        tx.commit().await.unwrap();
        lock
    }

    fn lock(&self) -> SafetyLock {
        SafetyLock {
            id: SafetyLockId::generate(now(), &self.entropy),
            organization_id: self.acme.clone(),
            engaged: Turn {
                by: user("ada"),
                at: now(),
                reason: "why".to_owned(),
            },
            released: None,
        }
    }

    async fn ticket(&self, lock: &SafetyLock, lane: &str) -> OverrideTicket {
        let draft = OverrideDraft {
            lane: lane.parse().unwrap(),
            reason: "the court waits".to_owned(),
            minutes: 30,
        };
        let id = OverrideTicketId::generate(now(), &self.entropy);
        let of = (self.acme.clone(), lock.id);
        let ticket = OverrideTicket::open(id, of, draft, user("ada"), now());
        let mut tx = self.database.db.write().await.unwrap();
        store::override_ticket_insert(&mut tx, &ticket)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        ticket
    }

    async fn moved(&self, from: OverrideTicketStatus, ticket: &OverrideTicket) -> bool {
        let mut tx = self.database.db.write().await.unwrap();
        let moved = store::override_ticket_move(&mut tx, from, ticket)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        moved
    }

    async fn read(&self, id: OverrideTicketId) -> Option<OverrideTicket> {
        let mut conn = self.database.db.read().await.unwrap();
        store::override_ticket_fetch(&mut conn, &self.acme, id)
            .await
            .unwrap()
    }

    fn run(&self) -> RunId {
        RunId::generate(now(), &self.entropy)
    }

    /// A ticket whose lane passes.
    async fn active(&self, lock: &SafetyLock, lane: &str) -> OverrideTicket {
        let ticket = self.ticket(lock, lane).await;
        let approved = ticket.approve(user("ben"), now()).unwrap();
        assert!(self.moved(OverrideTicketStatus::Requested, &approved).await);
        let active = approved.enable(self.run(), now()).unwrap();
        assert!(self.moved(OverrideTicketStatus::Approved, &active).await);
        active
    }

    async fn facts(&self, at: Timestamp) -> Vec<Option<BTreeSet<String>>> {
        let mut conn = self.database.db.read().await.unwrap();
        let found = store::fact_locks(&mut conn, &[&self.acme, &self.other], at).await;
        let names = |lanes: BTreeSet<domain::policy::LaneId>| {
            lanes.iter().map(ToString::to_string).collect()
        };
        found
            .unwrap()
            .into_iter()
            .map(|lanes| lanes.map(names))
            .collect()
    }
}

async fn an_organization_has_one_lock_at_a_time(backend: Backend) {
    let bench = Bench::set(backend).await;
    let lock = bench.locked().await;
    let mut tx = bench.database.db.write().await.unwrap();
    assert!(
        !store::safety_lock_insert(&mut tx, &bench.lock())
            .await
            .unwrap()
    );
    drop(tx);

    let mut tx = bench.database.db.write().await.unwrap();
    assert_eq!(
        store::safety_lock_hold(&mut tx, &bench.acme).await.unwrap(),
        Some(lock.clone())
    );
    assert_eq!(
        store::safety_lock_fetch(&mut tx, &bench.other)
            .await
            .unwrap(),
        None
    );
    let turn = Turn {
        by: user("ben"),
        at: now().plus(HOUR),
        reason: "it is over".to_owned(),
    };
    assert!(
        store::safety_lock_release(&mut tx, &lock, &turn)
            .await
            .unwrap()
    );
    assert!(
        !store::safety_lock_release(&mut tx, &lock, &turn)
            .await
            .unwrap()
    );
    tx.commit().await.unwrap();
    let mut conn = bench.database.db.read().await.unwrap();
    assert_eq!(
        store::safety_lock_fetch(&mut conn, &bench.acme)
            .await
            .unwrap(),
        None
    );
    drop(conn);
    bench.locked().await;
}

async fn a_ticket_reads_back_as_written_in_every_state(backend: Backend) {
    let bench = Bench::set(backend).await;
    let lock = bench.locked().await;
    let requested = bench.ticket(&lock, "A_LANE").await;
    assert_eq!(bench.read(requested.id).await, Some(requested.clone()));
    let active = bench.active(&lock, "B_LANE").await;
    assert_eq!(bench.read(active.id).await, Some(active.clone()));
    let ends = [
        active.clone().disable(bench.run(), now()).unwrap(),
        active.clone().end_with_lock(user("eve"), now()),
        active.clone().seen_at(now().plus(HOUR)),
    ];
    for end in ends {
        let active = bench.active(&lock, "B_LANE").await;
        let end = OverrideTicket {
            id: active.id,
            ..end
        };
        assert!(bench.moved(OverrideTicketStatus::Active, &end).await);
        assert_eq!(bench.read(end.id).await, Some(end));
    }
    let approved = requested.clone().approve(user("ben"), now()).unwrap();
    assert!(
        bench
            .moved(OverrideTicketStatus::Requested, &approved)
            .await
    );
    assert_eq!(bench.read(approved.id).await, Some(approved));
    let mut conn = bench.database.db.read().await.unwrap();
    let foreign = store::override_ticket_fetch(&mut conn, &bench.other, active.id).await;
    assert_eq!(foreign.unwrap(), None);
    let page = PageRequest::new(None, Some(3)).unwrap();
    let page = store::override_ticket_page(&mut conn, &bench.acme, page)
        .await
        .unwrap();
    assert_eq!((page.items.len(), page.next.is_some()), (3, true));
    let open = store::override_ticket_list_open(&mut conn, &bench.acme, lock.id).await;
    assert_eq!(open.unwrap().len(), 2);
}

async fn of_two_moves_one_is_written(backend: Backend) {
    let bench = Bench::set(backend).await;
    let lock = bench.locked().await;
    let ticket = bench.ticket(&lock, "A_LANE").await;
    let approved = ticket.approve(user("ben"), now()).unwrap();
    assert!(
        bench
            .moved(OverrideTicketStatus::Requested, &approved)
            .await
    );
    let uses: Vec<OverrideTicket> = (0..8)
        .map(|_| approved.clone().enable(bench.run(), now()).unwrap())
        .collect();
    let moves = uses
        .iter()
        .map(|used| bench.moved(OverrideTicketStatus::Approved, used));
    let moved = futures::future::join_all(moves).await;
    assert_eq!(moved.iter().filter(|moved| **moved).count(), 1);
    let won = moved.iter().position(|moved| *moved).unwrap();
    assert_eq!(bench.read(approved.id).await.as_ref(), Some(&uses[won]));
}

async fn a_fact_is_what_holds_at_its_moment(backend: Backend) {
    let bench = Bench::set(backend).await;
    assert_eq!(bench.facts(now()).await, [None, None]);
    let lock = bench.locked().await;
    assert_eq!(bench.facts(now()).await, [Some(BTreeSet::new()), None]);
    bench.ticket(&lock, "WAITING").await;
    bench.active(&lock, "A_LANE").await;
    bench.active(&lock, "B_LANE").await;
    let lifted = BTreeSet::from(["A_LANE".to_owned(), "B_LANE".to_owned()]);
    assert_eq!(bench.facts(now()).await, [Some(lifted), None]);
    // The end is the first moment at which it does not count.
    let end = now().plus(HOUR / 2);
    assert_eq!(bench.facts(end).await, [Some(BTreeSet::new()), None]);
    let mut conn = bench.database.db.read().await.unwrap();
    let due = store::override_ticket_list_due(&mut conn, end, 10)
        .await
        .unwrap();
    assert_eq!(due.len(), 2);
    assert_eq!(
        store::override_ticket_list_due(&mut conn, end, 1)
            .await
            .unwrap()
            .len(),
        1
    );
    let before = now().plus((HOUR / 2).saturating_sub(Duration::from_micros(1)));
    assert!(
        store::override_ticket_list_due(&mut conn, before, 10)
            .await
            .unwrap()
            .is_empty()
    );
}

async fn the_database_refuses_what_is_no_ticket(backend: Backend) {
    let bench = Bench::set(backend).await;
    let lock = bench.locked().await;
    bench.ticket(&lock, "A_LANE").await;
    for change in [
        "approved_by = opened_by, approved_at = opened_at, status = 'approved'",
        "status = 'approved'",
        "status = 'active'",
        "status = 'closed'",
        "status = 'expired'",
        "minutes = 61",
        "organization_id = 'org_other'",
    ] {
        let sql = format!("UPDATE override_tickets SET {change}");
        assert!(bench.database.try_execute(&sql).await.is_err(), "{change}");
    }
}
