//! Who accepts an invitation: the rules by which an acceptance becomes a user.
//!
//! INVARIANT: an existing user is chosen by a login of that user, or by a link that was mailed to the user's proved address.

use domain::{
    clock::random_bytes,
    email::EmailAddress,
    id::UserId,
    invalid::{Invalid, bounded_text},
    limits::NAME_LENGTH_MAX,
    organization::User,
};
use store::{FoundInvitation, Tx};

use super::Acceptance;
use crate::{
    context::App,
    error::{Error, Result},
};

/// Who accepts.
#[derive(Debug)]
pub(super) enum Joining {
    /// A user who is signed in.
    SignedIn(UserId),
    /// The reader of the mailbox of the invitation's address.
    Mailed {
        email: EmailAddress,
        name: Option<String>,
    },
    /// The holder of the link.
    Unproved { email: EmailAddress, name: String },
}

impl Joining {
    /// `signed_in` is the user of the browser's login, if there is one. That user joins unless a name or an address is given.
    pub(super) fn of(
        acceptance: &Acceptance<'_>,
        found: &FoundInvitation,
        signed_in: Option<UserId>,
    ) -> Result<Self> {
        let name = acceptance.name.map(check_name).transpose()?;
        let given = acceptance.email.map(EmailAddress::parse).transpose()?;
        if let (Some(user_id), None, None) = (signed_in, &name, &given) {
            return Ok(Self::SignedIn(user_id));
        }
        let bound = found.invitation.email.clone();
        if let (Some(given), Some(bound)) = (&given, &bound)
            && given != bound
        {
            let message = "must be the address that the invitation is for";
            return Err(Invalid::new("email", message).into());
        }
        if let Some(email) = bound.clone().filter(|_| found.is_mailed_code) {
            return Ok(Self::Mailed { email, name });
        }
        let email = given.or(bound).ok_or_else(|| missing("email"))?;
        let name = name.ok_or_else(|| missing("name"))?;
        Ok(Self::Unproved { email, name })
    }

    /// The user, who is created if there is none yet.
    pub(super) async fn user(
        self,
        tx: &mut Tx,
        app: &App,
        found: &FoundInvitation,
    ) -> Result<UserId> {
        match self {
            Self::SignedIn(user_id) => {
                if let Some(bound) = &found.invitation.email
                    && !store::user_owns_address(tx, &user_id, bound).await?
                {
                    return Err(Error::Forbidden(
                        "the invitation is for another address than that of the user who is signed in",
                    ));
                }
                Ok(user_id)
            }
            Self::Mailed { email, name } => {
                if let Some(user) = store::user_fetch_by_email(tx, email.as_str()).await? {
                    return Ok(user.id);
                }
                let name = name.ok_or_else(|| missing("name"))?;
                let user = new_user(app, name, &email)?;
                store::user_insert(tx, &user).await?;
                Ok(user.id)
            }
            Self::Unproved { email, name } => {
                if store::user_fetch_by_email(tx, email.as_str())
                    .await?
                    .is_some()
                {
                    let message = "a user with this address exists: sign in as that user and open the link again, or ask \
                                   for an invitation that is mailed to the address";
                    return Err(Error::Conflict(message.to_owned()));
                }
                let user = new_user(app, name, &email)?;
                store::user_insert_claiming(tx, &user).await?;
                Ok(user.id)
            }
        }
    }
}

fn missing(field: &str) -> Error {
    Invalid::new(field, "must be given to join as a new user").into()
}

fn check_name(name: &str) -> Result<String> {
    let name = name.trim();
    bounded_text("name", name, 1, NAME_LENGTH_MAX)?;
    if name.chars().any(char::is_control) {
        return Err(Invalid::new("name", "must be one line").into());
    }
    Ok(name.to_owned())
}

fn new_user(app: &App, name: String, email: &EmailAddress) -> Result<User> {
    let number = hex::encode(random_bytes::<16>(&*app.entropy));
    let id = UserId::new(format!("user_{number}")).map_err(|_| Error::NotFound("user"))?;
    Ok(User {
        id,
        name,
        email: email.to_string(),
        created_at: app.now(),
    })
}
