//! Every refused decision and every refused mediated call leaves an event: in the log of the caller's organization, with
//! who, what and why, and never in that of another.

use axum::http::Method;
use hub::Hub;
use serde_json::{Value, json};
use testkit::{
    app::{Client, Person, TestApp, TestResponse},
    database::Backend,
    standin::agent::Agent,
};

use crate::{
    actions::desk::Desk,
    live::{Live, client::Socket},
    support::{UNKNOWN_ID, configuration, create, id},
};

testkit::on_both_databases!(
    a_refused_decision_is_on_record,
    a_refused_mediated_call_is_on_record,
    a_refused_change_is_on_record_with_its_subject,
    what_is_foreign_is_recorded_where_the_caller_belongs,
    a_flood_of_refusals_is_counted,
    a_refused_change_over_a_connection_is_on_record,
    a_refused_terminal_is_on_record_however_its_caller_is_known,
    a_refused_request_to_a_preview_is_on_record,
);

/// The events of an organization's log from `seen` on, oldest first.
async fn events(app: &TestApp, client: &Client, seen: usize) -> Vec<Value> {
    for organization_id in [&app.acme, &app.other] {
        app::audit::sign_pending(&app.app, organization_id)
            .await
            .unwrap();
    }
    let page = client.get("/v1/audit/events?limit=100").await.expect(200);
    let items = page["items"].as_array().unwrap().iter().rev();
    let events = items.map(|item| item["record"].clone()).collect::<Vec<_>>();
    assert!(events.len() < 100, "there are more");
    events[seen..].to_vec()
}

/// `operation subject outcome reason` of an event.
fn line(record: &Value) -> String {
    let event = &record["event"];
    let texts = [
        &event["target"]["operation"],
        &event["target"]["name"],
        &event["outcome"],
        &event["outcome_reason"],
    ];
    let texts = texts.map(|text| text.as_str().unwrap_or("-"));
    texts.join(" ")
}

/// The one event that `answer` left, if it was refused with this status.
struct Log<'a> {
    app: &'a TestApp,
    client: Client,
    seen: usize,
}

impl<'a> Log<'a> {
    async fn of(app: &'a TestApp, client: Client) -> Self {
        let seen = events(app, &client, 0).await.len();
        Self { app, client, seen }
    }

    /// What was recorded since it was last asked.
    async fn added(&mut self) -> Vec<Value> {
        let new = events(self.app, &self.client, self.seen).await;
        self.seen += new.len();
        new
    }

    #[track_caller]
    fn is_one(new: &[Value], answer: &TestResponse, status: u16, expected: &str) {
        assert_eq!(answer.status, status, "{expected}: {}", answer.text());
        let lines: Vec<_> = new.iter().map(line).collect();
        assert_eq!(lines, [expected], "{}", answer.text());
        assert_eq!(new[0]["event"]["action_type"], "system");
    }
}

