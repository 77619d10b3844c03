//! What reaches services outside of the installation, as the settings name them: the egress guard, executors,
//! integrations with their OAuth clients, and the providers of logins.

use std::sync::Arc;

use app::{
    admission::{Admission, AdmissionHook, AdmissionHookSettings, AdmitAll, OnAdmissionFailure},
    identity::{
        OidcProviders, OidcSettings,
        oidc::{EmailDomain, OidcDomain},
    },
    integrations::{GithubApp, Services},
    mail::{MailEncryption, MailSender, MailSettings},
};
use config::{
    AdmissionFailure, AdmissionSettings, IntegrationSettings, LoginSettings, MailServerSettings,
    Settings, SmtpEncryption, SourceSettings,
    login::{DEFAULT_PROVIDER, EVERY_DOMAIN, OidcDomainSettings, OidcProviderSettings},
};
use domain::{id::OrganizationId, identity_provider::RoleMapping, source::Pkce};
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

/// The OpenID Connect providers that users log in with: that of the settings, and those of the file.
pub(super) fn oidc(
    settings: &LoginSettings,
    guard: &EgressGuard,
) -> Result<OidcProviders, Failure> {
    let of_file = settings.oidc_providers.iter().map(of_file);
    let providers = default_provider(settings)?.into_iter().chain(of_file);
    OidcProviders::new(guard, providers).map_err(|error| {
        let message = format!("an identity provider of `[login]` cannot be used: {error}");
        Failure::new(Exit::Usage, message)
    })
}

/// The provider of the settings `login.oidc_*`.
fn default_provider(settings: &LoginSettings) -> Result<Option<OidcSettings>, Failure> {
    // Whatever an issuer needs was checked with the settings.
    let needed = settings
        .oidc_issuer
        .as_ref()
        .zip(settings.oidc_client_id.as_ref());
    let organization = settings.oidc_organization.as_ref();
    let Some(((issuer, client_id), organization)) = needed.zip(organization) else {
        return Ok(None);
    };
    let organization_id = OrganizationId::new(organization.as_str())
        .map_err(|_| Failure::new(Exit::Usage, "`login.oidc_organization` is wrong"))?;
    let domains = settings.oidc_allowed_domains.iter();
    let domain = |domain: &String| OidcDomain {
        domain: email_domain(domain),
        organization_id: organization_id.clone(),
        role: settings.oidc_role,
    };
    Ok(Some(OidcSettings {
        name: DEFAULT_PROVIDER.to_owned(),
        label: "your organization's account".to_owned(),
        issuer: issuer.as_str().to_owned(),
        client_id: client_id.clone(),
        client_secret: settings.oidc_client_secret.clone(),
        scopes: settings.oidc_scopes.clone(),
        domains: domains.map(domain).collect(),
        allows_sign_up: true,
        groups_claim: Vec::new(),
        mapping: None,
    }))
}

fn of_file(provider: &OidcProviderSettings) -> OidcSettings {
    let domain = |listed: &OidcDomainSettings| OidcDomain {
        domain: email_domain(&listed.domain),
        organization_id: listed.organization.clone(),
        role: listed.role,
    };
    let mapping = RoleMapping {
        roles: provider.roles.clone(),
        requires_group: provider.requires_group,
    };
    OidcSettings {
        name: provider.name.clone(),
        label: provider.label.clone(),
        issuer: provider.issuer.as_str().to_owned(),
        client_id: provider.client_id.clone(),
        client_secret: provider.client_secret.clone(),
        scopes: provider.scopes.clone(),
        domains: provider.domains.iter().map(domain).collect(),
        allows_sign_up: provider.allows_sign_up,
        groups_claim: provider.groups_claim.clone(),
        mapping: Some(mapping).filter(|mapping| !mapping.roles.is_empty()),
    }
}

fn email_domain(text: &str) -> EmailDomain {
    match text {
        EVERY_DOMAIN => EmailDomain::Any,
        only => EmailDomain::Only(only.to_owned()),
    }
}

/// The mail server, if the settings name one.
pub(super) fn mail(settings: &MailServerSettings) -> Result<Option<MailSender>, Failure> {
    // Whatever a mail server needs was checked with the settings.
    let Some((host, from)) = settings.smtp_host.as_ref().zip(settings.from.as_ref()) else {
        return Ok(None);
    };
    let authority = settings.smtp_ca_file.as_ref().map(|path| {
        std::fs::read(path).map_err(|error| {
            let message = format!("`mail.smtp_ca_file` cannot be read: {error}");
            Failure::new(Exit::Usage, message)
        })
    });
    let credentials = settings.smtp_user.clone();
    let mail = MailSettings {
        host: host.clone(),
        port: settings.smtp_port,
        encryption: match settings.smtp_encryption {
            SmtpEncryption::StartTls => MailEncryption::StartTls,
            SmtpEncryption::Tls => MailEncryption::Tls,
            SmtpEncryption::None => MailEncryption::None,
        },
        credentials: credentials.zip(settings.smtp_password.clone()),
        from: from.clone(),
        authority: authority.transpose()?,
    };
    let sender = MailSender::new(mail);
    let sender = sender.map_err(|error| {
        let message = format!("the settings of `mail` are wrong: {error}");
        Failure::new(Exit::Usage, message)
    })?;
    Ok(Some(sender))
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
