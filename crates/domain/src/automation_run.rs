//! A run of an automation: one session, and how it ended.
//!
//! running -> succeeded | failed | needs_human, as its agent reports; -> failed | timed_out where the agent does
//! not report. A run that ended does not change.

use serde_json::{Map, Value};

use crate::{
    audit::Sha256Hex,
    canonical::canonical_bytes,
    clock::Timestamp,
    id::{AutomationId, AutomationRunId, OrganizationId, SessionId, UserId},
    limits::{AUTOMATION_RUN_LIFE, REASON_LENGTH_MAX},
};

crate::text_enum! {
    /// The word for a state.
    AutomationRunStatus {
        Running = "running",
        Succeeded = "succeeded",
        Failed = "failed",
        NeedsHuman = "needs_human",
        TimedOut = "timed_out",
    }
}

crate::text_enum! {
    /// How a run ended, as its agent reports it.
    AutomationOutcome {
        Succeeded = "succeeded",
        Failed = "failed",
        NeedsHuman = "needs_human",
    }
}

/// The agent's report of how a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The same completion reported twice has the same id.
    pub id: String,
    pub outcome: AutomationOutcome,
    pub summary_markdown: Option<String>,
    pub citations: Vec<String>,
    pub diff_ref: Option<String>,
    pub test_report_ref: Option<String>,
    pub side_effect_refs: Vec<String>,
}

impl Completion {
    /// The digest of the report, without its id. Absent and empty fields are the same.
    pub fn sha256(&self) -> Sha256Hex {
        let mut said = Map::new();
        let mut say = |name: &str, value: Value| _ = said.insert(name.to_owned(), value);
        say("outcome", self.outcome.as_str().into());
        let texts = [
            ("summary_markdown", &self.summary_markdown),
            ("diff_ref", &self.diff_ref),
            ("test_report_ref", &self.test_report_ref),
        ];
        for (name, text) in texts {
            if let Some(text) = text.as_deref().filter(|text| !text.is_empty()) {
                say(name, text.into());
            }
        }
        let lists = [
            ("citations", &self.citations),
            ("side_effect_refs", &self.side_effect_refs),
        ];
        for (name, list) in lists {
            if !list.is_empty() {
                say(name, list.clone().into());
            }
        }
        Sha256Hex::of(&canonical_bytes(&Value::Object(said)))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AutomationRun {
    pub id: AutomationRunId,
    pub organization_id: OrganizationId,
    pub automation_id: AutomationId,
    /// A session has one run at most.
    pub session_id: SessionId,
    /// The user who started it; `None` for another service of the platform.
    pub created_by: Option<UserId>,
    pub created_at: Timestamp,
    pub state: AutomationRunState,
}

/// The state of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AutomationRunState {
    Running {
        deadline: Timestamp,
    },
    /// Its agent reported how it ended.
    Completed {
        ended_at: Timestamp,
        completion: Completion,
    },
    /// Its session ended without a report.
    Lost {
        ended_at: Timestamp,
        reason: String,
    },
    /// It took too long.
    TimedOut {
        ended_at: Timestamp,
        reason: String,
    },
}

/// The run is over already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the run has ended: it is {0}")]
pub struct RunOver(pub AutomationRunStatus);

type Moved = Result<AutomationRunState, RunOver>;

impl AutomationRunState {
    pub fn begin(now: Timestamp) -> Self {
        Self::Running {
            deadline: now.plus(AUTOMATION_RUN_LIFE),
        }
    }

    pub const fn status(&self) -> AutomationRunStatus {
        match self {
            Self::Running { .. } => AutomationRunStatus::Running,
            Self::Completed { completion, .. } => match completion.outcome {
                AutomationOutcome::Succeeded => AutomationRunStatus::Succeeded,
                AutomationOutcome::Failed => AutomationRunStatus::Failed,
                AutomationOutcome::NeedsHuman => AutomationRunStatus::NeedsHuman,
            },
            Self::Lost { .. } => AutomationRunStatus::Failed,
            Self::TimedOut { .. } => AutomationRunStatus::TimedOut,
        }
    }

    pub fn complete(self, ended_at: Timestamp, completion: Completion) -> Moved {
        self.running()?;
        Ok(Self::Completed {
            ended_at,
            completion,
        })
    }

    /// Ends a run whose session ended without a report.
    pub fn lose(self, ended_at: Timestamp, reason: &str) -> Moved {
        self.running()?;
        Ok(Self::Lost {
            ended_at,
            reason: bounded(reason),
        })
    }

