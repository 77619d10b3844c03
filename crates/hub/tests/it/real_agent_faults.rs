//! Breaks: of the connection, of the agent, of the stream alone. Whatever happens, what is told in the end is the
//! whole, once.

use std::time::Duration;

use axum::{Router, body::Body, response::IntoResponse, routing::get};
use futures::{StreamExt as _, stream};
use hub::opencode::{AgentClient, AgentState, FeedEvent, LiveEvent, StreamLoss, run_feed};
use tokio::{
    net::TcpListener,
    sync::{mpsc, watch},
    time::timeout,
};
use wire::live::ServerMessage;

use crate::{
    agent::{Agent, PATIENCE, client, prompt, prompt_ids},
    outline::Outline,
    proxy::Proxy,
};

/// Follows an agent as a hub does.
struct Follower {
    state: AgentState,
    feed: mpsc::Receiver<FeedEvent>,
    settled: watch::Sender<Option<String>>,
    told: Vec<LiveEvent>,
    lost: Vec<StreamLoss>,
    caught: usize,
}

impl Follower {
    fn of(client: AgentClient, session: &str) -> Self {
        let (hub, feed) = mpsc::channel(8);
        let (settled, known) = watch::channel(None);
        tokio::spawn(run_feed(client, session.to_owned(), known, hub));
        Self {
            state: AgentState::new(session, None, Vec::new()),
            feed,
            settled,
            told: Vec::new(),
            lost: Vec::new(),
            caught: 0,
        }
    }

    /// Listens until it is so.
    async fn until(&mut self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let listening = async {
            while !is_so(self) {
                let told = match self.feed.recv().await.expect("the feed goes on") {
                    FeedEvent::CaughtUp(caught) => {
                        self.caught += 1;
                        self.state.apply_record(&caught.messages, &caught.status)
                    }
                    FeedEvent::Event(event) => self.state.apply(&event),
                    FeedEvent::Unreadable(error) => panic!("{error}"),
                    FeedEvent::Exceeded(excess) => panic!("{excess}"),
                    FeedEvent::Lost { reason, .. } => {
                        self.lost.push(reason);
                        self.state.mark_stream_broken();
                        Vec::new()
                    }
                };
                self.told.extend(told);
                self.settled
                    .send_replace(self.state.settled().map(ToOwned::to_owned));
            }
        };
        timeout(PATIENCE, listening).await.expect(what);
    }

    fn count(&self, kind: &str) -> usize {
        let is_it = |event: &&LiveEvent| match event {
            LiveEvent::Show(message) => message.kind() == kind,
            _ => false,
        };
        self.told.iter().filter(is_it).count()
    }

    fn is_idle(&self) -> bool {
        self.told.contains(&LiveEvent::Idle)
    }
}

#[tokio::test]
async fn a_cut_connection_costs_no_text_and_doubles_none() {
    let agent = Agent::start().await;
    let direct = agent.client();
    let session = direct.ensure_session(None, "Cut").await.unwrap();
    let proxy = Proxy::to(agent.port()).await;
    let mut follower = Follower::of(client(proxy.port), &session.id);
    follower
        .until("connected", |follower| follower.caught == 1)
        .await;
    follower.state.begin_prompt();
    let text = "A text of many words that goes on and on while the connection to the agent breaks \
                in the middle of it and is made again a moment later, as connections do.";
    let body = prompt(&format!("SLOW 120\nSAY {text}"));
    direct
        .prompt(&session.id, &prompt_ids(), &body)
        .await
        .unwrap();
    follower
        .until("some text", |follower| follower.count("token") > 4)
        .await;
    proxy.cut();
    follower.until("idle", Follower::is_idle).await;
    assert_eq!(follower.lost, [StreamLoss::Failed]);
    assert_eq!(follower.caught, 2);
    assert!(proxy.connections() >= 2);
    for kind in ["message", "text_part_complete", "message_complete"] {
        assert_eq!(follower.count(kind), 1, "{kind}: {:#?}", follower.told);
    }
    let whole = follower.told.iter().find_map(|event| match event {
        LiveEvent::Show(ServerMessage::TextPartComplete(part)) => Some(part.text.as_str()),
        _ => None,
    });
    assert_eq!(whole, Some(format!("[scripted] {text}").as_str()));
}

#[tokio::test]
async fn an_agent_that_dies_in_a_tool_is_told_to_be_interrupted_and_goes_on_with_the_next_prompt() {
    let mut agent = Agent::start().await;
    let client = agent.client();
    let session = client.ensure_session(None, "Killed").await.unwrap();
    let mut follower = Follower::of(client.clone(), &session.id);
    follower
        .until("connected", |follower| follower.caught == 1)
        .await;
    follower.state.begin_prompt();
    let body = prompt("CALL bash {\"command\":\"sleep 60\",\"description\":\"Sleep\"}\nSAY Never.");
    client
        .prompt(&session.id, &prompt_ids(), &body)
        .await
        .unwrap();
    follower
        .until("a tool", |follower| {
            follower.state.running_tools().next().is_some()
        })
        .await;
    agent.kill().await;
    agent.start_again().await;
    follower.until("idle", Follower::is_idle).await;
    insta::assert_snapshot!("killed", Outline::of(&follower.told, "killed"));

    follower.told.clear();
    follower.state.begin_prompt();
    let body = prompt("SAY On we go.");
    client
        .prompt(&session.id, &prompt_ids(), &body)
        .await
        .unwrap();
    follower.until("idle", Follower::is_idle).await;
    insta::assert_snapshot!("after_killed", Outline::of(&follower.told, "after_killed"));
}

/// A server that says that it is there and then nothing.
async fn silent_server() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("its address").port();
    let hello = "data: {\"type\":\"server.connected\",\"properties\":{}}\n\n";
    let event = move || async move {
        let stream = stream::iter([Ok::<_, std::io::Error>(hello)]).chain(stream::pending());
        Body::from_stream(stream).into_response()
    };
    let router = Router::new()
        .route("/event", get(event))
        .route("/session/status", get(async || "{}"))
        .route("/session/ses_1/message", get(async || "[]"));
    tokio::spawn(async move { axum::serve(listener, router).await });
    port
}

#[tokio::test]
async fn a_stream_without_heartbeat_is_dead() {
    let mut follower = Follower::of(client(silent_server().await), "ses_1");
    follower
        .until("connected", |follower| follower.caught == 1)
        .await;
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(44)).await;
    assert!(follower.feed.try_recv().is_err());
    tokio::time::advance(Duration::from_secs(1)).await;
    let lost = follower.feed.recv().await;
    let again_in = Duration::from_secs(1);
    let reason = StreamLoss::Silent;
    assert_eq!(lost, Some(FeedEvent::Lost { reason, again_in }));
}
