//! Trying a connector out: what is offered, what is wrong, and nothing that is secret.

use serde_json::{Value, json};
use testkit::{
    app::{TestApp, TestResponse},
    database::Backend,
    standin::mcp::{McpFault as Fault, McpServer},
};

use super::{CONNECTORS, added, beside, config, tool, tools, trial};
use crate::support::{configuration, id};

testkit::on_both_databases!(
    a_connector_is_tried_out_before_it_is_saved,
    what_is_wrong_with_a_server_has_a_class,
    a_saved_connector_is_compared_and_nothing_is_pinned,
    a_list_is_kept_and_asked_for_anew,
    no_secret_is_in_any_answer,
);

const VALIDATE: &str = "/v1/connectors/validate";
const SECRET: &str = "tok-5ecre7-of-the-server";

async fn a_connector_is_tried_out_before_it_is_saved(backend: Backend) {
    let (app, server) = beside(backend).await;
    let mut connector = config(1, &server.url());
    connector["riskPolicy"] = json!({"defaultRisk": "read", "overrides": {"send": "danger"}});
    let configuration = configuration(&app, json!({"name": "web"})).await;
    let within = format!("/v1/configurations/{configuration}/connectors/validate");
    for path in [VALIDATE, &within] {
        let answer = app.owner().post(path, trial(&connector)).await.expect(200);
        assert_eq!(
            (&answer["ok"], &answer["error"], &answer["diagnostics"]),
            (&json!(true), &Value::Null, &Value::Null)
        );
        let table = [
            ("look", "read", "connector_default"),
            ("send", "danger", "tool_override"),
            ("drop", "danger", "destructive_hint"),
        ];
        for (name, risk, source) in table {
            let found = tool(&answer, name);
            assert_eq!(
                (&found["riskLevel"], &found["riskSource"]),
                (&json!(risk), &json!(source))
            );
            assert_eq!(
                (&found["state"], &found["pinnedSha256"]),
                (&json!("new"), &Value::Null)
            );
        }
    }
    let page = app.owner().get(CONNECTORS).await.expect(200);
    assert_eq!(page["items"], json!([]));
    server.set(|knobs| {
        let name = "n".repeat(200);
        knobs.tools[0]["name"] = json!(name);
    });
    let answer = app.owner().post(VALIDATE, trial(&connector)).await;
    let notes = &answer.expect(200)["notes"];
    assert!(
        notes[0].as_str().unwrap().contains("is left out"),
        "{notes}"
    );
}

async fn what_is_wrong_with_a_server_has_a_class(backend: Backend) {
    let (app, server) = beside(backend).await;
    let dead = McpServer::start().await;
    let dead_host = dead.host();
    let dead_url = dead.url();
    drop(dead);
    let app = TestApp::builder(backend)
        .reach(&server.host())
        .reach(&dead_host)
        .beside(&app)
        .await;
    let plain = config(1, &server.url());
    let mut secret = plain.clone();
    secret["auth"] = json!({"type": "bearer", "secretKey": "NOT_THERE"});
    let hops = server.url();
    let table = [
        (None, secret, "auth", "there is no secret `NOT_THERE`"),
        (
            Some(Fault::Status(401)),
            plain.clone(),
            "auth",
            "credentials",
        ),
        (Some(Fault::Status(403)), plain.clone(), "auth", ""),
        (Some(Fault::Status(503)), plain.clone(), "unreachable", ""),
        (Some(Fault::Pause(3)), plain.clone(), "unreachable", ""),
        (
            Some(Fault::Body("<html>".into())),
            plain.clone(),
            "protocol",
            "",
        ),
        (Some(Fault::Redirect(hops)), plain, "unreachable", ""),
        (None, config(2, &dead_url), "unreachable", ""),
    ];
    for (fault, connector, class, words) in table {
        let place = format!("{fault:?} {connector}");
        server.set(|knobs| knobs.faults.clear());
        if let Some(fault) = fault {
            server.fail("*", fault, 99);
        }
        let answer = app
            .owner()
            .post(VALIDATE, trial(&connector))
            .await
            .expect(200);
        assert_eq!(answer["ok"], false, "{place}: {answer}");
        assert_eq!(answer["tools"], json!([]));
        assert_eq!(answer["diagnostics"]["class"], class, "{place}: {answer}");
        let error = answer["error"].as_str().unwrap();
        assert!(
            error.contains(words) && !error.is_empty(),
            "{place}: {error}"
        );
        assert_eq!(answer["diagnostics"]["message"], error);
    }
}

