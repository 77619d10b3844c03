//! The only way a session comes into being, for the API, the command line and automations alike.
//!
//! INVARIANT: one session per organization and idempotency key. The unique index in the database
//! decides; the look before is only there to answer a retry without doing the work again.

use std::collections::BTreeMap;

use domain::{
    caller::Incarnation,
    canonical::canonical_bytes,
    clock::Timestamp,
    id::{IntegrationId, SecretId, SessionId},
    invalid::{Invalid, bounded_count, bounded_text},
    limits,
    model::AgentConfig,
    news::News,
    secret::{Secret, SecretScope, associated_data, validate_key, validate_value},
    session::{ClientType, ConfigurationChoice, Provisioning, Session, SessionState, SessionType},
    sharing::{NamedMember, Visibility},
    startup_variable,
};
use secrecy::{ExposeSecret, SecretString};
use store::{SealedSecret, SessionInsert, Tx};

use super::{
    ProvisionError, check_snapshot,
    provision::provision,
    resolve::{self, ResolvedConfiguration},
};
use crate::{
    access::{Inside as _, Insider},
    admission::{AdmissionKind, AdmissionRequest},
    audit,
    automations::{self, RunToBegin},
    context::App,
    error::{Error, Result},
    json, news, organization_limits, organizations, sharing,
};

/// A request to create a session.
#[derive(Debug)]
pub struct CreateSession {
    pub idempotency_key: Option<String>,
    /// The request as it was sent, to tell a retry from another request under the same key.
    pub request: serde_json::Value,
    pub provisioning: Provisioning,
    pub session_type: SessionType,
    pub client_type: ClientType,
    pub client_metadata: Option<serde_json::Value>,
    pub agent_config: AgentConfig,
    pub configuration: ConfigurationChoice,
    pub visibility: Visibility,
    /// Members who are named for it.
    pub people: Vec<NamedMember>,
    pub snapshot_id: Option<String>,
    pub title: Option<String>,
    pub initial_prompt: Option<String>,
    pub system_prompt: Option<String>,
    pub integration_ids: Vec<IntegrationId>,
    pub env_vars: BTreeMap<String, SecretString>,
    pub ssh: Option<SshOptions>,
    /// The run of an automation that the session is for.
    pub run: Option<RunToBegin>,
}

/// Access by SSH: makes the sandbox at once, since a user is about to log in.
#[derive(Debug)]
pub struct SshOptions {
    pub public_keys: Vec<String>,
}

/// The session of a request to create one.
#[derive(Debug)]
pub struct CreatedSession {
    pub session: Session,
    /// The key had made this session before; nothing was done now.
    pub already_existed: bool,
    pub is_new_configuration: bool,
    /// The session is recorded, its sandbox is not there: the session is `failed` and says why.
    pub provision_error: Option<ProvisionError>,
}

pub async fn create(
    app: &App,
    insider: &Insider,
    command: CreateSession,
) -> Result<CreatedSession> {
    validate(&command, insider.is_admin())?;
    let digest = command
        .idempotency_key
        .as_ref()
        .map(|_| digest(app, insider, &command));
    if let Some(created) = replay(app, insider, &command, digest.as_deref()).await? {
        return Ok(created);
    }
    let now = app.now();
    let id = SessionId::generate(now, &*app.entropy);
    admit(app, insider, id).await?;
    let resolved = resolve::configuration(app, insider, &command.configuration, now).await?;
    check_start(app, insider, &command, &resolved).await?;
    let wanted = command.integration_ids.iter().copied().collect();
    let (integration_ids, warnings) = resolve::integrations(app, insider, wanted).await?;

    let mut tx = app.db.write().await?;
    if provisioning(&command) == Provisioning::Immediate {
        organization_limits::lock_for_start(&mut tx, insider.organization_id()).await?;
    }
    organizations::require_active(&mut tx, insider.organization_id()).await?;
    let resolved = resolve::insert(&mut tx, app, insider, resolved).await?;
    let mut session = draft(id, insider, &command, &resolved, digest.clone(), now);
    session.integration_warnings = warnings;
    if let SessionInsert::KeyTaken(existing) = store::session_insert(&mut tx, &session).await? {
        drop(tx);
        return existing_session(app, *existing, digest.as_deref()).await;
    }
    if matches!(session.state, SessionState::Starting { .. }) {
        organization_limits::admit_start(&mut tx, &session.organization_id, id).await?;
    }
    insert_connections(app, &mut tx, &session, integration_ids).await?;
    let people = &command.people;
    sharing::insert_people(&mut tx, &session.organization_id, session.id, people, now).await?;
    insert_env_vars(app, insider, &mut tx, &session, &command.env_vars).await?;
    if let Some(run) = &command.run {
        automations::begin(app, insider, &mut tx, &session, run).await?;
    }
    audit::record_operation(&mut tx, app, insider, "session_create", Some(id.uuid())).await?;
    tx.commit().await?;
    metrics::counter!("proliferate_sessions_created_total").increment(1);
    tracing::info!(session_id = %session.id, organization_id = %session.organization_id,
        session_type = %session.session_type, "session created");
    news::publish_soon(app, &session.organization_id, News::Session(session.id));

    let is_new_configuration = matches!(resolved, ResolvedConfiguration::New(_));
    let (session, provision_error) = match session.state {
        SessionState::Starting { .. } => provision(app, session).await?,
        _ => (session, None),
    };
    Ok(CreatedSession {
        session,
        already_existed: false,
        is_new_configuration,
        provision_error,
    })
}

