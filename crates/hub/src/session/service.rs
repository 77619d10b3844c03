//! The loop of one live session.

use std::{collections::HashMap, sync::Arc, time::Duration};

use domain::{
    clock::Timestamp,
    limits::{HUB_ASIDES_MAX, HUB_FANOUT_MAX, HUB_INBOX_MAX, HUB_REPLAY_EVENTS_MAX, HUB_TICK},
};
use tokio::{
    sync::{Semaphore, broadcast, mpsc},
    task::{AbortHandle, JoinSet},
    time::sleep,
};
use wire::live::{Frame, MessageRole, ServerMessage};

use super::{
    clients::{Clients, Told},
    deliver::Waiter,
    handle::{Handle, Input},
    outbox::Outbox,
    phase::{Phase, Waiting},
    ports::{JournalError, Ports},
    withheld::Withheld,
    write::{Writing, written},
};
use crate::{
    log::{Coalescer, Entry, Kept, Once, Picture, Transcript, Window},
    opencode::Watchdog,
};

/// Why a hub ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// It was told to.
    Stopped,
    /// The log could not be written, so nothing more can be told.
    Log(JournalError),
}

/// One live session.
#[derive(Debug)]
pub struct Service {
    pub(super) ports: Ports,
    inbox: mpsc::Receiver<Input>,
    own: mpsc::Sender<Input>,
    pub(super) tasks: JoinSet<()>,
    pub(super) phase: Phase,
    /// Counts boots and connections, so that what an older one says is not taken for news.
    pub(super) generation: u64,
    pub(super) waiting: Waiting,
    /// Prompts that are not on record yet, and who waits for it.
    pub(super) unwritten: HashMap<String, Vec<Waiter>>,
    /// The prompt that is being handed to the agent.
    pub(super) delivering: Option<String>,
    pub(super) last_prompt: Option<String>,
    pub(super) watchdog: Watchdog,
    coalescer: Coalescer,
    /// To be written, in order.
    pub(super) outbox: Outbox,
    pub(super) writing: Option<Writing>,
    pub(super) window: Window,
    /// What the log takes in the database.
    pub(super) kept: Kept,
    pub(super) transcript: Transcript,
    pub(super) picture: Picture,
    /// What is in the log or on its way there, and must not come again.
    pub(super) once: Once,
    /// Since when `once` knows everything; `None` for always.
    known_since: Option<Timestamp>,
    /// Room for tasks that the agent's events start.
    asides: Arc<Semaphore>,
    pub(super) clients: Clients,
    pub(super) fanout: broadcast::Sender<Told>,
    is_stopping: bool,
    /// The agent did something since it was last said to wait.
    pub(super) is_unsettled: bool,
    /// When somebody last did something: a client, or the agent.
    pub(super) active_at: Duration,
    pub(super) withheld: Withheld,
}

impl Service {
    /// Reads the end of the log. The agent is not touched before somebody needs it; then it is given what an earlier
    /// owner may not have come to give it.
    pub async fn start(ports: Ports) -> Result<(Handle, Self), JournalError> {
        let last = ports.journal.last().await?;
        let (mut transcript, mut picture) = (Transcript::default(), Picture::default());
        let (mut once, mut known_since, mut kept) = (Once::default(), None, Kept::default());
        let mut withheld = Withheld::default();
        let mut at = last.saturating_sub(HUB_REPLAY_EVENTS_MAX);
        let (mut is_first, mut is_unsettled) = (true, false);
        while at < last {
            let page = ports.journal.after(at).await?;
            let (Some(oldest), Some(newest)) = (page.first(), page.last()) else {
                break;
            };
            if is_first && oldest.seq > 1 {
                known_since = Some(oldest.created_at);
            }
            is_first = false;
            at = newest.seq;
            for event in &page {
                let entry = Entry::from(event);
                kept.add(&entry);
                // A message of another version is passed over; it stays in the log.
                if let Ok(frame) = serde_json::from_str::<Frame>(entry.frame()) {
                    transcript.apply(&frame.message);
                    picture.apply(&frame.message);
                    once.is_new(&frame.message);
                    withheld.recall(&frame.message);
                    is_unsettled = match &frame.message {
                        ServerMessage::Status(status) => is_unsettled && !status.is_idle,
                        other => is_unsettled || is_the_agents(other),
                    };
                }
            }
        }
        let (sender, inbox) = mpsc::channel(HUB_INBOX_MAX);
        let (fanout, _) = broadcast::channel(HUB_FANOUT_MAX);
        let active_at = ports.clock.monotonic();
        let service = Self {
            ports,
            inbox,
            own: sender.clone(),
            tasks: JoinSet::new(),
            phase: Phase::Cold { why: None },
            generation: 0,
            // The agent does one that it was given before once.
            waiting: Waiting::from(transcript.unanswered()),
            unwritten: HashMap::new(),
            delivering: None,
            last_prompt: None,
            watchdog: Watchdog::default(),
            coalescer: Coalescer::default(),
            outbox: Outbox::default(),
            writing: None,
            window: Window::new(last),
            kept,
            transcript,
            picture,
            once,
            known_since,
            asides: Arc::new(Semaphore::new(HUB_ASIDES_MAX)),
            clients: Clients::default(),
            fanout,
            is_stopping: false,
            is_unsettled,
            active_at,
            withheld,
        };
        Ok((Handle(sender), service))
    }

    /// Since when it is known what the log has; `None` for always.
    pub fn known_since(&self) -> Option<Timestamp> {
        self.known_since
    }

