//! Accepts an invitation: in one transaction it is used up, the user is found or created, becomes a member and is signed in.

use domain::{id::UserId, login::LoginMethod};
use store::FoundInvitation;

use super::{
    find::{find, refusal, refuse},
    join::Joining,
};
use crate::{
    access::Person,
    audit,
    context::App,
    error::{Error, Result},
    identity::{LoggedIn, LoginOrigin, authenticate_login, begin_for_member},
    organizations,
};

/// What a person says to accept an invitation.
#[derive(Debug)]
pub struct Acceptance<'a> {
    pub code: &'a str,
    /// Of a new user.
    pub name: Option<&'a str>,
    pub email: Option<&'a str>,
}

const OPERATION: &str = "invitation_accept";

/// Accepts an invitation. `browser` is the login that the browser has, `client` stands for the client that asks.
pub async fn accept(
    app: &App,
    acceptance: Acceptance<'_>,
    browser: Option<&str>,
    client: u128,
) -> Result<LoggedIn> {
    let found = find(app, acceptance.code, client).await?;
    match try_accept(app, &acceptance, &found, browser).await {
        Ok(logged_in) => Ok(logged_in),
        // Two acceptances made a user with this address at once; the other one was first.
        Err(Error::Store(store::Error::Conflict { .. })) => {
            let message = "a user with this address was created at the same time; try again";
            Err(Error::Conflict(message.to_owned()))
        }
        Err(error) => Err(refuse(app, &found, OPERATION, error).await),
    }
}

async fn try_accept(
    app: &App,
    acceptance: &Acceptance<'_>,
    found: &FoundInvitation,
    browser: Option<&str>,
) -> Result<LoggedIn> {
    let signed_in = signed_in(app, browser).await?;
    let joining = Joining::of(acceptance, found, signed_in)?;
    let invitation = &found.invitation;
    let (organization_id, role, now) = (&invitation.organization_id, invitation.role, app.now());
    let mut tx = app.db.write().await?;
    store::organization_lock(&mut tx, organization_id).await?;
    organizations::require_active(&mut tx, organization_id).await?;
    if let Some(error) = refusal(app, &mut tx, found).await? {
        return Err(error);
    }
    let user_id = joining.user(&mut tx, app, found).await?;
    // INVARIANT: of several acceptances at once, one changes the row; the others are refused.
    if !store::invitation_accept(&mut tx, invitation, &user_id, now).await? {
        return Err(Error::Gone("the invitation was used".to_owned()));
    }
    let member = store::member_fetch(&mut tx, organization_id, &user_id).await?;
    if member.is_some() {
        let message =
            "this user is a member of the organization already; the invitation stays open";
        return Err(Error::Conflict(message.to_owned()));
    }
    store::member_upsert(&mut tx, organization_id, &user_id, role, now).await?;
    // The other link of the invitation ends with it.
    store::mail_delete_of_invitation(&mut tx, organization_id, invitation.id).await?;
    let made_from = LoginOrigin::new(LoginMethod::Link);
    let begun = begin_for_member(&mut tx, app, organization_id, &user_id, made_from, browser);
    let logged_in = begun.await?;
    let person = Person::of(&logged_in.caller)?;
    let id = Some(invitation.id.uuid());
    audit::record_operation(&mut tx, app, &person, OPERATION, id).await?;
    let change = (None, role);
    audit::record_member_change(&mut tx, app, &person, "member_create", &user_id, change).await?;
    tx.commit().await?;
    Ok(logged_in)
}

/// The user of the browser's login. A login that has ended is none.
async fn signed_in(app: &App, browser: Option<&str>) -> Result<Option<UserId>> {
    let Some(browser) = browser else {
        return Ok(None);
    };
    match authenticate_login(app, browser, None).await {
        Ok(identified) => Ok(identified.caller().user_id().cloned()),
        Err(Error::Unauthenticated(_)) => Ok(None),
        Err(error) => Err(error),
    }
}
