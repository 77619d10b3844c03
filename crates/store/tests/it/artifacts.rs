//! What is known about stored bytes.

use domain::{
    artifact::{Artifact, ArtifactScope, Lineage},
    audit::Sha256Hex,
    case::Case,
    id::{ArtifactId, OrganizationId, RunId},
    page::PageRequest,
    role::Role,
};
use store::Error;
use testkit::{
    database::{Backend, TestDatabase},
    fixture::Fixture,
};

testkit::on_both_databases!(
    an_artifact_is_read_as_it_was_written,
    case_54_the_same_upload_twice_is_one_and_in_two_cases_two,
    what_runs_made_is_theirs_also_when_it_is_the_same,
    racing_uploads_of_the_same_bytes_leave_one,
    artifacts_belong_to_a_case_or_session_of_their_organization,
);

async fn with_cases(test: &TestDatabase, fixture: &Fixture) -> (OrganizationId, ArtifactScope) {
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
    (acme, ArtifactScope::Case("CASE-1".parse().unwrap()))
}

fn artifact(
    fixture: &Fixture,
    organization_id: &OrganizationId,
    scope: &ArtifactScope,
) -> Artifact {
    Artifact {
        id: ArtifactId::generate(fixture.now(), &fixture.entropy),
        organization_id: organization_id.clone(),
        scope: scope.clone(),
        kind: "document".parse().unwrap(),
        media_type: "application/pdf".parse().unwrap(),
        sha256: Sha256Hex::of(b"bytes"),
        byte_size: 5,
        lineage: None,
        created_at: fixture.now(),
    }
}

fn made(fixture: &Fixture, like: &Artifact, from: &[ArtifactId]) -> Artifact {
    Artifact {
        id: ArtifactId::generate(fixture.now(), &fixture.entropy),
        lineage: Some(Lineage {
            run_id: RunId::generate(fixture.now(), &fixture.entropy),
            derived_from: from.to_vec(),
            transformation: "ocr.extract".parse().unwrap(),
        }),
        ..like.clone()
    }
}

async fn an_artifact_is_read_as_it_was_written(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (acme, scope) = with_cases(&test, &fixture).await;
    let session = fixture.session(&acme);
    let of_session = artifact(&fixture, &acme, &ArtifactScope::Session(session.id));
    let uploaded = artifact(&fixture, &acme, &scope);
    fixture.clock.advance(std::time::Duration::from_secs(1));
    let output = made(&fixture, &uploaded, &[uploaded.id, of_session.id]);
    let all = [uploaded.clone(), output.clone(), of_session.clone()];
    let mut tx = test.db.write().await.unwrap();
    store::session_insert(&mut tx, &session).await.unwrap();
    store::artifact_insert_all(&mut tx, &all).await.unwrap();
    store::artifact_insert_all(&mut tx, &[]).await.unwrap();
    tx.commit().await.unwrap();

    let mut conn = test.db.read().await.unwrap();
    for expected in &all {
        let found = store::artifact_fetch(&mut conn, &acme, expected.id)
            .await
            .unwrap();
        assert_eq!(found.as_ref(), Some(expected));
    }
    let ids = [
        of_session.id,
        ArtifactId::generate(fixture.now(), &fixture.entropy),
        output.id,
    ];
    let mut found = store::artifact_fetch_many(&mut conn, &acme, &ids)
        .await
        .unwrap();
    found.sort_by_key(|artifact| artifact.id);
    let mut expected = [output.clone(), of_session];
    expected.sort_by_key(|artifact| artifact.id);
    assert_eq!(found, expected);
    let page = PageRequest::new(None, Some(1)).unwrap();
    let first = store::artifact_list(&mut conn, &acme, &scope, page)
        .await
        .unwrap();
    let page = PageRequest::new(first.next, Some(1)).unwrap();
    let second = store::artifact_list(&mut conn, &acme, &scope, page)
        .await
        .unwrap();
    assert_eq!([first.items, second.items].concat(), [output, uploaded]);
    assert_eq!(second.next, None);
    assert_eq!(
        store::artifact_count(&mut conn, &acme, &scope)
            .await
            .unwrap(),
        2
    );
}

