//! What may stand in the file of providers. The reader and the JSON schema follow from these declarations.

use serde_json::{Map, Value, json};

use crate::sections::login::bounds::{CLAIM_PATH_MAX, DOMAINS_MAX, PROVIDERS_MAX, ROLES_MAX};

/// A key of a table of the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct FileKey {
    pub(super) name: &'static str,
    pub(super) is_required: bool,
    kind: KeyKind,
    /// For the schema and for hints.
    pub(super) help: &'static str,
}

#[derive(Debug, Clone, Copy)]
enum KeyKind {
    Text,
    Flag,
    Texts,
    /// A text, or a list of texts.
    ClaimPath,
    Role,
    /// Groups and their roles.
    Roles,
    Domains,
}

const fn key(name: &'static str, kind: KeyKind, help: &'static str) -> FileKey {
    FileKey {
        name,
        is_required: false,
        kind,
        help,
    }
}

const fn required(name: &'static str, kind: KeyKind, help: &'static str) -> FileKey {
    FileKey {
        is_required: true,
        ..key(name, kind, help)
    }
}

/// Of a table `[[provider]]`.
pub(super) const PROVIDER: [FileKey; 12] = [
    required(
        "name",
        KeyKind::Text,
        "Its name in URLs and in the audit log: lower-case letters, digits, `-` and `_`, at most 40, unique.",
    ),
    required(
        "label",
        KeyKind::Text,
        "What its button says, at most 60 characters.",
    ),
    required(
        "issuer",
        KeyKind::Text,
        "The provider's issuer identifier, exactly as it writes it.",
    ),
    required(
        "client_id",
        KeyKind::Text,
        "The id that the provider gave to this gateway.",
    ),
    key(
        "client_secret_file",
        KeyKind::Text,
        "File that holds the secret that goes with that id; relative to this file.",
    ),
    key(
        "client_secret_env",
        KeyKind::Text,
        "Environment variable that holds that secret, in place of a file.",
    ),
    key(
        "scopes",
        KeyKind::Texts,
        "Scopes that the gateway requests besides `openid`; `email` and `profile` unless set.",
    ),
    required(
        "domains",
        KeyKind::Domains,
        "The domains of e-mail addresses that the provider is authoritative for, and where their users belong.",
    ),
    key(
        "sign_up",
        KeyKind::Flag,
        "Whether users who are not members yet may join; `true` unless set.",
    ),
    key(
        "groups_claim",
        KeyKind::ClaimPath,
        "The claim of the ID token that lists the user's groups, `groups` unless set; a list of names for a nested one, \
         such as `[\"realm_access\", \"roles\"]`.",
    ),
    key(
        "roles",
        KeyKind::Roles,
        "The role that a group stands for. With it the provider manages the roles of its users: at each login the \
         highest role of their groups is applied.",
    ),
    key(
        "require_group",
        KeyKind::Flag,
        "Whether a user in none of the groups of `roles` is refused; `false` unless set, and such a user gets the role of \
         their domain.",
    ),
];

/// Of an entry of `domains`.
pub(super) const DOMAIN: [FileKey; 3] = [
    required(
        "domain",
        KeyKind::Text,
        "The whole domain, in lower case, such as `acme.example`; `*` for every domain that no provider lists.",
    ),
    required(
        "organization",
        KeyKind::Text,
        "The id of the organization that its users join.",
    ),
    key(
        "role",
        KeyKind::Role,
        "The role of its users without a mapped group; `member` unless set.",
    ),
];

/// The JSON schema of the file, for editors, indented, with a line end.
pub fn providers_schema_json() -> String {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Proliferate identity providers",
        "description":
            "The file of `login.oidc_providers_file`. Secrets are named by file or variable, never written here.",
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "provider": {"type": "array", "maxItems": PROVIDERS_MAX, "items": table(&PROVIDER)},
        },
    });
    format!("{schema:#}\n")
}

fn table(keys: &[FileKey]) -> Value {
    let properties = keys.iter().map(|key| (key.name.to_owned(), schema(key)));
    let required = keys.iter().filter(|key| key.is_required);
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": required.map(|key| key.name).collect::<Vec<_>>(),
        "properties": properties.collect::<Map<_, _>>(),
    })
}

fn schema(key: &FileKey) -> Value {
    let text = || json!({"type": "string"});
    let role = || json!({"enum": ["member", "admin", "owner"]});
    let mut schema = match key.kind {
        KeyKind::Text => text(),
        KeyKind::Flag => json!({"type": "boolean"}),
        KeyKind::Texts => json!({"type": "array", "items": text(), "minItems": 1}),
        KeyKind::ClaimPath => json!({"oneOf": [text(),
            {"type": "array", "items": text(), "minItems": 1, "maxItems": CLAIM_PATH_MAX}]}),
        KeyKind::Role => role(),
        KeyKind::Roles => {
            json!({"type": "object", "additionalProperties": role(), "maxProperties": ROLES_MAX})
        }
        KeyKind::Domains => {
            json!({"type": "array", "items": table(&DOMAIN), "minItems": 1, "maxItems": DOMAINS_MAX})
        }
    };
    schema["description"] = key.help.into();
    schema
}
