//! Commands that are one request: the answer is the document.

use serde_json::json;

use crate::{
    program::Program,
    stand_in::{End, Fault, Plan, StandIn},
};

const PLAN: Plan = Plan {
    looks: 0,
    end: Some(End::Completed),
};

#[tokio::test]
async fn the_list_is_printed_as_it_came() {
    let gateway = StandIn::ending(End::Completed).await;
    let finished = Program::new(&gateway.url, &["actions", "list"])
        .finish()
        .await
        .ended(0);
    let document = finished.json();
    assert_eq!(
        document["integrations"][0]["actions"][0]["name"],
        "create_issue"
    );
    assert_eq!(finished.stderr, "");
    assert_eq!(gateway.lines(), ["GET /available"]);
}

#[tokio::test]
async fn a_guide_is_asked_for_by_an_encoded_name() {
    let gateway = StandIn::ending(End::Completed).await;
    let guide =
        |name| Program::new(&gateway.url, &["actions", "guide", "--integration", name]).finish();
    let name = "connector:0192f0c1-2345-7abc-8def-0123456789ab";
    assert_eq!(guide(name).await.ended(0).json()["integration"], name);
    assert_eq!(
        guide("a/../b?c").await.ended(0).json()["integration"],
        "a/../b?c"
    );
    let missing = guide("nothing").await.ended(2);
    assert_eq!(missing.stdout, "");
    missing.said("error: the gateway refused (404 NOT_FOUND): There is no such integration.\nhint: Look again.\n");
    let usage = guide("..").await.ended(2);
    assert_eq!(usage.stdout, "");
    assert_eq!(gateway.count("GET /guide"), 3);
}

#[tokio::test]
async fn a_grant_is_a_wish() {
    let gateway = StandIn::ending(End::Completed).await;
    let request = [
        "actions",
        "grant",
        "request",
        "--integration",
        "linear",
        "--action",
        "*",
    ];
    let plain = Program::new(&gateway.url, &request).finish().await.ended(0);
    assert_eq!(plain.json()["grantRequest"]["status"], "pending");
    let more = [&request[..], &["--scope", "org", "--max-calls", "5"]].concat();
    Program::new(&gateway.url, &more).finish().await.ended(0);
    let sent: Vec<_> = gateway
        .recorded()
        .into_iter()
        .map(|recorded| recorded.body)
        .collect();
    assert_eq!(
        sent,
        [
            json!({"integration": "linear", "action": "*", "scope": "session"}),
            json!({"integration": "linear", "action": "*", "scope": "org", "maxCalls": 5}),
        ]
    );
    for bad in [
        ["--max-calls", "0"],
        ["--max-calls", "x"],
        ["--scope", "world"],
    ] {
        let arguments = [&request[..], &bad[..]].concat();
        let refused = Program::new(&gateway.url, &arguments)
            .finish()
            .await
            .ended(2);
        assert_eq!(refused.stdout, "");
    }
    assert_eq!(gateway.recorded().len(), 2);
}

#[tokio::test]
async fn grants_come_in_pages() {
    let gateway = StandIn::ending(End::Completed).await;
    let list = [
        "actions", "grants", "list", "--limit", "10", "--cursor", "c1",
    ];
    let finished = Program::new(&gateway.url, &list).finish().await.ended(0);
    assert_eq!(finished.json(), json!({"grants": []}));
    assert_eq!(gateway.lines(), ["GET /grants?limit=10&cursor=c1"]);
}

#[tokio::test]
async fn what_is_not_from_a_gateway_is_said_so() {
    let html = Fault::Body(200, "<html>a captive portal</html>".to_owned());
    let gateway = StandIn::start(PLAN, [html]).await;
    let list = ["actions", "list"];
    let finished = Program::new(&gateway.url, &list).finish().await.ended(6);
    assert_eq!(
        finished
            .said("the answer 200 is not one of a gateway")
            .stdout,
        ""
    );
    let dead = Fault::Body(401, r#"{"status": 401, "detail": "No."}"#.to_owned());
    let gateway = StandIn::start(PLAN, [dead]).await;
    let finished = Program::new(&gateway.url, &list).finish().await.ended(6);
    finished.said("the token of this sandbox is not valid");
}

#[tokio::test]
async fn an_answer_without_end_is_not_kept() {
    let huge = Fault::Body(200, format!("[\"{}\"]", "x".repeat(9 * 1024 * 1024)));
    let gateway = StandIn::start(PLAN, [huge]).await;
    let finished = Program::new(&gateway.url, &["actions", "list"])
        .finish()
        .await
        .ended(6);
    assert_eq!(finished.said("too large").stdout, "");
    assert_eq!(gateway.recorded().len(), 1);
}

#[tokio::test]
async fn texts_of_others_are_bounded_and_one_line() {
    let detail = format!("\u{1b}[2J{}\nsecond", "y".repeat(600));
    let body =
        json!({"detail": detail, "errors": [{"field": "params.teamId", "message": "is needed"}]});
    let gateway = StandIn::start(PLAN, [Fault::Body(400, body.to_string())]).await;
    let finished = Program::new(&gateway.url, &["actions", "list"])
        .finish()
        .await
        .ended(2);
    assert!(finished.stderr.len() < 700, "{finished:?}");
    assert_eq!(finished.stderr.lines().count(), 2, "{finished:?}");
    finished.said("[cut]\nerror: params.teamId: is needed\n");
}