async fn a_refused_decision_is_on_record(backend: Backend) {
    let desk = Desk::open(backend).await;
    let (app, session) = (&desk.app, desk.session.to_string());
    let (owner, member) = (app.owner(), app.member());
    let asked = desk.ask("A").await;
    let done = desk.ask("B").await;
    desk.decide(&owner, &done, "deny", json!({}))
        .await
        .expect(200);
    let (a, b) = (asked["id"].as_str().unwrap(), done["id"].as_str().unwrap());
    let mut log = Log::of(app, owner.clone()).await;
    let stale = json!({"callSha256": "0".repeat(64)});
    for (client, action, verb, body, status, event) in [
        (
            &member,
            &asked,
            "approve",
            json!({}),
            403,
            format!("action_approve action/{a} deny forbidden"),
        ),
        (
            &member,
            &asked,
            "deny",
            json!({}),
            403,
            format!("action_deny action/{a} deny forbidden"),
        ),
        (
            &desk.agent,
            &asked,
            "approve",
            json!({}),
            403,
            format!("action_approve action/{a} deny forbidden"),
        ),
        (
            &owner,
            &asked,
            "approve",
            stale,
            409,
            format!("action_approve action/{a} failure conflict"),
        ),
        (
            &owner,
            &asked,
            "approve",
            json!({"callSha256": "x"}),
            400,
            format!("action_approve action/{a} failure invalid_request"),
        ),
        (
            &owner,
            &done,
            "approve",
            json!({}),
            409,
            format!("action_approve action/{b} failure conflict"),
        ),
        (
            &owner,
            &done,
            "deny",
            json!({}),
            409,
            format!("action_deny action/{b} failure conflict"),
        ),
    ] {
        let answer = desk.decide(client, action, verb, body).await;
        let new = log.added().await;
        Log::is_one(&new, &answer, status, &event);
        // It is part of the session's trail.
        assert_eq!(new[0]["session_id"], session);
    }
    let many = json!({"ids": [b]});
    let answer = owner.post("/v1/actions/deny", many).await;
    let event = format!("action_deny_many action/{b} failure conflict");
    Log::is_one(&log.added().await, &answer, 200, &event);
    desk.later(24 * 3600);
    let owner = app.owner();
    log.client = owner.clone();
    let answer = desk.decide(&owner, &asked, "approve", json!({})).await;
    let new = log.added().await;
    let expected = format!("action_approve action/{a} failure expired");
    assert_eq!(answer.status, 410, "{}", answer.text());
    assert!(new.iter().map(line).any(|line| line == expected), "{new:?}");

    // In the log of who was refused, and there alone.
    let foreigner = app.foreigner();
    let mut theirs = Log::of(app, foreigner.clone()).await;
    let answer = desk.decide(&foreigner, &asked, "deny", json!({})).await;
    let event = format!("action_deny action/{a} deny not_found");
    let new = theirs.added().await;
    Log::is_one(&new, &answer, 404, &event);
    assert_eq!(
        new[0]["session_id"],
        Value::Null,
        "it is no session of theirs"
    );
    assert_eq!(log.added().await, [] as [Value; 0]);
}