/// Refuses a snapshot that the caller may not start from.
async fn check_start(
    app: &App,
    insider: &Insider,
    command: &CreateSession,
    resolved: &ResolvedConfiguration,
) -> Result<()> {
    let published = resolved.configuration();
    let published = published.and_then(|configuration| configuration.snapshot_id.as_deref());
    let (mut conn, wanted) = (app.db.read().await?, command.snapshot_id.as_deref());
    check_snapshot(&mut conn, insider, wanted, published).await
}

/// Asks whether the organization may have another session.
async fn admit(app: &App, insider: &Insider, session_id: SessionId) -> Result<()> {
    let request = AdmissionRequest {
        kind: AdmissionKind::SessionCreate,
        organization_id: insider.organization_id().clone(),
        session_id,
        user_id: insider.user_id().cloned(),
    };
    let admitted = app.admission.admit(&request).await;
    admitted.map_err(|denied| Error::AdmissionDenied(denied.reason))
}

/// The session the key made before, if it did.
async fn replay(
    app: &App,
    insider: &Insider,
    command: &CreateSession,
    digest: Option<&str>,
) -> Result<Option<CreatedSession>> {
    let Some(key) = &command.idempotency_key else {
        return Ok(None);
    };
    let mut conn = app.db.read().await?;
    match store::session_fetch_key(&mut conn, insider.organization_id(), key).await? {
        None => Ok(None),
        Some(existing) => {
            drop(conn);
            existing_session(app, existing, digest).await.map(Some)
        }
    }
}

async fn existing_session(
    app: &App,
    session: Session,
    digest: Option<&str>,
) -> Result<CreatedSession> {
    if session.request_digest.as_deref() != digest {
        return Err(Error::IdempotencyConflict);
    }
    // Same timestamp: created by this request.
    let is_new_configuration = match session.configuration_id {
        None => false,
        Some(id) => {
            let mut conn = app.db.read().await?;
            let configuration =
                store::configuration_fetch(&mut conn, &session.organization_id, id).await?;
            configuration.is_some_and(|c| c.created_at == session.created_at)
        }
    };
    Ok(CreatedSession {
        session,
        already_existed: true,
        is_new_configuration,
        provision_error: None,
    })
}

/// Covers the caller as well as the request: another user's request under the same key is another request.
fn digest(app: &App, insider: &Insider, command: &CreateSession) -> String {
    let asker = insider.user_id().map_or("", |user_id| user_id.as_str());
    let bytes = canonical_bytes(&serde_json::json!({ "asker": asker, "request": command.request }));
    app.keyring.digest("session_create", &bytes)
}

/// A user who logs in by SSH is about to: the sandbox is made at once.
fn provisioning(command: &CreateSession) -> Provisioning {
    match command.ssh {
        Some(_) => Provisioning::Immediate,
        None => command.provisioning,
    }
}

fn draft(
    id: SessionId,
    insider: &Insider,
    command: &CreateSession,
    resolved: &ResolvedConfiguration,
    request_digest: Option<String>,
    now: Timestamp,
) -> Session {
    let configuration = resolved.configuration();
    let provisioning = provisioning(command);
    let snapshot_id = command.snapshot_id.clone();
    Session {
        id,
        organization_id: insider.organization_id().clone(),
        created_by: insider.user_id().cloned(),
        configuration_id: configuration.map(|configuration| configuration.id),
        visibility: command.visibility,
        session_type: command.session_type,
        client_type: command.client_type,
        client_metadata: command.client_metadata.clone(),
        agent_config: command.agent_config.clone(),
        system_prompt: command.system_prompt.clone(),
        initial_prompt: command.initial_prompt.clone(),
        title: command.title.clone(),
        snapshot_id: snapshot_id.or_else(|| configuration.and_then(|c| c.snapshot_id.clone())),
        ssh_public_keys: command
            .ssh
            .as_ref()
            .map_or(vec![], |ssh| ssh.public_keys.clone()),
        integration_warnings: vec![],
        state: SessionState::initial(provisioning, now),
        owner_epoch: 0,
        incarnation: Incarnation(0),
        idempotency_key: command.idempotency_key.clone(),
        request_digest,
        created_at: now,
        updated_at: now,
        last_activity_at: now,
    }
}

