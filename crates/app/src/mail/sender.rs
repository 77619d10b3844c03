//! The SMTP client. Knows no mail of ours: it sends a text to an address.

use std::sync::Arc;

use domain::{email::EmailAddress, limits::MAIL_TIMEOUT, mail::MailAttempt};
use lettre::{
    AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor,
    address::AddressError,
    message::{Mailbox, header::ContentType},
    transport::smtp::{
        self,
        authentication::Credentials,
        client::{Certificate, Tls, TlsParameters},
    },
};
use secrecy::{ExposeSecret as _, SecretString};

/// How the conversation with the mail server is encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailEncryption {
    /// From the first byte.
    Tls,
    /// From the server's agreement on; a server that does not agree gets no mail.
    StartTls,
    /// Not at all: for a server on this machine.
    None,
}

/// The operator's mail server.
#[derive(Debug, Clone)]
pub struct MailSettings {
    pub host: String,
    pub port: u16,
    pub encryption: MailEncryption,
    pub credentials: Option<(String, SecretString)>,
    /// The sender: an address, or a name and the address in angle brackets.
    pub from: String,
    /// PEM of the authority that signed the server's certificate, if it is none that this machine trusts.
    pub authority: Option<Vec<u8>>,
}

/// A sender that cannot be made of its settings.
#[derive(Debug, thiserror::Error)]
pub enum InvalidMailSettings {
    #[error("the sender's address is not valid")]
    From(#[from] AddressError),
    #[error("the encryption of mail cannot be set up")]
    Encryption(#[source] smtp::Error),
}

/// Sends mails through the operator's mail server. Cheap to clone.
#[derive(Clone)]
pub struct MailSender(Arc<Inner>);

struct Inner {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl std::fmt::Debug for MailSender {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MailSender")
    }
}

/// What is sent.
pub(super) struct MailText {
    pub(super) subject: String,
    pub(super) body: String,
}

impl MailSender {
    pub fn new(settings: MailSettings) -> Result<Self, InvalidMailSettings> {
        let from = settings.from.parse()?;
        let parameters = || {
            let mut builder = TlsParameters::builder(settings.host.clone());
            if let Some(pem) = &settings.authority {
                builder = builder.add_root_certificate(Certificate::from_pem(pem)?);
            }
            builder.build_rustls()
        };
        let tls = match settings.encryption {
            MailEncryption::Tls => parameters().map(Tls::Wrapper),
            MailEncryption::StartTls => parameters().map(Tls::Required),
            MailEncryption::None => Ok(Tls::None),
        };
        let tls = tls.map_err(InvalidMailSettings::Encryption)?;
        // "Dangerous" is what is not said to it: port and encryption, which are said here.
        let builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&settings.host);
        let mut builder = builder
            .port(settings.port)
            .tls(tls)
            .timeout(Some(MAIL_TIMEOUT));
        if let Some((user, password)) = settings.credentials {
            let password = password.expose_secret().to_owned();
            builder = builder.credentials(Credentials::new(user, password));
        }
        let transport = builder.build();
        Ok(Self(Arc::new(Inner { transport, from })))
    }

    pub(super) async fn send(&self, to: &EmailAddress, text: MailText) -> MailAttempt {
        let Ok(to) = to.as_str().parse() else {
            return refused("the address is not valid");
        };
        let message = Message::builder()
            .from(self.0.from.clone())
            .to(Mailbox::new(None, to))
            .subject(text.subject)
            .header(ContentType::TEXT_PLAIN)
            .body(text.body);
        let Ok(message) = message else {
            return refused("the mail could not be written");
        };
        match tokio::time::timeout(MAIL_TIMEOUT, self.0.transport.send(message)).await {
            Ok(Ok(_)) => MailAttempt::Sent,
            Ok(Err(error)) => describe(&error),
            Err(_) => postponed("the mail server did not answer in time"),
        }
    }
}

/// The server's own text may hold the address, and is left out.
fn describe(error: &smtp::Error) -> MailAttempt {
    if let Some(code) = error.status() {
        return if error.is_permanent() {
            MailAttempt::Refused(format!(
                "the mail server rejected the mail with code {code}"
            ))
        } else {
            MailAttempt::Postponed(format!(
                "the mail server postponed the mail with code {code}"
            ))
        };
    }
    postponed(if error.is_timeout() {
        "the mail server did not answer in time"
    } else if error.is_tls() {
        "the encrypted connection to the mail server failed"
    } else if error.is_client() {
        "the mail server does not offer the configured encryption or authentication"
    } else if error.is_response() {
        "the mail server's answer is not SMTP"
    } else {
        "the mail server cannot be reached"
    })
}

fn refused(error: &str) -> MailAttempt {
    MailAttempt::Refused(error.to_owned())
}

fn postponed(error: &str) -> MailAttempt {
    MailAttempt::Postponed(error.to_owned())
}
