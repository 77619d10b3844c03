//! Invitations: an admin offers a person a membership. The link of an invitation is valid once; only its hash is stored.
//!
//! INVARIANT: an invitation ends once. Accepted or revoked, it does not change any more; expired, it can only be revoked.

use std::time::Duration;

use crate::{
    clock::Timestamp,
    email::EmailAddress,
    id::{InvitationId, OrganizationId, UserId},
    invalid::Invalid,
    limits::{INVITATION_LIFE, INVITATION_LIFE_MAX, INVITATION_LIFE_MIN},
    role::Role,
};

crate::text_enum! {
    /// What has become of an invitation.
    InvitationStatus {
        Pending = "pending",
        /// It was not accepted in time.
        Expired = "expired",
        Accepted = "accepted",
        Revoked = "revoked",
    }
}

/// The state of an invitation. Its expiry is not a state: it follows from the time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InvitationState {
    Pending,
    Accepted { at: Timestamp, by: UserId },
    Revoked { at: Timestamp, by: UserId },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    pub id: InvitationId,
    pub organization_id: OrganizationId,
    /// The role of the new member.
    pub role: Role,
    /// The address that it is for; each holder of the link may accept it otherwise.
    pub email: Option<EmailAddress>,
    pub created_by: UserId,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    pub state: InvitationState,
}

impl Invitation {
    pub fn status(&self, now: Timestamp) -> InvitationStatus {
        match self.state {
            InvitationState::Pending if now < self.expires_at => InvitationStatus::Pending,
            InvitationState::Pending => InvitationStatus::Expired,
            InvitationState::Accepted { .. } => InvitationStatus::Accepted,
            InvitationState::Revoked { .. } => InvitationStatus::Revoked,
        }
    }
}

/// The life of an invitation, if the requested one is within the bounds.
pub fn invitation_life(requested: Option<Duration>) -> Result<Duration, Invalid> {
    let life = requested.unwrap_or(INVITATION_LIFE);
    if (INVITATION_LIFE_MIN..=INVITATION_LIFE_MAX).contains(&life) {
        return Ok(life);
    }
    let (min, max) = (INVITATION_LIFE_MIN.as_secs(), INVITATION_LIFE_MAX.as_secs());
    let message = format!("must be between {min} (an hour) and {max} (30 days)");
    Err(Invalid::new("expiresInSeconds", message))
}

/// Whether a member with the role may invite others with that one.
pub fn may_invite(inviter: Role, invited: Role) -> bool {
    inviter.is_admin() && (invited != Role::Owner || inviter == Role::Owner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000).unwrap()
    }

    #[test]
    fn the_status_follows_from_state_and_time() {
        let ada = UserId::new("ada").unwrap();
        let invitation = |state| Invitation {
            id: InvitationId::from_uuid(uuid::Uuid::nil()),
            organization_id: OrganizationId::new("acme").unwrap(),
            role: Role::Member,
            email: None,
            created_by: ada.clone(),
            created_at: at(0),
            expires_at: at(100),
            state,
        };
        let accepted = || InvitationState::Accepted {
            at: at(1),
            by: ada.clone(),
        };
        let revoked = || InvitationState::Revoked {
            at: at(1),
            by: ada.clone(),
        };
        let table = [
            (InvitationState::Pending, 99, InvitationStatus::Pending),
            (InvitationState::Pending, 100, InvitationStatus::Expired),
            (accepted(), 99, InvitationStatus::Accepted),
            (accepted(), 100, InvitationStatus::Accepted),
            (revoked(), 99, InvitationStatus::Revoked),
            (revoked(), 100, InvitationStatus::Revoked),
        ];
        for (state, now, expected) in table {
            assert_eq!(
                invitation(state.clone()).status(at(now)),
                expected,
                "{state:?} {now}"
            );
        }
    }

    #[test]
    fn only_owners_invite_owners_and_members_invite_none() {
        let table = [
            (Role::Member, [false, false, false]),
            (Role::Admin, [true, true, false]),
            (Role::Owner, [true, true, true]),
        ];
        for (inviter, expected) in table {
            let may =
                [Role::Member, Role::Admin, Role::Owner].map(|role| may_invite(inviter, role));
            assert_eq!(may, expected, "{inviter}");
        }
    }

    #[test]
    fn its_life_is_bounded() {
        let hours = |hours| Some(Duration::from_hours(hours));
        assert_eq!(invitation_life(None), Ok(INVITATION_LIFE));
        assert_eq!(invitation_life(hours(1)), Ok(INVITATION_LIFE_MIN));
        assert_eq!(invitation_life(hours(720)), Ok(INVITATION_LIFE_MAX));
        for wrong in [hours(0), hours(721)] {
            assert_eq!(
                invitation_life(wrong).unwrap_err().field,
                "expiresInSeconds"
            );
        }
    }
}
