//! Health endpoints for load balancers and orchestrators: is the process alive, and can it serve?

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The process is alive; its dependencies were not checked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Health {
    pub status: HealthStatus,
}

/// Always `ok`: a process that is not alive does not respond.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HealthStatus {
    #[default]
    Ok,
}

/// Whether everything that requests depend on responds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ready {
    pub status: ReadyStatus,
    pub checks: Vec<ReadyCheck>,
}

/// The summary of all checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReadyStatus {
    Ready,
    NotReady,
}

/// The check of one dependency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadyCheck {
    #[schema(example = "database")]
    pub name: String,
    pub ok: bool,
    /// What failed, in words that reveal nothing confidential.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub detail: Option<String>,
    pub duration_ms: u64,
}

impl Ready {
    /// Ready when every check is.
    pub fn from_checks(checks: Vec<ReadyCheck>) -> Self {
        let status = if checks.iter().all(|check| check.ok) {
            ReadyStatus::Ready
        } else {
            ReadyStatus::NotReady
        };
        Self { status, checks }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{json, to_value};

    use super::*;

    #[test]
    fn one_failing_check_makes_it_not_ready() {
        let check = |name: &str, detail: Option<&str>| ReadyCheck {
            name: name.into(),
            ok: detail.is_none(),
            detail: detail.map(Into::into),
            duration_ms: 3,
        };
        let good = check("database", None);
        assert_eq!(
            Ready::from_checks(vec![good.clone()]).status,
            ReadyStatus::Ready
        );
        let ready = Ready::from_checks(vec![good, check("coordination", Some("no answer"))]);
        assert_eq!(
            to_value(&ready).unwrap(),
            json!({"status": "not_ready", "checks": [
                {"name": "database", "ok": true, "durationMs": 3},
                {"name": "coordination", "ok": false, "detail": "no answer", "durationMs": 3},
            ]})
        );
        assert_eq!(
            to_value(Health::default()).unwrap(),
            json!({"status": "ok"})
        );
    }
}
