//! `[admission]`: the operator's service that decides whether an organization may create and start sessions.

use std::time::Duration;

use domain::limits::{ADMISSION_TIMEOUT, ADMISSION_TIMEOUT_MAX};
use secrecy::SecretString;

use crate::{
    invalid::InvalidSetting,
    resolve::Resolver,
    setting::{DefaultValue, EnvVar, SecretSetting, Section, SectionEntry, Setting, ValueKind},
    value::{bounds::check_duration_range, url::EndpointUrl, word_values},
};

pub const URL: Setting = Setting {
    path: "admission.url",
    flag: "--admission-url",
    env: &[EnvVar::new("PROLIFERATE_ADMISSION_URL", "0.1.0")],
    kind: ValueKind::Url,
    default: DefaultValue::Unset,
    help: "Service of the operator that admits sessions or denies them; without one every organization is admitted.",
};
pub const SECRET: SecretSetting = SecretSetting {
    value: Setting {
        path: "admission.secret",
        flag: "",
        env: &[EnvVar::new("PROLIFERATE_ADMISSION_SECRET", "0.1.0")],
        kind: ValueKind::Secret,
        default: DefaultValue::Unset,
        help: "Signs the requests to that service, as webhooks are signed: `whsec_` and base64, or any text.",
    },
    file: Setting {
        path: "admission.secret_file",
        flag: "--admission-secret-file",
        env: &[EnvVar::new("PROLIFERATE_ADMISSION_SECRET_FILE", "0.1.0")],
        kind: ValueKind::FileBesideFile,
        default: DefaultValue::Unset,
        help: "File that holds the secret which signs the requests to that service.",
    },
};
pub const TIMEOUT: Setting = Setting {
    path: "admission.timeout",
    flag: "--admission-timeout",
    env: &[EnvVar::new("PROLIFERATE_ADMISSION_TIMEOUT", "0.1.0")],
    kind: ValueKind::Duration,
    default: DefaultValue::Duration(ADMISSION_TIMEOUT),
    help: "Longest that a session waits for the service.",
};
pub const ON_FAILURE: Setting = Setting {
    path: "admission.on_failure",
    flag: "--admission-on-failure",
    env: &[EnvVar::new("PROLIFERATE_ADMISSION_ON_FAILURE", "0.1.0")],
    kind: ValueKind::Choice("deny|admit"),
    default: DefaultValue::Text("deny"),
    help: "Whether sessions are denied or admitted while the service does not decide.",
};

pub(crate) const SECTION: Section = Section {
    name: "admission",
    heading: "Admission",
    entries: &[
        SectionEntry::Open(URL),
        SectionEntry::Secret(SECRET),
        SectionEntry::Open(TIMEOUT),
        SectionEntry::Open(ON_FAILURE),
    ],
    other_variables: &[],
};

/// Below it no service across a network answers.
const TIMEOUT_MIN: Duration = Duration::from_millis(100);

/// What follows when the admission service does not decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdmissionFailure {
    Deny,
    Admit,
}

word_values!(
    AdmissionFailure { "deny" => Deny, "admit" => Admit },
    "write `deny`, or `admit` to let sessions start without a decision"
);

/// The admission service. Without a URL there is none.
#[derive(Debug, Clone)]
pub struct AdmissionSettings {
    pub url: Option<EndpointUrl>,
    pub secret: Option<SecretString>,
    pub timeout: Duration,
    pub on_failure: AdmissionFailure,
}

impl AdmissionSettings {
    pub(crate) fn resolve(resolver: &mut Resolver<'_>) -> Self {
        Self {
            url: resolver.optional(&URL),
            secret: resolver.secret(&SECRET),
            timeout: resolver.value(&TIMEOUT),
            on_failure: resolver.value(&ON_FAILURE),
        }
    }

    pub fn validate(&self) -> Vec<InvalidSetting> {
        let bounds = [TIMEOUT_MIN, ADMISSION_TIMEOUT_MAX];
        let mut found = Vec::from_iter(check_duration_range(&TIMEOUT, self.timeout, bounds));
        if self.url.is_some() && self.secret.is_none() {
            found.push(InvalidSetting::new(
                SECRET.value.path,
                format!("is needed with `{}`", URL.path),
                "set PROLIFERATE_ADMISSION_SECRET, or name a file with `admission.secret_file`",
            ));
        }
        found
    }
}
