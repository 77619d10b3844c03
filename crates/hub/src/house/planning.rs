//! What a boot of a session's sandbox is made of, and how far it is told to be.

use std::time::Duration;

use agent::{Context, Layout, Mode, env::Secrets, models, prompt};
use app::sessions::environment;
use domain::{audit::Sha256Hex, session::Session};
use sandbox::Limits;
use secrecy::{ExposeSecret as _, SecretString};
use wire::live::BootStage;

use super::{
    beginning::Beginning,
    failure::{booting, later},
    runtime::SessionRuntime,
};
use crate::{
    opencode::{Client, PromptModel},
    runtime::{BootError as Failed, Machine, Plan, Running, Step},
    session::{BootError, Booted, Stages},
};

impl SessionRuntime {
    /// For the incarnation that the session has, which tokens and passwords follow from.
    pub(super) async fn plan(
        &self,
        machine: &Machine,
        session: &Session,
        beginning: Beginning,
    ) -> Result<Plan, BootError> {
        let app = &self.0.app;
        let environment = environment(app, session).await.map_err(|error| {
            tracing::warn!(%error, "the environment of a session cannot be read");
            later("the session's environment cannot be read now")
        })?;
        let lifetime = self.0.workshop.lifetime();
        Ok(Plan {
            agent: context(machine, session),
            incarnation: session.incarnation,
            secrets: Secrets {
                token: app.tokens.mint_sandbox(session),
                model_key: app.tokens.mint_model(session),
                server_password: Some(self.password(session)),
            },
            environment: environment.variables,
            is_of_another: beginning.is_of_another(session),
            services: beginning.services(),
            env_files: beginning.env_files(),
            repos: beginning.repos,
            origin: beginning.origin,
            limits: Limits::default(),
            expires_at: lifetime.map(|lifetime| app.now().plus(lifetime)),
        })
    }

    /// Of the agent's server. Follows from the token of the boot, so that another process knows it too.
    pub(super) fn password(&self, session: &Session) -> SecretString {
        let token = self.0.app.tokens.mint_sandbox(session);
        let text = format!("agent-server:{}", token.expose_secret());
        Sha256Hex::of(text.as_bytes()).as_str().to_owned().into()
    }
}

type Told = Box<dyn Fn(Step, Duration) + Send + Sync>;

/// Tells stages as steps of a boot are done.
pub(super) async fn telling<F>(
    stages: &Stages,
    boot: impl FnOnce(Told) -> F,
) -> Result<Running, BootError>
where
    F: Future<Output = Result<Running, Failed>>,
{
    let (sender, mut steps) = tokio::sync::mpsc::unbounded_channel();
    let told: Told = Box::new(move |step: Step, _| _ = sender.send(step));
    let telling = async {
        while let Some(step) = steps.recv().await {
            if let Some(stage) = after(step) {
                stages.begin(stage).await;
            }
        }
    };
    let (running, ()) = tokio::join!(boot(told), telling);
    running.map_err(|error| booting(&error))
}

pub(super) fn context(machine: &Machine, session: &Session) -> Context {
    let gateway = machine.gateway_url();
    let model = format!("{gateway}/llm/anthropic/v1");
    let mode = Mode::of(session.session_type, session.client_type);
    let mut context = Context::new(session.id, mode, &gateway, &model);
    context.model = session.agent_config.model;
    context.system_prompt.clone_from(&session.system_prompt);
    context.layout = Layout::with_repo(".");
    context
}

/// What begins when a step is done.
fn after(step: Step) -> Option<BootStage> {
    match step {
        Step::Sandbox => Some(BootStage::Repo),
        Step::Repositories => Some(BootStage::Files),
        Step::Files => Some(BootStage::Agent),
        Step::Agent | Step::Ready => None,
    }
}

pub(super) fn booted(client: Client, agent_session: String, context: &Context) -> Booted {
    Booted {
        client,
        agent_session,
        model: PromptModel {
            provider: models::PROVIDER.to_owned(),
            model: models::request_id(context.model).to_owned(),
        },
        system: Some(prompt::system(context)),
    }
}

pub(super) fn title(session: &Session) -> String {
    session
        .title
        .clone()
        .unwrap_or_else(|| "A session".to_owned())
}
