//! Sends mails that are due: claims some, sends them, stores how each ended. Any number of processes do this at once; what
//! one has claimed the others leave alone until the claim expires.

use domain::{
    limits::{MAIL_ATTEMPTS_MAX, MAIL_BATCH_MAX, MAIL_CLAIM, MAIL_ROUND_EVERY, MAIL_STOP_MAX},
    mail::{Mail, MailAttempt, MailSubject},
};
use futures::{StreamExt as _, stream};
use secrecy::ExposeSecret as _;
use store::ClaimedMail;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::{
    place,
    sender::{MailSender, MailText},
    text::{self, InvitationText},
};
use crate::{
    context::App,
    error::{Error, Result},
};

/// Sends until `stop`, and then finishes what is under way. Without a mail server there is nothing to do.
pub async fn run(app: App, stop: CancellationToken) {
    if app.mail.is_none() {
        return;
    }
    while !stop.is_cancelled() {
        let round = deliver_due(&app);
        tokio::pin!(round);
        let ended = tokio::select! {
            ended = &mut round => Some(ended),
            () = stop.cancelled() => timeout(MAIL_STOP_MAX, round).await.ok(),
        };
        match ended {
            Some(Ok(sent)) if sent >= MAIL_BATCH_MAX as usize => continue,
            Some(Ok(_)) => {}
            Some(Err(error)) => tracing::warn!(%error, "mails that are due cannot be found"),
            None => tracing::info!("some mails were cut off; they are sent again"),
        }
        stop.run_until_cancelled(sleep(MAIL_ROUND_EVERY)).await;
    }
}

/// Sends what is due now, a batch at most, and returns how many mails that were.
pub async fn deliver_due(app: &App) -> Result<usize> {
    let Some(sender) = &app.mail else {
        return Ok(0);
    };
    let now = app.now();
    if !store::mail_is_due(&mut app.db.read().await?, now).await? {
        return Ok(0);
    }
    let mut tx = app.db.write().await?;
    let claimed = store::mail_claim(&mut tx, now, now.plus(MAIL_CLAIM), MAIL_BATCH_MAX).await?;
    tx.commit().await?;
    let count = claimed.len();
    stream::iter(claimed)
        .for_each_concurrent(None, |claimed| send_one(app, sender, claimed))
        .await;
    Ok(count)
}

async fn send_one(app: &App, sender: &MailSender, claimed: ClaimedMail) {
    let mail = &claimed.mail;
    let written = async {
        let attempt = match compose(app, &claimed).await? {
            Ok(text) => sender.send(&mail.recipient, text).await,
            Err(refused) => refused,
        };
        let now = app.now();
        let settled = attempt.settle(mail, now);
        let mut tx = app.db.write().await?;
        store::mail_settle(&mut tx, mail, &settled, now).await?;
        tx.commit().await?;
        Result::Ok(settled)
    };
    match written.await {
        Ok(settled) => {
            let outcome = match &settled {
                domain::mail::SettledMail::Sent => "sent",
                domain::mail::SettledMail::Waiting { error, .. } => {
                    tracing::warn!(mail_id = %mail.id, error, "a mail was not sent and is retried");
                    "retried"
                }
                domain::mail::SettledMail::Failed { error } => {
                    tracing::warn!(mail_id = %mail.id, error, "a mail was not sent");
                    "failed"
                }
            };
            metrics::counter!("proliferate_mails_total", "outcome" => outcome).increment(1);
        }
        Err(error) => {
            tracing::warn!(%error, mail_id = %mail.id, "a mail is sent again, perhaps for nothing");
        }
    }
}

/// The text of a mail, or why it is not to be sent any more.
async fn compose(
    app: &App,
    claimed: &ClaimedMail,
) -> Result<std::result::Result<MailText, MailAttempt>> {
    let mail = &claimed.mail;
    let give_up = |why: &str| Ok(Err(MailAttempt::Refused(why.to_owned())));
    if mail.attempts > MAIL_ATTEMPTS_MAX {
        return give_up("it was cut off each time it was sent");
    }
    if app.now() >= mail.expires_at {
        return give_up("it could not be sent before its link ended");
    }
    let Ok(link) = app.keyring.open(&place(mail.id), &claimed.sealed_link) else {
        return give_up("its link cannot be read: it was sealed with a key that is gone");
    };
    let mut conn = app.db.read().await?;
    let organization = store::organization_fetch(&mut conn, &mail.organization_id).await?;
    let organization = organization.ok_or(Error::NotFound("organization"))?.name;
    let link = link.expose_secret();
    match mail.subject {
        MailSubject::LoginLink => Ok(Ok(text::login_link(&organization, link))),
        MailSubject::Invitation(id) => {
            let found = store::invitation_fetch(&mut conn, &mail.organization_id, id).await?;
            let Some(invitation) = found.filter(|it| is_open(app, it, mail)) else {
                return give_up("the invitation is not open any more");
            };
            let inviter = store::user_fetch(&mut conn, &invitation.created_by).await?;
            let inviter = inviter.map_or_else(|| "An admin".to_owned(), |user| user.name);
            Ok(Ok(text::invitation(&InvitationText {
                organization: &organization,
                inviter: &inviter,
                role: invitation.role,
                expires_at: invitation.expires_at,
                link,
            })))
        }
    }
}

fn is_open(app: &App, invitation: &domain::invitation::Invitation, mail: &Mail) -> bool {
    let is_pending = invitation.status(app.now()) == domain::invitation::InvitationStatus::Pending;
    is_pending && invitation.email.as_ref() == Some(&mail.recipient)
}
