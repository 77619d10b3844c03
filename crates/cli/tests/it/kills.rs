//! The agent, its daemon or the gateway is killed, early, in the middle or late in a session. The session goes on or says
//! why not, nothing is done twice, and its log has neither a hole nor anything twice.
//!
//! `PROLIFERATE_TEST_KILLS=100..200` plays other seeds than the usual ones; `7..8` plays one again. `./test full kills` plays
//! sixty others each time.

use std::{
    collections::BTreeMap,
    io::Write as _,
    sync::{Arc, Mutex},
    time::Duration,
    vec,
};

use domain::clock::Entropy as _;
use domain::event_stream::EventStreamParser;
use serde_json::{Value, json};
use testkit::{
    clock::SeededEntropy,
    process::{Blow, Running, Workspace, strike},
    standin::{Standin, linear},
};
use tokio::task::JoinSet;

use crate::{api::Api, live};

/// Agent, daemon and gateway, each early, in the middle and late in a session.
const USUAL: [u64; 9] = [13, 17, 5, 4, 10, 1, 18, 7, 14];
/// Gateways that play at once: a session mostly waits, for its agent to come up or to be found gone.
const AT_ONCE: usize = 3;
/// A machine that builds beside the tests is slow.
const PATIENCE: Duration = Duration::from_mins(3);
/// A whole session has about this many events.
const EVENTS: u64 = 34;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Victim {
    Agent,
    Daemon,
    Gateway,
}

const VICTIMS: [Victim; 3] = [Victim::Agent, Victim::Daemon, Victim::Gateway];

/// What a seed decides.
#[derive(Debug, Clone, Copy)]
struct Deed {
    victim: Victim,
    /// How many events of the session are seen before.
    after: u64,
}

impl Deed {
    fn of(seed: u64) -> Self {
        let mut random = [0; 2];
        SeededEntropy::new(seed).fill(&mut random);
        Self {
            victim: VICTIMS[usize::from(random[0]) % VICTIMS.len()],
            after: u64::from(random[1]) % EVENTS,
        }
    }
}

/// A gateway that is killed and comes back where it was.
struct Place<'a> {
    workspace: &'a Workspace,
    linear: Standin,
    address: String,
    gateway: Running,
    api: Api,
}

impl<'a> Place<'a> {
    async fn open(workspace: &'a Workspace, linear: Standin) -> Self {
        let address = testkit::port::free_address().to_string();
        let (gateway, dev_file) = workspace.dev_at(&address).await;
        let api = Api::of(&dev_file, "owner");
        Self {
            workspace,
            linear,
            address,
            gateway,
            api,
        }
    }

    async fn kill(&mut self, victim: Victim, session: &str) {
        match victim {
            // There may be none yet.
            Victim::Agent => _ = strike(session, "opencode", Blow::Kill),
            Victim::Daemon => _ = strike(session, "daemon", Blow::Kill),
            Victim::Gateway => {
                self.gateway.kill();
                let (gateway, dev_file) = self.workspace.dev_at(&self.address).await;
                self.gateway = gateway;
                self.api = Api::of(&dev_file, "owner");
            }
        }
    }

    async fn say(&self, session: &str, key: &str, text: &str) {
        let path = format!("/proliferate/{session}/message");
        let (status, taken) = self.api.post(&path, key, &json!({"content": text})).await;
        assert_eq!(status, 202, "{taken}");
    }

    /// After a restart no other process does.
    async fn wake(&self, session: &str) {
        let path = format!("/proliferate/{session}/eager-start");
        assert_eq!(self.api.poke(&path).await, 202);
    }

