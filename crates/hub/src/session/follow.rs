//! Follows the agent: boots it, listens to it, and acts on what it says and on its silence.

use std::sync::Arc;

use domain::limits::{AGENT_EVENTS_QUEUED_MAX, AGENT_GONE_MIN};
use tokio::sync::{mpsc, watch};
use wire::live::{
    BootStage, BootStep, LiveError, LiveErrorCode, LiveStatus, ServerMessage, StatusUpdate,
};

use super::{
    handle::{HubError, Input},
    phase::{BootResult, Booting, Phase, Running, Stage, Task, Tries},
    ports::{BootError, Booted, Liveness, Stages},
    retry::answer,
    service::Service,
};
use crate::opencode::{
    Alarm, Caught, Excess, Feed, LiveEvent, Lost, PermissionReply, State, run_feed,
};

const SANDBOX_GONE: &str = "The sandbox ended while the agent was at work.";
const AGENT_GONE: &str = "The agent ended while it was at work.";

impl Service {
    /// Brings the agent up unless it is, or is coming. Whoever asks does not wait for a pause between two tries to end.
    pub(super) fn boot(&mut self) {
        let is_woken = match &self.phase {
            Phase::Cold { .. } => false,
            Phase::Retrying(retrying) => retrying.tries.is_woken,
            Phase::Booting(_) | Phase::Running(_) | Phase::Migrating(_) => return,
        };
        self.begin_boot(Tries {
            failed: 0,
            is_woken,
        });
    }

    pub(super) fn begin_boot(&mut self, tries: Tries) {
        self.generation += 1;
        let boot = self.generation;
        let runtime = Arc::clone(&self.ports.runtime);
        let task = self.spawn(move |inbox| async move {
            let stages = Stages {
                boot: Some(boot),
                inbox: inbox.clone(),
                status: LiveStatus::Resuming,
            };
            let booted = Box::new(runtime.boot(stages).await);
            let _ = inbox.send(Input::Booted(boot, booted)).await;
        });
        self.phase = Phase::Booting(Booting {
            task: Task(task),
            waiters: Vec::new(),
            stage: None,
            tries,
        });
        self.tell_status(None);
    }

    pub(super) fn ensure_ready(
        &mut self,
        reply: tokio::sync::oneshot::Sender<Result<(), HubError>>,
    ) {
        self.boot();
        match &mut self.phase {
            Phase::Booting(booting) => booting.waiters.push(reply),
            // Until it is saved, the old sandbox is as good as ever; the agent's own tools need it to end their turn.
            Phase::Migrating(migrating) if migrating.is_settling() => drop(reply.send(Ok(()))),
            Phase::Migrating(migrating) => migrating.waiters.push(reply),
            Phase::Running(_) => drop(reply.send(Ok(()))),
            Phase::Cold { .. } | Phase::Retrying(_) => drop(reply.send(Err(HubError::Gone))),
        }
    }

    /// A stage of a boot or a move begins; the one before it is over.
    pub(super) fn stage(&mut self, boot: Option<u64>, stage: BootStage) {
        let begun = self.begun(stage);
        let before = match (&mut self.phase, boot) {
            (Phase::Booting(booting), Some(boot)) if boot == self.generation => {
                booting.stage.replace(begun)
            }
            (Phase::Migrating(migrating), None) => migrating.stage.replace(begun),
            _ => return,
        };
        self.stage_over(before, None);
    }

    fn begun(&self, stage: BootStage) -> Stage {
        let clock = &self.ports.clock;
        (stage, clock.monotonic(), clock.now().micros() / 1000)
    }

    pub(super) fn stage_over(&mut self, stage: Option<Stage>, error: Option<String>) {
        let Some((stage, began, started_at)) = stage else {
            return;
        };
        let took = self.ports.clock.monotonic().saturating_sub(began);
        self.tell(ServerMessage::BootStep(BootStep {
            stage,
            started_at,
            duration_ms: Some(u64::try_from(took.as_millis()).unwrap_or(u64::MAX)),
            error,
        }));
    }

