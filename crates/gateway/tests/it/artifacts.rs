//! Artifacts: downloads equal uploads, and other callers cannot see them.

use std::{fs, path::PathBuf, time::Duration};

use axum::{
    body::{Body, Bytes},
    http::Method,
};
use domain::{audit::Sha256Hex, limits::ARTIFACT_BYTES_MAX};
use futures::StreamExt as _;
use serde_json::{Value, json};
use testkit::{
    app::{Client, Person, TestApp, TestResponse},
    database::Backend,
};

use crate::support::{UNKNOWN_ID, create, id};

testkit::on_both_databases!(
    what_goes_in_comes_out,
    case_54_the_same_bytes_are_one_artifact_in_a_case_and_two_in_two,
    case_54_altered_bytes_are_never_handed_out,
    only_members_see_a_cases_artifacts,
    a_sandbox_sees_its_session_and_the_cases_of_its_session,
    a_member_removed_during_an_upload_stores_nothing,
    case_56_more_than_the_cap_publishes_nothing,
    a_body_that_breaks_off_publishes_nothing,
    a_slow_upload_is_not_cut_and_a_full_gateway_says_so,
    bad_input_names_the_field,
    artifacts_are_listed_page_by_page,
);

async fn case(client: &Client, id: &str) {
    let made = client.post("/v1/cases", json!({ "id": id })).await;
    made.expect(201);
}

async fn upload(client: &Client, query: &str, body: impl Into<Body>) -> TestResponse {
    let path = format!("/v1/artifacts?{query}");
    let call = client.call(Method::POST, &path);
    call.body("Text/Plain; charset=utf-8", body).await
}

fn artifact_id(answer: &Value) -> String {
    let id = &answer["artifact"]["artifact_id"];
    id.as_str().unwrap().to_owned()
}

/// Every file below the storage directory.
fn stored(app: &TestApp) -> Vec<PathBuf> {
    let mut directories = vec![app.storage.path().to_owned()];
    let mut files = Vec::new();
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files
}

async fn what_goes_in_comes_out(backend: Backend) {
    let app = TestApp::start(backend).await;
    case(&app.owner(), "CASE-1").await;
    // One that is stored at once, one in parts, and one of nothing.
    for size in [11, 6 * 1024 * 1024, 0] {
        let bytes = Bytes::from(vec![b'x'; size]);
        let body = chunked(&bytes);
        let made = upload(&app.owner(), "caseId=CASE-1&kind=document", body).await;
        let made = made.expect(201);
        assert_eq!(made["alreadyExisted"], false);
        let (id, artifact) = (artifact_id(&made), &made["artifact"]);
        let sha256 = Sha256Hex::of(&bytes);
        assert_eq!(artifact["hash_sha256"], sha256.as_str());
        assert_eq!(artifact["byte_size"], size);
        assert_eq!(artifact["content_type"], "text/plain");
        assert_eq!(artifact["case_id"], "CASE-1");
        assert_eq!(artifact["storage_locator"], format!("artifact:{id}"));
        let shown = app.owner().get(&format!("/v1/artifacts/{id}")).await;
        assert_eq!(&shown.expect(200), artifact);
        let content = app
            .owner()
            .get(&format!("/v1/artifacts/{id}/content"))
            .await;
        assert_eq!(content.status, 200);
        assert_eq!(content.body, bytes);
        let headers = [
            ("content-type", "text/plain".to_owned()),
            ("content-length", size.to_string()),
            ("content-disposition", "attachment".to_owned()),
            ("x-content-type-options", "nosniff".to_owned()),
            (
                "content-security-policy",
                "default-src 'none'; sandbox".to_owned(),
            ),
            ("cache-control", "no-store".to_owned()),
            ("etag", format!("\"{}\"", sha256.as_str())),
        ];
        for (name, value) in headers {
            assert_eq!(content.header(name), Some(value.as_str()), "{name}");
        }
    }
}

/// A body that arrives in pieces.
fn chunked(bytes: &Bytes) -> Body {
    let pieces: Vec<_> = bytes.chunks(300_000).map(Bytes::copy_from_slice).collect();
    Body::from_stream(futures::stream::iter(
        pieces.into_iter().map(Ok::<_, std::io::Error>),
    ))
}