    /// The session's log from the beginning, until it is what is waited for.
    async fn log(&self, session: &str, is_enough: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let path = format!("/proliferate/{session}/events?after=0");
        let mut answer = self.api.raw(&path).await;
        let mut frames = EventStreamParser::bounded(1 << 24);
        let mut seen: Vec<Value> = Vec::new();
        let all = async {
            while let Ok(Some(bytes)) = answer.chunk().await {
                for text in frames.push(&bytes).unwrap() {
                    seen.push(serde_json::from_str(&text).unwrap());
                    if is_enough(&seen) {
                        return true;
                    }
                }
            }
            false
        };
        let enough = tokio::time::timeout(PATIENCE, all).await;
        assert!(
            matches!(enough, Ok(true)),
            "not enough ({enough:?}):\n{}",
            lines(&seen)
        );
        seen
    }
}

/// One event a line: a developer reads it when the test fails.
fn lines(log: &[Value]) -> String {
    let lines: Vec<String> = log.iter().map(Value::to_string).collect();
    lines.join("\n")
}

fn bash(command: &str) -> String {
    let input = json!({"command": command, "description": "x"});
    format!("CALL bash {input}")
}

/// One session: it works, a process is killed, and the session is asked what it has.
async fn play(place: &mut Place<'_>, connection: &str, seed: u64) {
    let deed = Deed::of(seed);
    let title = format!("seed-{seed}.");
    let body = json!({"integrationIds": [connection], "title": title});
    let (status, made) = place.api.post("/proliferate/sessions", &title, &body).await;
    assert_eq!(status, 201, "{made}");
    let session = made["sessionId"].as_str().unwrap().to_owned();
    let issue = json!({"teamId": linear::TEAM, "title": title});
    let act = format!(
        "proliferate actions run --integration linear --action create_issue --params '{issue}' --wait 60"
    );
    let work = [
        bash("echo one >> steps"),
        bash(&act),
        bash("echo two >> steps"),
        format!("SAY Done {seed}."),
    ];
    place.say(&session, "work", &work.join("\n")).await;
    let seen = place.log(&session, |seen| {
        seen.last().is_some_and(is_idle)
            || seen.iter().any(|it| it["seq"].as_u64() >= Some(deed.after))
    });
    seen.await;
    place.kill(deed.victim, &session).await;
    place.wake(&session).await;
    place
        .log(&session, |seen| seen.last().is_some_and(is_over))
        .await;
    let look = [bash("cat steps"), "SAY Seen.".to_owned()].join("\n");
    place.say(&session, "look", &look).await;
    let log = place.log(&session, |seen| {
        seen.iter().any(|it| says(it, "Seen.")) && seen.last().is_some_and(is_idle)
    });
    let log = log.await;
    has_no_hole_and_nothing_twice(&log);
    let effects = place.linear.requests();
    let effects = effects
        .iter()
        .filter(|it| it.body.to_string().contains(&title))
        .count();
    assert!(effects <= 1, "the issue was made {effects} times");
    let steps = log
        .iter()
        .rev()
        .find(|it| it["type"] == "tool_end")
        .unwrap();
    let steps = steps["payload"]["result"].as_str().unwrap_or_default();
    for step in ["one", "two"] {
        let times = steps.lines().filter(|line| *line == step).count();
        assert!(times <= 1, "{step} was done {times} times");
    }
    let is_done = log.iter().any(|it| says(it, &format!("Done {seed}.")));
    let is_explained = log.iter().any(|it| it["type"] == "error");
    assert!(
        is_done || is_explained,
        "neither done nor said why:\n{}",
        lines(&log)
    );
    assert!(
        !is_done || (steps.contains("one") && steps.contains("two") && effects == 1),
        "{}",
        lines(&log)
    );
    place.workspace.output(&["session", "stop", &session]).await;
}

/// Whether nothing follows by itself.
fn is_over(frame: &Value) -> bool {
    is_idle(frame) || frame["type"] == "error"
}

fn is_idle(frame: &Value) -> bool {
    frame["payload"]["isIdle"] == true
}

fn says(frame: &Value, words: &str) -> bool {
    let text = frame["payload"]["text"].as_str();
    frame["type"] == "text_part_complete" && text.is_some_and(|text| text.contains(words))
}

