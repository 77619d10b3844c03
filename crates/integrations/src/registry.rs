//! Every built-in source, by name. A new one is one folder, which `lib.rs` declares, and one line here.

use std::{collections::BTreeMap, sync::Arc};

use domain::{clock::Clock, source::SourceDeclaration};
use reqwest::Url;
use tools::egress::EgressGuard;

use crate::{
    BuiltInSource,
    http::CallLimits,
    service::{HttpSource, Service},
};

/// The sources of this program, in the order to show them in.
const REGISTERED: &[Registration] = &[
    registration::<crate::linear::Linear>(),
    registration::<crate::sentry::Sentry>(),
    registration::<crate::slack::Slack>(),
    registration::<crate::github::GitHub>(),
];

/// A source with the function that makes it.
struct Registration {
    declaration: &'static SourceDeclaration,
    open: OpenSource,
}

type OpenSource = fn(EgressGuard, Arc<dyn Clock>, Url, CallLimits) -> Arc<dyn BuiltInSource>;

const fn registration<S: Service>() -> Registration {
    Registration {
        declaration: S::SOURCE,
        open: open::<S>,
    }
}

fn open<S: Service>(
    guard: EgressGuard,
    clock: Arc<dyn Clock>,
    base: Url,
    limits: CallLimits,
) -> Arc<dyn BuiltInSource> {
    Arc::new(HttpSource::<S>::new(guard, clock, base, limits))
}

/// The declarations of all built-in sources, in the order to show them in.
pub fn declarations() -> impl Iterator<Item = &'static SourceDeclaration> {
    REGISTERED.iter().map(|source| source.declaration)
}

/// The declaration of the source with this name.
pub fn declaration(name: &str) -> Option<&'static SourceDeclaration> {
    declarations().find(|source| source.name == name)
}

/// The base URLs of the services. A self-hosted one (Sentry, GitHub) has to be allowed by the egress guard as well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrls(BTreeMap<&'static str, String>);

/// The public services.
impl Default for BaseUrls {
    fn default() -> Self {
        let public = |source: &SourceDeclaration| (source.name, source.api_url.to_owned());
        Self(declarations().map(public).collect())
    }
}

impl BaseUrls {
    /// With another address for one source; a name without a source changes nothing.
    #[must_use]
    pub fn with(mut self, source: &str, url: impl Into<String>) -> Self {
        if let Some(known) = self.0.get_mut(source) {
            *known = url.into();
        }
        self
    }

    /// The address of a source; empty for a name without one.
    pub fn of(&self, source: &str) -> &str {
        self.0.get(source).map_or("", String::as_str)
    }
}

/// A base URL that cannot have paths below it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the address of {source_name} must be a URL without query and fragment")]
pub struct InvalidBaseUrl {
    pub source_name: &'static str,
}

/// The built-in sources of a process.
#[derive(Debug, Clone)]
pub struct Sources(Vec<Arc<dyn BuiltInSource>>);

impl Sources {
    pub fn new(
        guard: &EgressGuard,
        clock: &Arc<dyn Clock>,
        urls: &BaseUrls,
        limits: CallLimits,
    ) -> Result<Self, InvalidBaseUrl> {
        let open = |source: &Registration| {
            let name = source.declaration.name;
            let base = base_url(urls.of(name)).ok_or(InvalidBaseUrl { source_name: name })?;
            Ok((source.open)(
                guard.clone(),
                Arc::clone(clock),
                base,
                limits,
            ))
        };
        Ok(Self(REGISTERED.iter().map(open).collect::<Result<_, _>>()?))
    }

    /// Other sources than those of this program.
    pub fn of(sources: Vec<Arc<dyn BuiltInSource>>) -> Self {
        Self(sources)
    }

    pub fn get(&self, name: &str) -> Option<&Arc<dyn BuiltInSource>> {
        self.iter().find(|source| source.name() == name)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn BuiltInSource>> {
        self.0.iter()
    }
}

fn base_url(text: &str) -> Option<Url> {
    let is_plain = |url: &Url| url.query().is_none() && url.fragment().is_none() && url.has_host();
    Url::parse(text).ok().filter(is_plain)
}