    pub(super) fn booted(&mut self, boot: u64, booted: BootResult<Booted>) {
        let idle = Phase::Cold { why: None };
        let booting = match std::mem::replace(&mut self.phase, idle) {
            Phase::Booting(booting) if boot == self.generation => booting,
            other => {
                self.phase = other;
                return;
            }
        };
        drop(booting.task);
        match booted {
            Ok(agent) => {
                self.stage_over(booting.stage, None);
                self.follow_agent(agent);
                self.tell_status(None);
                answer(booting.waiters, &Ok(()));
            }
            Err(error) if error.is_withheld => {
                self.boot_withheld(&error);
                answer(booting.waiters, &Err(HubError::Boot(error)));
            }
            Err(error) => {
                self.stage_over(booting.stage, Some(error.message.clone()));
                self.boot_failed(error, booting.tries, booting.waiters);
            }
        }
    }

    /// Goes on with this agent.
    pub(super) fn follow_agent(&mut self, agent: Booted) {
        let settled = self.transcript.settled().map(ToOwned::to_owned);
        let told = self.transcript.unsettled();
        let state = State::new(&agent.agent_session, settled.clone(), told);
        let (settled, _) = watch::channel(settled);
        self.phase = Phase::Running(Box::new(Running {
            agent,
            state,
            settled,
            feed: None,
            is_caught_up: false,
            gone: 0,
            stage: Some(self.begun(BootStage::Stream)),
        }));
        self.connect();
    }

    /// Listens to the agent, anew if it did before.
    pub(super) fn connect(&mut self) {
        self.generation += 1;
        let generation = self.generation;
        let Some(running) = self.phase.agent_mut() else {
            return;
        };
        running.is_caught_up = false;
        running.state.torn();
        running.feed.take();
        let client = running.agent.client.clone();
        let session = running.agent.agent_session.clone();
        let settled = running.settled.subscribe();
        let feed = self.spawn(move |inbox| async move {
            let (hub, mut heard) = mpsc::channel(AGENT_EVENTS_QUEUED_MAX);
            // Each ends with the other, and what was heard before is passed on.
            let pass_on = async move {
                while let Some(feed) = heard.recv().await {
                    let input = Input::Feed(generation, Box::new(feed));
                    if inbox.send(input).await.is_err() {
                        return;
                    }
                }
            };
            tokio::join!(run_feed(client, session, settled, hub), pass_on);
        });
        if let Some(running) = self.phase.agent_mut() {
            // The one before it ends here.
            running.feed = Some(Task(feed));
        }
    }

    pub(super) fn heard(&mut self, generation: u64, feed: Feed) {
        if generation != self.generation {
            return;
        }
        let Some(running) = self.phase.agent_mut() else {
            return;
        };
        let is_caught_up = matches!(feed, Feed::CaughtUp(_));
        let told = match feed {
            Feed::CaughtUp(Caught {
                messages,
                is_whole,
                status,
                hold: _hold,
            }) => {
                running.is_caught_up = true;
                running.gone = 0;
                let told = running.state.caught_up(&messages, &status);
                let stage = running.stage.take();
                self.stage_over(stage, None);
                if !is_whole {
                    self.tell(ServerMessage::Error(LiveError {
                        message: "Some of what the agent did while nobody listened is not shown."
                            .into(),
                        code: LiveErrorCode::Agent,
                        retryable: false,
                    }));
                }
                told
            }
            Feed::Event(event) => running.state.apply(&event),
            Feed::Exceeded(excess) => {
                self.end_agent(excess);
                return;
            }
            Feed::Unreadable(error) => {
                tracing::warn!(%error, "an event of the agent cannot be understood");
                vec![LiveEvent::Refetch]
            }
            Feed::Lost { reason, .. } => {
                tracing::info!(?reason, "the agent's stream broke");
                running.is_caught_up = false;
                running.gone = if reason == Lost::Gone {
                    running.gone + 1
                } else {
                    0
                };
                running.state.torn();
                self.ask_liveness(generation);
                return;
            }
        };
        if running_is_busy(&self.phase) && !told.is_empty() {
            self.watchdog.agent_heard(self.ports.clock.monotonic());
        }
        self.follow(told);
        self.deliver_waiting();
        // Whoever was here before may have had no time to say so.
        if is_caught_up && !self.is_busy() && self.waiting.is_empty() {
            self.tell_idle();
        }
    }