async fn case_54_the_same_bytes_are_one_artifact_in_a_case_and_two_in_two(backend: Backend) {
    let app = TestApp::start(backend).await;
    case(&app.owner(), "CASE-1").await;
    case(&app.owner(), "CASE-2").await;
    let first = upload(&app.owner(), "caseId=CASE-1&kind=document", "bytes").await;
    let first = first.expect(201);
    let again = upload(&app.owner(), "caseId=CASE-1&kind=document", "bytes").await;
    let again = again.expect(200);
    assert_eq!(again["alreadyExisted"], true);
    assert_eq!(again["artifact"], first["artifact"]);
    let other_kind = upload(&app.owner(), "caseId=CASE-1&kind=scan", "bytes").await;
    let other_case = upload(&app.owner(), "caseId=CASE-2&kind=document", "bytes").await;
    let ids = [
        artifact_id(&first),
        artifact_id(&other_kind.expect(201)),
        artifact_id(&other_case.expect(201)),
    ];
    assert!(ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2]);
    // The bytes lie once in each case, since nothing of one is found through the other.
    assert_eq!(stored(&app).len(), 2, "{:?}", stored(&app));
}

async fn case_54_altered_bytes_are_never_handed_out(backend: Backend) {
    let app = TestApp::start(backend).await;
    case(&app.owner(), "CASE-1").await;
    for size in [5, 3 * 1024 * 1024] {
        let made = upload(
            &app.owner(),
            "caseId=CASE-1&kind=document",
            vec![b'a'; size],
        )
        .await;
        let path = format!("/v1/artifacts/{}/content", artifact_id(&made.expect(201)));
        let sha256 = made.json()["artifact"]["hash_sha256"]
            .as_str()
            .unwrap()
            .to_owned();
        let file = stored(&app)
            .into_iter()
            .find(|file| file.ends_with(&sha256));
        let file = file.unwrap();
        let mut altered = vec![b'a'; size];
        *altered.last_mut().unwrap() = b'b';
        for content in [altered, vec![b'a'; size + 1], vec![]] {
            fs::write(&file, content).unwrap();
            let answer = app.owner().get(&path).await;
            answer.expect_problem(500, "ARTIFACT_ALTERED");
            // Nor does the same upload paper over it.
            let query = "caseId=CASE-1&kind=document";
            let again = upload(&app.owner(), query, vec![b'a'; size]).await;
            again.expect_problem(500, "ARTIFACT_ALTERED");
        }
        fs::remove_file(&file).unwrap();
        let answer = app.owner().get(&path).await;
        answer.expect_problem(500, "ARTIFACT_ALTERED");
        // Whether a link leads to the same bytes or elsewhere: it is not ours.
        let elsewhere = app.storage.path().join(format!("elsewhere-{size}"));
        fs::write(&elsewhere, vec![b'a'; size]).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &file).unwrap();
        let answer = app.owner().get(&path).await;
        answer.expect_problem(503, "STORAGE_UNAVAILABLE");
        assert!(!answer.text().contains("elsewhere"));
        fs::remove_file(&file).unwrap();
        fs::write(&file, vec![b'a'; size]).unwrap();
        assert_eq!(app.owner().get(&path).await.status, 200);
    }
}

