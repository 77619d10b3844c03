//! Automations and their runs: read back as written, ended once, and refused where the types have no such thing.

use std::time::Duration;

use domain::{
    automation::Automation,
    automation_run::{AutomationOutcome, AutomationRun, AutomationRunState, Completion},
    clock::{Clock as _, Timestamp},
    id::{AutomationId, AutomationRunId, OrganizationId},
    model::Model,
    page::PageRequest,
    role::Role,
    session::Session,
    sharing::SessionViewer,
};
use testkit::{
    clock::FakeClock,
    database::{Backend, TestDatabase},
    fixture::Fixture,
};

testkit::on_both_databases!(
    what_is_written_reads_back,
    a_run_ends_once,
    the_database_refuses_what_the_types_forbid,
    another_organization_sees_nothing,
);

struct Place {
    test: TestDatabase,
    organization_id: OrganizationId,
    automation: Automation,
    session: Session,
    run: AutomationRun,
    now: Timestamp,
}

impl Place {
    async fn new(backend: Backend) -> Self {
        let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
        let (organization_id, user) = fixture.organization(&test.db, "acme", Role::Owner).await;
        let now = FakeClock::new().now();
        let automation = Automation {
            id: AutomationId::generate(now, &fixture.entropy),
            organization_id: organization_id.clone(),
            name: "Nightly".to_owned(),
            description: Some("d".to_owned()),
            enabled: true,
            agent_instructions: "Look.".to_owned(),
            model: Model::ClaudeSonnet4,
            default_configuration_id: None,
            created_by: Some(user.clone()),
            created_at: now,
            updated_at: now,
        };
        let session = fixture.session(&organization_id);
        let run = AutomationRun {
            id: AutomationRunId::generate(now, &fixture.entropy),
            organization_id: organization_id.clone(),
            automation_id: automation.id,
            session_id: session.id,
            created_by: Some(user),
            created_at: now,
            state: AutomationRunState::begin(now),
        };
        let mut tx = test.db.write().await.unwrap();
        store::automation_insert(&mut tx, &automation)
            .await
            .unwrap();
        store::session_insert(&mut tx, &session).await.unwrap();
        store::automation_run_insert(&mut tx, &run).await.unwrap();
        tx.commit().await.unwrap();
        Self {
            test,
            organization_id,
            automation,
            session,
            run,
            now,
        }
    }

    fn completed(&self) -> AutomationRun {
        let completion = Completion {
            id: "c1".to_owned(),
            outcome: AutomationOutcome::NeedsHuman,
            summary_markdown: Some("**Hm.**".to_owned()),
            citations: vec!["a".to_owned(), "b".to_owned()],
            diff_ref: None,
            test_report_ref: Some("r".to_owned()),
            side_effect_refs: Vec::new(),
        };
        let state = self.run.state.clone().complete(self.now, completion);
        AutomationRun {
            state: state.unwrap(),
            ..self.run.clone()
        }
    }

    async fn fetch(&self) -> AutomationRun {
        let mut conn = self.test.db.read().await.unwrap();
        let found = store::automation_run_fetch(&mut conn, &self.organization_id, self.run.id);
        found.await.unwrap().unwrap()
    }

    async fn end(&self, run: &AutomationRun) -> bool {
        let mut tx = self.test.db.write().await.unwrap();
        let ended = store::automation_run_end(&mut tx, run).await.unwrap();
        tx.commit().await.unwrap();
        ended
    }
}

async fn what_is_written_reads_back(backend: Backend) {
    let place = Place::new(backend).await;
    let (org, id) = (&place.organization_id, place.automation.id);
    let mut conn = place.test.db.read().await.unwrap();
    let found = store::automation_fetch(&mut conn, org, id).await.unwrap();
    assert_eq!(found.as_ref(), Some(&place.automation));
    let of_session = store::automation_run_fetch_of_session(&mut conn, org, place.session.id);
    assert_eq!(of_session.await.unwrap().as_ref(), Some(&place.run));
    let page = PageRequest::new(None, None).unwrap();
    let listed = store::automation_run_list(&mut conn, org, SessionViewer::All, id, page)
        .await
        .unwrap();
    assert_eq!(listed.items, std::slice::from_ref(&place.run));
    assert_eq!(
        store::automation_run_count_running(&mut conn, org, id)
            .await
            .unwrap(),
        1
    );
    drop(conn);
    let ended = place.completed();
    assert!(place.end(&ended).await);
    assert_eq!(place.fetch().await, ended);
}

