//! Handing a case over: by an administrator who is a member, for a reason, and never without a record.

use app::audit::{
    self,
    verify::{Error, TrustAnchor, VerificationReport, verify},
};
use serde_json::{Value, json};
use testkit::{
    app::{Client, Person, TestResponse},
    database::Backend,
};

use super::{
    super::{
        desk::{CASE, Desk, OTHER_CASE},
        identity::{denied, invalid},
    },
    as_input, content, interview, let_in, message, send, upload,
};

testkit::on_both_databases!(
    who_is_no_administrator_exports_nothing,
    an_administrator_who_is_no_member_exports_nothing,
    case_58_a_case_is_handed_over_and_proves_itself,
    a_delivery_is_for_whom_it_was_recorded,
    a_bundle_is_not_in_the_next_bundle,
    an_export_needs_its_reason_and_nothing_else,
);

fn export(operation: &str, run: &str, inputs: &[Value]) -> Value {
    json!({
        "tool_name": "export",
        "operation": operation,
        "lane_id": "EXPORT_CASE_DATA",
        "case_id": CASE,
        "parent_run_id": run,
        "scope": {"export_reason": "handover to the client"},
        "input_artifacts": inputs,
        "parameters": {},
    })
}

async fn create(client: &Client, run: &str) -> TestResponse {
    send(client, export("export.bundle.create", run, &[])).await
}

async fn download(client: &Client, run: &str, bundle: &Value) -> TestResponse {
    let inputs = [as_input(bundle)];
    send(client, export("export.bundle.download", run, &inputs)).await
}

fn check(desk: &Desk, bytes: &[u8]) -> Result<VerificationReport, Error> {
    let key = audit::SigningKey::of(&desk.app.app.keyring, &desk.app.acme).unwrap();
    let trust = TrustAnchor {
        key: key.verifier_key().parse().unwrap(),
        from: None,
    };
    verify(bytes, &trust, |_| {})
}

async fn who_is_no_administrator_exports_nothing(backend: Backend) {
    let desk = Desk::open_real(backend).await;
    let run = desk.run().await;
    let seen = desk.events().await.len();
    denied(&create(&desk.member(), &run).await, "role_not_allowed");
    let expected = [
        "authz_decision/deny/role_not_allowed",
        "export/deny/role_not_allowed",
    ];
    assert_eq!(desk.told(seen).await, expected);
}

async fn an_administrator_who_is_no_member_exports_nothing(backend: Backend) {
    let desk = Desk::open_real(backend).await;
    let admin = desk.app.person(Person::Admin);
    let run = desk.run_of(&admin, None).await;
    denied(&create(&admin, &run).await, "scope_not_verified");
}

async fn case_58_a_case_is_handed_over_and_proves_itself(backend: Backend) {
    let desk = Desk::open_real(backend).await;
    let admin = let_in(&desk, Person::Admin).await;
    upload(&desk.member(), "note", "text/plain", "what was said").await;
    // Something of another case, which must not be in it.
    let owner = desk.app.owner();
    let path = format!("/v1/artifacts?caseId={OTHER_CASE}&kind=note");
    let elsewhere = owner.call(axum::http::Method::POST, &path);
    let elsewhere = elsewhere.body("text/plain", "not theirs").await.expect(201);
    let run = desk.run_of(&admin, Some(CASE)).await;
    let seen = desk.events().await.len();
    let answer = create(&admin, &run).await.expect(200);
    let bundle = &answer["output_artifacts"][0];
    assert_eq!(bundle["artifact_kind"], "export_bundle");
    assert_eq!(bundle["content_type"], "application/x-ndjson");
    let id = answer["run_id"].as_str().unwrap();
    let view = admin.get(&format!("/v1/runs/{id}")).await.expect(200);
    assert_eq!(view["run_kind"], "export");

    // Not before the recipient is recorded.
    let refused = content(&admin, bundle).await;
    refused.expect_problem(403, "FORBIDDEN");
    download(&admin, &run, bundle).await.expect(200);
    let bytes = content(&admin, bundle).await;
    assert_eq!(bytes.status, 200, "{}", bytes.text());
    let expected = [
        "authz_decision/allow/-",
        "export/success/-",
        "authz_decision/allow/-",
        "export/success/-",
    ];
    assert_eq!(desk.told(seen).await, expected);

    let report = check(&desk, &bytes.body).unwrap();
    assert_eq!(report.scope, format!("case {CASE}"));
    assert_eq!((report.artifacts, report.artifact_contents), (1, 1));
    assert_eq!(report.artifacts_missing, 0);
    let text = bytes.text();
    let foreign = elsewhere["artifact"]["artifact_id"].as_str().unwrap();
    assert!(!text.contains(foreign) && !text.contains(OTHER_CASE));
    tampering_is_found_where_it_is(&desk, text);
}

