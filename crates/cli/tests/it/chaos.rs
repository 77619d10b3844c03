//! Three gateways on PostgreSQL and Redis with nginx in front, and agents at work all the while: one gateway is killed,
//! one is frozen for longer than its leases live, Redis loses everything, PostgreSQL is cut off, and then all three are
//! replaced one after the other. Nothing is lost, nothing is done twice, and every client receives the same.

mod fleet;
mod link;
mod model;

use std::{collections::BTreeMap, fmt, panic::resume_unwind, sync::Arc, time::Duration};

use domain::event_stream::EventStreamParser;
use domain::role::Role;
use serde_json::{Value, json};
use testkit::{
    database::{Backend, TestDatabase},
    fixture::Fixture,
    nginx::Nginx,
    redis::RedisServer,
    standin::{Standin, linear},
};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use self::{fleet::Fleet, link::Link, model::Model};
use crate::{api::Api, live::Cleaned, with_secrets, workspace};

/// Sessions at work: each is a real agent, and the machine has few processors.
const SESSIONS: usize = 3;
/// Longer than a lease and a boot on a busy machine.
const PATIENCE: Duration = Duration::from_mins(3);
/// Longer than a lease lives.
const FROZEN: Duration = Duration::from_secs(40);
const CUT: Duration = Duration::from_secs(10);
/// A client that waits longer for an answer asks again.
const ANSWER: Duration = Duration::from_secs(10);
/// Between two requests for the same.
const PAUSE: Duration = Duration::from_millis(200);

/// A client that gives one agent one task after the other, through the load balancer.
struct Client {
    api: Api,
    session: String,
    number: usize,
    /// Of each task whether the agent said that it is done; if not, a frame said why.
    done: Vec<bool>,
}

impl Client {
    fn words(&self, task: usize) -> String {
        format!("Done {}-{task}.", self.number)
    }

    fn title(&self, task: usize) -> String {
        format!("issue-{}-{task}.", self.number)
    }

    /// A task with an effect outside; then words, to know that it is over.
    fn prompt(&self, task: usize) -> String {
        let issue = json!({"teamId": linear::TEAM, "title": self.title(task)});
        let act = format!(
            "proliferate actions run --integration linear --action create_issue --params '{issue}' --wait 60"
        );
        let call = json!({"command": act, "description": "x", "timeout": 120_000});
        format!("CALL bash {call}\nSAY {}", self.words(task))
    }

    /// Says it until it is taken. It is taken once: the key is the same.
    async fn say(&self, task: usize) {
        let path = format!("/proliferate/{}/message", self.session);
        let (body, key) = (
            json!({"content": self.prompt(task)}),
            format!("task-{task}"),
        );
        let mut answers = Answers::default();
        let taken = async {
            loop {
                match timeout(ANSWER, self.api.try_post(&path, &key, &body)).await {
                    Ok(Ok((202, _))) => return,
                    Ok(Ok((status, answer))) => answers.count(format!("{status} {answer}")),
                    Ok(Err(error)) => answers.count(error.to_string()),
                    Err(_) => answers.count(format!("no answer in {ANSWER:?}")),
                }
                sleep(PAUSE).await;
            }
        };
        let taken = timeout(PATIENCE, taken).await;
        assert!(
            taken.is_ok(),
            "in {PATIENCE:?} no gateway took {key} of {}; the answers were:\n{answers}",
            self.session
        );
    }

    /// Waits until the agent has said that it is done, or a frame has said why not: its model may be out of reach for
    /// longer than it tries.
    async fn heard(&self, task: usize) -> bool {
        let words = self.words(task);
        let log = follow(&self.api, &self.session, &words).await;
        ended(&log, &words) == Some(true)
    }

    async fn task(&mut self) {
        let task = self.done.len() + 1;
        self.say(task).await;
        self.done.push(self.heard(task).await);
    }

    /// One task after the other until told to stop, and at least one.
    async fn work(mut self, stop: CancellationToken) -> Self {
        loop {
            self.task().await;
            if stop.is_cancelled() {
                return self;
            }
        }
    }
}

