//! What another organization has is not there: every operation that names something by an id answers the owner of
//! another organization with 404, whether the session it names is live or asleep, and leaves everything as it was.
//!
//! The operations are those of `authorization.table`, which has a row for each of the OpenAPI document, and what the
//! router passes on without documenting it.

use std::collections::BTreeSet;

use axum::http::Method;
use domain::{
    id::SessionId,
    page::PageRequest,
    session::Session,
    session_event::SessionEvent,
    sharing::{SessionViewer, Visibility},
};
use hub::{Hub, log::LogEntry};
use serde_json::{Value, json};
use store::SessionFilter;
use testkit::{
    app::{Client, Person, Served, TestApp, TestResponse},
    database::Backend,
    standin::agent::Agent,
};

use crate::{
    authorization::{Row, anonymous, call, resource, started, table},
    fleet::eventually,
    live::client::{Events, Socket},
    support::{UNKNOWN_ID, create, id},
};

testkit::on_both_databases!(
    nothing_of_another_organization_is_there,
    a_private_session_of_another_member_is_not_there,
    no_socket_leads_into_a_private_session,
    no_socket_leads_into_a_session_of_another_organization,
    a_call_that_names_a_session_of_another_organization_does_nothing_there,
);

const REVIEW: &str = "/v1/connectors/{id}/review";

/// Operations that name nothing of an organization's, or ask for another proof than a caller's organization.
const OTHERWISE: [(&str, u16, &str); 10] = [
    (
        "/proliferate/{id}/terminal",
        400,
        "this asks for no WebSocket, which is refused whatever the id; sockets have a test of their own",
    ),
    ("/session/{id}", 307, "leads to a public page without data"),
    (
        "/proliferate/{id}/look/{ticket}/",
        401,
        "the ticket says who looks",
    ),
    (
        "/proliferate/{id}/look/{ticket}/{*path}",
        401,
        "the ticket says who looks",
    ),
    (
        "/v1/fleet/instances/{id}",
        403,
        "instances are no organization's",
    ),
    (
        "/v1/fleet/instances/{id}/drain",
        403,
        "instances are no organization's",
    ),
    (
        "/v1/organizations/{id}/limits",
        403,
        "only operators name another organization",
    ),
    (
        "/v1/organizations/{id}/suspend",
        403,
        "only operators of the installation name other organizations",
    ),
    (
        "/v1/organizations/{id}/resume",
        403,
        "only operators of the installation name other organizations",
    ),
    ("/errors/{code}", 200, "a public page"),
];

/// Whether the session that a path names is served when it is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Live,
    Asleep,
}

struct Scene {
    app: TestApp,
    hub: Hub,
    /// Brings sessions up, and stays for as long.
    _agent: Agent,
}

/// What only a caller with the right to steer may change of a session.
#[derive(Debug, PartialEq)]
struct Standing {
    session: Session,
    /// The log, as clients get it.
    events: Vec<String>,
    is_live: bool,
    watchers: u32,
}

impl Scene {
    async fn start(backend: Backend) -> Self {
        let mut app = started(backend).await;
        let agent = Agent::start().await;
        let hub = Hub::with_runtimes(app.app.clone(), agent.runtimes());
        app.live_in(hub.clone());
        Self {
            app,
            hub,
            _agent: agent,
        }
    }

    async fn serve(&self) -> Served {
        self.app.serve_hub(self.hub.clone()).await
    }

    /// Has the session served, with its agent up, or not at all.
    async fn put(&self, session: SessionId, state: State) {
        if state == State::Live {
            let steering = self.app.steering(session).await.unwrap();
            let handle = self.hub.registry.open(&steering).await.unwrap();
            handle.ensure_ready().await.unwrap();
            // The last event of a boot.
            let listened = r#""stage":"stream""#;
            eventually("it is up", async || self.tells(session, listened).await).await;
        }
        assert_eq!(self.hub.registry.is_live(session), state == State::Live);
    }

    /// Whether the session's log contains it.
    async fn tells(&self, session: SessionId, what: &str) -> bool {
        let mut conn = self.app.database.db.read().await.unwrap();
        let events = store::session_event_list(&mut conn, &self.app.acme, session, 0, 500);
        let events = events.await.unwrap();
        events.iter().map(frame).any(|text| text.contains(what))
    }