    /// Ends a run that takes too long.
    pub fn time_out(self, ended_at: Timestamp, reason: &str) -> Moved {
        self.running()?;
        Ok(Self::TimedOut {
            ended_at,
            reason: bounded(reason),
        })
    }

    pub const fn ended_at(&self) -> Option<Timestamp> {
        match self {
            Self::Running { .. } => None,
            Self::Completed { ended_at, .. }
            | Self::Lost { ended_at, .. }
            | Self::TimedOut { ended_at, .. } => Some(*ended_at),
        }
    }

    pub const fn completion(&self) -> Option<&Completion> {
        match self {
            Self::Completed { completion, .. } => Some(completion),
            Self::Running { .. } | Self::Lost { .. } | Self::TimedOut { .. } => None,
        }
    }

    /// Why it ended, where its agent did not report.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Lost { reason, .. } | Self::TimedOut { reason, .. } => Some(reason),
            Self::Running { .. } | Self::Completed { .. } => None,
        }
    }

    const fn running(&self) -> Result<(), RunOver> {
        match self {
            Self::Running { .. } => Ok(()),
            other => Err(RunOver(other.status())),
        }
    }
}

fn bounded(reason: &str) -> String {
    let kept = reason.chars().filter(|c| !c.is_control());
    kept.take(REASON_LENGTH_MAX).collect()
}

impl AutomationRun {
    /// The id under which the agent has to complete the run.
    pub fn completion_id(id: AutomationRunId) -> String {
        format!("run:{id}:completion:v1")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completion(outcome: AutomationOutcome) -> Completion {
        Completion {
            id: "c1".to_owned(),
            outcome,
            summary_markdown: None,
            citations: Vec::new(),
            diff_ref: None,
            test_report_ref: None,
            side_effect_refs: Vec::new(),
        }
    }

    #[test]
    fn every_state_and_move() {
        let now = Timestamp::from_micros(1_000_000).unwrap();
        let running = AutomationRunState::begin(now);
        assert_eq!(running.status(), AutomationRunStatus::Running);
        assert_eq!(running.ended_at(), None);
        let mut ended = Vec::new();
        for outcome in AutomationOutcome::ALL {
            let state = running.clone().complete(now, completion(*outcome)).unwrap();
            assert_eq!(state.status().as_str(), outcome.as_str());
            assert_eq!((state.reason(), state.completion().is_some()), (None, true));
            ended.push(state);
        }
        let lost = running.clone().lose(now, "gone\n").unwrap();
        assert_eq!(
            (lost.status().as_str(), lost.reason()),
            ("failed", Some("gone"))
        );
        let late = running.time_out(now, "late").unwrap();
        assert_eq!(
            (late.status().as_str(), late.reason()),
            ("timed_out", Some("late"))
        );
        ended.extend([lost, late]);
        for state in ended {
            let over = RunOver(state.status());
            assert_eq!(state.ended_at(), Some(now));
            let again = completion(AutomationOutcome::Succeeded);
            assert_eq!(state.clone().complete(now, again), Err(over));
            assert_eq!(state.clone().lose(now, ""), Err(over));
            assert_eq!(state.time_out(now, ""), Err(over));
        }
    }

    #[test]
    fn a_completion_is_what_it_says() {
        let plain = completion(AutomationOutcome::Succeeded);
        let mut same = plain.clone();
        same.id = "another".to_owned();
        same.summary_markdown = Some(String::new());
        assert_eq!(plain.sha256(), same.sha256());
        let mut others = vec![completion(AutomationOutcome::Failed)];
        for change in [
            |c: &mut Completion| c.summary_markdown = Some("x".to_owned()),
            |c: &mut Completion| c.diff_ref = Some("x".to_owned()),
            |c: &mut Completion| c.test_report_ref = Some("x".to_owned()),
            |c: &mut Completion| c.citations = vec!["x".to_owned()],
            |c: &mut Completion| c.side_effect_refs = vec!["x".to_owned()],
        ] {
            let mut other = plain.clone();
            change(&mut other);
            others.push(other);
        }
        let distinct: std::collections::BTreeSet<_> = others
            .iter()
            .map(|c| c.sha256().as_str().to_owned())
            .collect();
        assert_eq!(distinct.len(), others.len());
        assert!(!distinct.contains(plain.sha256().as_str()));
    }
}
