//! The loop of one live session.

use std::time::Duration;

use domain::{
    clock::Timestamp,
    limits::{HUB_INBOX_MAX, HUB_TICK},
};
use tokio::{sync::mpsc, time::sleep};
use wire::live::{MessageRole, ServerMessage};

use super::{
    agent_events::{check_watchdog, delivery_ended, handle_feed, handle_liveness},
    boot::{begin_stage, boot_ended, ensure_ready, retry_due, retry_if_due, wake},
    budget_pause::{pause_over_budget, resume},
    budget_state::BudgetPause,
    clients::Clients,
    delivery::deliver_waiting,
    handle::Handle,
    input::Input,
    migrate::{begin_move, end_move},
    phase::Phase,
    ports::{JournalError, SessionPorts},
    prompting::{cancel, cut_turn, take_prompt},
    prompts::PromptQueue,
    publisher::EventPublisher,
    state::LoopState,
    tasks::HubTasks,
    view::unlogged_frame,
};
use crate::opencode::Watchdog;

/// Why the loop ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServiceExit {
    /// It was stopped.
    Stopped,
    /// The log could not be written, so nothing more can be sent.
    Log(JournalError),
}

/// One live session.
#[derive(Debug)]
pub struct Service {
    state: LoopState,
    inbox: mpsc::Receiver<Input>,
    is_stopping: bool,
}

impl Service {
    /// Reads the end of the log. The agent is not booted before a caller needs it; then it is given the prompts that an
    /// earlier owner may not have delivered.
    pub async fn start(ports: SessionPorts) -> Result<(Handle, Self), JournalError> {
        let (mut budget_pause, mut is_unsettled) = (BudgetPause::default(), false);
        let (journal, clock) = (ports.journal.clone(), ports.clock.clone());
        let publisher = EventPublisher::load(journal, clock, |message| {
            budget_pause.replay(message);
            is_unsettled = match message {
                ServerMessage::Status(status) => is_unsettled && !status.is_idle,
                other => is_unsettled || is_of_agent(other),
            };
        });
        let publisher = publisher.await?;
        let (sender, inbox) = mpsc::channel(HUB_INBOX_MAX);
        let state = LoopState {
            active_at: ports.clock.monotonic(),
            ports,
            tasks: HubTasks::new(sender.clone()),
            prompts: PromptQueue::new(publisher.transcript.unanswered()),
            publisher,
            clients: Clients::default(),
            phase: Phase::Cold { why: None },
            generation: 0,
            watchdog: Watchdog::default(),
            budget_pause,
            is_unsettled,
        };
        let service = Self {
            state,
            inbox,
            is_stopping: false,
        };
        Ok((Handle(sender), service))
    }

    /// Since when the hub knows which notices are in the log; `None` for always.
    pub fn known_since(&self) -> Option<Timestamp> {
        self.state.publisher.known_since()
    }

    /// Runs until it is stopped or the log cannot be written.
    pub async fn run(mut self) -> ServiceExit {
        loop {
            let wait = self.time_to_next_event();
            let state = &mut self.state;
            state.publisher.begin_write(&mut state.tasks);
            if self.is_stopping && state.publisher.is_drained() {
                return ServiceExit::Stopped;
            }
            let reads_inbox = !self.is_stopping && state.publisher.has_room();
            let has_tasks = !state.tasks.is_empty();
            tokio::select! {
                biased;
                written = state.publisher.wait_written() => match written {
                    Ok(()) => {
                        let prompts = &mut state.prompts;
                        let logged = |message: &ServerMessage| prompts.mark_logged(message);
                        state.publisher.send_written(&mut state.tasks, logged);
                        deliver_waiting(state);
                    }
                    Err(error) => return ServiceExit::Log(error),
                },
                input = self.inbox.recv(), if reads_inbox => {
                    match input {
                        Some(input) => self.handle(input),
                        None => self.stop(),
                    }
                }
                () = sleep(wait) => {}
                Some(()) = state.tasks.join_next(), if has_tasks => {}
            }
            self.tick();
        }
    }