    /// Asks whether the sandbox lives at all.
    fn ask_liveness(&mut self, generation: u64) {
        let runtime = Arc::clone(&self.ports.runtime);
        self.spawn(move |inbox| async move {
            let liveness = runtime.liveness().await;
            let _ = inbox.send(Input::Liveness(generation, liveness)).await;
        });
    }

    /// A dead sandbox does not come back, nor does an agent that ended in one that lives: whatever was under way
    /// ends. A prompt that waits makes another.
    pub(super) fn looked(&mut self, generation: u64, liveness: Liveness) {
        let is_current = generation == self.generation;
        let Some(running) = self.phase.agent_mut() else {
            return;
        };
        let reason = match liveness {
            Liveness::Dead => SANDBOX_GONE,
            Liveness::Alive if running.gone >= AGENT_GONE_MIN => AGENT_GONE,
            Liveness::Alive | Liveness::Unknown => return,
        };
        if !is_current || running.is_caught_up {
            return;
        }
        let told = running.state.abandon(reason);
        let state = running.state.clone();
        self.follow(told);
        if let Phase::Migrating(migrating) = &mut self.phase {
            // Whoever moves the session ends it.
            migrating.is_old_gone = true;
            return;
        }
        self.phase = Phase::Cold { why: None };
        self.tell_status(Some(reason.to_owned()));
        self.wait_anew(&state);
        if !self.waiting.is_empty() {
            self.boot();
        }
    }

    /// Acts on what follows from what the agent said.
    pub(super) fn follow(&mut self, told: Vec<LiveEvent>) {
        let now = self.ports.clock.monotonic();
        let (mut is_missing, mut exceeded) = (false, None);
        for event in told {
            match event {
                LiveEvent::Show(message) => {
                    self.is_unsettled = true;
                    self.active_at = now;
                    self.withheld.saw(&message);
                    match &message {
                        ServerMessage::ToolStart(start) => {
                            let (id, tool) = (&start.tool_call_id, &start.tool);
                            self.watchdog.tool_started(id, tool, now);
                        }
                        ServerMessage::ToolEnd(end) => {
                            self.watchdog.tool_ended(&end.tool_call_id, now);
                        }
                        _ => {}
                    }
                    self.tell(message);
                }
                LiveEvent::Busy => self.watchdog.agent_heard(now),
                LiveEvent::Idle => {
                    self.watchdog.agent_idle();
                    self.wait_if_passed_over();
                    self.tell_idle();
                }
                LiveEvent::Refetch => is_missing = true,
                LiveEvent::Unanswered { message_id } => self.deliver_again(&message_id),
                LiveEvent::Permission(asked) => self.refuse_permission(asked.id, &asked.permission),
                LiveEvent::Exceeded(excess) => exceeded = Some(excess),
            }
        }
        if let Some(excess) = exceeded {
            return self.end_agent(excess);
        }
        if let Some(running) = self.phase.agent_mut() {
            let settled = running.state.settled().map(ToOwned::to_owned);
            running.settled.send_replace(settled);
            if is_missing && running.is_caught_up {
                self.connect();
            }
        }
    }

