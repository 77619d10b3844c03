//! Bundles of a log that is long enough for its tree to have several levels, with everything that records
//! refer to; and the same log in the form of a security lake.

use app::audit::{
    self, EventIds,
    bundle::{ArtifactInclusion, Bundle, BundleScope},
    verify::{TrustAnchor, VerificationReport, verify},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;
use domain::{
    artifact::{Artifact, ArtifactScope},
    audit::{ActionType, Actor, ArtifactDigest, Event, Outcome, SafeText, Sha256Hex, Trail},
    canonical::sha256_hex,
    case::Case,
    clock::Clock as _,
    id::{ArtifactId, InstanceId},
    policy::{ArtifactKind, CaseId, FilePin, MediaType, PolicyId, PolicyVersions, RoleClass},
};
use serde_json::Value;
use store::{StoredPolicy, StoredPolicyFile};
use testkit::{app::TestApp, database::Backend};

testkit::on_both_databases!(
    a_trail_of_a_long_log_is_proven_with_what_it_refers_to,
    the_whole_of_an_action_is_in_a_bundle_by_its_digest_alone,
    a_log_becomes_lines_for_a_security_lake,
);

const EVENTS: usize = 700;
const POLICY: &str = "lanes: []\n";

fn case_id(id: &str) -> CaseId {
    CaseId::new(id).unwrap()
}

fn artifact(test: &TestApp, case: &str, bytes: &[u8]) -> Artifact {
    Artifact {
        id: ArtifactId::generate(test.clock.now(), &test.fixture.entropy),
        organization_id: test.acme.clone(),
        scope: ArtifactScope::Case(case_id(case)),
        kind: ArtifactKind::new("transcript").unwrap(),
        media_type: MediaType::new("text/plain").unwrap(),
        sha256: Sha256Hex::new("sha256", sha256_hex(bytes)).unwrap(),
        byte_size: bytes.len() as u64,
        lineage: None,
        created_at: test.clock.now(),
    }
}

fn event(test: &TestApp, ids: &EventIds, case: &str, output: &Artifact) -> Event {
    let pin = FilePin::of(POLICY.as_bytes(), None);
    let versions = PolicyVersions {
        lanes: pin.clone(),
        roles: pin.clone(),
        tools: pin,
    };
    let actor = Actor {
        class: RoleClass::Agent,
        id: SafeText::new("actor_id", "agent-1").unwrap(),
    };
    let (action, outcome, at) = (ActionType::ToolCall, Outcome::Success, test.clock.now());
    Event {
        case_id: Some(case_id(case)),
        outputs: vec![ArtifactDigest {
            id: SafeText::new("artifact_id", output.id.to_string()).unwrap(),
            kind: SafeText::new("artifact_kind", "transcript").unwrap(),
            sha256: output.sha256.clone(),
        }],
        ..Event::new(ids.next(at), at, action, outcome, actor, versions)
    }
}

/// Seven hundred events of three cases, signed now and then; a policy file; an artifact in each case.
async fn long_log(test: &TestApp) {
    let instance = InstanceId::generate(test.clock.now(), &test.fixture.entropy);
    let (ids, cases) = (EventIds::new(instance), ["CASE_A", "CASE_B", "CASE_C"]);
    let bytes = |case: &str| format!("what {case} said").repeat(20_000).into_bytes();
    let artifacts: Vec<_> = { cases.iter() }
        .map(|case| artifact(test, case, &bytes(case)))
        .collect();
    for (case, artifact) in cases.iter().zip(&artifacts) {
        let scope = blobs::Scope::new(&test.acme, &artifact.scope);
        let stored = test
            .app
            .blobs
            .put_bytes(&scope, Bytes::from(bytes(case)), u64::MAX);
        assert_eq!(stored.await.unwrap().sha256, artifact.sha256);
    }
    let mut tx = test.app.db.write().await.unwrap();
    for case in cases {
        let case = Case {
            id: case_id(case),
            organization_id: test.acme.clone(),
            title: None,
            created_at: test.clock.now(),
        };
        store::case_insert(&mut tx, &case).await.unwrap();
    }
    store::artifact_insert_all(&mut tx, &artifacts)
        .await
        .unwrap();
    let file = |content: &str| StoredPolicyFile {
        sha256: sha256_hex(content.as_bytes()),
        commit: None,
        content: content.to_owned(),
    };
    let policy = StoredPolicy {
        id: PolicyId::parse(&"a".repeat(64)).unwrap(),
        files: [file(POLICY), file("roles of another policy"), file(POLICY)],
    };
    store::policy_insert(&mut tx, &policy, test.clock.now())
        .await
        .unwrap();
    tx.commit().await.unwrap();
    for part in 0..7 {
        let event = |n: usize| {
            let which = (part + n) % 3;
            let event = event(test, &ids, cases[which], &artifacts[which]);
            audit::prepare(event, &test.acme, None).unwrap()
        };
        let events: Vec<_> = (0..EVENTS / 7).map(event).collect();
        let mut tx = test.app.db.write().await.unwrap();
        audit::record_all(&mut tx, &events).await.unwrap();
        tx.commit().await.unwrap();
        audit::sign_pending(&test.app, &test.acme).await.unwrap();
    }
}

async fn exported(test: &TestApp, scope: BundleScope, artifacts: ArtifactInclusion) -> Vec<u8> {
    let bundle = Bundle::open(&test.app, &test.acme, scope, artifacts);
    let (mut bundle, mut bytes) = (bundle.await.unwrap(), Vec::new());
    while let Some(page) = bundle.next_page().await.unwrap() {
        assert!(!page.is_empty());
        bytes.extend(page);
    }
    bytes
}

fn verified(test: &TestApp, bytes: &[u8]) -> VerificationReport {
    let key = audit::SigningKey::of(&test.app.keyring, &test.acme).unwrap();
    let key = key.verifier_key().parse().unwrap();
    verify(bytes, &TrustAnchor { key, from: None }, |_| {}).unwrap()
}

async fn a_trail_of_a_long_log_is_proven_with_what_it_refers_to(backend: Backend) {
    let test = TestApp::start(backend).await;
    long_log(&test).await;
    let log = verified(
        &test,
        &exported(&test, BundleScope::Log, ArtifactInclusion::Digests).await,
    );
    assert_eq!(
        (log.size, log.cases, log.checkpoints),
        (EVENTS as u64, 3, 6)
    );
    let mut records = 0;
    for case in ["CASE_A", "CASE_B", "CASE_C"] {
        let scope = BundleScope::Trail(Trail::Case(case_id(case)));
        let short = exported(&test, scope.clone(), ArtifactInclusion::Digests).await;
        let report = verified(&test, &short);
        assert_eq!((report.policy_files, report.policy_files_missing), (1, 0));
        assert_eq!((report.artifacts, report.artifacts_missing), (1, 0));
        assert_eq!((report.artifact_contents, report.checkpoints), (0, 6));
        records += report.records;
        let whole = exported(&test, scope, ArtifactInclusion::Include).await;
        assert_eq!(verified(&test, &whole).artifact_contents, 1);
        assert!(whole.len() > short.len() + 300_000);
        let text = String::from_utf8(whole).unwrap();
        for other in ["CASE_A", "CASE_B", "CASE_C", "roles of another policy"] {
            assert_eq!(text.contains(other), other == case, "{other} in {case}");
        }
    }
    assert_eq!(records, EVENTS as u64);
    let unknown = BundleScope::Trail(Trail::Case(case_id("CASE_NONE")));
    let empty = verified(
        &test,
        &exported(&test, unknown, ArtifactInclusion::Include).await,
    );
    assert_eq!((empty.records, empty.artifacts), (0, 0));
}

async fn the_whole_of_an_action_is_in_a_bundle_by_its_digest_alone(backend: Backend) {
    let test = TestApp::start(backend).await;
    long_log(&test).await;
    let whole = Bytes::from_static(b"what an action answered, with all its secrets");
    let like = artifact(&test, "CASE_A", &whole);
    let scope = blobs::Scope::new(&test.acme, &like.scope);
    let stored = test.app.blobs.put_bytes(&scope, whole.clone(), u64::MAX);
    stored.await.unwrap();
    let kinds = ["action_result", "action_attachment"];
    let artifacts = kinds.map(|kind| Artifact {
        id: ArtifactId::generate(test.clock.now(), &test.fixture.entropy),
        kind: ArtifactKind::new(kind).unwrap(),
        ..like.clone()
    });
    let mut tx = test.app.db.write().await.unwrap();
    store::artifact_insert_all(&mut tx, &artifacts)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let scope = BundleScope::Trail(Trail::Case(case_id("CASE_A")));
    let bundle = exported(&test, scope, ArtifactInclusion::Include).await;
    let report = verified(&test, &bundle);
    assert_eq!((report.artifacts, report.artifact_contents), (3, 1));
    let text = String::from_utf8(bundle).unwrap();
    assert_eq!(text.matches(like.sha256.as_str()).count(), kinds.len());
    assert!(!text.contains(&STANDARD.encode(&whole)));
}

async fn a_log_becomes_lines_for_a_security_lake(backend: Backend) {
    let test = TestApp::start(backend).await;
    long_log(&test).await;
    let mut export = audit::ocsf::Export::open(&test.app, &test.acme);
    let mut bytes = Vec::new();
    while let Some(page) = export.next_page().await.unwrap() {
        bytes.extend(page);
    }
    assert_eq!(export.events(), EVENTS as u64);
    let text = String::from_utf8(bytes).unwrap();
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), EVENTS);
    assert!(lines.iter().all(|line| line["class_uid"] == 6003));
    let digest = sha256_hex("what CASE_A said".repeat(20_000).as_bytes());
    assert!(!text.contains(&digest));
}