/// One letter of the last record: the fault names that record's line.
fn tampering_is_found_where_it_is(desk: &Desk, text: &str) {
    let lines: Vec<&str> = text.lines().collect();
    let is_record = |line: &&str| line.contains("\"ledger_id\"");
    let place = lines.iter().rposition(is_record).unwrap();
    let altered = lines[place].replacen("\"allow\"", "\"alloW\"", 1);
    assert_ne!(altered, lines[place]);
    let mut tampered = lines.clone();
    tampered[place] = &altered;
    let tampered = tampered.join("\n") + "\n";
    match check(desk, tampered.as_bytes()) {
        Err(Error::Bad(fault)) => assert_eq!(fault.line, place as u64 + 1, "{fault}"),
        other => panic!("{other:?}"),
    }
}

async fn a_delivery_is_for_whom_it_was_recorded(backend: Backend) {
    let desk = Desk::open_real(backend).await;
    let admin = let_in(&desk, Person::Admin).await;
    let owner = let_in(&desk, Person::Owner).await;
    let run = desk.run_of(&admin, Some(CASE)).await;
    let answer = create(&admin, &run).await.expect(200);
    let bundle = &answer["output_artifacts"][0];
    download(&admin, &run, bundle).await.expect(200);
    assert_eq!(content(&admin, bundle).await.status, 200);
    for other in [&owner, &desk.member()] {
        let refused = content(other, bundle).await;
        refused.expect_problem(403, "FORBIDDEN");
    }
    // What is known about it is not what is in it.
    let id = bundle["artifact_id"].as_str().unwrap();
    let path = format!("/v1/artifacts/{id}");
    desk.member().get(&path).await.expect(200);
    // A download that was denied delivers nothing.
    let run = desk.run().await;
    let refused = download(&desk.member(), &run, bundle).await;
    denied(&refused, "role_not_allowed");
    assert_eq!(content(&desk.member(), bundle).await.status, 403);
    // Of another bundle neither.
    let run = desk.run_of(&owner, Some(CASE)).await;
    let second = create(&owner, &run).await.expect(200);
    download(&owner, &run, &second["output_artifacts"][0])
        .await
        .expect(200);
    assert_eq!(content(&owner, bundle).await.status, 403);
}

async fn a_bundle_is_not_in_the_next_bundle(backend: Backend) {
    let desk = Desk::open_real(backend).await;
    let admin = let_in(&desk, Person::Admin).await;
    upload(&admin, "note", "text/plain", "what was said").await;
    let run = desk.run_of(&admin, Some(CASE)).await;
    create(&admin, &run).await.expect(200);
    let answer = create(&admin, &run).await.expect(200);
    let bundle = &answer["output_artifacts"][0];
    download(&admin, &run, bundle).await.expect(200);
    let bytes = content(&admin, bundle).await;
    let report = check(&desk, &bytes.body).unwrap();
    assert_eq!((report.artifacts, report.artifact_contents), (2, 1));
}

async fn an_export_needs_its_reason_and_nothing_else(backend: Backend) {
    let desk = Desk::open_real(backend).await;
    let admin = let_in(&desk, Person::Admin).await;
    let run = desk.run_of(&admin, Some(CASE)).await;
    let mut body = export("export.bundle.create", &run, &[]);
    body["scope"] = json!({"export_reason": " "});
    denied(&send(&admin, body).await, "scope_missing");
    let mut body = export("export.bundle.create", &run, &[]);
    body["parameters"] = json!({"destination": "https://elsewhere.example"});
    invalid(&send(&admin, body).await);
    // The interview lane exports nothing, for any caller.
    let body = interview("export.bundle.create", &run, json!({}));
    denied(&send(&admin, body).await, "operation_not_allowed");
    // A note is no bundle, also if it calls itself one.
    let note = upload(&admin, "note", "application/x-ndjson", "{}").await;
    let body = export("export.bundle.download", &run, &[note]);
    let answer = invalid(&send(&admin, body).await);
    let expected = "the input is not a bundle that was made for export";
    assert_eq!(message(&answer), expected);
    let body = export("export.bundle.download", &run, &[]);
    invalid(&send(&admin, body).await);
}