    async fn standing(&self, session: SessionId) -> Standing {
        let mut conn = self.app.database.db.read().await.unwrap();
        let events = store::session_event_list(&mut conn, &self.app.acme, session, 0, 500);
        Standing {
            events: events.await.unwrap().iter().map(frame).collect(),
            session: self.app.session(session).await,
            is_live: self.hub.registry.is_live(session),
            watchers: self.hub.fleet.load().await.clients,
        }
    }
}

fn frame(event: &SessionEvent) -> String {
    LogEntry::from(event).frame().to_string()
}

/// The rows of the table that name something, and what is passed on below previews.
fn rows() -> Vec<Row> {
    let (_, rows) = table();
    let mut rows: Vec<Row> = rows
        .into_iter()
        .filter(|row| row.path.contains('{'))
        .collect();
    // The table's body names no tool, which is refused whatever the id.
    let mut reviews = rows.iter_mut().filter(|row| row.path == REVIEW);
    let review = reviews.next().expect("tools are reviewed");
    let tool = json!({"name": "search", "sha256": "0".repeat(64)});
    review.body = Some(json!({"tools": [tool]}).to_string());
    for path in gateway::PROXIED_PATHS {
        let methods = gateway::PROXIED_METHODS.into_iter().chain([Method::GET]);
        // A layer answers `OPTIONS` before any route does.
        for method in methods.filter(|method| *method != Method::OPTIONS) {
            if rows
                .iter()
                .any(|row| row.path == path && row.method == method)
            {
                continue;
            }
            // At the end of the table calls are locked.
            rows.insert(0, Row::of(method, path));
        }
    }
    rows
}

#[test]
fn the_exceptions_are_operations() {
    let paths: BTreeSet<_> = rows().into_iter().map(|row| row.path).collect();
    for (path, ..) in OTHERWISE {
        assert!(paths.contains(path), "{path}");
    }
}

async fn nothing_of_another_organization_is_there(backend: Backend) {
    let scene = Scene::start(backend).await;
    let app = &scene.app;
    let agent_of_theirs = {
        let session = app.fixture.session(&app.other);
        app.insert_session(&session).await;
        app.with_token(app.sandbox_token(session.id).await)
    };
    let service = app.with_token(app.service_token(&app.other));
    for (count, row) in rows().iter().enumerate() {
        for state in [State::Live, State::Asleep] {
            let named = resource(
                app,
                &row.path,
                2 * count + usize::from(state == State::Live),
            );
            let named = named.await;
            let session = session_of(&row.path, &named);
            let Some(session) = session else {
                if state == State::Live {
                    refused(&app.foreigner(), row, &named, count).await;
                }
                continue;
            };
            scene.put(session, state).await;
            // A pending approval is in the log, beside the rest.
            if let (State::Live, Some((_, waits))) = (state, named.split_once(' ')) {
                eventually("it is told", async || scene.tells(session, waits).await).await;
            }
            let before = scene.standing(session).await;
            refused(&app.foreigner(), row, &named, count).await;
            for other in [&agent_of_theirs, &service] {
                let answer = ask(other, row, &named, count).await;
                let is_refused = matches!(answer.status, 401 | 403 | 404);
                assert!(
                    is_refused || answer.status == expected(row),
                    "{row:?}: {}",
                    answer.text()
                );
            }
            assert_eq!(scene.standing(session).await, before, "{row:?}, {state:?}");
        }
    }
}

/// A member who may not see a private session gets exactly what an unknown id gets, from every operation of the document
/// that names a session, and from those that name something of one.
async fn a_private_session_of_another_member_is_not_there(backend: Backend) {
    let scene = Scene::start(backend).await;
    let app = &scene.app;
    let document = serde_json::to_value(gateway::openapi::document()).unwrap();
    let mut of_sessions = 0;
    for (count, row) in rows().iter().enumerate() {
        let names_something_of_one = [
            "/v1/actions/{id}",
            "/v1/actions/{id}/explain",
            "/v1/automation-runs/{id}",
        ]
        .contains(&row.path.as_str());
        if !names_session(&document, row) && !names_something_of_one {
            continue;
        }
        of_sessions += 1;
        let named = resource(app, &row.path, count).await;
        hide_all(app).await;
        let member = app.member();
        let hidden = ask(&member, row, &named, count).await;
        let unknown = ask(&member, row, UNKNOWN_ID, count).await;
        assert_eq!(anonymous(&hidden), anonymous(&unknown), "{row:?}");
        assert_eq!(hidden.status, unknown.status, "{row:?}");
        let is_refused = matches!(hidden.status, 307 | 400 | 401 | 403 | 404);
        assert!(is_refused, "{row:?}: {}", hidden.text());
    }
    assert!(
        of_sessions > 40,
        "the document names sessions: {of_sessions}"
    );
}

