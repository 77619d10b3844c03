//! The steps of a boot.

use std::{path::PathBuf, sync::Arc, time::Duration};

use agent::{Context, contract, env, install::Installation};
use domain::{
    clock::Clock,
    limits::{
        AGENT_BOOT_LOOK_EVERY, AGENT_BOOT_MAX, AGENT_PORT, BOOT_OUTPUT_LOGGED_BYTES,
        LEFT_OUT_TOLD_MAX, SANDBOX_SETTLE_TIMEOUT,
    },
    secret::is_reserved,
};
use reqwest::Url;
use sandbox::{
    Destination, Env, ExecRequest, Handle, HomePath, ProcessSpec, ProcessState, Provider, Spec,
};
use secrecy::{ExposeSecret as _, SecretString};

use super::{
    error::BootStepError,
    files,
    plan::BootPlan,
    repos,
    timeline::{BootTimeline, Step},
};
use crate::opencode::{AgentClient, AgentError, Transport};

/// The agent's process in its sandbox.
pub(crate) const AGENT: &str = "agent";

/// What every boot of this process shares.
#[derive(Debug, Clone)]
pub struct Machine {
    pub provider: Arc<dyn Provider>,
    pub installation: Installation,
    /// The `proliferate` of the agent, if it was built.
    pub helper: Option<PathBuf>,
    /// The address of the gateway for sandboxes, which also serves the model.
    pub gateway: Destination,
    pub clock: Arc<dyn Clock>,
    /// Carries requests to agents, where that is not the network.
    pub transport: Option<Arc<dyn Transport>>,
}

/// An agent that answers.
#[derive(Debug, Clone)]
pub struct RunningAgent {
    pub handle: Handle,
    pub client: AgentClient,
    pub timeline: BootTimeline,
    /// Notes for clients about the boot.
    pub notes: Vec<String>,
}

impl Machine {
    /// Returns the URL of the gateway inside a sandbox.
    pub fn gateway_url(&self) -> String {
        format!("http://{}", self.provider.address_inside(&self.gateway))
    }

    /// Returns a client of the agent's server at an address of the provider.
    pub fn client(
        &self,
        base: Url,
        password: Option<SecretString>,
    ) -> Result<AgentClient, AgentError> {
        match &self.transport {
            Some(transport) => AgentClient::over(Arc::clone(transport), base, password),
            None => AgentClient::new(base, password),
        }
    }

    /// Boots an agent in a new sandbox. Calls `on_step` when a step is done.
    pub async fn boot(
        &self,
        plan: BootPlan,
        on_step: impl Fn(Step, Duration) + Send + Sync,
    ) -> Result<RunningAgent, BootStepError> {
        let since = self.clock.monotonic();
        let handle = self.create(&plan).await?;
        self.boot_in(handle, plan, since, on_step).await
    }

    /// Does the same in a sandbox that was created for it, since `since`. Destroys the sandbox if that fails.
    pub async fn boot_in(
        &self,
        handle: Handle,
        plan: BootPlan,
        since: Duration,
        on_step: impl Fn(Step, Duration) + Send + Sync,
    ) -> Result<RunningAgent, BootStepError> {
        let mut boot = Boot {
            machine: self,
            on_step: &on_step,
            timeline: BootTimeline::default(),
            since,
            notes: left_out_note(&plan).into_iter().collect(),
        };
        boot.report_done(Step::Sandbox);
        match boot.boot_agent(&handle, plan).await {
            Ok(client) => Ok(RunningAgent {
                handle,
                client,
                timeline: boot.timeline,
                notes: boot.notes,
            }),
            Err(error) => {
                if let Err(error) = self.provider.destroy(&handle).await {
                    tracing::error!(%error, "a sandbox that did not come up was not removed");
                }
                Err(error)
            }
        }
    }

    /// Creates the sandbox of a boot. Nothing runs in it yet.
    pub async fn create(&self, plan: &BootPlan) -> Result<Handle, BootStepError> {
        self.installation.check()?;
        let step = BootStepError::of(Step::Sandbox);
        self.make(plan).await.map_err(step)
    }

