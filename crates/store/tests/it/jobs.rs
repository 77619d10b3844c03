//! Durable jobs: one for each key, one taker at a time, and the last taker's word alone counts.

use std::time::Duration;

use domain::{
    clock::{Clock as _, Timestamp},
    id::{InstanceId, JobId, OrganizationId},
    job::{Job, JobKind, JobOutcome, JobState, JobStatus, SettledJob, Task},
    page::PageRequest,
    role::Role,
    session::Session,
};
use store::{Db, JobCounts, NewJob};
use testkit::{
    clock::{FakeClock, SeededEntropy},
    database::{Backend, TestDatabase},
    fixture::Fixture,
};

testkit::on_both_databases!(
    of_one_key_there_is_one_that_waits_or_runs,
    a_job_is_taken_when_it_is_due_by_one_process,
    two_that_take_at_once_share_what_is_due,
    organizations_that_have_their_share_are_passed_over,
    a_worker_that_died_gives_its_job_back_and_has_no_say_any_more,
    what_was_asked_for_again_while_it_ran_is_done_again,
    jobs_are_listed_counted_and_forgotten,
);

const MINUTE: Duration = Duration::from_mins(1);
const ALL: &[JobKind] = JobKind::ALL;

fn now() -> Timestamp {
    FakeClock::new().now()
}

struct Bench {
    database: TestDatabase,
    session: Session,
    entropy: SeededEntropy,
}

impl Bench {
    async fn set(backend: Backend) -> Self {
        let database = TestDatabase::create(backend).await;
        let fixture = Fixture::default();
        let (org, _) = fixture
            .organization(&database.db, "acme", Role::Owner)
            .await;
        let session = fixture.session(&org);
        let mut tx = database.db.write().await.unwrap();
        store::session_insert(&mut tx, &session).await.unwrap();
        tx.commit().await.unwrap();
        Self {
            database,
            session,
            entropy: SeededEntropy::new(7),
        }
    }

    fn db(&self) -> &Db {
        &self.database.db
    }

    fn expiry(&self) -> Task {
        let session_id = self.session.id;
        Task::SessionExpiry { session_id }
    }

    fn remove(&self, incarnation: i64) -> Task {
        Task::SandboxRemove {
            session_id: self.session.id,
            sandbox: format!("box {incarnation}"),
            incarnation,
        }
    }

    fn instance(&self) -> InstanceId {
        InstanceId::generate(now(), &self.entropy)
    }