/// Whether the `{id}` of a path is a session's. What is passed on below a preview is not in the document.
fn names_session(document: &Value, row: &Row) -> bool {
    let method = row.method.as_str().to_lowercase();
    let parameters = document["paths"][&row.path][method]["parameters"].as_array();
    let Some(parameters) = parameters else {
        return session_of(&row.path, UNKNOWN_ID).is_some() && row.path.contains("{*path}");
    };
    parameters
        .iter()
        .any(|one| one["name"] == "id" && one["description"] == "The session")
}

/// Makes every session of acme's private.
async fn hide_all(app: &TestApp) {
    let page = PageRequest::new(None, Some(100)).unwrap();
    let filter = SessionFilter::default();
    let mut tx = app.database.db.write().await.unwrap();
    let all = store::session_list(&mut tx, &app.acme, SessionViewer::All, &filter, page).await;
    for session in all.unwrap().items {
        let (now, private) = (app.app.now(), Visibility::Private);
        store::session_set_visibility(&mut tx, &app.acme, session.id, private, now)
            .await
            .unwrap();
    }
    tx.commit().await.unwrap();
}

async fn no_socket_leads_into_a_private_session(backend: Backend) {
    let scene = Scene::start(backend).await;
    let served = scene.serve().await;
    let session: SessionId = id(&create(&scene.app, json!({"visibility": "private"})).await)
        .parse()
        .unwrap();
    let base = format!("/proliferate/{session}");
    let token = scene.app.user_token(Person::Member);
    let bearer = format!("Bearer {token}");
    for below in ["", "/terminal", "/preview/3000/", "/preview/3000/ws"] {
        let path = format!("{base}{below}");
        let headers = [("authorization", bearer.as_str())];
        let opened = Socket::open(served.address, &path, &headers).await;
        assert_eq!(opened.err(), Some(404), "{path}");
    }
    for below in ["", "/terminal"] {
        let path = format!("{base}{below}");
        let mut socket = Socket::open(served.address, &path, &[]).await.unwrap();
        socket.send(json!({"type": "auth", "token": token})).await;
        let (seen, code, reason) = socket.closed().await;
        assert_eq!(seen, Vec::<String>::new(), "{path}");
        assert_eq!((code, reason.as_str()), (1008, "not found"), "{path}");
    }
    assert!(!scene.hub.registry.is_live(session));
}

/// The session that a path names, if it does.
fn session_of(path: &str, named: &str) -> Option<SessionId> {
    let is_session = [
        "/proliferate/{id}",
        "/proliferate/sessions/{id}",
        "/v1/sessions/{id}",
    ];
    let is_session = is_session.iter().any(|start| path.starts_with(start));
    let (id, _) = named.split_once(' ').unwrap_or((named, ""));
    is_session.then(|| id.parse().unwrap())
}

fn expected(row: &Row) -> u16 {
    let otherwise = OTHERWISE.iter().find(|(path, ..)| *path == row.path);
    otherwise.map_or(404, |(_, status, _)| *status)
}

async fn refused(client: &Client, row: &Row, named: &str, count: usize) {
    let answer = ask(client, row, named, count).await;
    assert_eq!(answer.status, expected(row), "{row:?}: {}", answer.text());
    assert!(!answer.text().contains("org_acme"), "{row:?}: it leaks");
}

async fn ask(client: &Client, row: &Row, named: &str, count: usize) -> TestResponse {
    call(client, row, named, count).await
}

