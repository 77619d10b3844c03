//! The plan of a boot, and the stages that clients are shown while it runs.

use std::time::Duration;

use agent::{Context, Layout, Mode, env::Secrets, models, prompt};
use app::sessions::environment;
use domain::{audit::Sha256Hex, session::Session};
use sandbox::Limits;
use secrecy::{ExposeSecret as _, SecretString};
use wire::live::BootStage;

use super::{
    failure::{retry_later, step_failed},
    origin::SandboxOrigin,
    record::SandboxRecord,
};
use crate::{
    opencode::{AgentClient, PromptModel},
    runtime::{BootPlan, BootStepError, LazyMachine, Machine, RunningAgent, Step},
    session::{BootError, BootStages, BootedAgent},
};

impl SandboxRecord {
    /// Plans a boot for the session's current incarnation, which its tokens and passwords are derived from.
    pub(crate) async fn plan_boot(
        &self,
        machine: &Machine,
        lazy_machine: &LazyMachine,
        session: &Session,
        origin: SandboxOrigin,
    ) -> Result<BootPlan, BootError> {
        let app = &self.app;
        let environment = environment(app, session).await.map_err(|error| {
            tracing::warn!(%error, "cannot read the environment of a session");
            retry_later("the session's environment cannot be read now")
        })?;
        let lifetime = lazy_machine.lifetime();
        Ok(BootPlan {
            agent: agent_context(machine, session),
            incarnation: session.incarnation,
            secrets: Secrets {
                token: app.tokens.mint_sandbox(session),
                model_key: app.tokens.mint_model(session),
                server_password: Some(self.agent_password(session)),
            },
            environment: environment.variables,
            has_foreign_conversation: origin.has_foreign_conversation(session),
            services: origin.services(),
            env_files: origin.env_files(),
            repos: origin.repos,
            origin: origin.origin,
            limits: Limits::default(),
            expires_at: lifetime.map(|lifetime| app.now().plus(lifetime)),
        })
    }

    /// Derives the password of the agent's server from the token of the boot, so that another instance knows it too.
    pub(super) fn agent_password(&self, session: &Session) -> SecretString {
        let token = self.app.tokens.mint_sandbox(session);
        let text = format!("agent-server:{}", token.expose_secret());
        Sha256Hex::of(text.as_bytes()).as_str().to_owned().into()
    }
}

type StepCallback = Box<dyn Fn(Step, Duration) + Send + Sync>;

/// Runs a boot, and reports the stage that begins when a step is done.
pub(crate) async fn boot_with_stages<F>(
    stages: &BootStages,
    boot: impl FnOnce(StepCallback) -> F,
) -> Result<RunningAgent, BootError>
where
    F: Future<Output = Result<RunningAgent, BootStepError>>,
{
    let (sender, mut steps) = tokio::sync::mpsc::unbounded_channel();
    let on_step: StepCallback = Box::new(move |step: Step, _| _ = sender.send(step));
    let reporting = async {
        while let Some(step) = steps.recv().await {
            if let Some(stage) = stage_after(step) {
                stages.begin(stage).await;
            }
        }
    };
    let (running, ()) = tokio::join!(boot(on_step), reporting);
    running.map_err(|error| step_failed(&error))
}

/// Returns what the agent of this session is configured with.
pub(super) fn agent_context(machine: &Machine, session: &Session) -> Context {
    let gateway = machine.gateway_url();
    let model = format!("{gateway}/llm/anthropic/v1");
    let mode = Mode::of(session.session_type, session.client_type);
    let mut context = Context::new(session.id, mode, &gateway, &model);
    context.model = session.agent_config.model;
    context.system_prompt.clone_from(&session.system_prompt);
    context.layout = Layout::with_repo(".");
    context
}

/// Returns the stage that begins when a step is done.
fn stage_after(step: Step) -> Option<BootStage> {
    match step {
        Step::Sandbox => Some(BootStage::Repo),
        Step::Repositories => Some(BootStage::Files),
        Step::Files => Some(BootStage::Agent),
        Step::Agent | Step::Ready => None,
    }
}

/// Describes an agent that answers, for the session's loop.
pub(crate) fn booted_agent(
    client: AgentClient,
    agent_session: String,
    context: &Context,
) -> BootedAgent {
    BootedAgent {
        client,
        agent_session,
        model: PromptModel {
            provider: models::PROVIDER.to_owned(),
            model: models::request_id(context.model).to_owned(),
        },
        system: Some(prompt::system(context)),
    }
}

/// Returns the title that the agent is told.
pub(crate) fn session_title(session: &Session) -> String {
    session
        .title
        .clone()
        .unwrap_or_else(|| "A session".to_owned())
}
