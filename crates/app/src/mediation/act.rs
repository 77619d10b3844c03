//! An action as a mediated call.

use std::time::Duration;

use domain::{
    audit::SafeText,
    id::{OrganizationId, RunId, SessionId},
    policy::{InvalidName, LaneId, Operation, Principal},
};
use serde_json::{Map, Value};
use store::InvocationRecord;

use super::{
    ask::Ask,
    attempt::{InSession, Request},
    commit::Begun,
    execute,
};
use crate::{
    context::App,
    error::{Error, Result},
};

/// What policy calls every action; which one it is stands beside it.
const TOOL: &str = "action";

/// An action that somebody wants done, in a session.
#[derive(Debug)]
pub(crate) struct Act {
    pub(crate) organization_id: OrganizationId,
    pub(crate) principal: Principal,
    pub(crate) session_id: SessionId,
    pub(crate) ask: Ask,
    pub(crate) parameters: Map<String, Value>,
    pub(crate) key: Option<String>,
    pub(crate) correlation_id: Option<SafeText<120>>,
}

/// What became of it.
#[derive(Debug)]
pub(crate) enum Acted {
    /// It was done or tried, with the result for whoever asked.
    Ended(Box<InvocationRecord>, Option<Value>),
    /// It takes longer than anybody waits.
    Underway(Box<InvocationRecord>),
    /// A person is asked.
    Held(Box<InvocationRecord>),
    /// Without a record only where there was no room for another question.
    Denied(Option<Box<InvocationRecord>>),
    /// It was asked for before under the same key.
    Repeated(RunId),
}

/// Does it, asks for it or refuses it.
pub(crate) async fn act(app: &App, act: Act, wait: Duration) -> Result<Acted> {
    let request = act.request(app)?;
    Ok(match app.group().begin(app, request).await? {
        Begun::Permitted(admitted) => {
            let record = admitted.acting.record();
            let record = record.ok_or(Error::Internal("a permitted action has no record"))?;
            let ended = execute::start(app, *admitted);
            match tokio::time::timeout(wait, ended).await {
                Ok(Ok(execute::Ended {
                    acted: Some((record, result)),
                    ..
                })) => Acted::Ended(record, result),
                // Still going, or its end could not be written: the record says which, now or later.
                _ => Acted::Underway(record),
            }
        }
        Begun::Held(record) => Acted::Held(record),
        Begun::Denied(_, record) => Acted::Denied(record),
        Begun::Repeated(run) => Acted::Repeated(run.id),
        Begun::KeyConflict => return Err(Error::IdempotencyConflict.recorded()),
    })
}

impl Act {
    fn request(self, app: &App) -> Result<Request> {
        let wrong = |_: InvalidName| Error::Forbidden("the policy has no lane for actions");
        let call = InSession {
            organization_id: self.organization_id,
            principal: self.principal,
            session_id: self.session_id,
            tool_name: TOOL.to_owned(),
            target: format!("{}/{}", self.ask.integration, self.ask.action),
            operation: Operation::new(self.ask.risk.operation()).map_err(wrong)?,
            lane_id: LaneId::new(self.ask.risk.lane()).map_err(wrong)?,
            run_id: self.ask.approved.as_ref().map(|approved| approved.run_id),
            parameters: self.parameters,
            key: self.key,
            correlation_id: self.correlation_id,
        };
        Ok(Request {
            ask: Some(Box::new(self.ask)),
            ..call.request(app)?
        })
    }
}
