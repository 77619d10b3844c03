//! `proliferate session share`.

use domain::{id::SessionId, sharing::Visibility};
use wire::{
    member::MembersResponse,
    sharing::{NamedMemberRequest, NamedRight, SessionSharingView, UpdateSessionSharingRequest},
};

use crate::{
    client::{Client, EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    fields::{Record, text},
};

/// Set which members see a session; without an option, show it.
///
/// What is given replaces what was: the visibility and all names. Admins and owners see every session.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The session's id
    id: SessionId,
    /// Its creator and admins see it
    #[arg(long, conflicts_with_all = ["organization", "with"])]
    private: bool,
    /// Every member of the organization sees it
    #[arg(long)]
    organization: bool,
    /// A member who sees it, by id or address; `:steer` lets them steer it. Without `--organization`, only its creator,
    /// admins and the members who are named see it. May be given several times
    #[arg(long, value_name = "USER[:steer]", value_parser = named)]
    with: Vec<Named>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

/// A member, and what they are named for.
#[derive(Debug, Clone)]
struct Named {
    user: String,
    may: NamedRight,
}

fn named(text: &str) -> Result<Named, String> {
    let (user, may) = match text.rsplit_once(':') {
        None => (text, NamedRight::See),
        Some((user, "see")) => (user, NamedRight::See),
        Some((user, "steer")) => (user, NamedRight::Steer),
        Some(_) => return Err("write `USER`, `USER:see` or `USER:steer`".to_owned()),
    };
    if user.is_empty() {
        return Err("write `USER`, `USER:see` or `USER:steer`".to_owned());
    }
    Ok(Named {
        user: user.to_owned(),
        may,
    })
}

const RECORD: Record<SessionSharingView> = Record {
    facts: &[
        ("visibility", |it| text(&Visibility::from(it.visibility))),
        ("created by", |it| it.created_by.clone()),
        ("you may", |it| {
            let rights = it.rights.iter();
            let rights = rights.map(|right| domain::sharing::SessionRight::from(*right).as_str());
            Some(rights.collect::<Vec<_>>().join(", "))
        }),
    ],
    repeated: &[("named", |it| {
        let line = |one: &wire::sharing::NamedMemberView| {
            let may = domain::sharing::NamedRight::from(one.may);
            format!("{} ({}) to {may}", one.user_id, one.email)
        };
        it.people.iter().map(line).collect()
    })],
};

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let path = format!("/v1/sessions/{}/sharing", args.id);
    let visibility = match (args.private, args.organization) {
        (true, _) => Some(Visibility::Private),
        (_, true) => Some(Visibility::Organization),
        _ if !args.with.is_empty() => Some(Visibility::People),
        _ => None,
    };
    let Some(visibility) = visibility else {
        let shares: SessionSharingView = client.get(&path, &()).await?;
        RECORD.print(context.printer, &shares);
        return Ok(Exit::Ok);
    };
    let request = UpdateSessionSharingRequest {
        visibility: visibility.into(),
        people: people(&client, args.with).await?,
    };
    let shares: SessionSharingView = client.put(&path, &request).await?;
    context.printer.changed(&shares, |shares| {
        let visibility = Visibility::from(shares.visibility);
        let names = match shares.people.len() {
            0 => String::new(),
            1 => ", one member is named".to_owned(),
            count => format!(", {count} members are named"),
        };
        format!("{}: visible to {}{names}", args.id, seen_by(visibility))
    });
    Ok(Exit::Ok)
}

const fn seen_by(visibility: Visibility) -> &'static str {
    match visibility {
        Visibility::Organization => "the organization",
        Visibility::Private => "its creator and admins",
        Visibility::People => "its creator, admins and the members who are named",
    }
}

/// The members as the API takes them: an address is looked up.
async fn people(client: &Client, named: Vec<Named>) -> Result<Vec<NamedMemberRequest>, Failure> {
    let members: Option<MembersResponse> = if named.iter().any(|one| one.user.contains('@')) {
        Some(client.get("/v1/members", &()).await?)
    } else {
        None
    };
    let member = |one: Named| {
        let found = match &members {
            Some(members) if one.user.contains('@') => {
                let mut items = members.items.iter();
                let found = items.find(|member| member.email.eq_ignore_ascii_case(&one.user));
                let message = format!("no member has the address {}", one.user);
                found
                    .ok_or_else(|| Failure::new(Exit::NotFound, message))?
                    .user_id
                    .clone()
            }
            _ => one.user,
        };
        Ok(NamedMemberRequest {
            user_id: found,
            may: Some(one.may),
        })
    };
    named.into_iter().map(member).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_with_its_right() {
        let table = [
            ("ada", Some(("ada", NamedRight::See))),
            ("ada:see", Some(("ada", NamedRight::See))),
            (
                "ada@acme.example:steer",
                Some(("ada@acme.example", NamedRight::Steer)),
            ),
            ("ada:own", None),
            (":steer", None),
            ("", None),
        ];
        for (text, expected) in table {
            let read = named(text).ok();
            let read = read.as_ref().map(|one| (one.user.as_str(), one.may));
            assert_eq!(read, expected, "{text}");
        }
    }
}