    /// Runs until it is stopped or the log cannot be written.
    pub async fn run(mut self) -> Ended {
        loop {
            self.write();
            if self.is_stopping && self.outbox.is_empty() && self.writing.is_none() {
                return Ended::Stopped;
            }
            let wait = self.wait();
            tokio::select! {
                biased;
                done = written(&mut self.writing) => match done {
                    Ok(()) => {
                        self.told();
                        self.deliver_waiting();
                    }
                    Err(error) => return Ended::Log(error),
                },
                input = self.inbox.recv(), if !self.is_stopping && self.outbox.has_room() => {
                    match input {
                        Some(input) => self.take(input),
                        None => self.stop(),
                    }
                }
                () = sleep(wait) => {}
                Some(_) = self.tasks.join_next(), if !self.tasks.is_empty() => {}
            }
            self.tick();
        }
    }

    fn take(&mut self, input: Input) {
        if input.is_activity() {
            self.active_at = self.ports.clock.monotonic();
        }
        match input {
            Input::EnsureReady(reply) => self.ensure_ready(reply),
            Input::Wake => self.wake(),
            Input::Prompt(prompt, reply) => self.take_prompt(prompt, reply),
            Input::Cancel(reply) => self.cancel(reply),
            Input::IsBusy(reply) => drop(reply.send(self.is_busy())),
            Input::Attach(after, reply) => {
                let _ = reply.send(self.attach(after));
            }
            Input::Join(user_id, reply) => self.join(user_id, reply),
            Input::Left(number) => self.left(number),
            Input::Look(reply) => {
                let _ = reply.send(self.look());
            }
            Input::Pulse(reply) => drop(reply.send(self.pulse())),
            Input::Retire(quiet, why, reply) => {
                let goes = self.retire(quiet, why);
                let _ = reply.send(goes);
            }
            Input::Tell(message) => self.tell(*message),
            Input::BeginMove(reason, expires_at, reply) => {
                let begun = self.begin_move(reason, expires_at);
                let _ = reply.send(begun);
            }
            Input::IsSettled(reply) => {
                let _ = reply.send(!self.is_busy() && self.delivering.is_none());
            }
            Input::CutTurn(reply) => self.cut_turn(reply),
            Input::EndMove(moved, reply) => {
                self.end_move(*moved);
                let _ = reply.send(());
            }
            Input::Stop => self.stop(),
            Input::Stage(boot, stage) => self.stage(boot, stage),
            Input::Booted(boot, booted) => self.booted(boot, *booted),
            Input::Feed(generation, feed) => self.heard(generation, *feed),
            Input::Liveness(generation, liveness) => self.looked(generation, liveness),
            Input::Delivered(id, outcome) => self.delivered(id, outcome),
            Input::Withheld(generation, why) => self.withhold(generation, why),
            Input::GoOn { is_from_rest } => self.go_on(is_from_rest),
        }
    }

    /// Stops if nobody has needed it for so long. Nothing comes between the look and the end.
    fn retire(&mut self, quiet: Duration, why: &'static str) -> bool {
        let pulse = self.pulse();
        if !pulse.is_resting || pulse.quiet < quiet {
            return false;
        }
        if matches!(self.phase, Phase::Running(_)) {
            self.phase = Phase::Cold { why: None };
            self.tell_status(Some(why.to_owned()));
        }
        self.stop();
        true
    }

    fn stop(&mut self) {
        self.is_stopping = true;
        self.phase = Phase::Cold { why: None };
        self.outbox.extend(self.coalescer.flush());
    }

    pub(super) fn tell(&mut self, message: ServerMessage) {
        if !self.once.is_new(&message) {
            return;
        }
        let told = self.coalescer.push(message, self.ports.clock.monotonic());
        self.outbox.extend(told);
    }

    fn tick(&mut self) {
        let now = self.ports.clock.monotonic();
        self.outbox.extend(self.coalescer.take_due(now));
        self.show_clients(now);
        self.watch();
        self.retry_if_due(now);
    }

    fn wait(&self) -> Duration {
        let now = self.ports.clock.monotonic();
        let dues = [self.coalescer.due(), self.clients_due(), self.retry_due()];
        let waits = dues
            .into_iter()
            .flatten()
            .map(|due| due.saturating_sub(now));
        waits.min().map_or(HUB_TICK, |wait| wait.min(HUB_TICK))
    }

    /// A way into the inbox, for whoever does something beside the loop.
    pub(super) fn own(&self) -> mpsc::Sender<Input> {
        self.own.clone()
    }

    /// Runs something that an event of the agent asks for, unless too much of that runs already: an agent can send events
    /// faster than any task ends.
    pub(super) fn spawn_aside<W, F>(&mut self, work: W)
    where
        W: FnOnce(mpsc::Sender<Input>) -> F,
        F: Future<Output = ()> + Send + 'static,
    {
        let Ok(room) = Arc::clone(&self.asides).try_acquire_owned() else {
            tracing::debug!("the agent asks for too much at once; this is left out");
            return;
        };
        let work = work(self.own.clone());
        self.tasks.spawn(async move {
            work.await;
            drop(room);
        });
    }

    /// Runs something beside the loop that reports to the inbox. It ends with the hub at the latest.
    pub(super) fn spawn<W, F>(&mut self, work: W) -> AbortHandle
    where
        W: FnOnce(mpsc::Sender<Input>) -> F,
        F: Future<Output = ()> + Send + 'static,
    {
        self.tasks.spawn(work(self.own.clone()))
    }
}

/// Whether it tells what the agent did.
fn is_the_agents(message: &ServerMessage) -> bool {
    match message {
        ServerMessage::Message(message) => message.role == MessageRole::Assistant,
        ServerMessage::MessageComplete(_) | ServerMessage::ToolEnd(_) => true,
        _ => false,
    }
}