/// Whether the task with these words at its end was done; `None` if it is not over.
fn ended(log: &[Value], words: &str) -> Option<bool> {
    let asked = log.iter().position(|frame| {
        let content = frame["payload"]["content"].as_str().unwrap_or_default();
        frame["type"] == "message" && content.contains(words)
    })?;
    let since = &log[asked..];
    // Idle is told once, and does not stay last: an instance that takes the session over tells of its boot after it.
    let last_idle = since.iter().rposition(is_idle)?;
    let until_idle = &since[..last_idle];
    if until_idle.iter().any(|frame| says(frame, words)) {
        return Some(true);
    }
    until_idle
        .iter()
        .any(|frame| frame["type"] == "error")
        .then_some(false)
}

/// Reads the log of a session from its beginning until the task with these words is over. Connects again after the last
/// place that was seen, and checks that no place comes twice or is missing.
async fn follow(api: &Api, session: &str, words: &str) -> Vec<Value> {
    let mut log: Vec<Value> = Vec::new();
    let mut answers = Answers::default();
    let all = async {
        loop {
            let path = format!("/proliferate/{session}/events?after={}", log.len());
            match timeout(ANSWER, api.try_raw(&path)).await {
                Ok(Ok(answer)) if answer.status() == 200 => {
                    let seen = log.len();
                    let end = read(answer, session, words, &mut log).await;
                    if ended(&log, words).is_some() {
                        return;
                    }
                    let count = log.len() - seen;
                    answers.count(format!("200, {count} events, then the stream {end}"));
                }
                Ok(Ok(answer)) => answers.count(answer.status().to_string()),
                Ok(Err(error)) => answers.count(error.to_string()),
                Err(_) => answers.count(format!("no answer in {ANSWER:?}")),
            }
            sleep(PAUSE).await;
        }
    };
    let waited = timeout(PATIENCE, all).await;
    assert!(
        waited.is_ok(),
        "in {PATIENCE:?} the end of {words} was not told by {} about {session}; the answers were:\n{answers}\n\
         the task has these of {} events:\n{}",
        api.url(),
        log.len(),
        lines(about(&log, words))
    );
    log
}

/// Reads one stream of events to its end, or until the task is over. Returns how the stream ended.
async fn read(
    mut answer: reqwest::Response,
    session: &str,
    words: &str,
    log: &mut Vec<Value>,
) -> &'static str {
    let mut frames = EventStreamParser::bounded(1 << 24);
    while ended(log, words).is_none() {
        // A stream that stands says so every 15 s; one of a frozen gateway does not.
        let bytes = match timeout(ANSWER * 2, answer.chunk()).await {
            Ok(Ok(Some(bytes))) => bytes,
            Ok(Ok(None)) => return "ended",
            Ok(Err(_)) => return "broke",
            Err(_) => return "was silent",
        };
        let whole = frames.push(&bytes);
        for text in whole.unwrap_or_else(|error| panic!("{error}, in {session}")) {
            let frame: Value = serde_json::from_str(&text)
                .unwrap_or_else(|error| panic!("{error}, in {session}: {text}"));
            if frame["seq"].is_u64() {
                assert_eq!(
                    frame["seq"],
                    log.len() + 1,
                    "in {session}: {frame}\nafter:\n{}",
                    lines(about(log, words))
                );
                log.push(frame);
            }
        }
    }
    "had the end of the task"
}

/// What was answered to a request that was made again and again, without repetitions in a row.
#[derive(Default)]
struct Answers(Vec<(String, usize)>);

impl Answers {
    fn count(&mut self, answer: String) {
        match self.0.last_mut() {
            Some((last, times)) if *last == answer => *times += 1,
            _ => self.0.push((answer, 1)),
        }
    }
}

impl fmt::Display for Answers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut answers = self.0.iter();
        answers.try_for_each(|(answer, times)| writeln!(f, "{times} times: {answer}"))
    }
}