    /// What an agent may is decided by its configuration and by the gateway; it has nobody to ask here.
    fn refuse_permission(&mut self, id: String, what: &str) {
        self.tell(ServerMessage::Error(LiveError {
            message: format!(
                "The agent asked for a permission ({what}) that nobody can give here."
            ),
            code: LiveErrorCode::Refused,
            retryable: false,
        }));
        if let Some(running) = self.phase.agent() {
            let client = running.agent.client.clone();
            self.spawn_aside(move |_| async move {
                let reply = client.reply_permission(&id, PermissionReply::Reject);
                if let Err(error) = reply.await {
                    tracing::warn!(%error, "a permission could not be refused");
                }
            });
        }
    }

    /// The agent sent more than is read of one. It is not listened to any more: what answers may be another program. The
    /// session fails, and the next prompt starts an agent in a fresh sandbox. Nothing starts one by itself: that would go
    /// round in a circle.
    fn end_agent(&mut self, excess: Excess) {
        let Some(running) = self.phase.agent_mut() else {
            return;
        };
        let message = format!(
            "The agent was stopped: it sent {excess}, which is more than the gateway reads. The files of its sandbox are \
             kept; send a prompt to start it again."
        );
        // Its connection is closed first.
        running.feed.take();
        running.is_caught_up = false;
        let was_busy = running.state.is_busy();
        let told = running.state.abandon(&message);
        let state = running.state.clone();
        self.follow(told);
        if !was_busy {
            self.tell(ServerMessage::Error(LiveError {
                message: message.clone(),
                code: LiveErrorCode::Agent,
                retryable: true,
            }));
        }
        if let Phase::Migrating(migrating) = &mut self.phase {
            // The move destroys the old sandbox.
            migrating.is_old_gone = true;
            return;
        }
        self.phase = Phase::Cold {
            why: Some(BootError {
                message: message.clone(),
                retryable: true,
                is_withheld: false,
            }),
        };
        self.tell_status(None);
        self.wait_anew(&state);
        let runtime = Arc::clone(&self.ports.runtime);
        self.spawn(move |_| async move { runtime.end_agent(&message).await });
    }

    /// Whoever was silent for too long is ended, and those who watch are told why.
    pub(super) fn watch(&mut self) {
        for alarm in self.watchdog.check(self.ports.clock.monotonic()) {
            match alarm {
                Alarm::Progress { tool, running, .. } => {
                    let seconds = running.as_secs();
                    self.tell_status(Some(format!("{tool} has been running for {seconds} s.")));
                }
                Alarm::Message { silent } => {
                    let minutes = silent.as_secs() / 60;
                    self.end_silent(format!(
                        "The agent said nothing for {minutes} minutes and was stopped."
                    ));
                }
                Alarm::Tool { tool, silent, .. } => {
                    let minutes = silent.as_secs() / 60;
                    self.end_silent(format!(
                        "{tool} said nothing for {minutes} minutes and was stopped."
                    ));
                }
            }
        }
    }

    fn end_silent(&mut self, message: String) {
        self.tell(ServerMessage::Error(LiveError {
            message,
            code: LiveErrorCode::Silent,
            retryable: true,
        }));
        let (reply, _) = tokio::sync::oneshot::channel();
        self.cancel(reply);
    }

    pub(super) fn tell_status(&mut self, message: Option<String>) {
        let status = self.status();
        self.tell(ServerMessage::Status(StatusUpdate {
            status,
            is_idle: false,
            message,
        }));
    }

    /// Told once after whatever the agent did.
    fn tell_idle(&mut self) {
        if std::mem::take(&mut self.is_unsettled) {
            self.tell(ServerMessage::Status(StatusUpdate {
                status: self.status(),
                is_idle: true,
                message: None,
            }));
            self.ask_withheld();
        }
    }

    pub(super) fn is_busy(&self) -> bool {
        running_is_busy(&self.phase)
    }

    pub(super) fn status(&self) -> LiveStatus {
        if self.ports.runtime.is_over() {
            return LiveStatus::Stopped;
        }
        self.phase.status(self.window.last() == 0)
    }
}

fn running_is_busy(phase: &Phase) -> bool {
    phase.agent().is_some_and(|running| running.state.is_busy())
}
