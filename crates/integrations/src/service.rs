//! The contract of one HTTP service, and the one way in which all of them are called: permit, action, params, request,
//! reply. A service only describes; it never sends.

use std::{marker::PhantomData, sync::Arc};

use async_trait::async_trait;
use domain::{
    action::Risk,
    clock::{Clock, Timestamp},
    policy::Permit,
    source::SourceDeclaration,
};
use reqwest::{Url, header::HeaderMap};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Map, Value};
use tools::egress::EgressGuard;

use crate::{
    Action, ActionCall, ActionOutput, ActionSource, BuiltInSource, Failure, FailureKind, Param,
    failure::UpstreamFailure,
    http::{CallLimits, Client, Reply, Request, kind_of, retry_after, with_deadline},
    schema::Schema,
    source::permit_mismatch,
};

/// A service with an HTTP interface.
pub(crate) trait Service: Send + Sync + 'static {
    const SOURCE: &'static SourceDeclaration;
    const GUIDE: &'static str;

    fn definitions() -> Vec<ActionDefinition>;

    /// The headers of every request, the credential's among them.
    fn headers(credential: &SecretString) -> Result<HeaderMap, Failure>;

    /// Returns the failure that the reply reports, if it reports one; called for every status.
    fn failure(reply: &Reply, now: Timestamp) -> Option<UpstreamFailure>;
}

/// One action of a service: its listing, its schema, its request and its reply.
pub(crate) struct ActionDefinition {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) risk: Risk,
    pub(crate) schema: Value,
    /// Of params that the schema accepts.
    pub(crate) request: fn(&Params) -> Result<Request, Failure>,
    /// Of a reply without a failure.
    pub(crate) answer: fn(Reply) -> Result<Value, UpstreamFailure>,
}

/// Params that were checked against the schema.
#[derive(Debug)]
pub(crate) struct Params(pub(crate) Map<String, Value>);

impl Params {
    /// JSON Schema takes `1.0` for a whole number; services and their paths do not.
    fn new(checked: Map<String, Value>) -> Self {
        let whole = |value: Value| match value.as_f64() {
            Some(number) if value.is_f64() && number.fract() == 0.0 => {
                let text = format!("{number:.0}");
                text.parse::<i64>().map_or(value, Value::from)
            }
            _ => value,
        };
        let params = checked.into_iter();
        Self(params.map(|(name, value)| (name, whole(value))).collect())
    }

    /// A text that the schema requires.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.0.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// A param as text for a path or a query, where it is given.
    pub(crate) fn word(&self, name: &str) -> Option<String> {
        match self.0.get(name)? {
            Value::String(text) => Some(text.clone()),
            Value::Null => None,
            other => Some(other.to_string()),
        }
    }

    /// Those of these params that are given.
    pub(crate) fn pick(&self, names: &[&str]) -> Value {
        let given = |name: &&str| Some(((*name).to_owned(), self.0.get(*name)?.clone()));
        names.iter().filter_map(given).collect()
    }
}

/// A built-in source that calls an HTTP service.
pub(crate) struct HttpSource<S> {
    actions: Vec<Action>,
    definitions: Vec<ActionDefinition>,
    client: Client,
    clock: Arc<dyn Clock>,
    limits: CallLimits,
    service: PhantomData<S>,
}

impl<S: Service> HttpSource<S> {
    pub(crate) fn new(
        guard: EgressGuard,
        clock: Arc<dyn Clock>,
        base: Url,
        limits: CallLimits,
    ) -> Self {
        let definitions = S::definitions();
        let actions = definitions.iter().map(ActionDefinition::action).collect();
        Self {
            actions,
            definitions,
            client: Client::new(guard, base, limits),
            clock,
            limits,
            service: PhantomData,
        }
    }

    /// Finds the definition of a call and builds its request.
    fn prepare(&self, call: ActionCall) -> Result<(&ActionDefinition, Request), Failure> {
        let known = self.definitions.iter().zip(&self.actions);
        let found = known
            .into_iter()
            .find(|(definition, _)| definition.name == call.action);
        let Some((definition, action)) = found else {
            let message = format!("{} has no such action", S::SOURCE.display_name);
            return Err(Failure::invalid(&message));
        };
        let mismatch = |problem: crate::schema::Mismatch| Failure::invalid(problem.to_string());
        action.schema.check(&call.params).map_err(mismatch)?;
        let request = (definition.request)(&Params::new(call.params))?;
        Ok((definition, request))
    }
}

/// Reads the reply to an action.
fn read_reply<S: Service>(
    definition: &ActionDefinition,
    reply: Reply,
    now: Timestamp,
) -> Result<Value, UpstreamFailure> {
    let after = retry_after(&reply, now);
    let found =
        S::failure(&reply, now).or_else(|| kind_of(reply.status).map(UpstreamFailure::from));
    match found {
        None => (definition.answer)(reply),
        Some(failure) => Err(UpstreamFailure {
            after: after.or(failure.after),
            ..failure
        }),
    }
}

impl<S: Service> BuiltInSource for HttpSource<S> {
    fn name(&self) -> &'static str {
        S::SOURCE.name
    }

    fn display_name(&self) -> &'static str {
        S::SOURCE.display_name
    }

    fn guide(&self) -> &'static str {
        S::GUIDE
    }

    fn actions(&self) -> &[Action] {
        &self.actions
    }
}

#[async_trait]
impl<S: Service> ActionSource for HttpSource<S> {
    async fn execute(
        &self,
        permit: Permit,
        call: ActionCall,
        credential: Option<&SecretString>,
    ) -> Result<ActionOutput, Failure> {
        call.spend(permit)?;
        let risk = call.risk;
        let (definition, request) = self.prepare(call)?;
        // What an action does is defined in this program: a permit for less is a defect of the caller.
        if definition.risk > risk {
            return Err(permit_mismatch());
        }
        let Some(credential) = credential.filter(|it| !it.expose_secret().is_empty()) else {
            let message = "the integration has no credential; connect it again";
            return Err(Failure::never(FailureKind::Unauthorized, message));
        };
        let headers = S::headers(credential)?;
        let sent = self.client.send(request, headers, credential);
        let answered = match with_deadline(self.limits.timeout, sent).await {
            Ok(sent) => sent?,
            Err(late) => Err(late),
        };
        let now = self.clock.now();
        let outcome = answered.and_then(|reply| read_reply::<S>(definition, reply, now));
        outcome
            .map(ActionOutput::structured)
            .map_err(|failure| failure.into_failure(S::SOURCE.display_name, risk))
    }
}

impl<S: Service> std::fmt::Debug for HttpSource<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpSource")
            .field("name", &S::SOURCE.name)
            .field("client", &self.client)
            .finish_non_exhaustive()
    }
}

impl ActionDefinition {
    fn action(&self) -> Action {
        let schema = Schema::read(self.schema.clone());
        Action {
            name: self.name,
            description: self.description,
            risk: self.risk,
            params: Param::of(&self.schema),
            // INVARIANT: the conformance suite builds every source, so a schema of ours that cannot be read
            // does not leave this repository.
            schema: schema.expect("a schema of ours"),
        }
    }
}

#[cfg(test)]
mod tests;
