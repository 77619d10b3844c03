//! Sign-in by mail: a member requests a link that is sent to their address. Nothing tells the requester whether there is such
//! a member.
//!
//! INVARIANT: a link goes to the user who has proved the address. Where there is none, it goes to the one member who claims
//! it; using it proves the address, and ends whatever credentials the user had before, because another person may have
//! typed the address.

use domain::{
    email::EmailAddress,
    id::UserId,
    lease::RateKey,
    limits::{
        LOGIN_MAIL_LIFE, LOGIN_MAIL_WINDOW, LOGIN_MAILS_PER_ADDRESS_MAX,
        LOGIN_MAILS_PER_CLIENT_MAX, LOGIN_SWEEP_MAX,
    },
    login::{LoginCode, LoginText, login_hash},
    mail::MailSubject,
    organization::Member,
};
use sha2::{Digest as _, Sha256};
use store::Tx;

use crate::{
    access::GatewayActor,
    audit,
    context::App,
    error::{Error, Result},
    mail::{self, NewMail},
};

/// Mails a one-time link to the member with this address, if there is one. `client` stands for the client that asks, `link`
/// makes the link of a code.
pub async fn send_login_mail(
    app: &App,
    email: &EmailAddress,
    client: u128,
    link: impl Fn(&LoginText) -> String,
) -> Result<()> {
    if app.mail.is_none() {
        let message =
            "sign-in by mail is not available: the operator has configured no mail server";
        return Err(Error::Conflict(message.to_owned()));
    }
    let by_client = RateKey::LoginMailClient(client);
    check_rate(app, by_client, LOGIN_MAILS_PER_CLIENT_MAX).await?;
    let by_address = RateKey::LoginMailAddress(digest(email));
    check_rate(app, by_address, LOGIN_MAILS_PER_ADDRESS_MAX).await?;
    let now = app.now();
    let code = LoginText::code(&*app.entropy);
    // Also without a member: a request without effect must not be told by its time.
    let mut tx = app.db.write().await?;
    store::login_code_sweep(&mut tx, now, LOGIN_SWEEP_MAX).await?;
    if let Some((member, is_proved)) = find_member(&mut tx, email).await? {
        let expires_at = now.plus(LOGIN_MAIL_LIFE);
        let login_code = LoginCode {
            organization_id: member.organization_id.clone(),
            user_id: member.user_id,
            created_at: now,
            expires_at,
            proves_email: (!is_proved).then(|| email.clone()),
        };
        store::login_code_insert(&mut tx, &login_code, &login_hash(code.expose())).await?;
        let new = NewMail {
            organization_id: &member.organization_id,
            recipient: email,
            subject: MailSubject::LoginLink,
            link: &link(&code),
            expires_at,
        };
        match mail::enqueue(&mut tx, app, new).await {
            Ok(()) => {}
            // As if there were no member: the answer says nothing about the address.
            Err(Error::LimitReached(_)) => {
                tracing::warn!(organization_id = %member.organization_id,
                    "a sign-in link was not mailed: too many mails of the organization wait");
                return Ok(());
            }
            Err(error) => return Err(error),
        }
        let gateway = GatewayActor(member.organization_id);
        audit::record_operation(&mut tx, app, &gateway, "login_code_create", None).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// The membership that a link for the address signs in to, and whether its user has proved the address.
async fn find_member(tx: &mut Tx, email: &EmailAddress) -> Result<Option<(Member, bool)>> {
    if let Some(user) = store::user_fetch_by_email(tx, email.as_str()).await? {
        let member = store::member_fetch_first(tx, &user.id).await?;
        return Ok(member.map(|member| (member, true)));
    }
    let claiming = store::user_list_claiming(tx, email).await?;
    let [user] = claiming.as_slice() else {
        return Ok(None);
    };
    let member = store::member_fetch_first(tx, &user.id).await?;
    Ok(member.map(|member| (member, false)))
}

/// The user of a mailed code has proved the address now. `false` if another user has proved it since the mail.
pub(super) async fn prove_address(
    tx: &mut Tx,
    app: &App,
    user_id: &UserId,
    email: &EmailAddress,
) -> Result<bool> {
    if store::user_fetch_by_email(tx, email.as_str())
        .await?
        .is_some()
    {
        return Ok(false);
    }
    if !store::user_prove_address(tx, user_id, email).await? {
        return Ok(false);
    }
    store::login_delete_of_user(tx, user_id).await?;
    store::api_key_revoke_of_user(tx, user_id, app.now()).await?;
    Ok(true)
}

async fn check_rate(app: &App, key: RateKey, limit: u64) -> Result<()> {
    match app
        .rate_limiter()
        .check(key, LOGIN_MAIL_WINDOW, limit)
        .await
    {
        coord::Admission::Limited { retry_after, .. } => Err(Error::RateLimited {
            message: "too many sign-in links were requested",
            retry_after,
        }),
        coord::Admission::Allowed { .. } | coord::Admission::Degraded => Ok(()),
    }
}

fn digest(email: &EmailAddress) -> u128 {
    let digest: [u8; 32] = Sha256::digest(email.as_str().as_bytes()).into();
    let [a, b, ..] = digest.as_chunks::<16>().0 else {
        return 0;
    };
    u128::from_be_bytes(*a) ^ u128::from_be_bytes(*b)
}
