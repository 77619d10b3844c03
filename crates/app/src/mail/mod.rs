//! Mails: stored in the transaction of what they are about (`enqueue`), sent by any process after it (`deliver.rs`).
//!
//! INVARIANT: a stored mail is sent at least once, or shown as failed with the reason. Its link is sealed until then and gone
//! afterwards. No log line and no error holds an address or a text.

mod deliver;
mod sender;
mod text;

use domain::{
    clock::Timestamp,
    email::EmailAddress,
    id::{MailId, OrganizationId},
    limits::{MAIL_RETENTION, MAIL_SWEEP_MAX, MAILS_WAITING_MAX},
    mail::{Mail, MailSubject},
};
use store::Tx;

pub use deliver::{deliver_due, run};
pub use sender::{MailEncryption, MailSender, MailSettings};

use crate::{
    context::App,
    error::{Error, Result},
};

/// A mail with a link, to be sent.
pub(crate) struct NewMail<'a> {
    pub(crate) organization_id: &'a OrganizationId,
    pub(crate) recipient: &'a EmailAddress,
    pub(crate) subject: MailSubject,
    pub(crate) link: &'a str,
    /// When the link ends.
    pub(crate) expires_at: Timestamp,
}

/// Stores a mail, which is sent after the commit.
pub(crate) async fn enqueue(tx: &mut Tx, app: &App, new: NewMail<'_>) -> Result<()> {
    let waiting = store::mail_count_waiting(tx, new.organization_id).await?;
    if waiting >= i64::from(MAILS_WAITING_MAX) {
        let message = format!(
            "{MAILS_WAITING_MAX} mails of the organization wait to be sent; try again when the mail server accepts them"
        );
        return Err(Error::LimitReached(message));
    }
    let now = app.now();
    let mail = Mail {
        id: MailId::generate(now, &*app.entropy),
        organization_id: new.organization_id.clone(),
        recipient: new.recipient.clone(),
        subject: new.subject,
        attempts: 0,
        expires_at: new.expires_at,
    };
    let sealed = app.keyring.seal(&*app.entropy, &place(mail.id), new.link)?;
    Ok(store::mail_insert(tx, &mail, &sealed, now).await?)
}

/// Removes mails that were sent or given up before the retention period, and returns how many.
pub async fn sweep(app: &App) -> Result<u64> {
    let before = app.now().minus(MAIL_RETENTION);
    let mut tx = app.db.write().await?;
    let removed = store::mail_sweep(&mut tx, before, MAIL_SWEEP_MAX).await?;
    tx.commit().await?;
    Ok(removed)
}

/// INVARIANT: the link of one mail is none of another.
fn place(id: MailId) -> String {
    format!("mail:{id}")
}
