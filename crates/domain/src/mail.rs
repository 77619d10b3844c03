//! Mails: stored in the transaction of what they are about, sent after it, and retried for a while.

use std::time::Duration;

use crate::{
    clock::Timestamp,
    email::EmailAddress,
    id::{InvitationId, MailId, OrganizationId},
    limits::{MAIL_ATTEMPTS_MAX, MAIL_PAUSE, MAIL_PAUSE_MAX},
};

crate::text_enum! {
    MailStatus {
        /// It is sent soon, or again after a failure.
        Waiting = "waiting",
        /// The mail server accepted it.
        Sent = "sent",
        /// It is not sent any more.
        Failed = "failed",
    }
}

/// What a mail is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailSubject {
    Invitation(InvitationId),
    LoginLink,
}

/// A mail that is sent now. Its link is sealed in the store until it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    pub id: MailId,
    pub organization_id: OrganizationId,
    pub recipient: EmailAddress,
    pub subject: MailSubject,
    /// Attempts, this one included.
    pub attempts: u32,
    /// When its link ends.
    pub expires_at: Timestamp,
}

/// The delivery of a mail, as admins see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailDelivery {
    pub status: MailStatus,
    /// Why the last attempt failed.
    pub error: Option<String>,
}

/// The result of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MailAttempt {
    Sent,
    /// The same mail may be accepted later.
    Postponed(String),
    /// It will never be.
    Refused(String),
}

/// The state of a mail after an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettledMail {
    Sent,
    Waiting { at: Timestamp, error: String },
    Failed { error: String },
}

impl MailAttempt {
    pub fn settle(self, mail: &Mail, now: Timestamp) -> SettledMail {
        match self {
            Self::Sent => SettledMail::Sent,
            Self::Refused(error) => SettledMail::Failed { error },
            Self::Postponed(error) => {
                let at = now.plus(pause(mail.attempts));
                if mail.attempts >= MAIL_ATTEMPTS_MAX || at >= mail.expires_at {
                    SettledMail::Failed { error }
                } else {
                    SettledMail::Waiting { at, error }
                }
            }
        }
    }
}

/// Doubles with each attempt. Not `backon`, which sleeps: the time of the next attempt is stored with the mail.
fn pause(attempts: u32) -> Duration {
    let doublings = attempts.saturating_sub(1).min(16);
    MAIL_PAUSE
        .saturating_mul(1 << doublings)
        .min(MAIL_PAUSE_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::LOGIN_MAIL_LIFE;

    fn mail(attempts: u32, life: Duration) -> (Mail, Timestamp) {
        let now = Timestamp::from_micros(0).unwrap();
        let mail = Mail {
            id: MailId::from_uuid(uuid::Uuid::nil()),
            organization_id: OrganizationId::new("acme").unwrap(),
            recipient: EmailAddress::parse("ada@acme.example").unwrap(),
            subject: MailSubject::LoginLink,
            attempts,
            expires_at: now.plus(life),
        };
        (mail, now)
    }

    #[test]
    fn it_is_retried_ever_later_and_then_no_more() {
        let mut pauses = Vec::new();
        for attempts in 1..=MAIL_ATTEMPTS_MAX {
            let (mail, now) = mail(attempts, Duration::from_hours(24));
            match MailAttempt::Postponed("x".to_owned()).settle(&mail, now) {
                SettledMail::Waiting { at, .. } => pauses.push(at.since(now).as_secs()),
                SettledMail::Failed { .. } => assert_eq!(attempts, MAIL_ATTEMPTS_MAX),
                SettledMail::Sent => panic!("it failed"),
            }
        }
        assert_eq!(pauses, [15, 30, 60, 120, 240, 480, 960]);
    }

    #[test]
    fn it_is_not_sent_after_its_link_ended_nor_when_it_was_refused() {
        let (late, now) = mail(7, LOGIN_MAIL_LIFE);
        let error = || "x".to_owned();
        let failed = SettledMail::Failed { error: error() };
        assert_eq!(MailAttempt::Postponed(error()).settle(&late, now), failed);
        assert_eq!(MailAttempt::Refused(error()).settle(&late, now), failed);
    }
}