fn has_no_hole_and_nothing_twice(log: &[Value]) {
    let places: Vec<u64> = log.iter().filter_map(|it| it["seq"].as_u64()).collect();
    let last = places.len() as u64;
    assert_eq!(places, (1..=last).collect::<Vec<_>>(), "a hole");
    let mut told: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for frame in log {
        let (kind, payload) = (frame["type"].as_str().unwrap(), &frame["payload"]);
        let id = match kind {
            "message" => &payload["id"],
            "message_complete" => &payload["messageId"],
            "tool_start" | "tool_end" => &payload["toolCallId"],
            "text_part_complete" => &payload["partId"],
            _ => continue,
        };
        *told.entry((kind, id.as_str().unwrap())).or_default() += 1;
    }
    for ((kind, id), times) in &told {
        // A call is told when it begins, and again with its arguments.
        let most = if *kind == "tool_start" { 2 } else { 1 };
        assert!(
            *times <= most,
            "{kind} of {id} was told {times} times:\n{}",
            lines(log)
        );
        let is_over = *kind != "tool_start" || told.contains_key(&("tool_end", id));
        assert!(is_over, "{id} never ended:\n{}", lines(log));
    }
}

/// Says how to play a seed again when it fails.
struct Replay(u64);

impl Drop for Replay {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let (seed, deed) = (self.0, Deed::of(self.0));
            let replay = format!("{deed:?}: PROLIFERATE_TEST_KILLS={seed}..{}", seed + 1);
            // Where it cannot be said the test fails all the same.
            let _ = writeln!(std::io::stderr(), "{replay}");
        }
    }
}

type Seeds = Arc<Mutex<vec::IntoIter<u64>>>;

fn seeds() -> Seeds {
    let seeds = match std::env::var("PROLIFERATE_TEST_KILLS") {
        Ok(range) => {
            let (from, to) = range.split_once("..").expect("a range, as in 0..20");
            (from.parse().unwrap()..to.parse().unwrap()).collect()
        }
        Err(_) => USUAL.to_vec(),
    };
    Arc::new(Mutex::new(seeds.into_iter()))
}

#[test]
fn the_usual_seeds_kill_each_at_each_part_of_a_session() {
    let deeds = USUAL.map(Deed::of);
    for victim in VICTIMS {
        for part in 0..3 {
            let is_covered = |deed: &Deed| deed.victim == victim && deed.after * 3 / EVENTS == part;
            assert!(deeds.iter().any(is_covered), "{victim:?} in part {part}");
        }
    }
}

/// One gateway with its sessions, one after the other, for as long as there are seeds.
async fn play_some(seeds: Seeds) {
    let linear = linear::start().await;
    let workspace = live::with_sandboxes()
        .env("PROLIFERATE_LINEAR_URL", &linear.base_url)
        .env("PROLIFERATE_EGRESS_ALLOW", linear.address.to_string());
    let _cleaned = live::Cleaned(&workspace);
    let mut place = Place::open(&workspace, linear).await;
    let body = json!({"integrationId": "linear", "token": linear::TOKEN});
    let (status, made) = place.api.post("/v1/integrations", "linear", &body).await;
    assert_eq!(status, 201, "{made}");
    let connection = made["id"].as_str().unwrap().to_owned();
    let grant = json!({"scope": "org", "integration": "linear", "action": "create_issue", "maxCalls": 10_000});
    let (status, made) = place.api.post("/v1/grants", "grant", &grant).await;
    assert_eq!(status, 201, "{made}");
    loop {
        let seed = seeds.lock().unwrap().next();
        let Some(seed) = seed else { return };
        let _replay = Replay(seed);
        play(&mut place, &connection, seed).await;
    }
}

mod real_agent {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_session_survives_or_says_why_not() {
        let seeds = seeds();
        // A task each: the one that fails names its seed, and it alone.
        let mut playing = JoinSet::new();
        for _ in 0..AT_ONCE {
            playing.spawn(play_some(Arc::clone(&seeds)));
        }
        while let Some(played) = playing.join_next().await {
            if let Err(error) = played {
                std::panic::resume_unwind(error.into_panic());
            }
        }
    }
}