    fn handle(&mut self, input: Input) {
        let session = &mut self.state;
        if input.is_activity() {
            session.active_at = session.now();
        }
        match input {
            Input::EnsureReady(reply) => ensure_ready(session, reply),
            Input::Wake => wake(session),
            Input::Prompt(prompt, reply) => take_prompt(session, prompt, reply),
            Input::Cancel(reply) => cancel(session, reply),
            Input::IsBusy(reply) => drop(reply.send(session.is_busy())),
            Input::Attach(after, reply) => drop(reply.send(session.attach(after))),
            Input::Join(user_id, reply) => session.clients.join(&mut session.tasks, user_id, reply),
            Input::Leave(number) => session.clients.leave(number),
            Input::ReadStatus(reply) => drop(reply.send(session.status_report())),
            Input::ReadActivity(reply) => drop(reply.send(session.activity_report())),
            Input::StopIfQuiet(quiet, why, reply) => {
                let _ = reply.send(self.stop_if_quiet(quiet, why));
            }
            Input::Publish(message) => session.publish(*message),
            Input::BeginMove(reason, expires_at, reply) => {
                drop(reply.send(begin_move(session, reason, expires_at)));
            }
            Input::IsSettled(reply) => {
                let is_settled = !session.is_busy() && !session.prompts.is_delivering();
                let _ = reply.send(is_settled);
            }
            Input::CutTurn(reply) => cut_turn(session, reply),
            Input::EndMove(report, reply) => {
                end_move(session, *report);
                let _ = reply.send(());
            }
            Input::Stop => self.stop(),
            Input::Stage(generation, stage) => begin_stage(session, generation, stage),
            Input::Booted(generation, booted) => boot_ended(session, generation, *booted),
            Input::Feed(generation, feed) => handle_feed(session, generation, *feed),
            Input::Liveness(generation, liveness) => handle_liveness(session, generation, liveness),
            Input::Delivered(id, outcome) => delivery_ended(session, id, outcome),
            Input::OverBudget(generation, why) => pause_over_budget(session, generation, why),
            Input::Resume {
                is_paused_elsewhere,
            } => resume(session, is_paused_elsewhere),
        }
    }

    /// Stops if the session was unused for so long. Nothing comes between the check and the end.
    fn stop_if_quiet(&mut self, quiet: Duration, why: &'static str) -> bool {
        let activity = self.state.activity_report();
        if !activity.is_resting || activity.quiet < quiet {
            return false;
        }
        if matches!(self.state.phase, Phase::Running(_)) {
            self.state.set_cold(None);
            self.state.publish_status(Some(why.to_owned()));
        }
        self.stop();
        true
    }

    fn stop(&mut self) {
        self.is_stopping = true;
        self.state.set_cold(None);
        self.state.publisher.flush();
    }

    /// Does what is due by the clock.
    fn tick(&mut self) {
        let session = &mut self.state;
        let now = session.now();
        session.publisher.flush_due(now);
        if let Some(presence) = session.clients.take_presence(now) {
            let frame = unlogged_frame(ServerMessage::Presence(presence));
            session.publisher.send_unlogged(frame);
        }
        check_watchdog(session);
        retry_if_due(session, now);
    }

    fn time_to_next_event(&self) -> Duration {
        let session = &self.state;
        let now = session.now();
        let dues = [
            session.publisher.due(),
            session.clients.presence_due(),
            retry_due(session),
        ];
        let waits = dues
            .into_iter()
            .flatten()
            .map(|due| due.saturating_sub(now));
        waits.min().map_or(HUB_TICK, |wait| wait.min(HUB_TICK))
    }
}

/// Whether the message shows what the agent did.
fn is_of_agent(message: &ServerMessage) -> bool {
    match message {
        ServerMessage::Message(message) => message.role == MessageRole::Assistant,
        ServerMessage::MessageComplete(_) | ServerMessage::ToolEnd(_) => true,
        _ => false,
    }
}