#[expect(clippy::too_many_lines, reason = "it is a table")]
async fn a_refused_mediated_call_is_on_record(backend: Backend) {
    let desk = Desk::open(backend).await;
    let (app, session) = (&desk.app, desk.session.to_string());
    let other = id(&create(app, json!({})).await);
    let repo =
        json!({"name": "acme/web", "source": "github", "url": "https://github.com/acme/web"});
    let repo = id(&app.owner().post("/v1/repos", repo).await.expect(201));
    let with_repo = configuration(app, json!({"name": "web", "repoIds": [repo]})).await;
    let with_repo = id(&create(app, json!({ "configurationId": with_repo })).await);
    let pusher = app.sandbox(with_repo.parse().unwrap()).await;
    let stranger = app.sandbox(other.parse().unwrap()).await;
    let (owner, agent) = (app.owner(), desk.agent.clone());
    let mut log = Log::of(app, owner.clone()).await;
    let invoke = format!("/proliferate/{session}/actions/invoke");
    let wish = format!("/proliferate/{session}/actions/grants");
    let mcp = format!("/proliferate/{session}/mcp");
    let tool = |name: &str| format!("/proliferate/{session}/tools/{name}");
    let git = |id: &str| format!("/proliferate/{with_repo}/git/{id}/git-receive-pack");
    let write = json!({"integration": "linear", "action": "create_issue", "params": {}});
    let call = json!({"tool_call_id": "t1", "args": {}});
    let mcp_call = |name: &str| json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": {}}});
    let of = |operation: &str, rest: &str| format!("{operation} session/{session} {rest}");
    let cases = [
        // Who may not.
        (
            &owner,
            invoke.clone(),
            write.clone(),
            403,
            of("action_invoke", "deny forbidden"),
        ),
        (
            &owner,
            tool("save_snapshot"),
            call.clone(),
            403,
            of("tool_callback", "deny forbidden"),
        ),
        (
            &owner,
            "/internal/tools/save_snapshot".to_owned(),
            json!({"session_id": session, "tool_call_id": "t"}),
            403,
            "tool_callback_internal tool_callback deny forbidden".to_owned(),
        ),
        (
            &owner,
            wish.clone(),
            json!({"integration": "linear", "action": "create_issue"}),
            403,
            of("action_grant_request", "deny forbidden"),
        ),
        // Another session's.
        (
            &stranger,
            invoke.clone(),
            write.clone(),
            404,
            of("action_invoke", "deny not_found"),
        ),
        (
            &stranger,
            tool("save_snapshot"),
            call.clone(),
            404,
            of("tool_callback", "deny not_found"),
        ),
        (
            &stranger,
            mcp.clone(),
            mcp_call("linear__create_issue"),
            404,
            of("mcp", "deny not_found"),
        ),
        (
            &stranger,
            wish.clone(),
            json!({"integration": "linear", "action": "create_issue"}),
            404,
            of("action_grant_request", "deny not_found"),
        ),
        (
            &stranger,
            git(&repo),
            json!({}),
            404,
            format!("git_receive_pack repo/{repo} deny not_found"),
        ),
        // What is not there.
        (
            &agent,
            tool("no_such"),
            call.clone(),
            404,
            of("tool_callback", "deny not_found"),
        ),
        (
            &agent,
            mcp.clone(),
            mcp_call("no_such"),
            200,
            of("mcp", "deny not_found"),
        ),
        (
            &pusher,
            git(UNKNOWN_ID),
            json!({}),
            404,
            format!("git_receive_pack repo/{UNKNOWN_ID} deny not_found"),
        ),
        // What cannot be read.
        (
            &agent,
            invoke.clone(),
            json!({"integration": 1}),
            400,
            of("action_invoke", "failure invalid_request"),
        ),
        (
            &agent,
            tool("save_snapshot"),
            json!({"args": 1}),
            400,
            of("tool_callback", "failure invalid_request"),
        ),
        (
            &agent,
            mcp.clone(),
            json!([]),
            400,
            of("mcp", "failure invalid_request"),
        ),
        (
            &pusher,
            git(&repo),
            json!({}),
            400,
            format!("git_receive_pack repo/{repo} failure invalid_request"),
        ),
    ];
    for (client, path, body, status, expected) in cases {
        let answer = client.post(&path, body).await;
        Log::is_one(&log.added().await, &answer, status, &expected);
    }
    // The name of what is not there is the caller's text, and is nowhere in the log.
    let all = events(app, &owner, 0).await;
    assert!(!json!(all).to_string().contains("no_such"));

    let text = agent
        .call(Method::POST, &invoke)
        .body("text/plain", "x")
        .await;
    let expected = of("action_invoke", "failure unsupported_media_type");
    Log::is_one(&log.added().await, &text, 415, &expected);
    let old = agent.post(&tool("save_snapshot"), call.clone());
    let old = old.header("x-proliferate-tool-version", "0").await;
    Log::is_one(
        &log.added().await,
        &old,
        409,
        &of("tool_callback", "failure conflict"),
    );

    // Refusals that the call itself records are recorded once, by the call.
    desk.ask_once("One").await.expect(202);
    log.added().await;
    desk.ask_once("Other")
        .await
        .expect_problem(409, "IDEMPOTENCY_CONFLICT");
    let lines: Vec<_> = log.added().await.iter().map(line).collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[1].ends_with("idempotency_conflict"), "{lines:?}");
    for (action, params) in [
        ("create_issue", json!({"title": 1})),
        ("no_such", json!({})),
    ] {
        let denied = desk.invoke(action, params).await;
        assert_eq!(denied.status, 400, "{}", denied.text());
        let lines: Vec<_> = log.added().await.iter().map(line).collect();
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(
            lines.iter().all(|line| line.ends_with("invalid_request")),
            "{lines:?}"
        );
    }

    // And those of a limit on how often.
    let read = json!({"integration": "linear", "action": "list_teams", "params": {}});
    let mut limited = None;
    for _ in 0..200 {
        let answer = agent.post(&invoke, read.clone()).await;
        if answer.status == 429 {
            limited = Some(answer);
            break;
        }
        log.seen = 0;
    }
    let limited = limited.expect("there is a limit");
    limited.expect_problem(429, "RATE_LIMITED");
    app::audit::sign_pending(&app.app, &app.acme).await.unwrap();
    let page = owner
        .get("/v1/audit/events?outcome=deny&limit=1")
        .await
        .expect(200);
    assert_eq!(
        line(&page["items"][0]["record"]),
        of("action_invoke", "deny rate_limited")
    );
}

