//! Which model answers agents: the provider that settings name, or the one that follows a script, which then runs
//! in this process.

use std::{net::Ipv4Addr, path::Path, sync::Arc};

use app::models::{KeyHeader, Models, ModelsSettings, Upstream};
use config::{ModelKeyHeader, ModelSettings, ScriptedModel};
use domain::{clock::random_bytes, limits::SCRIPT_BYTES_MAX, model_usage::Budget};
use model::scripted::{Script, Scripted};
use tokio::{net::TcpListener, task::JoinHandle};

use crate::{context::Context, demo, exit::Exit, failure::Failure};

/// What answers the agents' requests for a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    Provider,
    Scripted,
    NoModel,
}

/// The kind of gateway that is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ServedBy {
    Dev,
    Serve,
}

pub(crate) fn choice(settings: &ModelSettings, served_by: ServedBy) -> Choice {
    match (settings.scripted, settings.has_upstream(), served_by) {
        (ScriptedModel::On, ..) | (ScriptedModel::Auto, false, ServedBy::Dev) => Choice::Scripted,
        (_, true, _) => Choice::Provider,
        (_, false, _) => Choice::NoModel,
    }
}

/// The scripted model at work; ends when this is dropped.
#[derive(Debug)]
pub(crate) struct RunningModel(JoinHandle<()>);

impl Drop for RunningModel {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Returns how models are reached, and the scripted model, which runs as long as it is kept.
pub(crate) async fn start(
    context: &Context,
    settings: &ModelSettings,
    served_by: ServedBy,
) -> Result<(Models, Option<RunningModel>), Failure> {
    let (upstream, running) = match choice(settings, served_by) {
        Choice::Provider => (Some(provider(settings)), None),
        Choice::Scripted => {
            let (upstream, running) = scripted(context, settings.script.as_deref()).await?;
            (Some(upstream), Some(running))
        }
        Choice::NoModel => (None, None),
    };
    if upstream.is_none() {
        tracing::warn!("no model is set up: agents get none; set ANTHROPIC_API_KEY");
    }
    Ok((models(settings, upstream)?, running))
}

/// For a command that sends no requests to a model.
pub(crate) fn none(settings: &ModelSettings) -> Result<Models, Failure> {
    models(settings, None)
}

fn models(settings: &ModelSettings, upstream: Option<Upstream>) -> Result<Models, Failure> {
    let settings = ModelsSettings {
        upstream,
        session_budget: Budget::from(settings.session_budget_micro_usd),
    };
    Models::new(settings)
        .map_err(|error| Failure::caused(Exit::Failed, "no client for models", &error))
}

fn provider(settings: &ModelSettings) -> Upstream {
    Upstream {
        url: settings.upstream_url.as_str().to_owned(),
        key: settings.api_key.clone(),
        key_header: match settings.key_header {
            ModelKeyHeader::XApiKey => KeyHeader::XApiKey,
            ModelKeyHeader::Bearer => KeyHeader::Bearer,
        },
    }
}

/// Starts it on a port of this machine, with a key that only this process has.
async fn scripted(
    context: &Context,
    path: Option<&Path>,
) -> Result<(Upstream, RunningModel), Failure> {
    let script = match path {
        Some(path) => read(path)?,
        None => demo_script()?,
    };
    let entropy = Arc::clone(&context.entropy);
    let key = hex::encode(random_bytes::<32>(&*entropy));
    // Ids must not repeat over a restart: agents keep theirs.
    let seed = u64::from_le_bytes(random_bytes::<8>(&*entropy));
    let model = Scripted::with_key(script, seed, Some(key.clone()));
    let failed = |error: std::io::Error| {
        Failure::caused(Exit::Failed, "the scripted model cannot listen", &error)
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .await
        .map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let serving = tokio::spawn(async move {
        if let Err(error) = model.serve(listener).await {
            tracing::error!(%error, "the scripted model ended");
        }
    });
    let upstream = Upstream {
        url: format!("http://{address}"),
        key: Some(key.into()),
        key_header: KeyHeader::XApiKey,
    };
    Ok((upstream, RunningModel(serving)))
}

/// What the scripted model plays where the settings name no script: the demo, and what prompts say themselves.
fn demo_script() -> Result<Script, Failure> {
    Script::parse(demo::SCENES)
        .map_err(|error| Failure::caused(Exit::Failed, "the demo's scenes are wrong", &error))
}

fn read(path: &Path) -> Result<Script, Failure> {
    let refused = |why: String| {
        let message = format!("the script {} cannot be used: {why}", path.display());
        Failure::new(Exit::Usage, message).hint(
            "`model.script` names it; docs/concepts/scripted-model.md says what one looks like",
        )
    };
    let length = std::fs::metadata(path)
        .map_err(|error| refused(error.to_string()))?
        .len();
    if length > SCRIPT_BYTES_MAX as u64 {
        return Err(refused(format!(
            "it has more than {SCRIPT_BYTES_MAX} bytes"
        )));
    }
    let text = std::fs::read_to_string(path).map_err(|error| refused(error.to_string()))?;
    Script::parse(&text).map_err(|error| refused(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use config::Settings;

    use crate::load::CATALOG;

    #[test]
    fn the_model_follows_from_the_settings() {
        use Choice::{NoModel, Provider, Scripted};
        // `scripted`, key, address, then the model in `dev` and in `serve`.
        let table = [
            ("auto", "", "", Scripted, NoModel),
            ("auto", "k", "", Provider, Provider),
            ("auto", "", "http://litellm:4000", Provider, Provider),
            ("on", "", "", Scripted, Scripted),
            ("on", "k", "", Scripted, Scripted),
            ("off", "", "", NoModel, NoModel),
            ("off", "k", "", Provider, Provider),
        ];
        for (scripted, key, url, dev, serve) in table {
            let env = |name: &str| {
                let value = match name {
                    "HOME" => "/home/ada",
                    "PROLIFERATE_MODEL_SCRIPTED" => scripted,
                    "ANTHROPIC_API_KEY" => key,
                    "PROLIFERATE_MODEL_UPSTREAM_URL" => url,
                    _ => "",
                };
                Some(value.to_owned())
            };
            let sources = config::SettingSources {
                flags: config::Overrides::default(),
                env: &env,
                file: None,
            };
            let settings = Settings::load(&CATALOG, sources).unwrap().model;
            let place = format!("{scripted} {key} {url}");
            assert_eq!(choice(&settings, ServedBy::Dev), dev, "{place}");
            assert_eq!(choice(&settings, ServedBy::Serve), serve, "{place}");
        }
    }
}
