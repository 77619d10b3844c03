//! The real agent's streams, live, against what its recorded ones gave: an upgrade shows what changed. With
//! PROLIFERATE_RECORD=1 they are recorded anew.

use std::path::Path;

use domain::event_stream::EventStreamParser;
use hub::opencode::{AgentClient, AgentEvent, AgentState, LiveEvent};
use tokio::time::timeout;

use crate::{
    agent::{Agent, PATIENCE, prompt, prompt_ids},
    outline::{Outline, loosened},
    samples::{self, SESSION},
};

/// When to stop the agent.
#[derive(Clone, Copy, PartialEq)]
enum Abort {
    No,
    AtText,
    AtTool,
}

const SCENES: &[(&str, &str, Abort)] = &[
    (
        "say",
        "SAY Hello there, this is a text of several pieces.",
        Abort::No,
    ),
    (
        "think",
        "THINK Let me see what there is.\nSAY Seen.",
        Abort::No,
    ),
    (
        "tool",
        "SAY I look.\nCALL bash {\"command\":\"cat a.txt\",\"description\":\"Look\"}\nSAY Two lines.",
        Abort::No,
    ),
    (
        "tool_error",
        "CALL read {\"filePath\":\"missing.txt\"}\nSAY It is not there.",
        Abort::No,
    ),
    (
        "parallel",
        "CALL bash {\"command\":\"sleep 1; echo one\",\"description\":\"One\"}\n\
         ALSO read {\"filePath\":\"missing.txt\"}\nSAY Both.",
        Abort::No,
    ),
    (
        "drop",
        "DROP 4\nSAY A text that breaks off and is said again from the start.",
        Abort::No,
    ),
    (
        "drop_call",
        "DROP 6\nCALL bash {\"command\":\"echo a call that breaks off\",\"description\":\"x\"}\nSAY Done.",
        Abort::No,
    ),
    ("overloaded", "ERR 529 1 100\nSAY At last.", Abort::No),
    ("refused", "ERR 400\nSAY Never.", Abort::No),
    (
        "abort_text",
        "SLOW 200\nSAY A slow text that is cut off before its end, so it is stopped.",
        Abort::AtText,
    ),
    (
        "abort_tool",
        "CALL bash {\"command\":\"sleep 60\",\"description\":\"Sleep\"}\nSAY Never.",
        Abort::AtTool,
    ),
];

#[tokio::test]
async fn streams_of_the_real_agent_are_told_as_the_recorded_ones() {
    let agent = Agent::start().await;
    agent.client().prewarm().await.unwrap();
    for (name, text, abort) in SCENES {
        let played = play(&agent, text, *abort);
        let (lines, told) = timeout(PATIENCE, played).await.expect(name);
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/samples");
        let file = folder.join(format!("{name}.jsonl"));
        if std::env::var_os("PROLIFERATE_RECORD").is_some() {
            std::fs::write(&file, lines.join("\n") + "\n").unwrap();
        }
        let recorded = samples::told(&std::fs::read_to_string(&file).unwrap()).0;
        let outline = |told: &[LiveEvent]| loosened(&Outline::of(told, name), name);
        assert_eq!(outline(&told), outline(&recorded), "{name}");
    }
}