/// A new grant for everything of Linear's.
async fn grant(client: &Client) -> String {
    let body = json!({"scope": "org", "integration": "linear", "action": "*"});
    let made = client.post("/v1/grants", body).await.expect(201);
    made["id"].as_str().unwrap().to_owned()
}

async fn a_refused_change_is_on_record_with_its_subject(backend: Backend) {
    let app = TestApp::start(backend).await;
    let (owner, member, admin) = (app.owner(), app.member(), app.person(Person::Admin));
    let grant = grant(&owner).await;
    let mut log = Log::of(&app, owner.clone()).await;
    let of = |person: Person| format!("/v1/members/{}", person.user_id());
    for (client, method, path, body, status, expected) in [
        (
            &member,
            Method::PATCH,
            of(Person::Member),
            json!({"role": "owner"}),
            403,
            "member_update member/user_acme_member deny forbidden".to_owned(),
        ),
        (
            &admin,
            Method::PATCH,
            of(Person::Owner),
            json!({"role": "member"}),
            403,
            "member_update member/user_acme_owner deny forbidden".to_owned(),
        ),
        (
            &owner,
            Method::PATCH,
            of(Person::Owner),
            json!({"role": "member"}),
            409,
            "member_update member/user_acme_owner failure conflict".to_owned(),
        ),
        (
            &member,
            Method::DELETE,
            format!("/v1/grants/{grant}"),
            json!({}),
            403,
            format!("grant_revoke grant/{grant} deny forbidden"),
        ),
        (
            &owner,
            Method::DELETE,
            format!("/v1/grants/{UNKNOWN_ID}"),
            json!({}),
            404,
            format!("grant_revoke grant/{UNKNOWN_ID} deny not_found"),
        ),
        (
            &member,
            Method::POST,
            "/v1/safety-lock/engage".to_owned(),
            json!({"reason": "x"}),
            403,
            "safety_lock_engage safety_lock deny forbidden".to_owned(),
        ),
        (
            &owner,
            Method::POST,
            "/v1/safety-lock/release".to_owned(),
            json!({"reason": "x"}),
            409,
            "safety_lock_release safety_lock failure conflict".to_owned(),
        ),
        (
            &owner,
            Method::DELETE,
            "/v1/repos/my-own-words".to_owned(),
            json!({}),
            404,
            "repo_delete repo deny not_found".to_owned(),
        ),
    ] {
        let answer = client.call(method, &path).json(&body).await;
        let new = log.added().await;
        Log::is_one(&new, &answer, status, &expected);
        let actor = new[0]["event"]["actor"]["actor_id"].as_str().unwrap();
        assert!(actor.starts_with("user_acme_"), "{actor}");
    }
    // Reading is no change, and who proves nothing about themselves has no log.
    member
        .get("/v1/audit/events")
        .await
        .expect_problem(403, "FORBIDDEN");
    app.anonymous()
        .delete(&format!("/v1/grants/{grant}"))
        .await
        .expect_problem(401, "UNAUTHENTICATED");
    assert_eq!(log.added().await, [] as [Value; 0]);
    a_change_of_a_member_says_both_roles(&owner, &mut log).await;
}

