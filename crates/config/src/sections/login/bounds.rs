//! Bounds of what operators say of identity providers, and which text is a domain.

/// Domains of one provider.
pub(crate) const DOMAINS_MAX: usize = 100;
/// Identity providers of one installation. Each has its keys in memory and a button on the login page.
pub(crate) const PROVIDERS_MAX: usize = 20;
/// Groups of one provider that stand for a role.
pub(crate) const ROLES_MAX: usize = 200;
/// Names on the way to the groups of a token: `realm_access`, `roles` are two.
pub(crate) const CLAIM_PATH_MAX: usize = 5;
/// The name of the provider that the settings `login.oidc_*` describe.
pub const DEFAULT_PROVIDER: &str = "default";
/// Stands for every domain that no provider lists.
pub const EVERY_DOMAIN: &str = "*";

pub(crate) fn is_domain(text: &str) -> bool {
    let is_safe = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c);
    text == EVERY_DOMAIN || (text.contains('.') && text.chars().all(is_safe))
}