async fn only_members_see_a_cases_artifacts(backend: Backend) {
    let app = TestApp::start(backend).await;
    case(&app.owner(), "CASE-1").await;
    let made = upload(&app.owner(), "caseId=CASE-1&kind=document", "bytes").await;
    let known = artifact_id(&made.expect(201));
    let service = app.with_token(app.service_token(&app.acme));
    let admin = app.person(Person::Admin);
    let outsiders = [app.member(), admin, service, app.foreigner()];
    let anonymous = |answer: TestResponse| {
        let mut problem = answer.expect_problem(404, "NOT_FOUND");
        problem.as_object_mut().unwrap().remove("request_id");
        problem
    };
    for client in outsiders {
        for path in ["/v1/artifacts/{}", "/v1/artifacts/{}/content"] {
            let of = async |id: &str| client.get(&path.replace("{}", id)).await;
            assert_eq!(anonymous(of(&known).await), anonymous(of(UNKNOWN_ID).await));
        }
        let of = async |case: &str| client.get(&format!("/v1/artifacts?caseId={case}")).await;
        assert_eq!(anonymous(of("CASE-1").await), anonymous(of("CASE-9").await));
        // The same bytes reveal nothing either.
        let into = async |case: &str| {
            upload(&client, &format!("caseId={case}&kind=document"), "bytes").await
        };
        assert_eq!(
            anonymous(into("CASE-1").await),
            anonymous(into("CASE-9").await)
        );
    }
    assert_eq!(stored(&app).len(), 1, "what was refused was not stored");
    // An added member sees it, and a removed one does not.
    let path = "/v1/cases/CASE-1/members/user:user_acme_member";
    app.owner().call(Method::PUT, path).await.expect(204);
    let content = format!("/v1/artifacts/{known}/content");
    assert_eq!(app.member().get(&content).await.text(), "bytes");
    app.owner().delete(path).await.expect(204);
    anonymous(app.member().get(&content).await);
}

async fn a_sandbox_sees_its_session_and_the_cases_of_its_session(backend: Backend) {
    let app = TestApp::start(backend).await;
    let (own, other) = (
        id(&create(&app, json!({})).await),
        id(&create(&app, json!({})).await),
    );
    let sandbox = async |id: &str| app.with_token(app.sandbox_token(id.parse().unwrap()).await);
    let (agent, stranger) = (sandbox(&own).await, sandbox(&other).await);
    let of_session = format!("sessionId={own}&kind=screenshot");
    let made = upload(&agent, &of_session, "pixels").await.expect(201);
    assert_eq!(made["artifact"]["scope"], "session");
    assert_eq!(made["artifact"]["session_id"], own);
    let content = format!("/v1/artifacts/{}/content", artifact_id(&made));
    let list = format!("/v1/artifacts?sessionId={own}");
    // The organization's users see the artifacts of its sessions, other sandboxes and organizations
    // do not.
    for client in [&agent, &app.owner(), &app.member()] {
        assert_eq!(client.get(&content).await.text(), "pixels");
        assert_eq!(
            client.get(&list).await.expect(200)["items"]
                .as_array()
                .unwrap()
                .len(),
            1
        );
    }
    for client in [&stranger, &app.foreigner()] {
        client.get(&content).await.expect_problem(404, "NOT_FOUND");
        client.get(&list).await.expect_problem(404, "NOT_FOUND");
        upload(client, &of_session, "pixels")
            .await
            .expect_problem(404, "NOT_FOUND");
    }

    case(&app.owner(), "CASE-1").await;
    let of_case = "caseId=CASE-1&kind=notes";
    upload(&agent, of_case, "notes")
        .await
        .expect_problem(404, "NOT_FOUND");
    let member = format!("/v1/cases/CASE-1/members/session:{own}");
    app.owner().call(Method::PUT, &member).await.expect(204);
    let made = upload(&agent, of_case, "notes").await.expect(201);
    let content = format!("/v1/artifacts/{}/content", artifact_id(&made));
    for client in [&agent, &app.owner()] {
        assert_eq!(client.get(&content).await.text(), "notes");
    }
    for client in [&stranger, &app.member()] {
        client.get(&content).await.expect_problem(404, "NOT_FOUND");
    }
    // It works on the case and does not manage it.
    agent
        .get("/v1/cases/CASE-1")
        .await
        .expect_problem(403, "FORBIDDEN");
}

async fn a_member_removed_during_an_upload_stores_nothing(backend: Backend) {
    let app = TestApp::start(backend).await;
    case(&app.owner(), "CASE-1").await;
    let path = "/v1/cases/CASE-1/members/user:user_acme_member";
    app.owner().call(Method::PUT, path).await.expect(204);
    let (mut sender, receiver) = futures::channel::mpsc::channel(0);
    let body = Body::from_stream(receiver.map(Ok::<Bytes, std::io::Error>));
    let uploading = tokio::spawn({
        let member = app.member();
        async move { upload(&member, "caseId=CASE-1&kind=document", body).await }
    });
    // The second piece finds room when the first was taken: the upload has begun.
    for piece in ["half", "more"] {
        let ready = std::future::poll_fn(|context| sender.poll_ready(context)).await;
        ready.unwrap();
        sender
            .start_send(Bytes::from_static(piece.as_bytes()))
            .unwrap();
    }
    app.owner().delete(path).await.expect(204);
    drop(sender);
    uploading.await.unwrap().expect_problem(404, "NOT_FOUND");
    let page = app
        .owner()
        .get("/v1/artifacts?caseId=CASE-1")
        .await
        .expect(200);
    assert_eq!(page["items"], json!([]));
}

