//! A program in a sandbox that answers in the agent's place. However it lies, little of it is read, its session fails with a
//! sentence, and other sessions go on.

use std::{sync::Arc, time::Duration};

use app::system::SystemClock;
use domain::{
    clock::Clock as _,
    limits::{AGENT_READ_BURST_BYTES, AGENT_READ_BYTES_PER_SECOND},
};
use hub::session::{NewPrompt, SessionView};
use testkit::{
    database::Backend,
    standin::liar::{Liar, Lie},
};
use wire::live::{LiveStatus, ServerMessage};

use crate::session::Live;

/// What is read of any of them at most, with what is on its way in sockets.
const READ_MAX: u64 = 96 * 1024 * 1024;
/// What the process grows by, with the program itself in it.
const GROWTH_MAX: u64 = 192 * 1024 * 1024;

/// The sentence names what was exceeded.
fn named(lie: Lie) -> &'static str {
    match lie {
        Lie::EndlessPage | Lie::Compressed => "it sent an answer of more than 16777216 bytes",
        Lie::WidePage | Lie::WideEvent => {
            "it sent JSON that takes more than 33554432 bytes of memory"
        }
        Lie::EndlessPages => "it sent a record of more than 40 pages",
        Lie::FullPage => "it sent a page of more than 50 messages",
        Lie::EndlessEvent | Lie::WidePages => "it sent an event of more than 8388608 bytes",
        Lie::DeepEvent => "it sent JSON of more than 64 levels",
        Lie::LongId => "it sent an id of more than 500 bytes",
        Lie::EndlessText | Lie::ManyParts | Lie::WideCalls => {
            "it sent a message of more than 16777216 bytes"
        }
        Lie::OpenMessages | Lie::OpenTools => "it sent more than 4096 messages and parts",
        // It is read at its pace, and not ended.
        Lie::Comments => "nothing",
    }
}

/// The most memory that this process had, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes: u64 = line
        .unwrap()
        .trim()
        .trim_end_matches(" kB")
        .parse()
        .unwrap();
    kilobytes * 1024
}

async fn until(what: &str, holds: impl AsyncFn() -> bool) {
    let look = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let looked = tokio::time::timeout(Duration::from_mins(1), look).await;
    assert!(looked.is_ok(), "{what}");
}

async fn lies(lie: Lie) {
    let liar = Liar::start(lie).await;
    let clock = Arc::new(SystemClock::new());
    let live = Live::start_by(Backend::Sqlite, Arc::new(liar.clone()), clock).await;
    let before = peak();
    live.handle
        .prompt(NewPrompt {
            text: "Hello".to_owned(),
            ..NewPrompt::default()
        })
        .await
        .unwrap();
    until(&format!("{lie:?} is ended"), async || {
        !liar.ended().is_empty()
    })
    .await;
    let ended = liar.ended();
    assert_eq!(ended.len(), 1, "{lie:?}: {ended:?}");
    assert!(ended[0].contains(named(lie)), "{lie:?}: {}", ended[0]);
    assert!(
        ended[0].contains("send a prompt to start it again"),
        "{}",
        ended[0]
    );
    // Clients receive the same sentence, and the hub still answers.
    let look = live.handle.read_status().await.unwrap();
    assert_eq!(look.status, LiveStatus::Error, "{lie:?}");
    let is_told = async || live.errors().await.contains(&ended[0]);
    until(&format!("{lie:?} is told"), is_told).await;
    let shown: Option<SessionView> = live.handle.attach(None).await.unwrap().view;
    assert!(shown.is_some());
    assert!(liar.sent() < READ_MAX, "{lie:?}: {}", liar.sent());
    let growth = peak() - before;
    assert!(growth < GROWTH_MAX, "{lie:?}: {growth}");
    live.handle.stop().await;
}

macro_rules! lie {
    ($($name:ident: $lie:ident;)*) => {
        $(
            #[tokio::test]
            async fn $name() {
                lies(Lie::$lie).await;
            }
        )*
    };
}

