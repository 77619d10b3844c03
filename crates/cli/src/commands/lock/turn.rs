//! `proliferate lock engage` and `release`.

use wire::safety_lock::{SafetyLockView, TurnSafetyLockRequest};

use super::fields::{PATH, RECORD};
use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Stop every call of the organization, from the next decision on. Recorded in the audit log.
///
/// What is under way goes on; `proliferate run cancel` ends it.
#[derive(Debug, clap::Args)]
pub struct EngageArgs {
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

/// Let calls pass again. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct ReleaseArgs {
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn engage(context: &Context, args: EngageArgs) -> Outcome {
    turn(context, args.endpoint, "engage", args.reason).await
}

pub(super) async fn release(context: &Context, args: ReleaseArgs) -> Outcome {
    turn(context, args.endpoint, "release", args.reason).await
}

async fn turn(context: &Context, endpoint: EndpointArgs, verb: &str, reason: String) -> Outcome {
    let client = connect(context, endpoint)?;
    let request = TurnSafetyLockRequest { reason };
    // Sent once: a repeated request would be answered that the lock is in that state already.
    let view: SafetyLockView = client
        .post_once(&format!("{PATH}/{verb}"), &request)
        .await?;
    RECORD.print(context.printer, &view);
    Ok(Exit::Ok)
}