    async fn make(&self, plan: &BootPlan) -> sandbox::Result<Handle> {
        let mut spec = Spec::new(plan.agent.session_id.to_string(), plan.incarnation);
        spec.origin = plan.origin.clone();
        spec.template = files::template(&self.installation, self.helper.as_deref())?;
        spec.env = environment(plan, &self.gateway_url())?;
        spec.destinations = vec![self.gateway.clone()];
        spec.limits = plan.limits;
        spec.expires_at = plan.expires_at;
        self.provider.create(spec).await
    }
}

/// Returns the variables that users set, overridden by those of the gateway. A reserved name that was stored before it was
/// reserved is left out: the gateway does not set all of them in every boot, so that the stored value would stand.
fn environment(plan: &BootPlan, gateway: &str) -> sandbox::Result<Env> {
    let mut all = Env::default();
    for (name, value) in &plan.environment {
        if !is_reserved(name) {
            all.set(name, value.expose_secret())?;
        }
    }
    for (name, value) in repos::variables(gateway, plan.agent.session_id, &plan.repos) {
        all.set(&name, value)?;
    }
    for (name, value) in env::variables(&plan.agent, &plan.secrets) {
        all.set(name, value)?;
    }
    Ok(all)
}

/// Returns a note about the users' variables that are left out.
fn left_out_note(plan: &BootPlan) -> Option<String> {
    let names: Vec<&str> = plan
        .environment
        .keys()
        .map(String::as_str)
        .filter(|name| is_reserved(name))
        .collect();
    if names.is_empty() {
        return None;
    }
    let shown = &names[..names.len().min(LEFT_OUT_TOLD_MAX)];
    let more = match names.len() - shown.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!(
        "Secrets were left out, because the gateway sets variables of these names itself: {}{more}. Delete them, or \
         store the values under other names.",
        shown.join(", ")
    ))
}

/// Makes the agent load what its first prompt needs, in the background. A prompt that comes sooner loads the same.
fn prewarm(client: &AgentClient) {
    let client = client.clone();
    tokio::spawn(async move {
        if let Err(error) = client.prewarm().await {
            tracing::debug!(%error, "an agent loads what it needs with its first prompt");
        }
    });
}

/// An agent that was just started knows its password. Where sandboxes share this machine's ports, another program may
/// have taken the one that was free; the next boot chooses another.
fn readiness_failure(error: AgentError) -> BootStepError {
    if !matches!(error, AgentError::Refused { status: 401, .. }) {
        return error.into();
    }
    tracing::warn!(%error, "another program listens where the agent was to listen");
    BootStepError::Failed {
        step: Step::Ready,
        reason: "another program listens at the agent's address".to_owned(),
    }
}

/// Returns the end of what a program wrote, where its last error is. A program of a sandbox can write any amount.
fn output_end(output: &[u8]) -> String {
    let from = output.len().saturating_sub(BOOT_OUTPUT_LOGGED_BYTES);
    String::from_utf8_lossy(&output[from..]).into_owned()
}

pub(super) struct Boot<'a> {
    pub(super) machine: &'a Machine,
    on_step: &'a (dyn Fn(Step, Duration) + Send + Sync),
    timeline: BootTimeline,
    since: Duration,
    pub(super) notes: Vec<String>,
}

