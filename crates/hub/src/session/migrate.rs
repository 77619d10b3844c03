//! The hub while its session moves to a fresh sandbox: it listens to the old agent until the new one answers, and prompts
//! wait. Who moves it is elsewhere; here is what those who watch see of it.
//!
//! INVARIANT: nothing is delivered to either agent while the session moves, so the order of prompts is that of the log.

use std::time::Duration;

use domain::clock::Timestamp;
use tokio::sync::oneshot;
use wire::live::{
    BootStage, LiveStatus, MigrationReason, MigrationState, MigrationUpdate, ServerMessage,
};

use super::{
    handle::{Handle, HubError, Input},
    phase::{Phase, Running, Stage},
    ports::{BootError, Booted, Stages},
    service::Service,
};

/// Said to the agent where a turn of its was cut off and nothing else waits for it.
const GO_ON: &str = "Your sandbox was replaced while you were at work, and your turn was cut off. Files are as they \
    were then; programs that you had started have ended. Go on where you stopped.";

/// A session on its way.
#[derive(Debug)]
pub(super) struct Migrating {
    /// The old agent, which goes on if it comes to nothing.
    pub(super) running: Box<Running>,
    pub(super) waiters: Vec<oneshot::Sender<Result<(), HubError>>>,
    pub(super) stage: Option<Stage>,
    reason: MigrationReason,
    began: Duration,
    /// The old sandbox ended meanwhile.
    pub(super) is_old_gone: bool,
}

impl Migrating {
    /// Whether the agent may still be in its turn.
    pub(super) fn is_settling(&self) -> bool {
        let stage = self.stage.as_ref().map(|(stage, ..)| *stage);
        stage.is_none_or(|stage| stage <= BootStage::Settle)
    }
}

/// How a move ended, for those who watch.
#[derive(Debug)]
pub struct Moved {
    pub end: MoveEnd,
    /// When the sandbox that it is in now ends by itself.
    pub expires_at: Option<Timestamp>,
    /// What did not come along.
    pub lost: Vec<String>,
    /// The agent was stopped in the middle of its turn.
    pub is_cut: bool,
}

#[derive(Debug)]
pub enum MoveEnd {
    /// This is the agent now.
    Completed(Box<Booted>),
    /// The old one goes on.
    Failed {
        error: String,
        retry_at: Option<Timestamp>,
    },
    /// There is no agent now.
    Stranded { error: String },
}

impl Handle {
    /// Has prompts wait from here on. Says how far a boot is to be told, or why it cannot be.
    pub async fn begin_move(
        &self,
        reason: MigrationReason,
        expires_at: Option<Timestamp>,
    ) -> Result<Stages, HubError> {
        self.ask(|reply| Input::BeginMove(reason, expires_at, reply))
            .await?
    }

    /// Whether the agent has ended its turn and is being given nothing.
    pub async fn is_settled(&self) -> Result<bool, HubError> {
        self.ask(Input::IsSettled).await
    }

    /// Stops the agent's turn; what waits goes on waiting.
    pub async fn cut_turn(&self) -> Result<(), HubError> {
        self.ask(Input::CutTurn).await?
    }

    /// The move is over: what waited is delivered, in its order.
    pub async fn end_move(&self, moved: Moved) -> Result<(), HubError> {
        self.ask(|reply| Input::EndMove(Box::new(moved), reply))
            .await
    }
}

impl Service {
    pub(super) fn begin_move(
        &mut self,
        reason: MigrationReason,
        expires_at: Option<Timestamp>,
    ) -> Result<Stages, HubError> {
        let cold = Phase::Cold { why: None };
        let running = match std::mem::replace(&mut self.phase, cold) {
            Phase::Running(running) => running,
            other => {
                let error = match &other {
                    Phase::Migrating(_) => HubError::Migrating,
                    _ => HubError::NotUp,
                };
                self.phase = other;
                return Err(error);
            }
        };
        self.phase = Phase::Migrating(Box::new(Migrating {
            running,
            waiters: Vec::new(),
            stage: None,
            reason,
            began: self.ports.clock.monotonic(),
            is_old_gone: false,
        }));
        self.tell(ServerMessage::Migration(update(
            MigrationState::Started,
            reason,
            expires_at,
        )));
        self.tell_status(None);
        Ok(Stages {
            boot: None,
            inbox: self.own(),
            status: LiveStatus::Migrating,
        })
    }