async fn a_change_of_a_member_says_both_roles(owner: &Client, log: &mut Log<'_>) {
    let member = format!("/v1/members/{}", Person::Member.user_id());
    owner
        .patch(&member, json!({"role": "admin"}))
        .await
        .expect(200);
    let new = log.added().await;
    assert_eq!(
        line(&new[0]),
        "member_update member/user_acme_member success -"
    );
    assert_eq!(
        new[0]["event"]["change"],
        json!({"from": "member", "to": "admin"})
    );
}

async fn what_is_foreign_is_recorded_where_the_caller_belongs(backend: Backend) {
    let app = TestApp::start(backend).await;
    let session = id(&create(&app, json!({})).await);
    let (owner, foreigner) = (app.owner(), app.foreigner());
    let mut ours = Log::of(&app, owner).await;
    let mut theirs = Log::of(&app, foreigner.clone()).await;
    let answer = foreigner.delete(&format!("/v1/sessions/{session}")).await;
    let new = theirs.added().await;
    let expected = format!("session_stop session/{session} deny not_found");
    Log::is_one(&new, &answer, 404, &expected);
    assert_eq!(new[0]["session_id"], Value::Null);
    assert_eq!(ours.added().await, [] as [Value; 0]);
}

async fn a_flood_of_refusals_is_counted(backend: Backend) {
    let app = TestApp::start(backend).await;
    let member = app.member();
    let mut log = Log::of(&app, app.owner()).await;
    let path = format!("/v1/grants/{UNKNOWN_ID}");
    for _ in 0..50 {
        member.delete(&path).await.expect_problem(403, "FORBIDDEN");
    }
    // Another id each time.
    for number in 0..200 {
        let path = format!("/v1/webhooks/0192f0c1-2345-7abc-8def-{number:012}");
        member.delete(&path).await.expect_problem(403, "FORBIDDEN");
    }
    let at_once = log.added().await;
    assert_eq!(at_once.len(), domain::limits::AUDIT_REFUSALS_PER_ACTOR_MAX);
    app::audit::fold_refusals(&app.app).await;
    let folded = log.added().await;
    let counts: Vec<_> = { folded.iter() }
        .map(|record| (line(record), record["event"]["count"].as_u64().unwrap()))
        .collect();
    let rest = 200 - (at_once.len() as u64 - 1);
    let expected = [
        (
            format!("grant_revoke grant/{UNKNOWN_ID} deny forbidden"),
            49,
        ),
        ("webhook_delete webhook deny forbidden".to_owned(), rest),
    ];
    assert_eq!(counts, expected);
    app::audit::fold_refusals(&app.app).await;
    assert_eq!(
        log.added().await,
        [] as [Value; 0],
        "what was folded is told once"
    );
}

/// A caller who may only watch asks for every change there is; over HTTP the same is on record too.
async fn a_refused_change_over_a_connection_is_on_record(backend: Backend) {
    let live = Live::start(backend).await;
    let mut log = Log::of(&live.app, live.app.owner()).await;
    let mut socket = live.connect_as(Person::Admin, "").await;
    socket.next_of("init").await;
    for (frame, operation) in [
        (
            json!({"type": "prompt", "content": "Do it."}),
            "session_message",
        ),
        (json!({"type": "cancel"}), "session_cancel"),
        (json!({"type": "save_snapshot"}), "session_snapshot_save"),
        (
            json!({"type": "run_auto_start", "runId": UNKNOWN_ID}),
            "session_services_start",
        ),
        (
            json!({"type": "git_create_branch", "branchName": "fix"}),
            "session_branch_create",
        ),
        (
            json!({"type": "git_commit", "message": "Fix it"}),
            "session_commit_create",
        ),
        (json!({"type": "git_push"}), "session_branch_push"),
        (
            json!({"type": "git_create_pr", "title": "Fix it"}),
            "session_pull_request_create",
        ),
    ] {
        socket.send(frame).await;
        let error = socket.next_of("error").await;
        assert_eq!(error["payload"]["code"], "forbidden", "{error}");
        let new = log.added().await;
        let lines: Vec<_> = new.iter().map(line).collect();
        let session = live.session;
        assert_eq!(
            lines,
            [format!("{operation} session/{session} deny forbidden")]
        );
        assert_eq!(new[0]["session_id"], session.to_string());
        let actor = &new[0]["event"]["actor"]["actor_id"];
        assert_eq!(*actor, Person::Admin.user_id().to_string());
    }
    // Looking is no change.
    socket.send(json!({"type": "get_status"})).await;
    socket.next_of("status").await;
    assert_eq!(log.added().await, [] as [Value; 0]);
}