/// The integrations that the session may use.
async fn insert_connections(
    app: &App,
    tx: &mut Tx,
    session: &Session,
    integration_ids: impl IntoIterator<Item = IntegrationId> + Send,
) -> Result<()> {
    let (organization_id, now) = (&session.organization_id, session.created_at);
    // Collected first: the iterator does not live across the writes.
    let integration_ids: Vec<IntegrationId> = integration_ids.into_iter().collect();
    for integration_id in integration_ids {
        let id = SecretId::generate(now, &*app.entropy).uuid();
        store::session_connection_insert(tx, id, organization_id, session.id, integration_id, now)
            .await?;
    }
    Ok(())
}

/// The session's own variables, sealed like every other secret.
async fn insert_env_vars(
    app: &App,
    insider: &Insider,
    tx: &mut Tx,
    session: &Session,
    env_vars: &BTreeMap<String, SecretString>,
) -> Result<()> {
    let scope = SecretScope::Session(session.id);
    for (key, value) in env_vars {
        let associated = associated_data(&session.organization_id, scope, key);
        let secret = Secret {
            id: SecretId::generate(session.created_at, &*app.entropy),
            organization_id: session.organization_id.clone(),
            scope,
            key: key.clone(),
            description: None,
            created_by: insider.user_id().cloned(),
            created_at: session.created_at,
            updated_at: session.created_at,
        };
        let sealed_value = app
            .keyring
            .seal(&*app.entropy, &associated, value.expose_secret())?;
        store::secret_insert(
            tx,
            &SealedSecret {
                secret,
                sealed_value,
            },
        )
        .await?;
    }
    Ok(())
}

fn validate(command: &CreateSession, is_admin: bool) -> Result<()> {
    if let Some(key) = &command.idempotency_key {
        bounded_text(
            "Idempotency-Key",
            key,
            1,
            limits::IDEMPOTENCY_KEY_LENGTH_MAX,
        )?;
    }
    let texts = [
        ("title", &command.title, limits::TITLE_LENGTH_MAX),
        (
            "initialPrompt",
            &command.initial_prompt,
            limits::PROMPT_LENGTH_MAX,
        ),
        (
            "systemPrompt",
            &command.system_prompt,
            limits::PROMPT_LENGTH_MAX,
        ),
        (
            "snapshotId",
            &command.snapshot_id,
            limits::SNAPSHOT_ID_LENGTH_MAX,
        ),
    ];
    for (field, text, max) in texts {
        if let Some(text) = text {
            bounded_text(field, text, 1, max)?;
        }
    }
    let scratch = command.configuration == ConfigurationChoice::Scratch;
    if command.session_type == SessionType::Setup && scratch {
        let message = "a setup session needs a configuration to set up";
        return Err(Invalid::new("configurationId", message).into());
    }
    if let Some(metadata) = &command.client_metadata {
        json::validate("clientMetadata", metadata)?;
        let max = limits::CLIENT_METADATA_BYTES_MAX;
        if metadata.to_string().len() > max {
            let message = format!("must have at most {max} bytes");
            return Err(Invalid::new("clientMetadata", message).into());
        }
    }
    let integrations = command.integration_ids.len();
    bounded_count(
        "integrationIds",
        integrations,
        limits::SESSION_INTEGRATIONS_MAX,
    )?;
    validate_env_vars(&command.env_vars, is_admin)?;
    sharing::validate_people(command.visibility, &command.people)?;
    command.ssh.as_ref().map_or(Ok(()), validate_ssh)
}

fn validate_env_vars(env_vars: &BTreeMap<String, SecretString>, is_admin: bool) -> Result<()> {
    bounded_count("envVars", env_vars.len(), limits::SESSION_ENV_VARS_MAX)?;
    for (key, value) in env_vars {
        validate_key("envVars", key)?;
        startup_variable::refuse(&format!("envVars.{key}"), key, is_admin)?;
        validate_value(&format!("envVars.{key}"), value.expose_secret())?;
    }
    Ok(())
}

fn validate_ssh(ssh: &SshOptions) -> Result<()> {
    bounded_count(
        "sshOptions.publicKeys",
        ssh.public_keys.len(),
        limits::SSH_KEYS_MAX,
    )?;
    for (index, key) in ssh.public_keys.iter().enumerate() {
        ssh_public_key(&format!("sshOptions.publicKeys[{index}]"), key)?;
    }
    Ok(())
}

/// One line `TYPE BASE64 [COMMENT]`; a line break would smuggle a second key or an option in.
fn ssh_public_key(field: &str, key: &str) -> Result<()> {
    bounded_text(field, key, 1, limits::SSH_KEY_LENGTH_MAX)?;
    let mut words = key.split(' ');
    let kind = words.next().unwrap_or_default();
    let known = ["ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-"]
        .iter()
        .any(|p| kind.starts_with(p));
    let body = words.next().unwrap_or_default();
    let base64 = |c: char| c.is_ascii_alphanumeric() || "+/=".contains(c);
    if key.contains(['\n', '\r']) || !known || body.is_empty() || !body.chars().all(base64) {
        return Err(Invalid::new(field, "must be one line of an SSH public key").into());
    }
    Ok(())
}
