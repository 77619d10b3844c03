//! A boot that failed for now while something waits: it is made again by itself, after pauses that grow, and given up
//! after the last of them. What waits then stays on record and goes out when the agent comes up.
//!
//! INVARIANT: what is tried again is the phase itself, so whatever leads to another phase ends it: somebody who asks for
//! the agent, a session that is let go or lost, prompts that are taken back.

use std::{sync::Arc, time::Duration};

use domain::limits::HUB_BOOT_RETRY_DELAYS;
use tokio::sync::oneshot;
use wire::live::{LiveError, LiveErrorCode, ServerMessage};

use super::{
    handle::HubError,
    phase::{Phase, Retrying, Tries},
    ports::BootError,
    service::Service,
};

/// Told when people take back what the session was coming up for.
const CANCELLED: &str = "it is not tried again to bring the agent up: that was cancelled";

/// Those who wait for a boot.
type Waiters = Vec<oneshot::Sender<Result<(), HubError>>>;

/// Tells them what came of it.
pub(super) fn answer(waiters: Waiters, outcome: &Result<(), HubError>) {
    for waiter in waiters {
        // Who does not wait any more needs no answer.
        let _ = waiter.send(outcome.clone());
    }
}

impl Service {
    /// Brings the agent up for nobody who waits for it.
    pub(super) fn wake(&mut self) {
        let (reply, _) = oneshot::channel();
        self.ensure_ready(reply);
        if let Phase::Booting(booting) = &mut self.phase {
            booting.tries.is_woken = true;
        }
    }

    /// Those who wait for this boot are told of it at once, also where it is tried again: they have bounds of their own.
    pub(super) fn boot_failed(&mut self, error: BootError, tries: Tries, waiters: Waiters) {
        let is_wanted = tries.is_woken || !self.waiting.is_empty();
        let pause = HUB_BOOT_RETRY_DELAYS.get(tries.failed);
        let pause = pause.filter(|_| error.retryable && is_wanted);
        let tries = Tries {
            failed: tries.failed + 1,
            ..tries
        };
        let Some(pause) = pause else {
            return self.give_up(error, tries, waiters);
        };
        self.phase = Phase::Retrying(Retrying {
            due: self.ports.clock.monotonic() + *pause,
            tries,
        });
        self.tell_status(Some(again(&error, *pause)));
        answer(waiters, &Err(HubError::Boot(error)));
    }

    fn give_up(&mut self, error: BootError, tries: Tries, waiters: Waiters) {
        let message = match tries.failed {
            1 => error.message.clone(),
            failed => given_up(&error, failed, self.waiting.len()),
        };
        self.tell(ServerMessage::Error(LiveError {
            message,
            code: LiveErrorCode::Sandbox,
            retryable: error.retryable,
        }));
        let why = Some(error.clone());
        self.phase = Phase::Cold { why };
        self.tell_status(None);
        let runtime = Arc::clone(&self.ports.runtime);
        self.spawn(move |_| async move {
            runtime.given_up(&error).await;
            // Whoever hears of it finds it on record.
            answer(waiters, &Err(HubError::Boot(error)));
        });
    }

    /// Tries again if it is time.
    pub(super) fn retry_if_due(&mut self, now: Duration) {
        if let Phase::Retrying(retrying) = &self.phase
            && retrying.due <= now
        {
            let tries = retrying.tries;
            self.begin_boot(tries);
        }
    }

    /// When it is tried again, if it is.
    pub(super) fn retry_due(&self) -> Option<Duration> {
        match &self.phase {
            Phase::Retrying(retrying) => Some(retrying.due),
            _ => None,
        }
    }

    /// Nothing waits for the agent any more.
    pub(super) fn stop_retrying(&mut self) {
        if !matches!(self.phase, Phase::Retrying(_)) {
            return;
        }
        self.phase = Phase::Cold { why: None };
        self.tell_status(Some(CANCELLED.to_owned()));
        let runtime = Arc::clone(&self.ports.runtime);
        self.spawn(move |_| async move {
            let why = BootError {
                message: CANCELLED.to_owned(),
                retryable: true,
                is_withheld: false,
            };
            runtime.given_up(&why).await;
        });
    }
}

fn again(error: &BootError, pause: Duration) -> String {
    let (reason, seconds) = (reason(error), pause.as_secs());
    format!("The agent could not be brought up: {reason}. It is tried again in {seconds} seconds.")
}

fn given_up(error: &BootError, failed: usize, waiting: usize) -> String {
    let reason = reason(error);
    let kept = match waiting {
        0 => "",
        _ => " What was said waits, and reaches the agent when it comes up.",
    };
    format!(
        "The agent could not be brought up in {failed} tries, and is not tried again by itself: {reason}.{kept}"
    )
}

/// It stands within a sentence.
fn reason(error: &BootError) -> &str {
    error.message.trim_end_matches('.')
}
