//! The hub of a session: boots once, writes before it tells, and a returning client sees exactly the log.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use app::system::{SystemClock, SystemEntropy};
use async_trait::async_trait;
use domain::{clock::Clock, role::Role, session::Session, session_event::SessionEvent};
use hub::{
    log::LogEntry,
    opencode::{AgentClient, PromptModel},
    session::{
        BootError, BootErrorCause, BootStages, BootedAgent, Broadcast, Handle, HubError, Journal,
        JournalError, Liveness, NewPrompt, Runtime, Service, ServiceExit, SessionPorts,
        SessionView, StoreJournal, StreamAttachment,
    },
};
use testkit::{
    database::{Backend, TestDatabase},
    fixture::Fixture,
};
use tokio::{task::JoinHandle, time::timeout};
use wire::live::{BootStage, LiveStatus, ServerMessage, TitleUpdate};

use crate::agent::{Agent, PATIENCE};

/// Brings nothing up: the agent is there, or is said not to be.
#[derive(Debug)]
struct Runner {
    client: Option<AgentClient>,
    failures: AtomicUsize,
    boots: AtomicUsize,
    is_dead: AtomicBool,
}

impl Runner {
    fn new(client: Option<AgentClient>, failures: usize) -> Arc<Self> {
        Arc::new(Self {
            client,
            failures: AtomicUsize::new(failures),
            boots: AtomicUsize::new(0),
            is_dead: AtomicBool::new(false),
        })
    }
}

#[async_trait]
impl Runtime for Runner {
    async fn boot(&self, stages: BootStages) -> Result<BootedAgent, BootError> {
        self.boots.fetch_add(1, Ordering::SeqCst);
        stages.begin(BootStage::Sandbox).await;
        let failed = |message: &str| BootError {
            message: message.to_owned(),
            retryable: true,
            cause: BootErrorCause::Failed,
        };
        let less = |left: usize| left.checked_sub(1);
        let fails = self
            .failures
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, less);
        let client = match &self.client {
            Some(client) if fails.is_err() => client.clone(),
            _ => return Err(failed("There is no room for a sandbox.")),
        };
        stages.begin(BootStage::Agent).await;
        let session = client.ensure_session(None, "Live").await;
        let agent_session = session.map_err(|error| failed(&error.to_string()))?.id;
        Ok(BootedAgent {
            client,
            agent_session,
            model: PromptModel {
                provider: "anthropic".into(),
                model: "claude-opus-4-6".into(),
            },
            system: Some("Be brief.".into()),
        })
    }

    async fn liveness(&self) -> Liveness {
        if self.is_dead.load(Ordering::SeqCst) {
            Liveness::Dead
        } else {
            Liveness::Unknown
        }
    }
}

pub(crate) struct Live {
    pub(crate) handle: Handle,
    pub(crate) running: JoinHandle<ServiceExit>,
    pub(crate) journal: StoreJournal,
    session: Session,
    test: TestDatabase,
}

impl Live {
    async fn start(runtime: Arc<Runner>) -> Self {
        Self::start_on(Backend::Sqlite, runtime).await
    }

    async fn start_on(backend: Backend, runtime: Arc<Runner>) -> Self {
        Self::start_by(backend, runtime, Arc::new(SystemClock::new())).await
    }

