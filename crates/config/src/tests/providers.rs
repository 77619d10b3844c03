//! The file of identity providers: what it says, and what is wrong with it, each with its line.

use std::path::PathBuf;

use domain::role::Role;
use secrecy::ExposeSecret as _;

use super::Given;
use crate::{ConfigError, Settings};

const FILE: &str = "PROLIFERATE_OIDC_PROVIDERS_FILE";

fn load(text: &str) -> (Result<Settings, ConfigError>, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("providers.toml");
    std::fs::write(&path, text).unwrap();
    std::fs::write(directory.path().join("staff-secret"), "hush-1\n").unwrap();
    let given = Given::default()
        .env(FILE, path.to_str().unwrap())
        .env("GOOGLE_SECRET", "hush-2");
    (given.load(), path)
}

const GOOD: &str = r#"
[[provider]]
name = "staff"
label = "Acme staff"
issuer = "https://id.acme.example/realms/acme"
client_id = "proliferate"
client_secret_file = "staff-secret"
scopes = ["email", "profile", "groups"]
domains = [
    { domain = "acme.example", organization = "org_acme", role = "admin" },
    { domain = "labs.example", organization = "org_labs" },
]
groups_claim = ["realm_access", "roles"]
require_group = true

[provider.roles]
"/platform/admins" = "owner"
"/platform" = "member"

[[provider]]
name = "google"
label = "Google"
issuer = "https://accounts.google.com"
client_id = "1.apps"
client_secret_env = "GOOGLE_SECRET"
sign_up = false
domains = [{ domain = "*", organization = "org_beta" }]
"#;

#[test]
fn a_file_says_what_each_provider_is() {
    let (settings, _) = load(GOOD);
    let settings = settings.unwrap();
    let [staff, google] = &settings.login.oidc_providers[..] else {
        panic!("{:?}", settings.login);
    };
    let secret = |secret: &Option<secrecy::SecretString>| {
        let text = secret.as_ref().map(|text| text.expose_secret().to_owned());
        text.unwrap()
    };
    assert_eq!(secret(&staff.client_secret), "hush-1");
    assert_eq!(secret(&google.client_secret), "hush-2");
    assert_eq!(staff.scopes, ["email", "profile", "groups"]);
    assert_eq!(google.scopes, ["email", "profile"]);
    assert_eq!(staff.groups_claim, ["realm_access", "roles"]);
    assert_eq!(google.groups_claim, ["groups"]);
    assert_eq!(staff.roles["/platform/admins"], Role::Owner);
    assert_eq!((staff.requires_group, google.requires_group), (true, false));
    assert_eq!((staff.allows_sign_up, google.allows_sign_up), (true, false));
    let of = |index: usize| {
        let domain = &staff.domains[index];
        (
            domain.domain.as_str(),
            domain.organization.as_str(),
            domain.role,
        )
    };
    assert_eq!(of(0), ("acme.example", "org_acme", Role::Admin));
    assert_eq!(of(1), ("labs.example", "org_labs", Role::Member));
    assert!(!format!("{settings:?}").contains("hush"));
}

/// What is replaced in the file, by what, the setting that is named, and its line.
const MISTAKES: [(&str, &str, &str, u32); 20] = [
    ("name = \"staff\"", "name = \"Staff\"", "provider.1.name", 3),
    (
        "name = \"staff\"",
        "name = \"default\"",
        "provider.default.name",
        3,
    ),
    (
        "name = \"google\"",
        "name = \"staff\"",
        "provider.staff.name",
        21,
    ),
    ("label = \"Google\"", "", "provider.google.label", 20),
    (
        "label = \"Google\"",
        "label = 5",
        "provider.google.label",
        22,
    ),
    (
        "https://accounts.google.com",
        "login",
        "provider.google.issuer",
        23,
    ),
    (
        "staff-secret",
        "no-such-file",
        "provider.staff.client_secret_file",
        7,
    ),
    (
        "GOOGLE_SECRET",
        "NO_SECRET",
        "provider.google.client_secret_env",
        25,
    ),
    (
        "client_secret_env = \"GOOGLE_SECRET\"",
        "client_secret = \"5ecre7\"",
        "provider.google.client_secret",
        25,
    ),
    (
        "sign_up = false",
        "sign_up = \"no\"",
        "provider.google.sign_up",
        26,
    ),
    (
        "sign_up = false",
        "signup = false",
        "provider.google.signup",
        26,
    ),
    (
        "\"*\"",
        "\"ACME.example\"",
        "provider.google.domains.1.domain",
        27,
    ),
    (
        "labs.example",
        "acme.example",
        "provider.staff.domains.2.domain",
        11,
    ),
    (
        "\"org_labs\"",
        "\"no id\"",
        "provider.staff.domains.2.organization",
        11,
    ),
    (
        "role = \"admin\"",
        "role = \"king\"",
        "provider.staff.domains.1.role",
        10,
    ),
    (
        "= \"owner\"",
        "= \"root\"",
        "provider.staff.roles./platform/admins",
        17,
    ),
    (
        "sign_up = false",
        "require_group = true",
        "provider.google.require_group",
        26,
    ),
    (
        "[\"realm_access\", \"roles\"]",
        "[]",
        "provider.staff.groups_claim",
        13,
    ),
    (
        "[[provider]]\nname = \"google\"",
        "[[providers]]\nname = \"google\"",
        "providers",
        20,
    ),
    ("sign_up = false", "sign_up =", "", 26),
];

#[test]
fn each_mistake_is_named_with_its_line() {
    for (from, to, setting, line) in MISTAKES {
        let text = GOOD.replacen(from, to, 1);
        assert_ne!(text, GOOD, "{from}");
        let (settings, path) = load(&text);
        let error = settings.expect_err(to);
        let found = error
            .problems
            .iter()
            .find(|problem| problem.setting == setting);
        let found = found.unwrap_or_else(|| panic!("{to}: {error}"));
        let place = format!("{}:{line}", path.display());
        assert!(found.to_string().contains(&place), "{to}: {found}");
        assert!(!error.to_string().contains("5ecre7"), "{error}");
        assert!(!error.to_string().contains("hush"), "{error}");
    }
}

#[test]
fn a_file_is_bounded_and_may_be_missing_only_if_it_is_not_named() {
    let one = GOOD.split("[[provider]]").nth(2).unwrap();
    let many = |count: usize| {
        let tables = (0..count).map(|number| {
            let named = one.replace("\"google\"", &format!("\"p{number}\""));
            format!("[[provider]]{named}")
        });
        load(&tables.collect::<String>()).0
    };
    assert_eq!(many(20).unwrap().login.oidc_providers.len(), 20);
    assert!(many(21).is_err());
    let missing = Given::default().env(FILE, "/no/such/file").load();
    let error = missing.unwrap_err();
    assert_eq!(error.problems[0].setting, "login.oidc_providers_file");
    assert!(
        Given::default()
            .load()
            .unwrap()
            .login
            .oidc_providers
            .is_empty()
    );
}