impl Boot<'_> {
    fn report_done(&mut self, step: Step) {
        let now = self.machine.clock.monotonic();
        let took = now.saturating_sub(self.since);
        self.since = now;
        self.timeline.took(step, took);
        (self.on_step)(step, took);
    }

    async fn boot_agent(
        &mut self,
        handle: &Handle,
        plan: BootPlan,
    ) -> Result<AgentClient, BootStepError> {
        for repo in &plan.repos {
            self.check_out(handle, repo).await?;
        }
        self.report_done(Step::Repositories);
        let endpoint = self.machine.provider.endpoint(handle, AGENT_PORT).await;
        let endpoint = endpoint.map_err(BootStepError::of(Step::Files))?;
        let mut context = plan.agent;
        context.listen.hostname = endpoint.listen.ip().to_string();
        context.listen.port = endpoint.listen.port();
        if plan.has_foreign_conversation {
            let step = || BootStepError::of(Step::Files);
            let paths = files::foreign_conversation(&context).map_err(step())?;
            let provider = &self.machine.provider;
            provider.remove(handle, paths).await.map_err(step())?;
        }
        self.prepare_workspace(handle, &context).await?;
        self.write_env_files(handle, &plan.env_files).await?;
        self.report_done(Step::Files);
        let daemon = self.start_daemon(handle).await?;
        self.start_agent(handle, &context, &plan.secrets, daemon.as_deref())
            .await?;
        self.report_done(Step::Agent);
        let base = format!("http://{}", endpoint.address);
        let base = base.parse().map_err(|_| BootStepError::Failed {
            step: Step::Ready,
            reason: "the agent's address is none".to_owned(),
        })?;
        let client = self.machine.client(base, plan.secrets.server_password)?;
        let services = self.start_services(handle, daemon.as_deref(), &plan.services);
        let ready = async {
            let ready = self.wait_ready(handle, &client).await;
            ready.inspect(|()| prewarm(&client))
        };
        let (ready, note) = tokio::join!(ready, services);
        ready?;
        self.notes.extend(note);
        self.report_done(Step::Ready);
        Ok(client)
    }

    async fn prepare_workspace(
        &self,
        handle: &Handle,
        context: &Context,
    ) -> Result<(), BootStepError> {
        let provider = &self.machine.provider;
        let step = || BootStepError::of(Step::Files);
        let stale = files::stale_paths(context).map_err(step())?;
        provider.remove(handle, stale).await.map_err(step())?;
        let written = files::session_files(context).map_err(step())?;
        provider.write(handle, written).await.map_err(step())?;
        let mut request = ExecRequest::shell(files::workspace_script(context));
        request.timeout = SANDBOX_SETTLE_TIMEOUT;
        let reason = "the workspace could not be prepared";
        self.run(handle, Step::Files, request, reason).await
    }

    async fn run(
        &self,
        handle: &Handle,
        step: Step,
        request: ExecRequest,
        reason: &'static str,
    ) -> Result<(), BootStepError> {
        let ended = self.machine.provider.exec(handle, request).await;
        let ended = ended.map_err(BootStepError::of(step))?;
        if ended.is_success() {
            return Ok(());
        }
        let (exit, said) = (ended.exit, output_end(&ended.stderr.bytes));
        tracing::warn!(%step, ?exit, said, "{reason}");
        let reason = reason.to_owned();
        Err(BootStepError::Failed { step, reason })
    }

    /// Starts the agent's process. Its environment contains the address to listen on, which the sandbox was created without.
    async fn start_agent(
        &self,
        handle: &Handle,
        context: &Context,
        secrets: &env::Secrets,
        daemon: Option<&str>,
    ) -> Result<(), BootStepError> {
        let step = BootStepError::of(Step::Agent);
        let mut process = ProcessSpec::new(AGENT, contract::command(context));
        process.env = Env::of(env::variables(context, secrets)).map_err(&step)?;
        if let Some(daemon) = daemon {
            process.env.set(env::DAEMON_URL, daemon).map_err(&step)?;
        }
        process.cwd = HomePath::new(&context.layout.repo).map_err(&step)?;
        self.machine
            .provider
            .start(handle, process)
            .await
            .map_err(&step)
    }

    /// Waits until the agent answers, or its process has ended. Both are polled concurrently: a container takes longer to
    /// report the state of a process than one request to the agent.
    async fn wait_ready(&self, handle: &Handle, client: &AgentClient) -> Result<(), BootStepError> {
        tokio::select! {
            biased;
            ready = client.wait_ready(AGENT_BOOT_MAX) => ready.map(drop).map_err(readiness_failure),
            ended = self.wait_ended(handle) => Err(ended),
        }
    }

    async fn wait_ended(&self, handle: &Handle) -> BootStepError {
        let provider = &self.machine.provider;
        loop {
            tokio::time::sleep(AGENT_BOOT_LOOK_EVERY).await;
            let state = provider.process(handle, AGENT).await;
            let Ok(ProcessState::Exited { code }) = state else {
                continue;
            };
            let log = provider.log(handle, AGENT, 0).await;
            let said = log.map(|log| output_end(&log.bytes));
            tracing::warn!(?code, ?said, "the agent ended while it started");
            return BootStepError::Failed {
                step: Step::Ready,
                reason: "the agent ended while it started".to_owned(),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_what_a_program_wrote_the_log_has_the_end() {
        let output = [vec![b'x'; 1024 * 1024], b"no such file".to_vec()].concat();
        let shown = output_end(&output);
        assert!(shown.ends_with("no such file"));
        assert_eq!(shown.len(), BOOT_OUTPUT_LOGGED_BYTES);
        assert_eq!(output_end(b"short"), "short");
    }
}
