//! `[mail]`: the mail server for invitations and sign-in links. Without one, links are handed over by hand.

use std::{net::IpAddr, path::PathBuf};

use domain::email::EmailAddress;
use secrecy::SecretString;

use crate::{
    invalid::InvalidSetting,
    resolve::Resolver,
    setting::{DefaultValue, EnvVar, SecretSetting, Section, SectionEntry, Setting, ValueKind},
    value::word_values,
};

pub const SMTP_HOST: Setting = Setting {
    path: "mail.smtp_host",
    flag: "--smtp-host",
    env: &[EnvVar::new("PROLIFERATE_SMTP_HOST", "0.1.0")],
    kind: ValueKind::Text,
    default: DefaultValue::Unset,
    help: "Host name of the mail server; without one no mail is sent.",
};
pub const SMTP_PORT: Setting = Setting {
    path: "mail.smtp_port",
    flag: "--smtp-port",
    env: &[EnvVar::new("PROLIFERATE_SMTP_PORT", "0.1.0")],
    kind: ValueKind::Number,
    default: DefaultValue::Text("587"),
    help: "Its port: usually 587 with `starttls`, 465 with `tls`.",
};
pub const SMTP_ENCRYPTION: Setting = Setting {
    path: "mail.smtp_encryption",
    flag: "--smtp-encryption",
    env: &[EnvVar::new("PROLIFERATE_SMTP_ENCRYPTION", "0.1.0")],
    kind: ValueKind::Choice("starttls|tls|none"),
    default: DefaultValue::Text("starttls"),
    help: "How the connection is encrypted; `none` only for a server on this machine.",
};
pub const SMTP_CA_FILE: Setting = Setting {
    path: "mail.smtp_ca_file",
    flag: "--smtp-ca-file",
    env: &[EnvVar::new("PROLIFERATE_SMTP_CA_FILE", "0.1.0")],
    kind: ValueKind::File,
    default: DefaultValue::Unset,
    help: "PEM file of the authority that signed its certificate, if this machine does not trust it.",
};
pub const SMTP_USER: Setting = Setting {
    path: "mail.smtp_user",
    flag: "--smtp-user",
    env: &[EnvVar::new("PROLIFERATE_SMTP_USER", "0.1.0")],
    kind: ValueKind::Text,
    default: DefaultValue::Unset,
    help: "Name to authenticate with, if the mail server requires it.",
};
pub const SMTP_PASSWORD: SecretSetting = SecretSetting {
    value: Setting {
        path: "mail.smtp_password",
        flag: "",
        env: &[EnvVar::new("PROLIFERATE_SMTP_PASSWORD", "0.1.0")],
        kind: ValueKind::Secret,
        default: DefaultValue::Unset,
        help: "The password that goes with that name.",
    },
    file: Setting {
        path: "mail.smtp_password_file",
        flag: "--smtp-password-file",
        env: &[EnvVar::new("PROLIFERATE_SMTP_PASSWORD_FILE", "0.1.0")],
        kind: ValueKind::FileBesideFile,
        default: DefaultValue::Unset,
        help: "File that holds the password that goes with that name.",
    },
};
pub const FROM: Setting = Setting {
    path: "mail.from",
    flag: "--mail-from",
    env: &[EnvVar::new("PROLIFERATE_MAIL_FROM", "0.1.0")],
    kind: ValueKind::Text,
    default: DefaultValue::Unset,
    help: "Sender of mails: an address, or a name and the address as in `Proliferate <agents@acme.example>`.",
};

pub(crate) const SECTION: Section = Section {
    name: "mail",
    heading: "Mail",
    entries: &[
        SectionEntry::Open(SMTP_HOST),
        SectionEntry::Open(SMTP_PORT),
        SectionEntry::Open(SMTP_ENCRYPTION),
        SectionEntry::Open(SMTP_CA_FILE),
        SectionEntry::Open(SMTP_USER),
        SectionEntry::Secret(SMTP_PASSWORD),
        SectionEntry::Open(FROM),
    ],
    other_variables: &[],
};

/// How the connection to the mail server is encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmtpEncryption {
    /// After the server's agreement; without it no mail is sent.
    StartTls,
    /// From the first byte.
    Tls,
    None,
}

word_values!(
    SmtpEncryption { "starttls" => StartTls, "tls" => Tls, "none" => None },
    "write `starttls`, `tls` or `none`"
);