    /// With a clock of the test's own.
    pub(crate) async fn start_by(
        backend: Backend,
        runtime: Arc<dyn Runtime>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let test = TestDatabase::create(backend).await;
        let fixture = Fixture::default();
        let (org, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
        let session = fixture.session(&org);
        let mut tx = test.db.write().await.unwrap();
        store::session_insert(&mut tx, &session).await.unwrap();
        tx.commit().await.unwrap();
        let journal = StoreJournal {
            db: test.db.clone(),
            organization_id: session.organization_id.clone(),
            session_id: session.id,
            epoch: session.owner_epoch,
        };
        let (handle, running) = serve(runtime, &journal, clock).await;
        Self {
            handle,
            running,
            journal,
            session,
            test,
        }
    }

    async fn log(&self) -> Vec<SessionEvent> {
        self.journal.after(0).await.unwrap()
    }
}

pub(crate) async fn serve(
    runtime: Arc<dyn Runtime>,
    journal: &StoreJournal,
    clock: Arc<dyn Clock>,
) -> (Handle, JoinHandle<ServiceExit>) {
    let ports = SessionPorts {
        runtime,
        journal: Arc::new(journal.clone()),
        clock,
        entropy: Arc::new(SystemEntropy),
    };
    let (handle, service) = Service::start(ports).await.unwrap();
    (handle, tokio::spawn(service.run()))
}

pub(crate) fn prompt(text: &str) -> NewPrompt {
    NewPrompt {
        text: text.into(),
        sender_id: Some("user_1".into()),
        ..NewPrompt::default()
    }
}

/// The next event, wherever it comes from.
pub(crate) async fn next(attached: &mut StreamAttachment, journal: &StoreJournal) -> LogEntry {
    if let Some((after, until)) = attached.earlier.take() {
        let page = journal.after(after).await.unwrap();
        let earlier = page
            .iter()
            .filter(|event| event.seq < until)
            .map(LogEntry::from);
        attached.entries.splice(0..0, earlier.collect::<Vec<_>>());
    }
    if !attached.entries.is_empty() {
        return attached.entries.remove(0);
    }
    loop {
        if let Broadcast::Logged(entry) = attached.live.recv().await.unwrap() {
            return entry;
        }
    }
}

#[tokio::test]
async fn clients_that_come_and_go_see_exactly_the_log_of_a_real_agents_turn() {
    let agent = Agent::start().await;
    let runtime = Runner::new(Some(agent.client()), 0);
    let live = Live::start(Arc::clone(&runtime)).await;
    let handle = &live.handle;
    let both = tokio::join!(handle.ensure_ready(), handle.ensure_ready());
    assert_eq!(both, (Ok(()), Ok(())));
    assert_eq!(runtime.boots.load(Ordering::SeqCst), 1);

    // One client stays, another drops and resumes after every few events.
    let mut steady = handle.attach(None).await.unwrap();
    let shown = steady.view.take().unwrap();
    assert_eq!(shown.messages, Vec::new());
    let from = steady.seq;
    let id = handle
        .prompt(prompt(
            "SLOW 30\nSAY I look around before I do anything at all.\n\
             CALL bash {\"command\":\"cat a.txt\",\"description\":\"Look\"}\nSAY Two lines, that is all there is.",
        ))
        .await
        .unwrap();
    let watch = async {
        let mut seen: Vec<Arc<str>> = Vec::new();
        let mut completed = 0;
        while completed < 2 {
            let entry = next(&mut steady, &live.journal).await;
            completed += usize::from(entry.kind() == "message_complete");
            seen.push(Arc::clone(entry.frame()));
        }
        seen
    };
    let come_and_go = async {
        let (mut seen, mut after, mut completed, mut visits) = (Vec::new(), from, 0, 0_usize);
        while completed < 2 {
            let mut attached = handle.attach(Some(after)).await.unwrap();
            assert!(attached.view.is_none());
            for _ in 0..=visits % 3 {
                let entry = next(&mut attached, &live.journal).await;
                assert_eq!(entry.seq(), after + 1);
                after = entry.seq();
                completed += usize::from(entry.kind() == "message_complete");
                seen.push(Arc::clone(entry.frame()));
                if completed == 2 {
                    break;
                }
            }
            visits += 1;
        }
        assert!(visits > 5, "{visits}");
        seen
    };
    let both = async { tokio::join!(watch, come_and_go) };
    let (steady, other) = timeout(PATIENCE, both).await.unwrap();
    assert_eq!(steady, other);

    let log = live.log().await;
    let places: Vec<u64> = log.iter().map(|event| event.seq).collect();
    assert_eq!(places, (1..=log.len() as u64).collect::<Vec<_>>());
    let frames: Vec<Arc<str>> = log
        .iter()
        .filter(|event| event.seq > from)
        .map(|event| Arc::clone(LogEntry::from(event).frame()))
        .collect();
    assert_eq!(frames[..steady.len()], steady);
    assert!(frames[0].contains(&id), "the prompt is on record first");
    let request = &agent.model.requests()[0];
    assert!(request["system"].to_string().contains("Be brief."));

    // Another hub, as after a crash, knows the same conversation from the log alone.
    let before: SessionView = handle.attach(None).await.unwrap().view.unwrap();
    assert_eq!(before.messages.len(), 3);
    assert!(!before.timeline.is_empty());
    assert!(before.messages.iter().all(|message| message.is_complete));
    handle.stop().await;
    assert_eq!(live.running.await.unwrap(), ServiceExit::Stopped);
    let clock = Arc::new(SystemClock::new());
    let (handle, _running) = serve(runtime, &live.journal, clock).await;
    let after = handle.attach(None).await.unwrap();
    assert_eq!(after.view, Some(before));
    assert_eq!(after.status, LiveStatus::Paused);
}

#[tokio::test]
async fn a_prompt_waits_for_a_real_agent_that_comes_up_at_the_second_try() {
    let agent = Agent::start().await;
    let runtime = Runner::new(Some(agent.client()), 1);
    let live = Live::start(Arc::clone(&runtime)).await;
    let mut attached = live.handle.attach(None).await.unwrap();
    live.handle.prompt(prompt("SAY At last.")).await.unwrap();
    let until = async |attached: &mut StreamAttachment, what: &str| loop {
        let entry = next(attached, &live.journal).await;
        if entry.frame().contains(what) {
            return Arc::clone(entry.frame());
        }
    };
    let again = timeout(PATIENCE, until(&mut attached, "It is tried again")).await;
    let again = again.unwrap();
    assert!(again.contains("There is no room for a sandbox."), "{again}");
    let text = timeout(PATIENCE, until(&mut attached, "text_part_complete")).await;
    assert!(text.unwrap().contains("[scripted] At last."));
    assert_eq!(runtime.boots.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_dead_sandbox_ends_what_a_real_agent_was_at_and_the_next_prompt_makes_another() {
    let mut agent = Agent::start().await;
    let runtime = Runner::new(Some(agent.client()), 0);
    let live = Live::start(Arc::clone(&runtime)).await;
    let mut attached = live.handle.attach(None).await.unwrap();
    let sleep = "CALL bash {\"command\":\"sleep 60\",\"description\":\"Sleep\"}\nSAY Never.";
    live.handle.prompt(prompt(sleep)).await.unwrap();
    let until = async |attached: &mut StreamAttachment, what: &str| loop {
        let entry = next(attached, &live.journal).await;
        if entry.frame().contains(what) {
            return Arc::clone(entry.frame());
        }
    };
    let started = timeout(PATIENCE, until(&mut attached, "sleep 60\",\"desc")).await;
    started.unwrap();
    runtime.is_dead.store(true, Ordering::SeqCst);
    agent.kill().await;
    let ended = timeout(PATIENCE, until(&mut attached, "\"tool_end\""))
        .await
        .unwrap();
    assert!(ended.contains("The sandbox ended while"), "{ended}");
    let status = timeout(PATIENCE, until(&mut attached, "\"status\":\"paused\"")).await;
    assert!(status.unwrap().contains("The sandbox ended while"));

    // The next prompt makes another.
    agent.start_again().await;
    runtime.is_dead.store(false, Ordering::SeqCst);
    live.handle.prompt(prompt("SAY Here again.")).await.unwrap();
    let text = timeout(PATIENCE, until(&mut attached, "\"text_part_complete\"")).await;
    assert!(text.unwrap().contains("[scripted] Here again."));
    assert_eq!(runtime.boots.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_boot_that_fails_is_told_with_its_stage_and_reason() {
    let live = Live::start(Runner::new(None, 0)).await;
    let refused = live.handle.ensure_ready().await.unwrap_err();
    assert!(matches!(refused, HubError::Boot(_)), "{refused}");
    let mut attached = live.handle.attach(Some(0)).await.unwrap();
    let mut seen = Vec::new();
    for _ in 0..4 {
        let entry = timeout(PATIENCE, next(&mut attached, &live.journal))
            .await
            .unwrap();
        seen.push(entry.frame().to_string());
    }
    insta::with_settings!({filters => vec![(r"\d{13}", "[time]"), (r#""durationMs":\d+"#, r#""durationMs":"[time]""#)]}, {
        insta::assert_snapshot!(seen.join("\n"));
    });
}

testkit::on_both_databases!(nothing_is_told_in_the_name_of_a_former_owner);

async fn nothing_is_told_in_the_name_of_a_former_owner(backend: Backend) {
    let live = Live::start_on(backend, Runner::new(None, 0)).await;
    let title = |title: &str| {
        let title = title.to_owned();
        ServerMessage::TitleUpdate(TitleUpdate { title })
    };
    let mut attached = live.handle.attach(None).await.unwrap();
    live.handle.publish(title("ours")).await.unwrap();
    let entry = timeout(PATIENCE, next(&mut attached, &live.journal))
        .await
        .unwrap();
    assert!(entry.frame().contains("ours"));
    let mut tx = live.test.db.write().await.unwrap();
    let now = SystemClock::new().now();
    let (org, id) = (&live.session.organization_id, live.session.id);
    store::session_claim(&mut tx, org, id, now)
        .await
        .unwrap()
        .unwrap();
    tx.commit().await.unwrap();
    live.handle.publish(title("too late")).await.unwrap();
    let ended = timeout(PATIENCE, live.running).await.unwrap().unwrap();
    assert_eq!(ended, ServiceExit::Log(JournalError::NotOwner));
    assert!(attached.live.recv().await.is_err());
    assert_eq!(live.journal.last().await.unwrap(), 1);
    let gone = live.handle.attach(None).await.map(drop);
    assert_eq!(gone, Err(HubError::Gone));
}

#[tokio::test]
async fn an_unused_hub_asks_for_nothing() {
    let runtime = Runner::new(None, 0);
    let live = Live::start(Arc::clone(&runtime)).await;
    let attached = live.handle.attach(None).await.unwrap();
    assert_eq!((attached.seq, attached.status), (0, LiveStatus::Paused));
    let quiet = Duration::from_millis(200);
    let mut stream = attached.live;
    assert!(timeout(quiet, stream.recv()).await.is_err());
    assert_eq!(runtime.boots.load(Ordering::SeqCst), 0);
    assert_eq!(live.log().await, []);
}
