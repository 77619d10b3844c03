//! Records of a case: what a lane lists may be written, appended or by its key.

use serde_json::{Value, json};
use testkit::{
    app::{Person, TestResponse},
    database::Backend,
};

use super::{
    super::{
        desk::{CASE, Desk, OTHER_CASE},
        identity::{denied, invalid},
    },
    message, upload,
};

testkit::on_both_databases!(
    what_is_appended_is_listed_and_stays,
    an_upsert_replaces_by_its_key,
    a_table_the_lane_does_not_list_is_not_written,
    what_a_record_is_written_with_is_checked,
    only_members_see_the_records_of_a_case,
);

const RECORDS: &str = "/v1/cases/CASE-0001/records";

#[expect(
    clippy::needless_pass_by_value,
    reason = "callers write `json!({..})` in place"
)]
fn write(run: &str, parameters: Value, inputs: &[&Value]) -> Value {
    json!({
        "tool_name": "record",
        "operation": "record.write",
        "lane_id": "WRITE_CASE_RECORDS",
        "case_id": CASE,
        "parent_run_id": run,
        "input_artifacts": inputs,
        "parameters": parameters,
    })
}

async fn note(desk: &Desk, text: &str) -> Value {
    upload(&desk.member(), "note", "text/plain", text).await
}

async fn records(desk: &Desk, query: &str) -> Vec<Value> {
    let path = format!("{RECORDS}{query}");
    let page = desk.member().get(&path).await.expect(200);
    page["items"].as_array().unwrap().clone()
}

async fn what_is_appended_is_listed_and_stays(backend: Backend) {
    let desk = Desk::open_real(backend).await;
    let run = desk.run().await;
    let (first, second) = (note(&desk, "one").await, note(&desk, "two").await);
    let seen = desk.events().await.len();
    let append = |table: &str, input: &Value| {
        let parameters = json!({"table": table, "mode": "append"});
        desk.send(write(&run, parameters, &[input]))
    };
    let answer = append("case_notes", &first).await.expect(200);
    assert_eq!(answer["outcome"], "success");
    let expected = ["authz_decision/allow/-", "db_write/success/-"];
    assert_eq!(desk.told(seen).await, expected);
    desk.app.clock.advance(std::time::Duration::from_secs(1));
    append("case_notes", &second).await.expect(200);
    append("case_documents", &first).await.expect(200);
    // The same again is as good as once.
    append("case_notes", &first).await.expect(200);
    let notes = records(&desk, "?table=case_notes").await;
    let ids: Vec<_> = notes.iter().map(|record| &record["artifactId"]).collect();
    assert_eq!(ids, [&second["artifact_id"], &first["artifact_id"]]);
    let oldest = notes.last().unwrap();
    assert_eq!(oldest["runId"], answer["run_id"]);
    assert_eq!(oldest["key"], json!(null));
    assert_eq!(records(&desk, "").await.len(), 3);
    assert_eq!(records(&desk, "?table=case_entities").await.len(), 0);
    let page = desk.member().get(&format!("{RECORDS}?limit=2")).await;
    let page = page.expect(200);
    let cursor = page["nextCursor"].as_str().unwrap();
    assert_eq!(records(&desk, &format!("?cursor={cursor}")).await.len(), 1);
    let id = answer["run_id"].as_str().unwrap();
    let view = desk
        .member()
        .get(&format!("/v1/runs/{id}"))
        .await
        .expect(200);
    assert_eq!(view["run_kind"], "db_write");
}