async fn case_56_more_than_the_cap_publishes_nothing(backend: Backend) {
    let app = TestApp::start(backend).await;
    case(&app.owner(), "CASE-1").await;
    let path = "/v1/artifacts?caseId=CASE-1&kind=document";
    // Announced, it is refused unread.
    let call = app.owner().call(Method::POST, path);
    let call = call.header("content-length", &(ARTIFACT_BYTES_MAX + 1).to_string());
    let answer = call.body("text/plain", "x").await;
    answer.expect_problem(413, "PAYLOAD_TOO_LARGE");
    // Unannounced, it is refused when it has come.
    let piece = Bytes::from(vec![0; 1024 * 1024]);
    let pieces = std::iter::repeat_n(piece, 129).map(Ok::<_, std::io::Error>);
    let body = Body::from_stream(futures::stream::iter(pieces));
    let answer = upload(&app.owner(), "caseId=CASE-1&kind=document", body).await;
    answer.expect_problem(413, "PAYLOAD_TOO_LARGE");
    let page = app
        .owner()
        .get("/v1/artifacts?caseId=CASE-1")
        .await
        .expect(200);
    assert_eq!(page["items"], json!([]));
    nothing_is_left(&app).await;
    // Everything else keeps its own bound.
    let large = json!({"title": "x".repeat(2 * 1024 * 1024)});
    let answer = app.owner().post("/v1/cases", large).await;
    answer.expect_problem(413, "PAYLOAD_TOO_LARGE");
}

/// Waits until temporary files are gone; they are removed after the answer.
async fn nothing_is_left(app: &TestApp) {
    let gone = async {
        while !stored(app).is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let waited = tokio::time::timeout(Duration::from_mins(1), gone).await;
    assert!(waited.is_ok(), "{:?}", stored(app));
}

async fn a_body_that_breaks_off_publishes_nothing(backend: Backend) {
    let app = TestApp::builder(backend)
        .options(|options| options.upload_pause_max = Duration::from_millis(50))
        .start()
        .await;
    case(&app.owner(), "CASE-1").await;
    let piece = || Ok(Bytes::from(vec![0; 6 * 1024 * 1024]));
    let broken = futures::stream::iter([piece(), Err(std::io::Error::other("gone"))]).boxed();
    let silent = futures::stream::iter([piece()])
        .chain(futures::stream::pending())
        .boxed();
    for (body, status, code) in [
        (broken, 400, "INVALID_REQUEST"),
        (silent, 408, "BODY_TOO_SLOW"),
    ] {
        let body = Body::from_stream(body);
        let answer = upload(&app.owner(), "caseId=CASE-1&kind=document", body).await;
        answer.expect_problem(status, code);
    }
    let page = app
        .owner()
        .get("/v1/artifacts?caseId=CASE-1")
        .await
        .expect(200);
    assert_eq!(page["items"], json!([]));
    nothing_is_left(&app).await;
}

async fn a_slow_upload_is_not_cut_and_a_full_gateway_says_so(backend: Backend) {
    // A busy machine must answer the other requests in this time.
    let request_timeout = Duration::from_secs(2);
    let app = TestApp::builder(backend)
        .options(|options| {
            options.request_timeout = request_timeout;
            options.uploads_at_once_max = 1;
        })
        .start()
        .await;
    case(&app.owner(), "CASE-1").await;
    let (mut sender, receiver) = futures::channel::mpsc::channel(0);
    let body = Body::from_stream(receiver.map(Ok::<Bytes, std::io::Error>));
    let uploading = tokio::spawn({
        let owner = app.owner();
        async move { upload(&owner, "caseId=CASE-1&kind=document", body).await }
    });
    let mut send = async |piece: &'static str| {
        let ready = std::future::poll_fn(|context| sender.poll_ready(context)).await;
        ready.unwrap();
        sender
            .start_send(Bytes::from_static(piece.as_bytes()))
            .unwrap();
    };
    send("it takes ").await;
    send("its ").await;
    // Longer than any other request may take.
    tokio::time::sleep(request_timeout * 5 / 4).await;
    let second = upload(&app.owner(), "caseId=CASE-1&kind=document", "x").await;
    second.expect_problem(503, "OVERLOADED");
    send("time").await;
    drop(sender);
    let made = uploading.await.unwrap().expect(201);
    assert_eq!(made["artifact"]["byte_size"], 17);
    upload(&app.owner(), "caseId=CASE-1&kind=document", "x")
        .await
        .expect(201);
}

