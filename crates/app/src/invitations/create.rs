//! Creates an invitation, and the mail about it.

use std::time::Duration;

use domain::{
    email::EmailAddress,
    id::InvitationId,
    invitation::{Invitation, InvitationState, invitation_life, may_invite},
    limits::INVITATIONS_PENDING_MAX,
    login::{LoginText, login_hash},
    mail::{MailDelivery, MailStatus, MailSubject},
    role::Role,
};

use crate::{
    access::Admin,
    audit,
    context::App,
    error::{Error, Result},
    mail::{self, NewMail},
};

/// What an admin says of an invitation.
#[derive(Debug)]
pub struct NewInvitation {
    pub role: Role,
    pub email: Option<EmailAddress>,
    pub life: Option<Duration>,
}

/// An invitation, and its link for the only time.
#[derive(Debug)]
pub struct CreatedInvitation {
    pub invitation: Invitation,
    pub delivery: Option<MailDelivery>,
    pub code: LoginText,
}

/// `link` makes the link of a code.
pub async fn create(
    app: &App,
    admin: &Admin,
    new: NewInvitation,
    link: impl Fn(&LoginText) -> String,
) -> Result<CreatedInvitation> {
    let organization_id = admin.organization_id();
    let life = invitation_life(new.life)?;
    let now = app.now();
    let invitation = Invitation {
        id: InvitationId::generate(now, &*app.entropy),
        organization_id: organization_id.clone(),
        role: new.role,
        email: new.email,
        created_by: admin.user_id().clone(),
        created_at: now,
        expires_at: now.plus(life),
        state: InvitationState::Pending,
    };
    let code = LoginText::invitation(&*app.entropy);
    // Another one than the creator sees: only its mail's reader can know it.
    let mailed = invitation.email.as_ref().filter(|_| app.mail.is_some());
    let mailed = mailed.map(|email| (email, LoginText::invitation(&*app.entropy)));
    let mail_digest = mailed.as_ref().map(|(_, code)| login_hash(code.expose()));
    let mut tx = app.db.write().await?;
    store::organization_lock(&mut tx, organization_id).await?;
    // As it is now, not as it was when the request came.
    let inviter = store::member_fetch(&mut tx, organization_id, admin.user_id()).await?;
    let inviter = inviter.ok_or(Error::Forbidden("only an admin or owner may do this"))?;
    if !may_invite(inviter.role, invitation.role) {
        return Err(Error::Forbidden(
            "only an admin or owner may invite members, and only an owner may invite an owner",
        ));
    }
    let pending = store::invitation_count_pending(&mut tx, organization_id, now).await?;
    if pending >= i64::from(INVITATIONS_PENDING_MAX) {
        let message = format!(
            "the organization has {INVITATIONS_PENDING_MAX} pending invitations; revoke one first"
        );
        return Err(Error::LimitReached(message));
    }
    let digest = login_hash(code.expose());
    store::invitation_insert(&mut tx, &invitation, &digest, mail_digest.as_deref()).await?;
    if let Some((email, mailed_code)) = &mailed {
        let new = NewMail {
            organization_id,
            recipient: email,
            subject: MailSubject::Invitation(invitation.id),
            link: &link(mailed_code),
            expires_at: invitation.expires_at,
        };
        mail::enqueue(&mut tx, app, new).await?;
    }
    let id = Some(invitation.id.uuid());
    audit::record_operation(&mut tx, app, admin, "invitation_create", id).await?;
    tx.commit().await?;
    let delivery = mailed.is_some().then_some(MailDelivery {
        status: MailStatus::Waiting,
        error: None,
    });
    Ok(CreatedInvitation {
        invitation,
        delivery,
        code,
    })
}
