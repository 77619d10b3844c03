//! The identity providers of this installation.

use std::sync::Arc;

use tools::egress::EgressGuard;

use super::{
    InvalidIssuer, Oidc, OidcSettings,
    settings::{OidcDomain, domain_of},
};

/// The provider of a request that names none.
const DEFAULT: &str = "default";

/// Identity providers, in the order of the login page.
#[derive(Debug, Clone, Default)]
pub struct OidcProviders(Arc<[Oidc]>);

impl OidcProviders {
    pub fn new(
        guard: &EgressGuard,
        settings: impl IntoIterator<Item = OidcSettings>,
    ) -> Result<Self, InvalidIssuer> {
        let providers = settings
            .into_iter()
            .map(|settings| Oidc::new(guard, settings));
        Ok(Self(providers.collect::<Result<_, _>>()?))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Oidc> {
        self.0.iter()
    }

    /// By name; without one `default`, or the only provider.
    pub fn find(&self, name: Option<&str>) -> Option<&Oidc> {
        let by_name = |name: &str| self.iter().find(|oidc| oidc.name() == name);
        match (name, &*self.0) {
            (Some(name), _) => by_name(name),
            (None, [only]) => Some(only),
            (None, _) => by_name(DEFAULT),
        }
    }

    /// The provider with this issuer that knows the gateway as one of these clients.
    pub(super) fn of_client(&self, issuer: &str, clients: &[&str]) -> Option<&Oidc> {
        let mut providers = self.iter();
        providers.find(|oidc| {
            let settings = oidc.settings();
            settings.issuer == issuer && clients.contains(&settings.client_id.as_str())
        })
    }

    /// Where a user of `oidc` with this verified address belongs. An entry for every domain does not count for one that
    /// another provider lists: that one alone is authoritative for it.
    pub(super) fn domain<'p>(&self, oidc: &'p Oidc, email: Option<&str>) -> Option<&'p OidcDomain> {
        let domain = email.and_then(domain_of);
        let Some(domain) = domain else {
            return oidc.settings().any();
        };
        let listed = oidc.settings().listed(&domain);
        listed.or_else(|| {
            let is_listed = |other: &Oidc| other.settings().listed(&domain).is_some();
            let any = oidc.settings().any()?;
            (!self.iter().any(is_listed)).then_some(any)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc as StdArc;

    use domain::{id::OrganizationId, role::Role};
    use tools::egress::SystemResolver;

    use super::{super::EmailDomain, *};

    fn settings(name: &str, domains: &[&str]) -> OidcSettings {
        let domain = |domain: &&str| OidcDomain {
            domain: match *domain {
                "*" => EmailDomain::Any,
                only => EmailDomain::Only(only.to_owned()),
            },
            organization_id: OrganizationId::new("org").unwrap(),
            role: Role::Member,
        };
        OidcSettings {
            name: name.to_owned(),
            label: name.to_owned(),
            issuer: "https://id.example".to_owned(),
            client_id: format!("client-{name}"),
            client_secret: None,
            scopes: Vec::new(),
            domains: domains.iter().map(domain).collect(),
            allows_sign_up: true,
            groups_claim: Vec::new(),
            mapping: None,
        }
    }

    fn providers(settings: impl IntoIterator<Item = OidcSettings>) -> OidcProviders {
        let guard = EgressGuard::new(StdArc::new(SystemResolver), []);
        OidcProviders::new(&guard, settings).unwrap()
    }

    #[test]
    fn a_domain_is_the_whole_of_it_and_of_the_provider_that_lists_it() {
        let all = providers([settings("a", &["acme.example"]), settings("any", &["*"])]);
        // Address, whether each provider has a place for it.
        let table = [
            (Some("ada@acme.example"), true, false),
            (Some("ada@ACME.example"), true, false),
            (Some("ada@evil.example@acme.example"), true, false),
            (Some("ada@acme.example@evil.example"), false, true),
            (Some("ada@sub.acme.example"), false, true),
            (Some("ada@notacme.example"), false, true),
            (Some("acme.example"), false, true),
            (None, false, true),
        ];
        for (email, of_a, of_any) in table {
            let has = |name| all.domain(all.find(Some(name)).unwrap(), email).is_some();
            assert_eq!((has("a"), has("any")), (of_a, of_any), "{email:?}");
        }
    }

    #[test]
    fn a_request_without_a_name_is_for_the_default_or_the_only_one() {
        let name = |all: &OidcProviders, asked| all.find(asked).map(|oidc| oidc.name().to_owned());
        let one = providers([settings("a", &[])]);
        assert_eq!(name(&one, None).as_deref(), Some("a"));
        assert_eq!(name(&one, Some("default")), None);
        let two = providers([settings("a", &[]), settings("b", &[])]);
        assert_eq!(name(&two, None), None);
        assert_eq!(name(&two, Some("b")).as_deref(), Some("b"));
        let three = providers([settings("default", &[]), settings("b", &[])]);
        assert_eq!(name(&three, None).as_deref(), Some("default"));
        assert_eq!(name(&OidcProviders::default(), None), None);
        assert!(
            two.of_client("https://id.example", &["x", "client-b"])
                .is_some()
        );
        assert!(two.of_client("https://id.example", &["client-c"]).is_none());
        assert!(
            two.of_client("https://other.example", &["client-b"])
                .is_none()
        );
    }
}
