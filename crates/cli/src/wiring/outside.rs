//! What reaches services outside of the installation, as the settings name them: the egress guard, executors,
//! integrations with their OAuth clients, and the issuer of logins.

use std::sync::Arc;

use app::{
    admission::{Admission, AdmissionHook, AdmissionHookSettings, AdmitAll, OnAdmissionFailure},
    identity::{AllowedDomains, Oidc, OidcSettings},
    integrations::{GithubApp, Services},
};
use config::{
    AdmissionFailure, AdmissionSettings, IntegrationSettings, LoginSettings, Settings,
    SourceSettings,
};
use domain::{id::OrganizationId, source::Pkce};
use integrations::{
    BaseUrls, Sources,
    oauth::{OAuth, OAuthSettings},
};
use reqwest::Url;
use tools::{
    CommandExecutor, Executors, HttpExecutor,
    egress::{AllowedHost, EgressGuard, SystemResolver},
};

use crate::{context::Context, exit::Exit, failure::Failure};

/// What every request to the outside goes through.
pub(super) fn guard(settings: &Settings) -> Result<EgressGuard, Failure> {
    let allowed = settings.policy.egress_allow.iter().map(|host| host.parse());
    let allowed: Result<Vec<AllowedHost>, _> = allowed.collect();
    let allowed = allowed.map_err(|error| {
        Failure::new(
            Exit::Usage,
            format!("`policy.egress_allow` is wrong: {error}"),
        )
    })?;
    Ok(EgressGuard::new(Arc::new(SystemResolver), allowed))
}

/// The operator's service that admits sessions, if there is one. Its requests pass a guard of their own, which lets the
/// address that the operator chose pass and nothing else that is not public.
pub(super) fn admission(
    context: &Context,
    settings: &AdmissionSettings,
) -> Result<Arc<dyn Admission>, Failure> {
    // That both are there was checked with the settings.
    let Some((url, secret)) = settings.url.as_ref().zip(settings.secret.clone()) else {
        return Ok(Arc::new(AdmitAll));
    };
    let wrong = || Failure::new(Exit::Usage, "`admission.url` is wrong: it names no host");
    let url: Url = url.as_str().parse().map_err(|_| wrong())?;
    let host = url.host_str().zip(url.port_or_known_default());
    let (host, port) = host.ok_or_else(wrong)?;
    let allowed: AllowedHost = format!("{host}:{port}").parse().map_err(|_| wrong())?;
    Ok(Arc::new(AdmissionHook::new(AdmissionHookSettings {
        url,
        secret,
        timeout: settings.timeout,
        on_failure: match settings.on_failure {
            AdmissionFailure::Deny => OnAdmissionFailure::Deny,
            AdmissionFailure::Admit => OnAdmissionFailure::Admit,
        },
        guard: EgressGuard::new(Arc::new(SystemResolver), [allowed]),
        clock: Arc::clone(&context.clock),
        entropy: Arc::clone(&context.entropy),
    })))
}

/// The executors of permitted calls that need no sandbox.
pub(crate) fn executors(settings: &Settings) -> Result<Executors, Failure> {
    let command = Arc::new(CommandExecutor::new());
    Ok(Executors::new(command, HttpExecutor::new(guard(settings)?)))
}

/// The services whose actions are built in.
pub(super) fn built_in(
    context: &Context,
    settings: &IntegrationSettings,
    guard: &EgressGuard,
) -> Result<Sources, Failure> {
    Sources::new(
        guard,
        &context.clock,
        &base_urls(settings),
        integrations::CallLimits::default(),
    )
    .map_err(|error| Failure::new(Exit::Usage, error.to_string()))
}

fn base_urls(settings: &IntegrationSettings) -> BaseUrls {
    let sources = settings.sources.iter();
    sources.fold(BaseUrls::default(), |urls, one| {
        urls.with(one.source.name, one.url.as_str())
    })
}