async fn a_run_ends_once(backend: Backend) {
    let place = Place::new(backend).await;
    let lost = place.run.state.clone().lose(place.now, "gone").unwrap();
    let lost = AutomationRun {
        state: lost,
        ..place.run.clone()
    };
    assert!(place.end(&lost).await);
    assert!(!place.end(&place.completed()).await);
    assert_eq!(place.fetch().await, lost);
    // It is open until its session is over, too.
    let later = place.now.plus(Duration::from_hours(1));
    let open = async || {
        let mut conn = place.test.db.read().await.unwrap();
        let open = store::automation_run_list_open(&mut conn, later, place.now, later, 10);
        open.await.unwrap().len()
    };
    assert_eq!(open().await, 1);
    let mut tx = place.test.db.write().await.unwrap();
    store::automation_run_close(&mut tx, &place.organization_id, place.run.id, later)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    assert_eq!(open().await, 0);
}

async fn the_database_refuses_what_the_types_forbid(backend: Backend) {
    let place = Place::new(backend).await;
    let moment = "created_at";
    for forbidden in [
        "status = 'queued'".to_owned(),
        "status = 'failed'".to_owned(),
        format!("status = 'failed', completed_at = {moment}, deadline_at = NULL"),
        format!(
            "status = 'succeeded', completed_at = {moment}, deadline_at = NULL, status_reason = 'x'"
        ),
        format!(
            "status = 'timed_out', completed_at = {moment}, deadline_at = NULL, completion_id = 'c', \
             completion_json = '{{}}'"
        ),
        "status_reason = 'x'".to_owned(),
        "completion_id = 'c', completion_json = '{}'".to_owned(),
        format!("closed_at = {moment}"),
        "deadline_at = NULL".to_owned(),
    ] {
        let sql = format!("UPDATE automation_runs SET {forbidden}");
        let outcome = place.test.try_execute(&sql).await;
        assert!(outcome.is_err(), "accepted: {sql}");
    }
    let second = AutomationRun {
        id: AutomationRunId::from_uuid(uuid::Uuid::from_u128(7)),
        ..place.run.clone()
    };
    let mut tx = place.test.db.write().await.unwrap();
    let refused = store::automation_run_insert(&mut tx, &second).await;
    assert!(
        matches!(refused, Err(store::Error::Conflict { .. })),
        "a session has one run"
    );
    drop(tx);
    assert!(place.end(&place.completed()).await);
    // An illegal row is named, not guessed.
    let spoil = r#"UPDATE automation_runs SET completion_json = '{"outcome": "succeeded"}'"#;
    place.test.try_execute(spoil).await.unwrap();
    let mut conn = place.test.db.read().await.unwrap();
    let read = store::automation_run_fetch(&mut conn, &place.organization_id, place.run.id);
    let error = read.await.unwrap_err().to_string();
    assert!(error.contains("completion_json"), "{error}");
}

async fn another_organization_sees_nothing(backend: Backend) {
    let place = Place::new(backend).await;
    let other = OrganizationId::new("org_other").unwrap();
    let mut tx = place.test.db.write().await.unwrap();
    let (id, run) = (place.automation.id, place.run.id);
    assert_eq!(
        store::automation_fetch(&mut tx, &other, id).await.unwrap(),
        None
    );
    assert_eq!(
        store::automation_run_fetch(&mut tx, &other, run)
            .await
            .unwrap(),
        None
    );
    assert!(
        !store::automation_delete_idle(&mut tx, &other, id)
            .await
            .unwrap()
    );
    let foreign = AutomationRun {
        organization_id: other,
        ..place.completed()
    };
    assert!(!store::automation_run_end(&mut tx, &foreign).await.unwrap());
}
