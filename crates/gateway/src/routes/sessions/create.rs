//! Creating a session, exactly once per `Idempotency-Key`.

use std::collections::BTreeMap;

use app::{
    access::Insider,
    sessions::{self, CreateSession, CreatedSession, SshOptions},
};
use axum::{extract::State, http::StatusCode};
use domain::{
    Invalid,
    id::ConfigurationId,
    invalid::bounded_text,
    limits::PATH_LENGTH_MAX,
    session::{ClientType, Provisioning, SessionType},
};
use secrecy::SecretString;
use wire::{
    secret_text::SecretText,
    session::{CreateSessionRequest, CreateSessionResponse, ProvisioningError},
    sharing::{Visibility, named_members},
};

use crate::{
    error::Failure,
    extract::{Auth, IdempotencyKey, Json},
    openapi::CreateSessionProblems,
    routes::Answer,
    state::Gateway,
};

/// Create a session.
///
/// With an `Idempotency-Key`, a repeated request returns 200 with the session it created before; a
/// different request under the same key is refused. An empty object creates a scratch session: an
/// empty workspace.
#[utoipa::path(post, path = "/proliferate/sessions", operation_id = "session_create", tag = "sessions",
    params(("Idempotency-Key" = Option<String>, Header, description = "Makes a retry safe", max_length = 255)),
    request_body = CreateSessionRequest,
    responses(
        (status = 201, description = "The session was created", body = CreateSessionResponse),
        (status = 200, description = "The same request had created it before", body = CreateSessionResponse),
        CreateSessionProblems))]
pub(crate) async fn create(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    IdempotencyKey(idempotency_key): IdempotencyKey,
    Json(request): Json<CreateSessionRequest>,
) -> Answer<(StatusCode, Json<CreateSessionResponse>)> {
    let app = &gateway.app;
    let organization_id = request.organization_id()?;
    if organization_id.is_some_and(|id| id != *insider.organization_id()) {
        return Err(app::Error::NotFound("organization").into());
    }
    let command = command(request, idempotency_key)?;
    let created = sessions::create(app, &insider, command).await?;
    let status = if created.already_existed {
        StatusCode::OK
    } else {
        StatusCode::CREATED
    };
    Ok((
        status,
        Json(response(created, &app.instance.advertised_url)),
    ))
}

fn command(
    request: CreateSessionRequest,
    idempotency_key: Option<String>,
) -> Result<CreateSession, Failure> {
    let agent_config = request.agent_config()?;
    let configuration = request.configuration_choice()?;
    let integration_ids = request.integration_ids()?;
    let people = named_members(&request.people)?;
    let local_path = request
        .ssh_options
        .as_ref()
        .and_then(|ssh| ssh.local_path.as_deref());
    if let Some(path) = local_path {
        bounded_text("sshOptions.localPath", path, 1, PATH_LENGTH_MAX)?;
    }
    // The parsed request, not its bytes: spelling out an alias or a default makes no difference.
    let as_json = serde_json::to_value(&request)
        .map_err(|_| Invalid::new("(body)", "cannot be written as JSON again"))?;
    let secret = |text: SecretText| SecretString::from(text.into_exposed());
    let sealed = |(key, text)| (key, secret(text));
    let mut env_vars: BTreeMap<_, _> = request.env_vars.into_iter().map(sealed).collect();
    let mut client_metadata = request.client_metadata;
    let ssh = request.ssh_options.map(|ssh| {
        env_vars.extend(ssh.env_vars.into_iter().map(sealed));
        env_vars.extend(
            ssh.git_token
                .map(|token| ("GIT_TOKEN".to_owned(), secret(token))),
        );
        if let Some(path) = ssh.local_path {
            client_metadata
                .get_or_insert_default()
                .insert("localPath".to_owned(), path.into());
        }
        SshOptions {
            public_keys: ssh.public_keys,
        }
    });
    Ok(CreateSession {
        idempotency_key,
        request: as_json,
        provisioning: request
            .provisioning
            .map_or(Provisioning::Deferred, Into::into),
        session_type: request.session_type.map_or(SessionType::Coding, Into::into),
        client_type: request.client_type.map_or(ClientType::Web, Into::into),
        client_metadata: client_metadata.map(serde_json::Value::Object),
        agent_config,
        configuration,
        visibility: request
            .visibility
            .unwrap_or(Visibility::Organization)
            .into(),
        people,
        snapshot_id: request.snapshot_id,
        title: request.title,
        initial_prompt: request.initial_prompt,
        system_prompt: request.system_prompt,
        integration_ids,
        env_vars,
        ssh,
        run: None,
    })
}

fn response(created: CreatedSession, gateway_url: &str) -> CreateSessionResponse {
    let session = created.session;
    CreateSessionResponse {
        session_id: session.id.uuid(),
        configuration_id: session.configuration_id.map(ConfigurationId::uuid),
        status: session.state.status().into(),
        gateway_url: gateway_url.to_owned(),
        has_snapshot: session.snapshot_id.is_some(),
        is_new_configuration: created.is_new_configuration,
        already_existed: created.already_existed,
        integration_warnings: session
            .integration_warnings
            .into_iter()
            .map(Into::into)
            .collect(),
        provisioning_error: created.provision_error.map(|error| ProvisioningError {
            message: error.message,
            retryable: error.retryable,
        }),
    }
}
