//! Values that users give for an agent's env request: checked, and stored where they are to be stored. The owner, which
//! has the sandbox, puts them into it.
//!
//! INVARIANT: a value is sealed or handed on; no answer, event or log line has it.

use std::collections::BTreeMap;

use domain::{
    id::SessionId,
    invalid::{Invalid, bounded_text},
    limits::{NOTES_LENGTH_MAX, REQUESTED_KEYS_MAX},
    secret::{SecretScope, validate_key, validate_value},
    session::{InvalidTransition, Session, SessionState, SessionStatus},
    startup_variable,
};
use secrecy::{ExposeSecret as _, SecretString};

use crate::{
    access::{Inside as _, Person, Steering},
    audit,
    context::App,
    error::Result,
    secrets::{NewSecret, SecretPut, replace_all},
};

/// The values that a user gives.
#[derive(Debug)]
pub struct SubmitEnv {
    pub secrets: Vec<SubmittedSecret>,
    /// For the sandbox alone.
    pub env_vars: BTreeMap<String, SecretString>,
    /// Keeps secrets for every session of the configuration, instead of this one alone.
    pub save_to_configuration: bool,
}

#[derive(Debug)]
pub struct SubmittedSecret {
    pub key: String,
    pub value: SecretString,
    pub description: Option<String>,
    /// Whether it is stored for later, too.
    pub persist: bool,
}

/// The values for the sandbox, and what was stored of them.
#[derive(Debug)]
pub struct SubmittedEnv {
    /// For the sandbox.
    pub values: BTreeMap<String, SecretString>,
    pub keys: Vec<SubmittedKey>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmittedKey {
    pub key: String,
    pub persisted: bool,
    /// Its value took the place of another.
    pub already_existed: bool,
}

pub async fn submit_env(
    app: &App,
    person: &Person,
    id: SessionId,
    given: SubmitEnv,
) -> Result<(Steering, SubmittedEnv)> {
    validate(&given, person.is_admin())?;
    let (steering, session) = {
        let mut conn = app.db.read().await?;
        Steering::read(&mut conn, person, id).await?
    };
    if matches!(session.state, SessionState::Stopped { .. }) {
        let (from, verb) = (SessionStatus::Stopped, "take values");
        return Err(InvalidTransition { from, verb }.into());
    }
    let scope = scope(&session, given.save_to_configuration)?;
    let (mut values, mut keys, mut kept) = (given.env_vars, Vec::new(), Vec::new());
    let file_only = |key: &String| SubmittedKey {
        key: key.clone(),
        persisted: false,
        already_existed: false,
    };
    keys.extend(values.keys().map(file_only));
    for secret in given.secrets {
        values.insert(secret.key.clone(), secret.value.clone());
        if !secret.persist {
            keys.push(file_only(&secret.key));
            continue;
        }
        kept.push(NewSecret {
            scope,
            key: secret.key,
            value: secret.value,
            description: secret.description,
        });
    }
    let mut tx = app.db.write().await?;
    let put = replace_all(app, &mut tx, person, scope, &kept).await?;
    let submitted = Some(id.uuid());
    audit::record_operation(&mut tx, app, person, "session_env_submit", submitted).await?;
    tx.commit().await?;
    keys.extend(kept.into_iter().zip(put).map(|(new, put)| SubmittedKey {
        key: new.key,
        persisted: true,
        already_existed: put == SecretPut::Updated,
    }));
    keys.sort_by(|a, b| a.key.cmp(&b.key));
    Ok((steering, SubmittedEnv { values, keys }))
}

fn scope(session: &Session, save_to_configuration: bool) -> Result<SecretScope> {
    match session.configuration_id {
        _ if !save_to_configuration => Ok(SecretScope::Session(session.id)),
        Some(id) => Ok(SecretScope::Configuration(id)),
        None => {
            let message = "the session has no configuration to keep them in";
            Err(Invalid::new("saveToConfiguration", message).into())
        }
    }
}

fn validate(given: &SubmitEnv, is_admin: bool) -> Result<()> {
    let count = given.secrets.len() + given.env_vars.len();
    if !(1..=REQUESTED_KEYS_MAX).contains(&count) {
        let message = format!("and envVars must have 1 to {REQUESTED_KEYS_MAX} entries together");
        return Err(Invalid::new("secrets", message).into());
    }
    for (key, value) in &given.env_vars {
        validate_one(&format!("envVars.{key}"), key, value, is_admin)?;
    }
    for (index, secret) in given.secrets.iter().enumerate() {
        let field = format!("secrets[{index}]");
        let field_of_key = format!("{field}.key");
        validate_one(&field_of_key, &secret.key, &secret.value, is_admin)?;
        let earlier = given.secrets[..index].iter();
        let is_twice = earlier
            .map(|other| &other.key)
            .any(|key| *key == secret.key)
            || given.env_vars.contains_key(&secret.key);
        if is_twice {
            return Err(Invalid::new(format!("{field}.key"), "is given twice").into());
        }
        if let Some(description) = &secret.description {
            let field = format!("{field}.description");
            bounded_text(&field, description, 1, NOTES_LENGTH_MAX)?;
        }
    }
    Ok(())
}

fn validate_one(field: &str, key: &str, value: &SecretString, is_admin: bool) -> Result<()> {
    validate_key(field, key)?;
    startup_variable::refuse(field, key, is_admin)?;
    validate_value(field, value.expose_secret())?;
    Ok(())
}