/// Sends a prompt and listens until the agent is done with it and has nothing more to say.
async fn play(agent: &Agent, text: &str, abort: Abort) -> (Vec<String>, Vec<LiveEvent>) {
    let client = agent.client();
    let session = client
        .ensure_session(None, "A recorded session")
        .await
        .unwrap();
    let url = format!("http://127.0.0.1:{}/event", agent.port());
    let mut answer = reqwest::get(url).await.unwrap();
    let mut frames = EventStreamParser::bounded(1 << 24);
    let mut state = AgentState::new(SESSION, None, Vec::new());
    let (mut lines, mut told) = (Vec::new(), Vec::new());
    let mut is_sent = false;
    let mut is_aborted = abort == Abort::No;
    let mut barrier: Option<String> = None;
    loop {
        let piece = answer.chunk().await.unwrap().expect("the stream goes on");
        for line in frames.push(&piece).unwrap() {
            let line = scrub(&line, &session.id, agent.home());
            let event = AgentEvent::parse(&line).unwrap();
            if line.contains(SESSION) {
                lines.push(line.clone());
            }
            if event == AgentEvent::Connected && !is_sent {
                is_sent = true;
                state.begin_prompt();
                client
                    .prompt(&session.id, &prompt_ids(), &prompt(text))
                    .await
                    .unwrap();
            }
            told.extend(state.apply(&event));
            if !is_aborted && is_time_to_abort(abort, &told, &state) {
                is_aborted = true;
                client.abort(&session.id).await.unwrap();
            }
            if barrier
                .as_ref()
                .is_some_and(|barrier| line.contains(barrier))
            {
                return (lines, told);
            }
            if barrier.is_none() && told.contains(&LiveEvent::Idle) {
                // The agent has news after it says that it is idle. Once its record is complete, whatever it
                // had to say is before what it says of another session.
                done(&client, &session.id).await;
                let other = client.ensure_session(None, "A barrier").await.unwrap();
                barrier = Some(other.id);
            }
        }
    }
}

fn is_time_to_abort(abort: Abort, told: &[LiveEvent], state: &AgentState) -> bool {
    match abort {
        Abort::No => false,
        Abort::AtText => told.iter().filter(|event| is_token(event)).count() >= 3,
        Abort::AtTool => state.running_tools().next().is_some(),
    }
}

fn is_token(event: &LiveEvent) -> bool {
    matches!(event, LiveEvent::Show(message) if message.kind() == "token")
}

/// Without what is of this machine or of this run.
fn scrub(line: &str, session: &str, home: &Path) -> String {
    let home = home.to_str().unwrap();
    line.replace(home, "/home/user").replace(session, SESSION)
}

#[tokio::test]
async fn a_prompt_that_is_sent_again_is_done_once() {
    let agent = Agent::start().await;
    let client: AgentClient = agent.client();
    let session = client.ensure_session(None, "Twice").await.unwrap();
    let ids = prompt_ids();
    let body = prompt("SLOW 50\nSAY Once and only once.");
    for _ in 0..2 {
        client.prompt(&session.id, &ids, &body).await.unwrap();
    }
    timeout(PATIENCE, done(&client, &session.id)).await.unwrap();
    client.prompt(&session.id, &ids, &body).await.unwrap();
    timeout(PATIENCE, done(&client, &session.id)).await.unwrap();
    let (messages, is_whole) = client.messages_after(&session.id, None).await.unwrap();
    assert!(is_whole);
    assert_eq!(messages.len(), 2, "{messages:#?}");
    assert_eq!(messages[0].info.id, ids.message);
    assert_eq!(messages[0].parts.len(), 1);
    assert_eq!(agent.model.requests().len(), 1);
    let (after, _) = client
        .messages_after(&session.id, Some(&ids.message))
        .await
        .unwrap();
    assert_eq!(after.len(), 1);

    // A session that the agent knows is used again, one that it does not is made anew.
    let again = client.ensure_session(Some(&session.id), "x").await.unwrap();
    assert_eq!(again.id, session.id);
    let other = client.ensure_session(Some("ses_none"), "x").await.unwrap();
    assert_ne!(other.id, session.id);
}

/// Waits until an answer is complete and the agent idle.
pub(crate) async fn done(client: &AgentClient, session: &str) {
    loop {
        let (messages, _) = client.messages_after(session, None).await.unwrap();
        let is_complete = messages
            .last()
            .is_some_and(|last| last.info.time.completed.is_some() || last.info.error.is_some());
        let status = client.status(session).await.unwrap();
        if is_complete && status == hub::opencode::SessionStatus::Idle {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}
