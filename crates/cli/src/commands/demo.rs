//! `proliferate demo`: the whole product in one go, on a `dev` that runs.

use config::Overrides;
use domain::id::SessionId;
use tokio::sync::mpsc;
use wire::{
    callback::{ToolInvocationStatus, ToolInvocationView},
    page::Page,
};

use crate::{
    client::{Client, Endpoint, dev_file},
    commands::audit,
    context::Context,
    demo,
    exit::Exit,
    failure::{Failure, Outcome},
    live::{TypedLine, Until, Watch},
    load::load,
    operator::OperatorArgs,
};

/// Play the demo on a running `dev`, and prove it by its records.
///
/// A session in a sandbox of this machine: the agent writes a program and runs it, asks for a value, reads from a
/// board and writes to it once that is approved, hands in its evidence and saves its work. The command answers
/// what is asked, says when each step came, and checks the audit trail of the session offline at the end.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    operator: OperatorArgs,
}

pub async fn run(context: &Context, args: Args) -> Outcome {
    let dev_file = dev_file(context)?;
    let client = Client::new(Endpoint::of_dev(&dev_file))?;
    demo::connect_board(&client, &dev_file.board).await?;
    let key = context.random_name::<8>("demo");
    let id = SessionId::from_uuid(demo::create(&client, &key).await?.session_id);
    context.printer.note(&format!("session {id}"));
    let (sender, lines) = mpsc::channel(1);
    // The channel has room for one line.
    let text = demo::PROMPT.to_owned();
    let at = context.clock.monotonic();
    let _ = sender.send(TypedLine { text, at }).await;
    drop(sender);
    let watch = Watch::new(context, &client, id, None).answering(demo::answers());
    watch.run(lines, Until::Answered).await?;
    require_all_done(context, &client, id).await?;
    let data_dir = load(context, &Overrides::default())?.data_dir;
    let file = data_dir.path().join(format!("demo-{id}.trail"));
    audit::prove(context, &args.operator, &client, id, file).await
}

/// Fails unless the gateway's records say that every call was done, no matter what the agent says.
async fn require_all_done(
    context: &Context,
    client: &Client,
    id: SessionId,
) -> Result<(), Failure> {
    let path = format!("/v1/sessions/{id}/tool-calls");
    let calls: Page<ToolInvocationView> = client.get(&path, &()).await?;
    let is_done = |call: &&ToolInvocationView| call.status == ToolInvocationStatus::Completed;
    let (done, all) = (
        calls.items.iter().filter(is_done).count(),
        calls.items.len(),
    );
    if done < all || all == 0 {
        let message = format!("{done} of {all} calls of the agent came to a good end");
        let hint = "`proliferate session logs` shows what the agent was told";
        return Err(Failure::new(Exit::Failed, message).hint(hint));
    }
    let note = format!("{all} calls of the agent were done by the gateway, each once");
    context.printer.note(&note);
    Ok(())
}