async fn bad_input_names_the_field(backend: Backend) {
    let app = TestApp::start(backend).await;
    case(&app.owner(), "CASE-1").await;
    let both = format!("caseId=CASE-1&sessionId={UNKNOWN_ID}&kind=document");
    // Case 14 is among them.
    let queries = [
        ("kind=document", "caseId"),
        (&both, "caseId"),
        ("caseId=..%2FC2&kind=document", "caseId"),
        ("caseId=C1%2F..%2F..%2FC2&kind=document", "caseId"),
        ("caseId=%252e%252e&kind=document", "caseId"),
        ("sessionId=x&kind=document", "sessionId"),
        ("caseId=CASE-1", "kind"),
        ("caseId=CASE-1&kind=x", "kind"),
        ("caseId=CASE-1&kind=..%2Fx", "kind"),
        ("caseId=CASE-1&kind=document&name=x", "name"),
        // What the gateway trusts because it made it cannot be uploaded.
        ("caseId=CASE-1&kind=verification", "kind"),
        ("caseId=CASE-1&kind=tool_answer", "kind"),
        ("caseId=CASE-1&kind=action_result", "kind"),
        ("caseId=CASE-1&kind=action_attachment", "kind"),
        ("caseId=CASE-1&kind=export_bundle", "kind"),
    ];
    for (query, field) in queries {
        let answer = upload(&app.owner(), query, "bytes").await;
        let problem = answer.expect_problem(400, "INVALID_REQUEST");
        assert_eq!(problem["errors"][0]["field"], field, "{query}: {problem}");
    }
    for content_type in ["image/*", "text", "text/html/x"] {
        let path = "/v1/artifacts?caseId=CASE-1&kind=document";
        let call = app.owner().call(Method::POST, path);
        let answer = call.body(content_type, "bytes").await;
        let problem = answer.expect_problem(400, "INVALID_REQUEST");
        assert_eq!(
            problem["errors"][0]["field"], "Content-Type",
            "{content_type}"
        );
    }
    assert!(stored(&app).is_empty());
}

async fn artifacts_are_listed_page_by_page(backend: Backend) {
    let app = TestApp::start(backend).await;
    case(&app.owner(), "CASE-1").await;
    let mut made = Vec::new();
    for number in 0..3 {
        let body = format!("number {number}");
        let answer = upload(&app.owner(), "caseId=CASE-1&kind=document", body).await;
        made.insert(0, artifact_id(&answer.expect(201)));
        app.clock.advance(Duration::from_secs(1));
    }
    let page = async |query: &str| {
        let page = app
            .owner()
            .get(&format!("/v1/artifacts?caseId=CASE-1{query}"))
            .await;
        page.expect(200)
    };
    let listed = |page: &Value| -> Vec<String> {
        let items = page["items"].as_array().unwrap().iter();
        items
            .map(|item| item["artifact_id"].as_str().unwrap().to_owned())
            .collect()
    };
    let first = page("&limit=2").await;
    assert_eq!(listed(&first), made[..2]);
    let cursor = first["nextCursor"].as_str().unwrap();
    let second = page(&format!("&limit=2&cursor={cursor}")).await;
    assert_eq!(listed(&second), made[2..]);
    assert!(second.get("nextCursor").is_none());
}
