//! What is listed of members and invitations.

use wire::{
    invitation::{InvitationStatus, InvitationView, MailStatus},
    me::Role,
    member::MemberView,
};

use crate::fields::{List, optional, seconds, text};

pub(super) const MEMBERS: &str = "/v1/members";
pub(super) const INVITATIONS: &str = "/v1/invitations";

pub(super) const MEMBER_LIST: List<MemberView> = List {
    columns: &[
        ("USER", |member| text(&member.user_id)),
        ("NAME", |member| text(&member.name)),
        ("EMAIL", |member| text(&member.email)),
        ("ROLE", |member| text(role(member.role))),
        ("SINCE", |member| Some(seconds(member.created_at))),
    ],
    none: "no members",
};

pub(super) const INVITATION_LIST: List<InvitationView> = List {
    columns: &[
        ("ID", |invitation| text(&invitation.id)),
        ("ROLE", |invitation| text(role(invitation.role))),
        ("EMAIL", |invitation| optional(invitation.email.as_ref())),
        ("STATUS", |invitation| text(status(invitation.status))),
        ("MAIL", mail),
        ("EXPIRES", |invitation| Some(seconds(invitation.expires_at))),
        ("INVITED BY", |invitation| text(&invitation.created_by)),
    ],
    none: "no pending invitations",
};

pub(super) fn role(role: Role) -> &'static str {
    domain::role::Role::from(role).as_str()
}

fn status(status: InvitationStatus) -> &'static str {
    domain::invitation::InvitationStatus::from(status).as_str()
}

/// The delivery, and why it failed last.
fn mail(invitation: &InvitationView) -> Option<String> {
    let mail = invitation.mail.as_ref()?;
    let status = domain::mail::MailStatus::from(mail.status);
    match (&mail.error, mail.status) {
        (Some(error), MailStatus::Waiting | MailStatus::Failed) => {
            Some(format!("{status}: {error}"))
        }
        _ => text(&status),
    }
}
