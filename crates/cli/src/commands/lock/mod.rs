//! `proliferate lock`: the organization's safety lock, as a client of a gateway.

mod show;
mod turn;

use clap::Subcommand;
use wire::safety_lock::SafetyLockView;

use crate::{
    client::connect as client,
    commands::session::seconds,
    context::Context,
    failure::Outcome,
    printer::{Output, printable},
};

/// Stop every call of the organization at once, and let calls pass again, through a gateway.
///
/// Members look; only admins turn the key, and say why. `proliferate override` lifts one lane for a time.
#[derive(Debug, Subcommand)]
pub enum Command {
    Show(show::Args),
    Engage(turn::EngageArgs),
    Release(turn::ReleaseArgs),
}

pub async fn run(context: &Context, command: Command) -> Outcome {
    match command {
        Command::Show(args) => show::run(context, args).await,
        Command::Engage(args) => turn::engage(context, args).await,
        Command::Release(args) => turn::release(context, args).await,
    }
}

fn print(context: &Context, view: &SafetyLockView) {
    let printer = &context.printer;
    if printer.output == Output::Json {
        printer.json(view);
        return;
    }
    let word = if view.engaged { "engaged" } else { "open" };
    let mut lines = vec![format!("lock           {word}")];
    if view.installation {
        lines.push("by             an operator, for everybody".to_owned());
    }
    if let Some(lock) = &view.lock {
        lines.push(format!("by             {}", lock.engaged_by));
        lines.push(format!("since          {}", seconds(lock.engaged_at)));
        lines.push(format!("reason         {}", printable(&lock.reason)));
    }
    for ticket in &view.lifted {
        let until = ticket.expires_at.map(seconds).unwrap_or_default();
        lines.push(format!("lifted         {} until {until}", ticket.lane_id));
    }
    printer.data(&lines.join("\n"));
}