async fn an_upsert_replaces_by_its_key(backend: Backend) {
    let desk = Desk::open_real(backend).await;
    let run = desk.run().await;
    let (first, second) = (note(&desk, "one").await, note(&desk, "two").await);
    let put = |key: &str, input: &Value| {
        let parameters = json!({"table": "case_entities", "mode": "upsert", "key": key});
        desk.send(write(&run, parameters, &[input]))
    };
    put("person:ada", &first).await.expect(200);
    put("person:bob", &first).await.expect(200);
    let before = records(&desk, "").await;
    desk.app.clock.advance(std::time::Duration::from_secs(1));
    let answer = put("person:ada", &second).await.expect(200);
    let after = records(&desk, "").await;
    assert_eq!(after.len(), 2);
    let of = |records: &[Value], key: &str| {
        let found = records.iter().find(|record| record["key"] == key);
        found.unwrap().clone()
    };
    let (was, is) = (of(&before, "person:ada"), of(&after, "person:ada"));
    assert_eq!(
        (&is["id"], &is["createdAt"]),
        (&was["id"], &was["createdAt"])
    );
    assert_eq!(is["artifactId"], second["artifact_id"]);
    assert_eq!(is["runId"], answer["run_id"]);
    assert_ne!(is["updatedAt"], was["updatedAt"]);
    assert_eq!(of(&after, "person:bob"), of(&before, "person:bob"));
}

async fn a_table_the_lane_does_not_list_is_not_written(backend: Backend) {
    let desk = Desk::open_real(backend).await;
    let (run, note) = (desk.run().await, note(&desk, "one").await);
    let seen = desk.events().await.len();
    for (table, mode) in [
        ("shared_knowledge", "append"),
        ("audit_events", "append"),
        // Listed, but to be replaced and not added to; and the other way round.
        ("case_entities", "append"),
        ("case_notes", "upsert"),
    ] {
        let parameters = json!({"table": table, "mode": mode, "key": "k"});
        let answer = desk.send(write(&run, parameters, &[&note])).await;
        denied(&answer, "write_not_allowed");
    }
    // Another lane lists no table at all.
    let mut body = write(
        &run,
        json!({"table": "case_notes", "mode": "append"}),
        &[&note],
    );
    body["lane_id"] = json!("TOOL_DOCUMENT_INTAKE");
    denied(&desk.send(body).await, "write_not_allowed");
    assert_eq!(records(&desk, "").await, Vec::<Value>::new());
    let told = desk.told(seen).await;
    let expected = [
        "authz_decision/deny/write_not_allowed",
        "db_write/deny/write_not_allowed",
    ];
    assert_eq!(told, expected.repeat(5));
}

async fn what_a_record_is_written_with_is_checked(backend: Backend) {
    let desk = Desk::open_real(backend).await;
    let (run, note) = (desk.run().await, note(&desk, "one").await);
    let append = json!({"table": "case_notes", "mode": "append"});
    for (parameters, inputs, expected) in [
        (append.clone(), &[][..], "the tool takes exactly one input"),
        (
            append.clone(),
            &[&note, &note],
            "the tool takes exactly one input",
        ),
        (
            json!({"table": "case_entities", "mode": "upsert"}),
            &[&note],
            "an upsert needs parameters.key: what it replaces",
        ),
        (
            json!({"table": "case_entities", "mode": "upsert", "key": "a b"}),
            &[&note],
            "parameters.key is not what it should be",
        ),
        (
            json!({"table": "case_notes", "mode": "append", "key": "k"}),
            &[&note],
            "what is appended has no key; leave parameters.key out",
        ),
        (
            json!({"table": "case_notes", "mode": "append", "where": "1=1"}),
            &[&note],
            "the tool's parameters are table, mode, key",
        ),
        (
            json!({"table": "case_notes; DROP", "mode": "append"}),
            &[&note],
            "parameters.table is not the name of a table",
        ),
    ] {
        let answer = invalid(&desk.send(write(&run, parameters, inputs)).await);
        assert_eq!(message(&answer), expected);
    }
    assert_eq!(records(&desk, "").await, Vec::<Value>::new());
}

async fn only_members_see_the_records_of_a_case(backend: Backend) {
    let desk = Desk::open_real(backend).await;
    for client in [desk.app.person(Person::Admin), desk.app.foreigner()] {
        let answer = client.get(RECORDS).await;
        answer.expect_problem(404, "NOT_FOUND");
    }
    let other = format!("/v1/cases/{OTHER_CASE}/records");
    let answer: TestResponse = desk.member().get(&other).await;
    answer.expect_problem(404, "NOT_FOUND");
    let bad = desk.member().get(&format!("{RECORDS}?table=A")).await;
    let problem = bad.expect_problem(400, "INVALID_REQUEST");
    assert_eq!(problem["errors"][0]["field"], "table");
}