async fn a_refused_terminal_is_on_record_however_its_caller_is_known(backend: Backend) {
    let live = Live::start(backend).await;
    let (app, address) = (&live.app, live.served.address);
    let mut log = Log::of(app, app.owner()).await;
    let mut theirs = Log::of(app, app.foreigner()).await;
    let path = format!("{}/terminal", live.path());
    let expected = |reason| format!("session_terminal session/{} deny {reason}", live.session);
    let lines = |new: Vec<Value>| new.iter().map(line).collect::<Vec<_>>();

    let bearer = format!("Bearer {}", live.token(Person::Member));
    let opened = Socket::open(address, &path, &[("authorization", &bearer)]).await;
    assert_eq!(opened.map(drop), Err(403));
    assert_eq!(lines(log.added().await), [expected("forbidden")]);

    let by_frame = async |token: String| {
        let mut socket = Socket::open(address, &path, &[]).await.unwrap();
        socket.send(json!({"type": "auth", "token": token})).await;
        let (_, code, reason) = socket.closed().await;
        assert_eq!(code, 1008);
        reason
    };
    assert_eq!(by_frame(live.token(Person::Admin)).await, "forbidden");
    assert_eq!(lines(log.added().await), [expected("forbidden")]);
    // An agent is a known caller that may not connect.
    let agent = app.sandbox_token(live.session).await;
    assert_eq!(by_frame(agent).await, "forbidden");
    assert_eq!(lines(log.added().await), [expected("forbidden")]);
    assert_eq!(by_frame(live.token(Person::Foreigner)).await, "not found");
    assert_eq!(lines(theirs.added().await), [expected("not_found")]);
    // A caller that proves nothing has no log.
    assert_eq!(by_frame("wrong".to_owned()).await, "unauthenticated");
    assert_eq!(log.added().await, [] as [Value; 0]);
}

async fn a_refused_request_to_a_preview_is_on_record(backend: Backend) {
    let mut app = TestApp::start(backend).await;
    let agent = Agent::start().await;
    app.live_in(Hub::with_runtimes(app.app.clone(), agent.runtimes()));
    let (member, anonymous) = (app.member(), app.anonymous());
    let mut log = Log::of(&app, app.owner()).await;
    for (method, is_upgrade, is_below, by_ticket) in [
        (Method::POST, false, false, false),
        (Method::DELETE, false, true, false),
        (Method::GET, true, true, false),
        (Method::PUT, false, false, true),
        (Method::GET, true, true, true),
    ] {
        let session = id(&create(&app, json!({})).await);
        let open = format!("/v1/sessions/{session}/preview");
        let ticket = member.post(&open, json!({"port": 3000})).await.expect(200);
        log.added().await;
        let (client, base, operation) = if by_ticket {
            let url = ticket["url"].as_str().unwrap().to_owned();
            (&anonymous, url, "session_preview_look")
        } else {
            let base = format!("/proliferate/{session}/preview/3000/");
            (&member, base, "session_preview")
        };
        let path = if is_below { format!("{base}a/b") } else { base };
        let mut call = client.call(method, &path);
        if is_upgrade {
            call = call.header("upgrade", "websocket");
        }
        let answer = call.await;
        let expected = format!("{operation} session/{session} deny forbidden");
        let new = log.added().await;
        Log::is_one(&new, &answer, 403, &expected);
        assert_eq!(new[0]["session_id"], session);
        // Looking is no change, whatever it is answered.
        client.get(&path).await.expect_problem(409, "CONFLICT");
        assert_eq!(log.added().await, [] as [Value; 0]);
    }
}