/// What was told of the task with these words, from its prompt to the next one.
fn about<'a>(log: &'a [Value], words: &str) -> &'a [Value] {
    let is_prompt = |frame: &Value| frame["payload"]["role"] == "user";
    let of_task = |frame: &Value| is_prompt(frame) && frame.to_string().contains(words);
    let since = log.iter().position(of_task).map_or(log, |at| &log[at..]);
    let after = since.iter().skip(1).position(is_prompt);
    after.map_or(since, |count| &since[..=count])
}

fn lines(log: &[Value]) -> String {
    let lines: Vec<String> = log.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

fn is_idle(frame: &Value) -> bool {
    frame["payload"]["isIdle"] == true
}

fn says(frame: &Value, words: &str) -> bool {
    let text = frame["payload"]["text"].as_str();
    frame["type"] == "text_part_complete" && text.is_some_and(|text| text.contains(words))
}

/// Everything that goes wrong. Faults that can be judged together come together.
async fn faults(fleet: &mut Fleet<'_>, redis: &mut RedisServer, postgres: &Link) {
    fleet.kill(0);
    sleep(Duration::from_secs(3)).await;
    fleet.start(0).await;

    fleet.freeze(1);
    let thawed = sleep(FROZEN);
    sleep(Duration::from_secs(8)).await;
    redis.restart().await;
    sleep(Duration::from_secs(10)).await;
    postgres.cut();
    sleep(CUT).await;
    postgres.mend();
    thawed.await;
    fleet.thaw(1);
    sleep(Duration::from_secs(3)).await;

    for number in 0..fleet::GATEWAYS {
        fleet.roll(number).await;
    }
}

/// What is true of a session when everything is over.
///
/// Words are told in one message, at most once for each time that the model gave them to the agent, which is once unless
/// the stream of that answer broke: then the agent asks again with the same conversation, and keeps what had come whole.
async fn judge(client: &Client, fleet: &Fleet<'_>, token: &str, linear: &Standin, model: &Model) {
    let session = &client.session;
    let words = client.words(client.done.len());
    let mut logs = Vec::new();
    for url in fleet.urls() {
        logs.push(follow(&Api::new(&url, token), session, &words).await);
    }
    // What is told of the session after its last task was read as far as it came with the end of the task.
    logs.sort_by_key(Vec::len);
    let (shortest, log) = (&logs[0], &logs[logs.len() - 1]);
    assert!(
        logs.iter().all(|other| other.starts_with(shortest)),
        "of {session} instances tell different things"
    );

    let effects = linear.requests();
    for (task, is_done) in (1..).zip(&client.done) {
        let words = client.words(task);
        let said = log.iter().filter(|frame| says(frame, &words));
        let said: Vec<[&Value; 2]> = said
            .map(|frame| ["messageId", "partId"].map(|id| &frame["payload"][id]))
            .collect();
        let is_said_once = said.iter().all(|[message, part]| {
            let again = said.iter().filter(|other| other[1] == *part).count();
            *message == said[0][0] && again == 1
        });
        let given = model.asked_for(&words);
        let expected = usize::from(*is_done)..=given.len();
        assert!(
            expected.contains(&said.len()) && is_said_once,
            "{words} was said {} times, given {} times:\n{}",
            said.len(),
            given.len(),
            lines(about(log, &words))
        );
        assert!(
            given.iter().all(|conversation| *conversation == given[0]),
            "{words} was given in different conversations:\n{}",
            lines(&given)
        );
        let title = client.title(task);
        let made = effects.iter();
        let made = made
            .filter(|it| it.body.to_string().contains(&title))
            .count();
        assert!(made <= 1, "{title} was made {made} times");
        let is_told_done = log.iter().any(|frame| {
            let result = frame["payload"]["result"].as_str().unwrap_or_default();
            frame["type"] == "tool_end" && result.contains(&title) && result.contains("completed")
        });
        assert!(
            !is_told_done || made == 1,
            "{title} is told done and was not"
        );
    }
    let mut prompts: BTreeMap<&str, usize> = BTreeMap::new();
    let users = log
        .iter()
        .filter(|frame| frame["payload"]["role"] == "user");
    for prompt in users.filter(|frame| frame["type"] == "message") {
        *prompts
            .entry(prompt["payload"]["id"].as_str().unwrap())
            .or_default() += 1;
    }
    assert_eq!(
        prompts.len(),
        client.done.len(),
        "each was taken once: {prompts:?}"
    );
    assert!(prompts.values().all(|times| *times == 1), "{prompts:?}");

    let (status, shown) = client.api.get(&format!("/v1/sessions/{session}")).await;
    assert_eq!(status, 200, "{shown}");
    let ends = shown["status"].as_str().unwrap_or_default();
    assert!(["running", "paused"].contains(&ends), "{shown}");
}

/// A client with a session at the board, whose agent is up.
async fn hire(api: &Api, connection: &str, number: usize) -> Client {
    let body = json!({"integrationIds": [connection]});
    let key = format!("session-{number}");
    let (status, made) = api.post("/proliferate/sessions", &key, &body).await;
    assert_eq!(status, 201, "{made}");
    Client {
        api: api.clone(),
        session: made["sessionId"].as_str().unwrap().to_owned(),
        number,
        done: Vec::new(),
    }
}

mod real_agent {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn nothing_is_lost_or_done_twice_whatever_happens_to_the_fleet() {
        let database = TestDatabase::create(Backend::Postgres).await;
        let postgres = Link::to(&database.url).await;
        let mut redis = RedisServer::start().await;
        let linear = linear::start().await;
        let model = Model::start().await;
        let addresses = testkit::port::free_addresses();
        let nginx = Nginx::start(&addresses).await;
        let workspace = with_secrets(workspace())
            .env("PROLIFERATE_DATABASE_URL", postgres.url())
            .env("PROLIFERATE_COORDINATION_URL", redis.url())
            .env("PROLIFERATE_SANDBOX_PROVIDER", "rootless")
            .env("PROLIFERATE_MODEL_UPSTREAM_URL", &model.url)
            .env("PROLIFERATE_LINEAR_URL", &linear.base_url)
            .env("PROLIFERATE_EGRESS_ALLOW", linear.address.to_string())
            .env(
                "PROLIFERATE_SANDBOX_GATEWAY_ADDRESS",
                nginx.address.to_string(),
            );
        let _cleaned = Cleaned(&workspace);
        let fixture = Fixture::default();
        fixture
            .organization(&database.db, "acme", Role::Owner)
            .await;
        let token = workspace
            .output(&["token", "mint", "user", "user_acme_owner", "--ttl", "1h"])
            .await;
        let mut fleet = Fleet::serve(&workspace, addresses).await;
        let api = Api::new(&nginx.url(), &token);
        let body = json!({"integrationId": "linear", "token": linear::TOKEN});
        let (status, made) = api.post("/v1/integrations", "linear", &body).await;
        assert_eq!(status, 201, "{made}");
        let connection = made["id"].as_str().unwrap().to_owned();
        let grant = json!({"scope": "org", "integration": "linear", "action": "create_issue"});
        let (status, made) = api.post("/v1/grants", "grant", &grant).await;
        assert_eq!(status, 201, "{made}");

        let stop = CancellationToken::new();
        let mut working = Vec::new();
        for number in 0..SESSIONS {
            let mut client = hire(&api, &connection, number).await;
            client.task().await;
            working.push(tokio::spawn(client.work(stop.clone())));
        }
        faults(&mut fleet, &mut redis, &postgres).await;
        stop.cancel();
        let linear = Arc::new(linear);
        for client in working {
            // It failed with a message of its own.
            let client = client.await;
            let client = client.unwrap_or_else(|failed| resume_unwind(failed.into_panic()));
            judge(&client, &fleet, &token, &linear, &model).await;
        }

        workspace
            .output(&[
                "audit",
                "export",
                "--org",
                "org_acme",
                "--output",
                "log.jsonl",
            ])
            .await;
        let key = workspace
            .output(&["audit", "key", "--org", "org_acme"])
            .await;
        let verify = ["audit", "verify", "--bundle", "log.jsonl", "--key", &key];
        workspace.output(&verify).await;
        fleet.stop().await;
    }
}
