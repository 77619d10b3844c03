//! `proliferate member role`.

use domain::{id::UserId, role::Role};
use wire::member::{MemberView, UpdateMemberRequest};

use super::fields::{MEMBERS, role};
use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
    value_parsers::one_of,
};

/// Change the role of a member.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The member's user id
    user: UserId,
    /// The new role
    #[arg(value_name = "ROLE", value_parser = one_of(Role::ALL, Role::as_str))]
    role: Role,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let path = format!("{MEMBERS}/{}", args.user);
    let request = UpdateMemberRequest {
        role: args.role.into(),
    };
    let client = connect(context, args.endpoint)?;
    let member: MemberView = client.patch(&path, &request).await?;
    context.printer.changed(&member, |member| {
        format!("{} is {} now", member.user_id, role(member.role))
    });
    Ok(Exit::Ok)
}
