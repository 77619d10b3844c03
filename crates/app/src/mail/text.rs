//! The texts of mails. What users chose, such as names, is one line of bounded length in them.

use domain::{clock::Timestamp, limits::NAME_LENGTH_MAX, role::Role};

use super::sender::MailText;

/// An invitation, as its mail tells it.
pub(super) struct InvitationText<'a> {
    pub(super) organization: &'a str,
    pub(super) inviter: &'a str,
    pub(super) role: Role,
    pub(super) expires_at: Timestamp,
    pub(super) link: &'a str,
}

pub(super) fn invitation(invitation: &InvitationText<'_>) -> MailText {
    let InvitationText {
        role,
        expires_at,
        link,
        ..
    } = invitation;
    let (organization, inviter) = (line(invitation.organization), line(invitation.inviter));
    MailText {
        subject: format!("Invitation to {organization}"),
        body: format!(
            "{inviter} invites you to join {organization} on Proliferate, with the role \"{role}\".\n\n\
             To accept, open this link:\n\n{link}\n\n\
             The link can be used once, until {expires}. If you do not know why you received this mail, ignore it.\n",
            expires = day(*expires_at),
        ),
    }
}

pub(super) fn login_link(organization: &str, link: &str) -> MailText {
    let organization = line(organization);
    MailText {
        subject: format!("Sign in to {organization}"),
        body: format!(
            "You, or another person who typed your address, asked to sign in to {organization} on Proliferate.\n\n\
             To sign in, open this link in the browser in which you asked for it:\n\n{link}\n\n\
             The link can be used once, for 15 minutes. If it was not you, ignore this mail: the link alone \
             signs in.\n"
        ),
    }
}

fn day(at: Timestamp) -> String {
    at.datetime().format("%Y-%m-%d %H:%M UTC").to_string()
}

/// A name as one line: a user chose it, and it must not look like more of the mail.
fn line(name: &str) -> String {
    let line: String = name
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(NAME_LENGTH_MAX)
        .collect();
    line.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_line_whatever_its_owner_chose() {
        let text = invitation(&InvitationText {
            organization: "Acme\r\nBcc: eve@evil.example",
            inviter: "Ada\n\nTo accept, open this link:\n\nhttps://evil.example",
            role: Role::Member,
            expires_at: Timestamp::from_micros(0).unwrap(),
            link: "https://gateway.example/invite#code=inv_1",
        });
        assert_eq!(text.subject, "Invitation to Acme  Bcc: eve@evil.example");
        let first = text.body.lines().next().unwrap();
        assert!(
            first.starts_with("Ada  To accept") && first.ends_with("\"member\"."),
            "{first}"
        );
        assert!(
            text.body
                .contains("\n\nhttps://gateway.example/invite#code=inv_1\n\n")
        );
        assert!(
            text.body.contains("until 1970-01-01 00:00 UTC"),
            "{}",
            text.body
        );
    }
}
