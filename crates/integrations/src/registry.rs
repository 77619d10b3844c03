//! Every source, by name. A new one is one folder and one line here.

use std::{sync::Arc, time::Duration};

use domain::{
    clock::Clock,
    limits::{SOURCE_CALL_TIMEOUT, SOURCE_REPLY_BYTES_MAX},
};
use reqwest::Url;
use tools::egress::EgressGuard;

use crate::{
    BuiltInSource,
    github::GitHub,
    linear::Linear,
    sentry::Sentry,
    service::{HttpSource, Service},
    slack::Slack,
};

/// Where the services are. Those of an operator's own (Sentry and GitHub can be) have to be allowed by the
/// egress guard as well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrls {
    pub linear: String,
    pub sentry: String,
    pub slack: String,
    pub github: String,
}

impl Default for BaseUrls {
    fn default() -> Self {
        Self {
            linear: "https://api.linear.app/graphql".into(),
            sentry: "https://sentry.io/api/0".into(),
            slack: "https://slack.com/api".into(),
            github: "https://api.github.com".into(),
        }
    }
}

/// A base address that requests cannot be put below.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the address of {source_name} must be a URL without query and fragment")]
pub struct InvalidBaseUrl {
    pub source_name: &'static str,
}

/// Bounds of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub timeout: Duration,
    pub reply_bytes_max: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            timeout: SOURCE_CALL_TIMEOUT,
            reply_bytes_max: SOURCE_REPLY_BYTES_MAX,
        }
    }
}

/// The sources there are.
#[derive(Debug, Clone)]
pub struct Sources(Vec<Arc<dyn BuiltInSource>>);

impl Sources {
    pub fn new(
        guard: &EgressGuard,
        clock: &Arc<dyn Clock>,
        urls: &BaseUrls,
        limits: Limits,
    ) -> Result<Self, InvalidBaseUrl> {
        Ok(Self(vec![
            source::<Linear>(guard, clock, &urls.linear, limits)?,
            source::<Sentry>(guard, clock, &urls.sentry, limits)?,
            source::<Slack>(guard, clock, &urls.slack, limits)?,
            source::<GitHub>(guard, clock, &urls.github, limits)?,
        ]))
    }

    /// Sources of somebody's own.
    pub fn of(sources: Vec<Arc<dyn BuiltInSource>>) -> Self {
        Self(sources)
    }

    pub fn get(&self, integration: &str) -> Option<&Arc<dyn BuiltInSource>> {
        self.iter()
            .find(|source| source.name() == integration)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn BuiltInSource>> {
        self.0.iter()
    }
}

fn source<S: Service>(
    guard: &EgressGuard,
    clock: &Arc<dyn Clock>,
    base: &str,
    limits: Limits,
) -> Result<Arc<dyn BuiltInSource>, InvalidBaseUrl> {
    let plain = |url: &Url| url.query().is_none() && url.fragment().is_none() && url.has_host();
    let base = Url::parse(base).ok().filter(plain).ok_or(InvalidBaseUrl {
        source_name: S::NAME,
    })?;
    let source = HttpSource::<S>::new(guard.clone(), Arc::clone(clock), base, limits);
    Ok(Arc::new(source))
}