// A process for each, where the runner makes one: their memory is counted.
lie! {
    a_page_without_an_end: EndlessPage;
    a_page_that_is_called_compressed: Compressed;
    pages_without_an_end: EndlessPages;
    a_page_with_more_than_was_asked_for: FullPage;
    a_page_that_is_large_once_it_is_parsed: WidePage;
    pages_that_are_large_once_they_are_parsed: WidePages;
    an_event_without_an_end: EndlessEvent;
    an_event_of_lists_within_lists: DeepEvent;
    an_event_that_is_large_once_it_is_parsed: WideEvent;
    an_id_of_a_megabyte: LongId;
    a_text_without_an_end: EndlessText;
    a_message_of_large_parts_without_an_end: ManyParts;
    messages_that_do_not_end: OpenMessages;
    tools_that_do_not_end: OpenTools;
    arguments_that_are_large_once_they_are_parsed: WideCalls;
}

#[test]
fn each_lie_has_its_test() {
    assert_eq!(Lie::ALL.len(), 16);
}

/// What may be on its way in the sockets of this machine.
const SOCKETS: u64 = 16 * 1024 * 1024;

#[tokio::test]
async fn comments_beside_events_are_read_at_the_pace_of_events() {
    let liar = Liar::start(Lie::Comments).await;
    let clock = Arc::new(SystemClock::new());
    let live = Live::start_by(Backend::Sqlite, Arc::new(liar.clone()), clock.clone()).await;
    let since = clock.monotonic();
    live.handle
        .prompt(NewPrompt {
            text: "Hello".to_owned(),
            ..NewPrompt::default()
        })
        .await
        .unwrap();
    until("its burst is read", async || {
        liar.sent() >= AGENT_READ_BURST_BYTES
    })
    .await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    let sent = liar.sent();
    let seconds = clock.monotonic().saturating_sub(since).as_secs() + 1;
    let read_max = AGENT_READ_BURST_BYTES + seconds * AGENT_READ_BYTES_PER_SECOND + SOCKETS;
    assert!(sent < read_max, "{sent} bytes in {seconds} seconds");
    assert!(liar.ended().is_empty());
    live.handle.stop().await;
}

#[tokio::test]
async fn a_session_beside_it_goes_on() {
    let liar = Liar::start(Lie::EndlessText).await;
    let clock = || Arc::new(SystemClock::new());
    let lying = Live::start_by(Backend::Sqlite, Arc::new(liar.clone()), clock()).await;
    let agent = testkit::standin::agent::Agent::start().await;
    let honest = Live::start_by(Backend::Sqlite, Arc::new(agent), clock()).await;
    let prompt = |text: &str| NewPrompt {
        text: text.to_owned(),
        ..NewPrompt::default()
    };
    lying.handle.prompt(prompt("Hello")).await.unwrap();
    for number in 0..5 {
        let text = format!("word {number}");
        honest.handle.prompt(prompt(&text)).await.unwrap();
        let said = async || {
            let shown = honest.handle.attach(None).await.unwrap().view.unwrap();
            let said = shown.messages.iter().filter(|message| message.is_complete);
            said.count() == 2 * (number + 1)
        };
        until(&text, said).await;
    }
    until("the liar is ended", async || !liar.ended().is_empty()).await;
    assert!(honest.errors().await.is_empty());
    let look = honest.handle.read_status().await.unwrap();
    assert_eq!(look.status, LiveStatus::Running);
    for live in [lying, honest] {
        live.handle.stop().await;
    }
}

impl Live {
    /// The errors in the session's log.
    async fn errors(&self) -> Vec<String> {
        let (mut after, mut errors) = (0, Vec::new());
        loop {
            let page = hub::session::Journal::after(&self.journal, after)
                .await
                .unwrap();
            let Some(last) = page.last() else {
                return errors;
            };
            after = last.seq;
            for event in page.iter().filter(|event| event.kind == "error") {
                let payload: serde_json::Value = serde_json::from_str(&event.payload).unwrap();
                let told = serde_json::json!({"type": "error", "payload": payload});
                if let ServerMessage::Error(error) = serde_json::from_value(told).unwrap() {
                    errors.push(error.message);
                }
            }
        }
    }
}
