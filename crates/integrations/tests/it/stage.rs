//! A source with the stand-in it talks to, and a good call of every action.

use std::{sync::Arc, time::Duration};

use domain::{action::Risk, clock::Clock};
use integrations::{Action, ActionCall, BaseUrls, BuiltInSource, CallLimits, Failure, Sources};
use serde_json::{Value, json};
use testkit::{
    clock::FakeClock,
    permit::permit,
    standin::{self, Standin},
};
use tools::egress::{AllowedHost, EgressGuard, SystemResolver};

pub(crate) const NAMES: [&str; 4] = ["linear", "sentry", "slack", "github"];

pub(crate) struct Stage {
    pub(crate) standin: Standin,
    pub(crate) source: Arc<dyn BuiltInSource>,
}

/// Every source at an address.
pub(crate) fn sources_at(address: &str, allowed: &[AllowedHost], limits: CallLimits) -> Sources {
    let urls = NAMES
        .into_iter()
        .fold(BaseUrls::default(), |urls, name| urls.with(name, address));
    let guard = EgressGuard::new(Arc::new(SystemResolver), allowed.iter().cloned());
    // 2026-01-01T00:00:00Z, and it stays that.
    let clock: Arc<dyn Clock> = Arc::new(FakeClock::new());
    Sources::new(&guard, &clock, &urls, limits).unwrap()
}

impl Stage {
    pub(crate) async fn of(name: &str) -> Self {
        // Small, so that passing it is quick.
        let limits = CallLimits {
            reply_bytes_max: 64 * 1024,
            ..CallLimits::default()
        };
        Self::with_limits(name, limits).await
    }

    pub(crate) async fn impatient(name: &str) -> Self {
        let limits = CallLimits {
            timeout: Duration::from_millis(250),
            ..CallLimits::default()
        };
        Self::with_limits(name, limits).await
    }

    async fn with_limits(name: &str, limits: CallLimits) -> Self {
        let standin = match name {
            "linear" => standin::linear::start().await,
            "sentry" => standin::sentry::start().await,
            "slack" => standin::slack::start().await,
            "github" => standin::github::start().await,
            name => panic!("no stand-in for {name}"),
        };
        let allowed = standin.address.to_string().parse().unwrap();
        let sources = sources_at(&standin.base_url, &[allowed], limits);
        let source = Arc::clone(sources.get(name).unwrap());
        Self { standin, source }
    }

    pub(crate) fn action(&self, name: &str) -> &Action {
        self.source.action(name).unwrap()
    }

    pub(crate) async fn run(&self, action: &str, params: Value) -> Result<Value, Failure> {
        let outcome = self.run_as(self.standin.token, action, params).await;
        self.assert_clean(self.standin.token, &outcome);
        outcome
    }

    pub(crate) async fn run_as(
        &self,
        credential: &str,
        action: &str,
        params: Value,
    ) -> Result<Value, Failure> {
        execute(&*self.source, credential, action, params).await
    }

    /// Nothing that comes back holds the credential.
    fn assert_clean(&self, credential: &str, outcome: &Result<Value, Failure>) {
        let told = match outcome {
            Ok(value) => value.to_string(),
            Err(failure) => format!("{failure} {failure:?} {}", failure.message()),
        };
        assert!(!told.contains(credential), "{told}");
        assert!(!format!("{:?}", self.source).contains(credential));
    }
}

pub(crate) async fn execute(
    source: &dyn BuiltInSource,
    credential: &str,
    action: &str,
    params: Value,
) -> Result<Value, Failure> {
    let Value::Object(params) = params else {
        panic!("params are an object");
    };
    let risk = source
        .action(action)
        .map_or(Risk::Read, |action| action.risk);
    let permit = permit(&risk.operation().parse().unwrap());
    let call = ActionCall {
        action: action.to_owned(),
        params,
        risk,
        case_id: None,
    };
    let credential = credential.into();
    let output = source.execute(permit, call, Some(&credential)).await?;
    assert!(output.parts.is_empty(), "{output:?}");
    Ok(output.value())
}

/// A good call of an action.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    pub(crate) source: &'static str,
    pub(crate) action: &'static str,
    pub(crate) params: Value,
}

impl Sample {
    pub(crate) async fn run(&self, stage: &Stage) -> Result<Value, Failure> {
        stage.run(self.action, self.params.clone()).await
    }

    pub(crate) fn changes(&self, stage: &Stage) -> bool {
        stage.action(self.action).risk != Risk::Read
    }
}

/// Those of one source; what takes something away comes last.
pub(crate) fn samples_of(source: &str) -> Vec<Sample> {
    let samples = samples().into_iter();
    samples.filter(|sample| sample.source == source).collect()
}

/// One for every action there is.
#[rustfmt::skip]
pub(crate) fn samples() -> Vec<Sample> {
    use standin::{github::*, linear::TEAM, sentry::*, slack::*};
    let repo = |more: Value| {
        let mut params = json!({"owner": OWNER, "repo": REPO});
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        params
    };
    [
        ("linear", "list_issues", json!({"teamId": TEAM, "first": 10})),
        ("linear", "search_issues", json!({"term": "safari"})),
        ("linear", "get_issue", json!({"issueId": "ENG-1"})),
        ("linear", "list_teams", json!({})),
        ("linear", "create_issue", json!({"teamId": TEAM, "title": "New", "priority": 2, "labelIds": ["l"]})),
        ("linear", "update_issue", json!({"issueId": "ENG-1", "title": "Other", "assigneeId": null})),
        ("linear", "add_comment", json!({"issueId": "issue-1", "body": "Seen."})),
        ("linear", "delete_issue", json!({"issueId": "ENG-1"})),
        ("sentry", "list_projects", json!({"organization_slug": ORGANIZATION})),
        ("sentry", "list_issues", json!({"organization_slug": ORGANIZATION, "project_slug": PROJECT, "query": "is:unresolved"})),
        ("sentry", "list_issue_events", json!({"issue_id": ISSUE})),
        ("sentry", "get_issue", json!({"issue_id": ISSUE})),
        ("sentry", "get_event", json!({"issue_id": ISSUE, "event_id": EVENT})),
        ("sentry", "update_issue", json!({"issue_id": ISSUE, "status": "resolved", "assignedTo": "user:7"})),
        ("sentry", "delete_issue", json!({"issue_id": ISSUE})),
        ("slack", "list_channels", json!({"limit": 10})),
        ("slack", "send_message", json!({"channel": CHANNEL, "text": "hello"})),
        ("slack", "delete_message", json!({"channel": CHANNEL, "ts": MESSAGE})),
        ("github", "list_issues", repo(json!({"state": "all"}))),
        ("github", "get_issue", repo(json!({"issue_number": 1}))),
        ("github", "create_issue", repo(json!({"title": "New", "labels": ["bug"]}))),
        ("github", "update_issue", repo(json!({"issue_number": 1, "state": "closed"}))),
        ("github", "add_comment", repo(json!({"issue_number": 1, "body": "Seen."}))),
        ("github", "list_pull_requests", repo(json!({}))),
        ("github", "get_pull_request", repo(json!({"pull_number": 3}))),
        ("github", "create_pull_request", repo(json!({"title": "Fix", "head": BRANCH, "base": "main"}))),
        ("github", "list_checks", repo(json!({"ref": BRANCH}))),
        ("github", "delete_branch", repo(json!({"branch": BRANCH}))),
    ]
    .map(|(source, action, params)| Sample { source, action, params })
    .into()
}
