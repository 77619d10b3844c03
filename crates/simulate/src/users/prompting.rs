//! A user who creates a session and sends prompts to its agent, one after the other.

use std::{collections::BTreeMap, sync::PoisonError, time::Duration};

use app::{
    Error,
    sessions::{CreateSession, create, steer},
};
use domain::{
    id::{IntegrationId, SessionId},
    model::AgentConfig,
    session::{ClientType, ConfigurationChoice, Provisioning, SessionType},
    sharing::Visibility,
};
use hub::{
    opencode::PromptIds,
    session::{HubError, NewPrompt},
};
use serde_json::json;
use tokio::time::sleep;

use super::Users;
use crate::net::Net;

/// Who it is, and how much they have to say.
#[derive(Debug, Clone)]
pub(crate) struct Person {
    pub(crate) name: String,
    pub(crate) prompts: u64,
    pub(crate) integration: IntegrationId,
}

/// Why a prompt was not taken.
enum Refused {
    App(Error),
    Hub(HubError),
}

impl Person {
    /// Makes the session; the same key makes it once.
    pub(crate) async fn arrives(&self, users: &Users) -> SessionId {
        let mut first = None;
        loop {
            let which = users.net.any();
            let insider = users.insider();
            let (name, integration) = (self.name.clone(), self.integration);
            let made = users.net.ask(which, move |app, _| {
                let (insider, command) = (insider.clone(), command(&name, integration));
                async move { create(&app, &insider, command).await }
            });
            if let Some(Ok(created)) = made.await {
                users.ledger.session(&self.name, created.session.id);
                // Sometimes once more, as a client does that heard nothing.
                if first.is_some() || !users.net.rng.chance(300) {
                    return created.session.id;
                }
                first = Some(created.session.id);
            }
            sleep(users.net.rng.millis(10, 1_000)).await;
        }
    }

    /// Says everything there is to say.
    pub(crate) async fn talks(self, users: Users, session: SessionId) {
        for number in 0..self.prompts {
            let text = format!("{}-p{number} says a few words to its agent", self.name);
            say(&users, session, &text).await;
            // Now and then several in a row, and a rest in between.
            let pause = match users.net.rng.below(3) {
                0 => users.net.rng.millis(1, 100),
                1 => users.net.rng.millis(100, 5_000),
                _ => users.net.rng.millis(5_000, 20_000),
            };
            sleep(pause).await;
        }
        users.ledger.mark_done(&self.name);
    }
}

/// Says the last thing of all, when the weather is good again.
pub(crate) async fn last_word(users: Users, session: SessionId, name: String) {
    let text = format!("{name}-last words");
    say(&users, session, &text).await;
    // No request starts the agent: an accepted prompt reaches it, also if it does not come up at once.
    while !has_begun(&users, session, &text) {
        sleep(Duration::from_millis(200)).await;
    }
    users.ledger.mark_done(&format!("{name}-last"));
}

fn has_begun(users: &Users, session: SessionId, text: &str) -> bool {
    let prompts = users.ledger.prompts(session);
    let taken = prompts.iter().find(|(said, _)| said == text);
    let Some(tail) = taken.and_then(|(_, id)| PromptIds::tail(id)) else {
        return false;
    };
    let begun = users.begun.lock();
    let begun = begun.unwrap_or_else(PoisonError::into_inner);
    let mut begun = begun.iter().filter(|(of, _)| *of == session);
    begun.any(|(_, prompt)| PromptIds::tail(prompt) == Some(tail))
}

/// Until it is taken. The text is the key: the same is said once.
async fn say(users: &Users, session: SessionId, text: &str) {
    let mut which = users.net.any();
    loop {
        let (insider, said) = (users.insider(), text.to_owned());
        let taken = users.net.ask(which, move |app, hub| {
            let (insider, text) = (insider.clone(), said.clone());
            async move {
                let opened = async {
                    let steering = steer(&app, &insider, session).await?;
                    hub.registry.open(&steering).await
                };
                let handle = opened.await.map_err(Refused::App)?;
                let key = Some(format!("client:{text}"));
                let prompt = NewPrompt {
                    text,
                    key,
                    ..NewPrompt::default()
                };
                handle.prompt(prompt).await.map_err(Refused::Hub)
            }
        });
        match taken.await {
            Some(Ok(id)) => return users.ledger.prompt(session, text, &id),
            Some(Err(Refused::App(Error::Elsewhere { url }))) => {
                which = Net::at(&url).unwrap_or_else(|| users.net.any());
                sleep(users.net.rng.millis(1, 20)).await;
            }
            Some(Err(Refused::Hub(error @ (HubError::KeyTaken | HubError::Over)))) => {
                let what = format!("the prompt {text:?} is refused: {error}");
                return users.net.trace.violation(what);
            }
            _ => {
                which = users.net.any();
                sleep(users.net.rng.millis(100, 3_000)).await;
            }
        }
    }
}

fn command(name: &str, integration: IntegrationId) -> CreateSession {
    CreateSession {
        idempotency_key: Some(name.to_owned()),
        request: json!({"title": name}),
        provisioning: Provisioning::Deferred,
        session_type: SessionType::Coding,
        client_type: ClientType::Web,
        client_metadata: None,
        agent_config: AgentConfig::default(),
        configuration: ConfigurationChoice::Scratch,
        visibility: Visibility::Organization,
        people: Vec::new(),
        snapshot_id: None,
        title: Some(name.to_owned()),
        initial_prompt: None,
        system_prompt: None,
        integration_ids: vec![integration],
        env_vars: BTreeMap::new(),
        ssh: None,
        run: None,
    }
}
