//! Recordings, records and deliveries: what the database itself holds to.

use domain::{
    artifact::{Artifact, ArtifactScope},
    audit::Sha256Hex,
    case::Case,
    id::{ArtifactId, OrganizationId, RecordId, RunId},
    page::PageRequest,
    policy::{CaseId, PolicyId, RoleClass, RoleId},
    record::CaseRecord,
    recording::{Recording, RecordingChunk, RecordingFormat, RecordingState},
    role::Role,
    run::{Run, RunActor, RunKind, RunState, RunStatus},
};
use store::{Error, NewRun, RunEnd};
use testkit::{
    database::{Backend, TestDatabase},
    fixture::Fixture,
};

testkit::on_both_databases!(
    a_recording_is_read_as_it_was_written,
    a_meeting_of_another_case_has_no_recording,
    a_record_is_an_artifact_of_its_own_case,
    a_delivery_counts_once_its_run_is_completed,
);

struct Desk {
    test: TestDatabase,
    fixture: Fixture,
    acme: OrganizationId,
    case: CaseId,
}

impl Desk {
    async fn open(backend: Backend) -> Self {
        let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
        let (acme, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
        let mut tx = test.db.write().await.unwrap();
        for id in ["CASE-1", "CASE-2"] {
            let case = Case {
                id: id.parse().unwrap(),
                organization_id: acme.clone(),
                title: None,
                created_at: fixture.now(),
            };
            store::case_insert(&mut tx, &case).await.unwrap();
        }
        tx.commit().await.unwrap();
        Self {
            test,
            fixture,
            acme,
            case: "CASE-1".parse().unwrap(),
        }
    }

    fn run_id(&self) -> RunId {
        RunId::generate(self.fixture.now(), &self.fixture.entropy)
    }

    async fn artifact(&self, case: &str) -> ArtifactId {
        let artifact = Artifact {
            id: ArtifactId::generate(self.fixture.now(), &self.fixture.entropy),
            organization_id: self.acme.clone(),
            scope: ArtifactScope::Case(case.parse().unwrap()),
            kind: "note".parse().unwrap(),
            media_type: "text/plain".parse().unwrap(),
            sha256: Sha256Hex::of(b"bytes"),
            byte_size: 5,
            lineage: None,
            created_at: self.fixture.now(),
        };
        let mut tx = self.test.db.write().await.unwrap();
        let artifacts = std::slice::from_ref(&artifact);
        store::artifact_insert_all(&mut tx, artifacts)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        artifact.id
    }

    fn recording(&self) -> Recording {
        Recording {
            id: self.run_id(),
            organization_id: self.acme.clone(),
            case_id: self.case.clone(),
            client_session_id: None,
            format: RecordingFormat::Flac,
            created_at: self.fixture.now(),
            state: RecordingState::Open,
        }
    }
}

async fn a_recording_is_read_as_it_was_written(backend: Backend) {
    let desk = Desk::open(backend).await;
    let (mut recording, now) = (desk.recording(), desk.fixture.now());
    let (acme, id) = (&desk.acme, recording.id);
    let mut tx = desk.test.db.write().await.unwrap();
    store::recording_insert(&mut tx, &recording).await.unwrap();
    let chunk = |number: u32| RecordingChunk {
        number,
        sha256: Sha256Hex::of(&number.to_be_bytes()),
        byte_size: 4 + u64::from(number),
    };
    for number in [1, 0] {
        let chunk = chunk(number);
        let inserted = store::recording_chunk_insert(&mut tx, acme, id, &chunk, now);
        inserted.await.unwrap();
    }
    tx.commit().await.unwrap();
    let mut conn = desk.test.db.read().await.unwrap();
    let found = store::recording_fetch(&mut conn, acme, id).await.unwrap();
    assert_eq!(found.as_ref(), Some(&recording));
    let chunks = store::recording_chunk_list(&mut conn, acme, id)
        .await
        .unwrap();
    assert_eq!(chunks, [chunk(0), chunk(1)]);
    assert_eq!(
        store::recording_byte_size(&mut conn, acme, id)
            .await
            .unwrap(),
        9
    );
    let one = store::recording_chunk_fetch(&mut conn, acme, id, 1)
        .await
        .unwrap();
    assert_eq!(one, Some(chunk(1)));
    let elsewhere = OrganizationId::new("org_other").unwrap();
    assert_eq!(
        store::recording_fetch(&mut conn, &elsewhere, id)
            .await
            .unwrap(),
        None
    );
    drop(conn);

    let mut tx = desk.test.db.write().await.unwrap();
    let twice = store::recording_chunk_insert(&mut tx, acme, id, &chunk(1), now).await;
    assert!(matches!(twice, Err(Error::Conflict { .. })), "{twice:?}");
    drop(tx);
    let mut tx = desk.test.db.write().await.unwrap();
    let (by, at) = (desk.run_id(), now);
    store::recording_lock(&mut tx, acme, id)
        .await
        .unwrap()
        .unwrap();
    store::recording_close(&mut tx, acme, id, by, at)
        .await
        .unwrap();
    recording.state = RecordingState::Closed { by, at };
    let found = store::recording_fetch(&mut tx, acme, id).await.unwrap();
    assert_eq!(found, Some(recording));
    assert_eq!(
        store::recording_count(&mut tx, acme, &desk.case)
            .await
            .unwrap(),
        1
    );
}

async fn a_meeting_of_another_case_has_no_recording(backend: Backend) {
    let desk = Desk::open(backend).await;
    let recording = Recording {
        client_session_id: Some("MEETING-1".parse().unwrap()),
        ..desk.recording()
    };
    let mut tx = desk.test.db.write().await.unwrap();
    let refused = store::recording_insert(&mut tx, &recording).await;
    let missing = matches!(refused, Err(Error::MissingReference));
    assert!(missing, "{refused:?}");
}

async fn a_record_is_an_artifact_of_its_own_case(backend: Backend) {
    let desk = Desk::open(backend).await;
    let now = desk.fixture.now();
    let record = |artifact_id, key: Option<&str>| CaseRecord {
        id: RecordId::generate(now, &desk.fixture.entropy),
        organization_id: desk.acme.clone(),
        case_id: desk.case.clone(),
        table: "case_notes".parse().unwrap(),
        key: key.map(|key| key.parse().unwrap()),
        artifact_id,
        run_id: desk.run_id(),
        created_at: now,
        updated_at: now,
    };
    let (ours, theirs) = (desk.artifact("CASE-1").await, desk.artifact("CASE-2").await);
    let written = record(ours, Some("k"));
    let mut tx = desk.test.db.write().await.unwrap();
    store::record_write(&mut tx, &written).await.unwrap();
    tx.commit().await.unwrap();
    for key in [None, Some("k")] {
        let mut tx = desk.test.db.write().await.unwrap();
        let refused = store::record_write(&mut tx, &record(theirs, key)).await;
        let missing = matches!(refused, Err(Error::MissingReference));
        assert!(missing, "{refused:?}");
    }
    let mut conn = desk.test.db.read().await.unwrap();
    let page = PageRequest::new(None, None).unwrap();
    let found = store::record_list(&mut conn, &desk.acme, &desk.case, None, page);
    assert_eq!(found.await.unwrap().items, [written]);
}

async fn a_delivery_counts_once_its_run_is_completed(backend: Backend) {
    let desk = Desk::open(backend).await;
    let now = desk.fixture.now();
    let artifact_id = desk.artifact("CASE-1").await;
    let id = desk.run_id();
    let hex = "0".repeat(64);
    let policy = PolicyId::parse(&hex).unwrap();
    let run = Run {
        id,
        organization_id: desk.acme.clone(),
        kind: RunKind::Export,
        root_id: id,
        parent_id: None,
        case_id: Some(desk.case.clone()),
        session_id: None,
        actor: RunActor {
            class: RoleClass::Human,
            id: "ada".to_owned(),
            role: RoleId::new("ORGANIZATION_ADMIN").unwrap(),
        },
        target: None,
        correlation_id: None,
        request_sha256: None,
        created_at: now,
        state: RunState::Created.start(now, policy, Some(now)).unwrap(),
        reason: None,
        inputs: Vec::new(),
        outputs: Vec::new(),
        response_sha256: None,
    };
    let mut tx = desk.test.db.write().await.unwrap();
    store::run_insert_all(&mut tx, &[NewRun { run, key: None }])
        .await
        .unwrap();
    store::delivery_insert(&mut tx, &desk.acme, &desk.case, (id, artifact_id), now)
        .await
        .unwrap();
    let exists = async |tx: &mut store::Tx, class, actor: &str| {
        let found = store::delivery_exists(tx, &desk.acme, artifact_id, (class, actor));
        found.await.unwrap()
    };
    assert!(!exists(&mut tx, RoleClass::Human, "ada").await);
    let end = RunEnd {
        id,
        status: RunStatus::Completed,
        ended_at: now,
        reason: None,
        error: None,
        outputs: Vec::new(),
        response_sha256: None,
    };
    store::run_end_all(&mut tx, &[end]).await.unwrap();
    assert!(exists(&mut tx, RoleClass::Human, "ada").await);
    assert!(!exists(&mut tx, RoleClass::Human, "bob").await);
    assert!(!exists(&mut tx, RoleClass::Agent, "ada").await);
}