    pub(super) fn cut_turn(&mut self, reply: oneshot::Sender<Result<(), HubError>>) {
        let Some(running) = self.phase.agent() else {
            let _ = reply.send(Ok(()));
            return;
        };
        let client = running.agent.client.clone();
        let session = running.agent.agent_session.clone();
        self.spawn(move |_| async move {
            let aborted = client.abort(&session).await;
            let _ = reply.send(aborted.map_err(HubError::from));
        });
    }

    pub(super) fn end_move(&mut self, moved: Moved) {
        let cold = Phase::Cold { why: None };
        let migrating = match std::mem::replace(&mut self.phase, cold) {
            Phase::Migrating(migrating) => *migrating,
            other => {
                self.phase = other;
                return;
            }
        };
        let Moved {
            end,
            expires_at,
            lost,
            is_cut,
        } = moved;
        let error = match &end {
            MoveEnd::Completed(_) => None,
            MoveEnd::Failed { error, .. } | MoveEnd::Stranded { error } => Some(error.clone()),
        };
        self.stage_over(migrating.stage, error.clone());
        let now = self.ports.clock.monotonic();
        let took = now.saturating_sub(migrating.began);
        let told = MigrationUpdate {
            state: state(&end, migrating.is_old_gone),
            gap_ms: Some(u64::try_from(took.as_millis()).unwrap_or(u64::MAX)),
            queued: u32::try_from(self.waiting.len()).unwrap_or(u32::MAX),
            retry_at: retry_at(&end).map(millis),
            lost,
            error: error.clone(),
            ..update(MigrationState::Started, migrating.reason, expires_at)
        };
        metrics::histogram!("proliferate_migration_gap_seconds").record(took.as_secs_f64());
        self.tell(ServerMessage::Migration(told));
        let outcome = match end {
            MoveEnd::Completed(agent) => {
                self.follow_agent(*agent);
                Ok(())
            }
            MoveEnd::Failed { .. } if !migrating.is_old_gone => {
                self.phase = Phase::Running(migrating.running);
                Ok(())
            }
            MoveEnd::Failed { error, .. } | MoveEnd::Stranded { error } => Err(BootError {
                message: error,
                retryable: true,
                is_withheld: false,
            }),
        };
        self.tell_status(None);
        self.after_move(is_cut);
        for waiter in migrating.waiters {
            // One who waits for an agent that is gone has the next.
            match &outcome {
                Ok(()) => drop(waiter.send(Ok(()))),
                Err(_) => self.ensure_ready(waiter),
            }
        }
    }

    /// Goes on with what waits; with nothing, a turn that was cut off is taken up again.
    fn after_move(&mut self, is_cut: bool) {
        if is_cut && self.waiting.is_empty() {
            self.prompt_again(GO_ON);
        }
        if !self.waiting.is_empty() {
            self.boot();
            self.deliver_waiting();
        }
    }
}

fn state(end: &MoveEnd, is_old_gone: bool) -> MigrationState {
    match end {
        MoveEnd::Completed(_) => MigrationState::Completed,
        MoveEnd::Failed { .. } if !is_old_gone => MigrationState::Failed,
        MoveEnd::Failed { .. } | MoveEnd::Stranded { .. } => MigrationState::Stranded,
    }
}

const fn retry_at(end: &MoveEnd) -> Option<Timestamp> {
    match end {
        MoveEnd::Failed { retry_at, .. } => *retry_at,
        MoveEnd::Completed(_) | MoveEnd::Stranded { .. } => None,
    }
}

fn update(
    state: MigrationState,
    reason: MigrationReason,
    expires_at: Option<Timestamp>,
) -> MigrationUpdate {
    MigrationUpdate {
        state,
        reason,
        expires_at: expires_at.map(millis),
        gap_ms: None,
        queued: 0,
        lost: Vec::new(),
        error: None,
        retry_at: None,
    }
}

fn millis(at: Timestamp) -> i64 {
    at.micros() / 1000
}
