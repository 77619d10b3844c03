//! Executes an allowed call: its inputs are fetched and checked, its executor spends the permit within the deadline,
//! its outputs are stored, and the end is recorded. All of it in a task of its own: the caller may go away.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use domain::{
    artifact::TOOL_ANSWER,
    limits::TOOL_OUTPUTS_MAX,
    policy::{Permit, ScopeKey, ToolSpec},
    run::Run,
};
use futures::FutureExt as _;
use store::InputFact;
use tokio::sync::oneshot;
use tools::{CallScope, Executor, Failure, Output, PermittedCall};

use super::{
    call::{CallKind, MediatedCall},
    decision::{Authorization, CallOutcome},
    files,
    record::{self, Execution, RunningRun},
    run_kind,
    running::RunningCall,
    scratch::Scratch,
};
use crate::context::App;

/// Executes the call, and waits for its end for `wait` at the most: a call that takes longer goes on, and the
/// outcome says how it stands.
pub(super) async fn execute(
    app: &App,
    call: MediatedCall,
    authorization: Authorization,
    wait: Duration,
) -> CallOutcome {
    let invocation = authorization.invocation.clone();
    let begun = CallOutcome::new(authorization.run.clone(), invocation);
    match tokio::time::timeout(wait, start(app, call, authorization)).await {
        Ok(Ok(outcome)) => outcome,
        // It goes on, or its end could not be written: the record says which, now or later.
        _ => begun,
    }
}

/// Starts the execution. The receiver gets the outcome once the end is recorded.
pub(super) fn start(
    app: &App,
    mut call: MediatedCall,
    authorization: Authorization,
) -> oneshot::Receiver<CallOutcome> {
    let (sender, receiver) = oneshot::channel();
    let capacity = call.capacity.take();
    let running = app.running_calls().start(authorization.run.id, capacity);
    let app = app.clone();
    // In a box: a task that begins is moved about ten times.
    tokio::spawn(Box::pin(async move {
        let outcome = drive(&app, call, authorization, &running).await;
        drop(running);
        if let Some(outcome) = outcome {
            // The caller may have gone away.
            _ = sender.send(outcome);
        }
    }));
    receiver
}

/// `None` if the end could not be recorded: the sweep ends the run as unknown.
async fn drive(
    app: &App,
    call: MediatedCall,
    authorization: Authorization,
    running: &RunningCall,
) -> Option<CallOutcome> {
    let Authorization {
        permit,
        run,
        spec,
        policy,
        inputs,
        invocation,
    } = authorization;
    let executor = find_executor(app, &call, &spec);
    let run = RunningRun {
        run,
        policy,
        is_idempotent: spec.idempotent,
        is_session_tool: call.kind.session_tool().is_some(),
        invocation,
    };
    let scratch = Scratch::of(app, run.run.id);
    let scratch = uses_files(&call, &spec, &run.run).then_some(&scratch);
    let timeout = spec.timeout;
    let call = permitted_call(app, call, &run.run, spec, running);
    let work = Box::pin(perform(
        app, executor, permit, call, &run.run, &inputs, scratch,
    ));
    let work = AssertUnwindSafe(work).catch_unwind();
    let cancel = &running.signals.cancel;
    let execution = tokio::select! {
        biased;
        () = cancel.cancelled() => Err(Failure::Cancelled),
        performed = tokio::time::timeout(timeout, work) => match performed {
            Err(_) => Err(Failure::Timeout),
            Ok(Err(_)) => Err(Failure::Tool { reason: "the tool crashed", retryable: false }),
            Ok(Ok(performed)) => performed,
        },
    };
    if let Some(scratch) = scratch {
        scratch.remove().await;
    }
    if matches!(execution, Err(Failure::Cancelled)) && cancel.is_cancelled() {
        // The request that cancelled the run has recorded its end.
        return record::read_again(app, run).await;
    }
    record::record_end(app, run, execution).await
}

/// The executor that is registered for a tool, or that the entry of the call hands in.
fn find_executor(app: &App, call: &MediatedCall, spec: &ToolSpec) -> Option<Arc<dyn Executor>> {
    let registered = match call.kind {
        CallKind::Tool | CallKind::Callback(_) => app.executors.for_spec(spec),
        CallKind::Action(_) | CallKind::Push(_) => None,
    };
    registered.or_else(|| call.executor.clone())
}

/// Whether the call has files at all. An action has none, and neither do most of the gateway's own tools: an answer
/// is no file.
fn uses_files(call: &MediatedCall, spec: &ToolSpec, run: &Run) -> bool {
    let mut produced = spec.produces.iter();
    let leaves_files = produced.any(|kind| kind.as_str() != TOOL_ANSWER);
    call.kind.action().is_none() && (!run.inputs.is_empty() || leaves_files)
}

fn permitted_call(
    app: &App,
    call: MediatedCall,
    run: &Run,
    spec: Arc<ToolSpec>,
    running: &RunningCall,
) -> PermittedCall {
    let scope = &call.request.scope;
    let client_session = scope.get(&ScopeKey::ClientSessionId);
    let override_ticket = scope.get(&ScopeKey::OverrideTicketId);
    PermittedCall {
        scope: CallScope {
            organization_id: run.organization_id.clone(),
            run_id: run.id,
            case_id: run.case_id.clone(),
            session_id: run.session_id,
            client_session_id: client_session.and_then(|id| id.parse().ok()),
            override_ticket_id: override_ticket.and_then(|id| id.parse().ok()),
        },
        spec,
        parameters: call.parameters,
        inputs: Vec::new(),
        scratch: Scratch::of(app, run.id).work(),
        cancel: running.signals.cancel.clone(),
    }
}

/// Fetches the inputs, has the executor spend the permit, and stores the outputs.
async fn perform(
    app: &App,
    executor: Option<Arc<dyn Executor>>,
    permit: Permit,
    mut call: PermittedCall,
    run: &Run,
    inputs: &[InputFact],
    scratch: Option<&Scratch>,
) -> Result<Execution, Failure> {
    let Some(executor) = executor else {
        let hint = "nothing here runs this tool yet".to_owned();
        return Err(Failure::Unavailable { hint });
    };
    if let Some(scratch) = scratch {
        scratch.create().await?;
        call.inputs = files::fetch(app, run, inputs, scratch.path()).await?;
    }
    let spec = Arc::clone(&call.spec);
    let (produced, failure) = match executor.execute(permit, call).await {
        Ok(produced) => (produced, None),
        Err(Failure::Integration(mut failure)) => {
            (std::mem::take(&mut failure.produced), Some(failure))
        }
        Err(failure) => return Err(failure),
    };
    let is_action = run.target.as_ref().is_some_and(run_kind::is_action);
    if is_action && failure.is_none() && produced.reply.is_none() {
        return Err(files::broken("the integration answered nothing"));
    }
    let is_undeclared = |output: &Output| !is_action && !spec.produces.contains(&output.kind);
    let outputs = produced.outputs;
    if outputs.len() > TOOL_OUTPUTS_MAX || outputs.iter().any(is_undeclared) {
        return Err(files::broken(
            "the tool left something it is not registered to leave",
        ));
    }
    let answer = outputs.iter().find_map(Output::answer);
    let mut artifacts = Vec::with_capacity(outputs.len());
    for output in outputs {
        artifacts.push(files::store(app, run, output).await?);
    }
    Ok(Execution {
        artifacts,
        reason: produced.reason,
        answer,
        reply: produced.reply,
        failure,
    })
}