/// The mail server. Without a host there is none.
#[derive(Debug, Clone)]
pub struct MailServerSettings {
    pub smtp_host: Option<String>,
    pub smtp_port: u16,
    pub smtp_encryption: SmtpEncryption,
    pub smtp_ca_file: Option<PathBuf>,
    pub smtp_user: Option<String>,
    pub smtp_password: Option<SecretString>,
    pub from: Option<String>,
}

impl MailServerSettings {
    pub(crate) fn resolve(resolver: &mut Resolver<'_>) -> Self {
        Self {
            smtp_host: resolver.optional(&SMTP_HOST),
            smtp_port: resolver.value(&SMTP_PORT),
            smtp_encryption: resolver.value(&SMTP_ENCRYPTION),
            smtp_ca_file: resolver.optional(&SMTP_CA_FILE),
            smtp_user: resolver.optional(&SMTP_USER),
            smtp_password: resolver.secret(&SMTP_PASSWORD),
            from: resolver.optional(&FROM),
        }
    }

    pub fn validate(&self) -> Vec<InvalidSetting> {
        let mut found = Vec::new();
        let Some(host) = &self.smtp_host else {
            return found;
        };
        let mut wrong = |setting: &Setting, message: &str, hint: &str| {
            found.push(InvalidSetting::new(setting.path, message, hint));
        };
        match &self.from {
            None => wrong(
                &FROM,
                "is needed with `mail.smtp_host`",
                "write the address that mails come from",
            ),
            Some(from) if sender_address(from).is_none() => wrong(
                &FROM,
                "is no sender",
                "write an address, or a name and the address as in `Proliferate <agents@acme.example>`",
            ),
            Some(_) => {}
        }
        if self.smtp_user.is_some() != self.smtp_password.is_some() {
            let (setting, hint) = if self.smtp_user.is_some() {
                (&SMTP_PASSWORD.file, "name the file that holds the password")
            } else {
                (&SMTP_USER, "write the name that goes with the password")
            };
            wrong(setting, "is missing: name and password go together", hint);
        }
        if self.smtp_encryption == SmtpEncryption::None && !is_this_machine(host) {
            wrong(
                &SMTP_ENCRYPTION,
                "is `none`, and the mail server is another machine: links and passwords would cross the network readably",
                "write `starttls` or `tls`",
            );
        }
        found
    }
}

/// The address in a sender.
fn sender_address(from: &str) -> Option<EmailAddress> {
    let address = match from.split_once('<') {
        Some((_, rest)) => rest.trim_end().strip_suffix('>')?,
        None => from,
    };
    EmailAddress::parse(address).ok()
}

fn is_this_machine(host: &str) -> bool {
    host == "localhost"
        || host
            .parse()
            .is_ok_and(|address: IpAddr| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> MailServerSettings {
        MailServerSettings {
            smtp_host: Some("mail.acme.example".to_owned()),
            smtp_port: 587,
            smtp_encryption: SmtpEncryption::StartTls,
            smtp_ca_file: None,
            smtp_user: None,
            smtp_password: None,
            from: Some("Proliferate <agents@acme.example>".to_owned()),
        }
    }

    fn wrong(change: impl FnOnce(&mut MailServerSettings)) -> Vec<&'static str> {
        let mut changed = settings();
        change(&mut changed);
        let found = changed.validate();
        found.into_iter().map(|invalid| invalid.setting).collect()
    }

    #[test]
    fn a_mail_server_needs_a_sender_and_both_halves_of_its_credentials() {
        assert_eq!(wrong(|_| {}), [""; 0]);
        assert_eq!(wrong(|it| it.from = None), ["mail.from"]);
        assert_eq!(
            wrong(|it| it.from = Some("agents".to_owned())),
            ["mail.from"]
        );
        assert_eq!(
            wrong(|it| it.smtp_user = Some("ada".to_owned())),
            ["mail.smtp_password_file"]
        );
        assert_eq!(
            wrong(|it| it.smtp_password = Some("hush".into())),
            ["mail.smtp_user"]
        );
        let without_host = |it: &mut MailServerSettings| {
            it.smtp_host = None;
            it.from = None;
        };
        assert_eq!(wrong(without_host), [""; 0]);
    }

    #[test]
    fn only_this_machine_is_reached_without_encryption() {
        let open = |host: &str| {
            wrong(|it| {
                it.smtp_host = Some(host.to_owned());
                it.smtp_encryption = SmtpEncryption::None;
            })
        };
        for host in ["localhost", "127.0.0.1", "::1"] {
            assert_eq!(open(host), [""; 0], "{host}");
        }
        for host in ["mail.acme.example", "10.0.0.1", "localhost.evil.example"] {
            assert_eq!(open(host), ["mail.smtp_encryption"], "{host}");
        }
    }
}
