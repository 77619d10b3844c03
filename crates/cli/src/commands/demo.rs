//! `proliferate demo`: the whole product in one go, on a `dev` that runs.

use config::Overrides;
use domain::{clock::random_bytes, id::SessionId};
use tokio::sync::mpsc;
use wire::{
    callback::{ToolInvocationStatus, ToolInvocationView},
    page::Page,
};

use crate::{
    client::{Client, Endpoint, dev_file},
    commands::{audit, token::Common},
    context::Context,
    demo,
    exit::Exit,
    failure::{Failure, Outcome},
    live::{Typed, Until, Watch},
    load::load,
};

/// Play the demo on a running `dev`, and prove it by its records.
///
/// A session in a sandbox of this machine: the agent writes a program and runs it, asks for a value, reads from a
/// board and writes to it once that is approved, hands in its evidence and saves its work. The command answers
/// what is asked, says when each step came, and checks the audit trail of the session offline at the end.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    common: Common,
}

pub async fn run(context: &Context, args: Args) -> Outcome {
    let dev_file = dev_file(context)?;
    let client = Client::new(Endpoint::of_dev(&dev_file))?;
    demo::connect_board(&client, &dev_file.board).await?;
    let key = format!("demo-{}", hex::encode(random_bytes::<8>(&*context.entropy)));
    let id = SessionId::from_uuid(demo::create(&client, &key).await?.session_id);
    context.printer.note(&format!("session {id}"));
    let (sender, lines) = mpsc::channel(1);
    // There is room for one.
    let text = demo::PROMPT.to_owned();
    let at = context.clock.monotonic();
    let _ = sender.send(Typed { text, at }).await;
    drop(sender);
    let watch = Watch::new(context, &client, id, None).answering(demo::answers());
    watch.run(lines, Until::Answered).await?;
    must_be_done(context, &client, id).await?;
    let data_dir = load(context, &Overrides::default())?.data_dir;
    let file = data_dir.path().join(format!("demo-{id}.trail"));
    audit::prove(context, &args.common, &client, id, file).await
}

/// Whatever the agent says: what counts is what is on record.
async fn must_be_done(context: &Context, client: &Client, id: SessionId) -> Result<(), Failure> {
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