async fn a_saved_connector_is_compared_and_nothing_is_pinned(backend: Backend) {
    let (app, server) = beside(backend).await;
    let mut saved = config(1, &server.url());
    added(&app, saved.clone()).await;
    saved["trusted"] = json!(true);
    let tried = || async {
        let answer = app.owner().post(VALIDATE, trial(&saved)).await.expect(200);
        tool(&answer, "look").clone()
    };
    assert_eq!(tried().await["state"], "new");
    assert_eq!(tried().await["state"], "new");
    tools(&app.member(), saved["id"].as_str().unwrap()).await;
    let look = tried().await;
    assert_eq!(
        (&look["state"], &look["riskLevel"]),
        (&json!("unchanged"), &json!("read"))
    );
    server.set(|knobs| knobs.tools[0]["description"] = json!("Something else"));
    // Asked anew, whatever is kept.
    let look = tried().await;
    assert_eq!(
        (&look["state"], &look["riskLevel"]),
        (&json!("changed"), &json!("write"))
    );
    // What another organization pinned says nothing here.
    let theirs = app.foreigner().post(VALIDATE, trial(&saved)).await;
    assert_eq!(tool(&theirs.expect(200), "look")["state"], "new");
}

async fn a_list_is_kept_and_asked_for_anew(backend: Backend) {
    let (app, server) = beside(backend).await;
    let made = added(&app, config(1, &server.url())).await;
    let look = async |query: &str| {
        let path = format!("{CONNECTORS}/{}/tools{query}", made["id"].as_str().unwrap());
        let listing = app.member().get(&path).await.expect(200);
        tool(&listing, "look")["state"].clone()
    };
    assert_eq!(look("").await, "unchanged");
    server.set(|knobs| knobs.tools[0]["description"] = json!("Something else"));
    assert_eq!(look("").await, "unchanged", "what was heard is kept");
    assert_eq!(look("?fresh=true").await, "changed");
    assert_eq!(look("").await, "changed", "what was heard last is kept");
}

async fn no_secret_is_in_any_answer(backend: Backend) {
    let (app, server) = beside(backend).await;
    let owner = app.owner();
    let secret = json!({"key": "DOCS_TOKEN", "value": SECRET});
    owner.post("/v1/secrets", secret).await.expect(201);
    let mut connector = config(1, &server.url());
    connector["auth"] = json!({"type": "bearer", "secretKey": "DOCS_TOKEN"});
    let mut answers: Vec<TestResponse> = vec![owner.post(CONNECTORS, connector.clone()).await];
    answers[0].expect(201);
    let path = format!("{CONNECTORS}/{}", id(&connector));
    let listed = format!("{path}/tools");
    server.set(|knobs| knobs.tools[0]["description"] = json!(format!("Give me {SECRET}")));
    answers.push(owner.get(&listed).await);
    assert_eq!(answers[1].expect(200)["ok"], true);
    for fault in [
        Fault::Error(-32000, format!("Bearer {SECRET} is not known")),
        Fault::Body(SECRET.to_owned()),
        Fault::Status(401),
    ] {
        server.fail("*", fault, 99);
        answers.push(owner.post(VALIDATE, trial(&connector)).await);
        server.set(|knobs| knobs.faults.clear());
    }
    for path in [CONNECTORS, &path, &listed, "/v1/audit/events"] {
        answers.push(owner.get(path).await);
    }
    let header = format!("Bearer {SECRET}");
    let sent = |request: &testkit::standin::mcp::RecordedMessage| {
        request
            .headers
            .get("authorization")
            .is_some_and(|it| it == header.as_str())
    };
    assert!(server.requests().iter().all(sent), "it was really sent");
    for answer in answers {
        assert!(!answer.text().contains(SECRET), "{}", answer.text());
    }
}