    async fn put_down(&self, task: Task, run_at: Timestamp) {
        let job = NewJob {
            id: JobId::generate(now(), &self.entropy),
            organization_id: self.session.organization_id.clone(),
            task,
            run_at,
        };
        let mut tx = self.db().write().await.unwrap();
        store::job_enqueue(&mut tx, &job, now()).await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn take(&self, by: InstanceId, at: Timestamp, kinds: &[JobKind]) -> Vec<Job> {
        let mut tx = self.db().write().await.unwrap();
        let taken = store::job_claim(&mut tx, kinds, by, at, at.plus(MINUTE), 10, &[]).await;
        tx.commit().await.unwrap();
        taken.unwrap()
    }

    async fn settle(&self, job: &Job, by: InstanceId, outcome: JobOutcome, at: Timestamp) -> bool {
        let settled = outcome.settle(job.attempts, at);
        let mut tx = self.db().write().await.unwrap();
        let counts = store::job_settle(&mut tx, job, by, &settled, at)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        counts
    }

    async fn all(&self) -> Vec<Job> {
        let mut conn = self.db().read().await.unwrap();
        let page = PageRequest::new(None, None).unwrap();
        let organization_id = &self.session.organization_id;
        let jobs = store::job_list(&mut conn, organization_id, None, page)
            .await
            .unwrap();
        jobs.items
    }
}

async fn organizations_that_have_their_share_are_passed_over(backend: Backend) {
    let bench = Bench::set(backend).await;
    bench.put_down(bench.remove(1), now()).await;
    let mut tx = bench.db().write().await.unwrap();
    let by = bench.instance();
    // The fixture's is `org_acme`; an underscore is no joker, and a name within another is not that name.
    let others: [OrganizationId; 3] =
        ["orgXacme", "org_acm", "org_acme2"].map(|id| id.parse().unwrap());
    let own = [bench.session.organization_id.clone()];
    let until = now().plus(MINUTE);
    for except in [own.to_vec(), vec![others[0].clone(), own[0].clone()]] {
        let taken = store::job_claim(&mut tx, ALL, by, now(), until, 10, &except).await;
        assert_eq!(taken.unwrap(), []);
    }
    let taken = store::job_claim(&mut tx, ALL, by, now(), until, 10, &others).await;
    assert_eq!(taken.unwrap().len(), 1);
    tx.commit().await.unwrap();
}

async fn of_one_key_there_is_one_that_waits_or_runs(backend: Backend) {
    let bench = Bench::set(backend).await;
    bench.put_down(bench.expiry(), now()).await;
    bench.put_down(bench.expiry(), now().plus(MINUTE)).await;
    bench.put_down(bench.remove(1), now()).await;
    bench.put_down(bench.remove(2), now()).await;
    let all = bench.all().await;
    assert_eq!(all.len(), 3);
    let expiry = all.iter().find(|job| job.task == bench.expiry()).unwrap();
    let moved = JobState::Waiting {
        run_at: now().plus(MINUTE),
    };
    assert_eq!(expiry.state, moved, "it is done at the new time");
    assert!(all.iter().any(|job| job.task == bench.remove(1)));
    // After its end there may be another.
    let by = bench.instance();
    let at = now().plus(MINUTE);
    for job in bench.take(by, at, ALL).await {
        assert!(bench.settle(&job, by, JobOutcome::Done, at).await);
    }
    bench.put_down(bench.expiry(), at).await;
    assert_eq!(bench.all().await.len(), 4);
}

async fn a_job_is_taken_when_it_is_due_by_one_process(backend: Backend) {
    let bench = Bench::set(backend).await;
    bench.put_down(bench.expiry(), now().plus(MINUTE)).await;
    bench.put_down(bench.remove(1), now()).await;
    let (one, two) = (bench.instance(), bench.instance());
    let due = async |kinds: &[JobKind], at| {
        let mut conn = bench.db().read().await.unwrap();
        store::job_is_due(&mut conn, kinds, at).await.unwrap()
    };
    let (expiry, remove) = (&[JobKind::SessionExpiry][..], &[JobKind::SandboxRemove][..]);
    assert!(!due(expiry, now()).await && due(remove, now()).await);
    assert_eq!(bench.take(one, now(), expiry).await, []);
    let taken = bench.take(one, now(), ALL).await;
    assert_eq!(taken.len(), 1);
    assert_eq!((&taken[0].task, taken[0].attempts), (&bench.remove(1), 1));
    let running = JobState::Running {
        by: one,
        until: now().plus(MINUTE),
    };
    assert_eq!(taken[0].state, running);
    assert_eq!(bench.take(two, now(), ALL).await, [], "it is taken");
    assert!(due(expiry, now().plus(MINUTE)).await);
}

/// On PostgreSQL both transactions are open at once; on SQLite one waits for the other.
async fn two_that_take_at_once_share_what_is_due(backend: Backend) {
    let bench = Bench::set(backend).await;
    for incarnation in 1..=6 {
        bench.put_down(bench.remove(incarnation), now()).await;
    }
    let take = async |by| {
        let mut tx = bench.db().write().await.unwrap();
        let until = now().plus(MINUTE);
        let taken = store::job_claim(&mut tx, ALL, by, now(), until, 3, &[])
            .await
            .unwrap();
        tokio::task::yield_now().await;
        tx.commit().await.unwrap();
        taken
    };
    let (one, two) = tokio::join!(take(bench.instance()), take(bench.instance()));
    let mut ids: Vec<JobId> = one.iter().chain(&two).map(|job| job.id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!((one.len(), two.len(), ids.len()), (3, 3, 6));
}

async fn a_worker_that_died_gives_its_job_back_and_has_no_say_any_more(backend: Backend) {
    let bench = Bench::set(backend).await;
    bench.put_down(bench.expiry(), now()).await;
    let (one, two) = (bench.instance(), bench.instance());
    let first = bench.take(one, now(), ALL).await.remove(0);
    let renew = async |job: &Job, by, until| {
        let mut tx = bench.db().write().await.unwrap();
        let held = store::job_renew(&mut tx, job, by, until).await.unwrap();
        tx.commit().await.unwrap();
        held
    };
    assert!(!renew(&first, two, now().plus(MINUTE)).await, "not theirs");
    // Renewed, it is not given to another.
    assert!(renew(&first, one, now().plus(2 * MINUTE)).await);
    assert_eq!(bench.take(two, now().plus(MINUTE), ALL).await, []);
    let at = now().plus(2 * MINUTE);
    let second = bench.take(two, at, ALL).await.remove(0);
    assert_eq!(second.attempts, 2);
    assert!(!renew(&first, one, at).await);
    assert!(!bench.settle(&first, one, JobOutcome::Done, at).await);
    assert!(bench.settle(&second, two, JobOutcome::Done, at).await);
    assert!(!bench.settle(&second, two, JobOutcome::Done, at).await);
    assert_eq!(bench.all().await[0].state, JobState::Done { at });
}

async fn what_was_asked_for_again_while_it_ran_is_done_again(backend: Backend) {
    let bench = Bench::set(backend).await;
    bench.put_down(bench.expiry(), now()).await;
    let by = bench.instance();
    let taken = bench.take(by, now(), ALL).await.remove(0);
    let again = now().plus(3 * MINUTE);
    bench.put_down(bench.expiry(), again).await;
    assert_eq!(bench.all().await.len(), 1);
    assert!(bench.settle(&taken, by, JobOutcome::Done, now()).await);
    let waits = bench.all().await.remove(0);
    assert_eq!(waits.state, JobState::Waiting { run_at: again });
    assert_eq!(waits.attempts, 0);
    // Asked once, it is done once more and not for ever.
    let taken = bench.take(by, again, ALL).await.remove(0);
    assert!(bench.settle(&taken, by, JobOutcome::Done, again).await);
    assert_eq!(
        bench.all().await[0].state.status(),
        JobStatus::Done,
        "it is over"
    );
}

async fn jobs_are_listed_counted_and_forgotten(backend: Backend) {
    let bench = Bench::set(backend).await;
    for incarnation in 1..=4 {
        bench.put_down(bench.remove(incarnation), now()).await;
    }
    bench.put_down(bench.expiry(), now().plus(MINUTE)).await;
    let by = bench.instance();
    let taken = bench.take(by, now(), ALL).await;
    let failed = |retryable| JobOutcome::Failed {
        error: "no".into(),
        retryable,
    };
    bench.settle(&taken[0], by, JobOutcome::Done, now()).await;
    bench.settle(&taken[1], by, failed(false), now()).await;
    bench.settle(&taken[2], by, failed(true), now()).await;
    let retried = taken[2].attempts;
    assert!(matches!(
        failed(true).settle(retried, now()),
        SettledJob::Waiting { attempts: 1, .. }
    ));
    let mut conn = bench.db().read().await.unwrap();
    let counts = store::job_count(&mut conn, now()).await.unwrap();
    let expected = JobCounts {
        waiting: 2,
        due: 0,
        running: 1,
        failed: 1,
    };
    assert_eq!(counts, expected);
    let organization_id = &bench.session.organization_id;
    let page = PageRequest::new(None, Some(1)).unwrap();
    let one = store::job_list(&mut conn, organization_id, Some(JobStatus::Failed), page);
    let one = one.await.unwrap();
    assert_eq!((one.items.len(), one.next), (1, None));
    assert_eq!(one.items[0].note.as_deref(), Some("no"));
    let page = PageRequest::new(None, Some(2)).unwrap();
    let first = store::job_list(&mut conn, organization_id, None, page)
        .await
        .unwrap();
    assert!(first.next.is_some());
    drop(conn);
    let mut tx = bench.db().write().await.unwrap();
    assert_eq!(store::job_sweep(&mut tx, now(), 10).await.unwrap(), 0);
    assert_eq!(
        store::job_sweep(&mut tx, now().plus(MINUTE), 10)
            .await
            .unwrap(),
        2
    );
    tx.commit().await.unwrap();
    assert_eq!(bench.all().await.len(), 3);
}