/// The clients with which organizations connect those services.
pub(super) fn services(
    settings: &IntegrationSettings,
    guard: &EgressGuard,
) -> Result<Services, Failure> {
    let client = |one: &SourceSettings| {
        let client_id = one.client_id.clone();
        let (client_id, client_secret) = client_id.zip(one.client_secret.clone())?;
        let client = OAuthSettings {
            client_id,
            client_secret,
            authorize_url: one.authorize_url.as_str().to_owned(),
            token_url: one.token_url.as_str().to_owned(),
            scopes: one.scopes.clone(),
            pkce: match one.source.oauth.pkce {
                Pkce::Always => true,
                Pkce::Configured => one.pkce,
            },
        };
        Some((one.source.name, client))
    };
    let clients = settings.sources.iter().filter_map(client);
    let urls = base_urls(settings);
    let github = urls.of("github");
    let oauth = OAuth::new(guard, github, clients)
        .map_err(|error| Failure::new(Exit::Usage, error.to_string()))?;
    Ok(Services {
        github_origin: integrations::github_origin(github),
        oauth,
        github_app: github_app(settings)?,
    })
}

fn github_app(settings: &IntegrationSettings) -> Result<Option<GithubApp>, Failure> {
    let github = settings.source("github");
    let app = github.and_then(|one| one.app_id.as_ref().zip(one.app_private_key.as_ref()));
    let app = app.map(|(id, key)| GithubApp::new(id, key)).transpose();
    app.map_err(|error| {
        let message = format!("`integrations.github_app_private_key` is wrong: {error}");
        Failure::new(Exit::Usage, message)
    })
}

/// The OpenID Connect issuer that users log in with, if the settings name one.
pub(super) fn oidc(settings: &LoginSettings, guard: &EgressGuard) -> Result<Option<Oidc>, Failure> {
    // Whatever an issuer needs was checked with the settings.
    let needed = settings
        .oidc_issuer
        .as_ref()
        .zip(settings.oidc_client_id.as_ref());
    let organization = settings.oidc_organization.as_ref();
    let Some(((issuer, client_id), organization)) = needed.zip(organization) else {
        return Ok(None);
    };
    let wrong = |setting: &str| Failure::new(Exit::Usage, format!("`{setting}` is wrong"));
    let oidc = OidcSettings {
        issuer: issuer.as_str().to_owned(),
        client_id: client_id.clone(),
        client_secret: settings.oidc_client_secret.clone(),
        scopes: settings.oidc_scopes.clone(),
        allowed_domains: if settings.oidc_allows_every_domain() {
            AllowedDomains::All
        } else {
            AllowedDomains::Only(settings.oidc_allowed_domains.clone())
        },
        organization_id: OrganizationId::new(organization.as_str())
            .map_err(|_| wrong("login.oidc_organization"))?,
        role: settings.oidc_role,
    };
    let oidc = Oidc::new(guard, oidc).map_err(|_| wrong("login.oidc_issuer"))?;
    Ok(Some(oidc))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of every built-in source.
    fn public() -> IntegrationSettings {
        IntegrationSettings::defaults(integrations::declarations())
    }

    #[test]
    fn the_default_settings_are_the_public_services() {
        let settings = public();
        assert_eq!(base_urls(&settings), BaseUrls::default());
        let guard = EgressGuard::new(Arc::new(SystemResolver), []);
        let services = services(&settings, &guard).unwrap();
        assert!(services.github_app.is_none());
        assert!(services.oauth.service("linear").is_none());
    }

    #[test]
    fn every_default_address_of_a_client_can_be_used() {
        let mut settings = public();
        for source in &mut settings.sources {
            source.client_id = Some("id".to_owned());
            source.client_secret = Some("hush".into());
            source.app_id = Some("12".to_owned());
        }
        let guard = EgressGuard::new(Arc::new(SystemResolver), []);
        let services = services(&settings, &guard).unwrap();
        for source in integrations::declarations() {
            let service = services.oauth.service(source.name).unwrap();
            let url = service.authorize_url("https://gateway.example/back", "state", "challenge");
            assert!(url.starts_with("https://"), "{url}");
            let pkce = source.oauth.pkce == Pkce::Always;
            assert_eq!(url.contains("code_challenge=challenge"), pkce, "{url}");
        }
        assert!(integrations::declaration("slack").unwrap().oauth.pkce == Pkce::Configured);
        for source in &mut settings.sources {
            source.app_private_key = Some("not a key".into());
        }
        let failure = super::services(&settings, &guard).unwrap_err();
        assert!(!failure.message.contains("not a key"));
    }
}
