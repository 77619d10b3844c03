//! What does one attacking sandbox cost other callers? Under each attack: the p99 of `GET /v1/me` and of a mediated
//! call of other callers, and the highest memory of the gateway, each as a ratio to what it is without. The aims are 5 times
//! and 1.5 times. No request of another caller may fail, and a session beside the attacked one takes its prompts.
//! `--seconds N` is how long each attack lasts.

mod callers;
mod holes;
mod liars;
mod sandbox;

use std::{sync::Arc, time::Duration};

use app::policy::PolicySource;
use testkit::{database::Backend, standin::agent::Agent};

use self::{
    callers::{Callers, Observed},
    liars::AttackedRuntimes,
    sandbox::AttackingSandbox,
};
use crate::{attacker::Attack, mediated_call, table::Table, target::Target};

pub(crate) const NAME: &str = "attack";
/// As long as the aims ask for.
pub(crate) const DURATION: Duration = Duration::from_secs(30);

pub(crate) async fn measure(table: &mut Table, lasts: Duration) -> anyhow::Result<()> {
    let directory = tempfile::tempdir()?;
    mediated_call::write_policy(directory.path())?;
    let source = PolicySource::Directory(directory.path().to_owned());
    let runtimes = Arc::new(AttackedRuntimes::beside(Agent::start().await));
    let target = Target::start_with_runtimes(
        Backend::Sqlite,
        source,
        runtimes.clone(),
        mediated_call::with_tools,
    )
    .await?;
    target.sequence();
    let callers = Callers::of(&target).await?;
    let sandbox = AttackingSandbox::of(&target).await?;
    let usual = callers.watch(lasts).await?;
    table.row("GET /v1/me", "no attack", &usual.me, None);
    table.row("mediated call", "no attack", &usual.call, None);
    table.bytes("memory", "no attack", 1, usual.memory);
    for attack in Attack::OVER_THE_NETWORK {
        let attacker = sandbox.attack(target.sandboxes, attack).await?;
        let observed = callers.watch(lasts).await;
        attacker.end().await?;
        ratios(table, attack.name(), &observed?, &usual);
    }
    let observed = liars::attack(&runtimes, &target, &sandbox, callers.watch(lasts)).await?;
    ratios(table, Attack::Lies.name(), &observed, &usual);
    if let Some(observed) = holes::attack(callers.watch(lasts)).await? {
        ratios(table, holes::NAME, &observed, &usual);
    }
    Ok(())
}

fn ratios(table: &mut Table, attack: &str, observed: &Observed, usual: &Observed) {
    table.ratio("GET /v1/me", attack, &observed.me, &usual.me);
    table.ratio("mediated call", attack, &observed.call, &usual.call);
    table.memory_ratio(attack, observed.memory, usual.memory);
}