async fn case_54_the_same_upload_twice_is_one_and_in_two_cases_two(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (acme, scope) = with_cases(&test, &fixture).await;
    let first = artifact(&fixture, &acme, &scope);
    let mut tx = test.db.write().await.unwrap();
    let insert = store::artifact_insert_upload(&mut tx, &first)
        .await
        .unwrap();
    assert_eq!(insert, None);
    let again = artifact(&fixture, &acme, &scope);
    let insert = store::artifact_insert_upload(&mut tx, &again)
        .await
        .unwrap();
    assert_eq!(insert, Some(first));
    let different = [
        Artifact {
            kind: "scan".parse().unwrap(),
            ..artifact(&fixture, &acme, &scope)
        },
        Artifact {
            media_type: "image/png".parse().unwrap(),
            ..artifact(&fixture, &acme, &scope)
        },
        artifact(
            &fixture,
            &acme,
            &ArtifactScope::Case("CASE-2".parse().unwrap()),
        ),
    ];
    for different in different {
        let insert = store::artifact_insert_upload(&mut tx, &different)
            .await
            .unwrap();
        assert_eq!(insert, None, "{different:?}");
    }
}

async fn what_runs_made_is_theirs_also_when_it_is_the_same(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (acme, scope) = with_cases(&test, &fixture).await;
    let upload = artifact(&fixture, &acme, &scope);
    let (one, two) = (made(&fixture, &upload, &[]), made(&fixture, &upload, &[]));
    let mut tx = test.db.write().await.unwrap();
    store::artifact_insert_all(&mut tx, &[one.clone(), two])
        .await
        .unwrap();
    // One that is there already, as a tool may name it, changes nothing.
    store::artifact_insert_all(&mut tx, &[one]).await.unwrap();
    let insert = store::artifact_insert_upload(&mut tx, &upload)
        .await
        .unwrap();
    assert_eq!(insert, None);
    assert_eq!(
        store::artifact_count(&mut tx, &acme, &scope).await.unwrap(),
        3
    );
}

async fn racing_uploads_of_the_same_bytes_leave_one(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (acme, scope) = with_cases(&test, &fixture).await;
    let racers = (0..8).map(|_| {
        let (db, artifact) = (test.db.clone(), artifact(&fixture, &acme, &scope));
        tokio::spawn(async move {
            let mut tx = db.write().await.unwrap();
            let insert = store::artifact_insert_upload(&mut tx, &artifact)
                .await
                .unwrap();
            tx.commit().await.unwrap();
            insert.unwrap_or(artifact).id
        })
    });
    let racers: Vec<_> = racers.collect();
    let mut ids = Vec::new();
    for racer in racers {
        ids.push(racer.await.unwrap());
    }
    ids.dedup();
    assert_eq!(ids.len(), 1, "{ids:?}");
    let mut conn = test.db.read().await.unwrap();
    assert_eq!(
        store::artifact_count(&mut conn, &acme, &scope)
            .await
            .unwrap(),
        1
    );
}

async fn artifacts_belong_to_a_case_or_session_of_their_organization(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (acme, scope) = with_cases(&test, &fixture).await;
    let (other, _) = fixture.organization(&test.db, "other", Role::Owner).await;
    let ours = artifact(&fixture, &acme, &scope);
    let mut tx = test.db.write().await.unwrap();
    store::artifact_insert_upload(&mut tx, &ours).await.unwrap();
    tx.commit().await.unwrap();
    let mut conn = test.db.read().await.unwrap();
    assert_eq!(
        store::artifact_fetch(&mut conn, &other, ours.id)
            .await
            .unwrap(),
        None
    );
    let page = PageRequest::new(None, None).unwrap();
    let theirs = store::artifact_list(&mut conn, &other, &scope, page)
        .await
        .unwrap();
    assert!(theirs.items.is_empty());
    drop(conn);
    let session = fixture.session(&acme);
    for scope in [scope, ArtifactScope::Session(session.id)] {
        let mut tx = test.db.write().await.unwrap();
        let inserted =
            store::artifact_insert_upload(&mut tx, &artifact(&fixture, &other, &scope)).await;
        assert!(
            matches!(inserted, Err(Error::MissingReference)),
            "{inserted:?}"
        );
    }
}