async fn no_socket_leads_into_a_session_of_another_organization(backend: Backend) {
    let scene = Scene::start(backend).await;
    let served = scene.serve().await;
    let token = scene.app.user_token(Person::Foreigner);
    let bearer = format!("Bearer {token}");
    for state in [State::Live, State::Asleep] {
        let session: SessionId = id(&create(&scene.app, json!({})).await).parse().unwrap();
        scene.put(session, state).await;
        let before = scene.standing(session).await;
        let base = format!("/proliferate/{session}");
        for below in [
            "",
            "?after=0",
            "/terminal",
            "/preview/3000/",
            "/preview/3000/ws",
        ] {
            let path = format!("{base}{below}");
            let headers = [("authorization", bearer.as_str())];
            let opened = Socket::open(served.address, &path, &headers).await;
            assert_eq!(opened.err(), Some(404), "{path} {state:?}");
            let offered = format!("proliferate.v1, bearer.{token}");
            let headers = [("sec-websocket-protocol", offered.as_str())];
            let opened = Socket::open(served.address, &path, &headers).await;
            assert_eq!(opened.err(), Some(404), "{path} {state:?}");
        }
        for below in ["", "/terminal"] {
            let path = format!("{base}{below}");
            let mut socket = Socket::open(served.address, &path, &[]).await.unwrap();
            socket.send(json!({"type": "auth", "token": token})).await;
            let (seen, code, reason) = socket.closed().await;
            assert_eq!(seen, Vec::<String>::new(), "{path} {state:?}");
            assert_eq!((code, reason.as_str()), (1008, "not found"), "{path}");
        }
        // A ticket for a session of their own opens no other.
        let own = scene
            .app
            .foreigner()
            .post("/proliferate/sessions", json!({}));
        let own = id(&own.await.expect(201));
        let ticket = format!("/v1/sessions/{own}/preview");
        let ticket = scene
            .app
            .foreigner()
            .post(&ticket, json!({"port": 3000}))
            .await;
        let url = ticket.expect(200)["url"].as_str().unwrap().to_owned();
        let path = url.replace(&own, &session.to_string());
        let opened = Socket::open(served.address, &path, &[]).await;
        assert_eq!(opened.err(), Some(401), "{state:?}");
        assert_eq!(scene.standing(session).await, before, "{state:?}");
    }
    hears_nothing(&scene, &served).await;
}

/// A page of theirs gets nothing of acme's.
async fn hears_nothing(scene: &Scene, served: &Served) {
    let bearer = format!("Bearer {}", scene.app.user_token(Person::Foreigner));
    let header = ("authorization", bearer.as_str());
    let mut news = Events::open_with(&served.url("/v1/events"), header).await;
    news.next().await;
    create(&scene.app, json!({})).await;
    let own = scene
        .app
        .foreigner()
        .post("/proliferate/sessions", json!({}));
    let own = id(&own.await.expect(201));
    let (_, first) = news.next().await;
    assert!(first.contains(&own), "{first}");
}

async fn a_call_that_names_a_session_of_another_organization_does_nothing_there(backend: Backend) {
    let scene = Scene::start(backend).await;
    let session: SessionId = id(&create(&scene.app, json!({})).await).parse().unwrap();
    scene.put(session, State::Live).await;
    let before = scene.standing(session).await;
    let theirs = scene
        .app
        .with_token(scene.app.service_token(&scene.app.other));
    for client in [scene.app.foreigner(), theirs] {
        for tool in ["save_snapshot", "verify"] {
            let call = json!({
                "tool_name": tool,
                "operation": tool,
                "lane_id": "TOOL_SANDBOX_SETUP",
                "scope": {"session_id": session.to_string()},
                "parameters": {},
            });
            let answer = client.post("/v1/tool-calls", call).await;
            assert!(answer.status >= 400, "{tool}: {}", answer.text());
            let body = json!({"session_id": session.to_string(), "tool_call_id": "t1"});
            let path = format!("/internal/tools/{tool}");
            let answer = client.post(&path, body).await;
            assert!(
                matches!(answer.status, 403 | 404),
                "{tool}: {}",
                answer.text()
            );
        }
        let secret = json!({"key": "A", "value": "x", "scope": {"kind": "session", "id": session.to_string()}});
        let answer: Value = match client.post("/v1/secrets", secret).await {
            answer if answer.status == 403 => continue,
            answer => answer.expect(404),
        };
        assert_eq!(answer["code"], "NOT_FOUND");
    }
    assert_eq!(scene.standing(session).await, before);
}
