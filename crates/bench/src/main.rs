//! Measurements, one file per question, against the direct call in the same run: the direct call is
//! what the machine can do at most, so the ratio says what we cost. `./bench [WORD..]` runs the
//! questions whose name contains a word.

mod action;
mod attack;
mod attacker;
mod audit;
mod authenticated_get;
mod client;
mod dashboard;
mod decision;
mod echo;
mod fleet;
mod live;
mod load;
mod mediated_call;
mod migration;
mod model_proxy;
mod sandboxes;
mod session_create;
mod table;
mod target;

use std::time::Duration;

use anyhow::{Context as _, bail};
use table::Table;

/// The one the program has, so that the numbers are its.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_some_and(|word| word == attacker::COMMAND) {
        return attacker::run(&words[1..]).await;
    }
    let lasts = seconds(&mut words)?.unwrap_or(attack::DURATION);
    let wanted =
        |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    let mut table = Table::default();
    if wanted(live::NAME) {
        live::measure_memory(&mut table).await?;
    }
    if wanted(session_create::NAME) {
        session_create::measure(&mut table).await?;
    }
    if wanted(authenticated_get::NAME) {
        authenticated_get::measure(&mut table).await?;
    }
    if wanted(decision::NAME) {
        decision::measure(&mut table)?;
    }
    if wanted(mediated_call::NAME) {
        mediated_call::measure(&mut table).await?;
    }
    if wanted(action::NAME) {
        action::measure(&mut table).await?;
    }
    if wanted(audit::NAME) {
        audit::measure(&mut table).await?;
    }
    if wanted(model_proxy::NAME) {
        model_proxy::measure(&mut table).await?;
    }
    if wanted(live::NAME) {
        live::measure(&mut table).await?;
    }
    if wanted(fleet::NAME) {
        fleet::measure(&mut table).await?;
    }
    if wanted(migration::NAME) {
        migration::measure(&mut table).await?;
    }
    if wanted(sandboxes::NAME) {
        sandboxes::measure(&mut table).await?;
    }
    if wanted(attack::NAME) {
        attack::measure(&mut table, lasts).await?;
    }
    if wanted(dashboard::NAME) {
        dashboard::measure(&mut table).await?;
    }
    table.print();
    Ok(())
}

/// What follows `--seconds`, which is taken out of the words.
fn seconds(words: &mut Vec<String>) -> anyhow::Result<Option<Duration>> {
    let Some(at) = words.iter().position(|word| word == "--seconds") else {
        return Ok(None);
    };
    let given: Vec<String> = words.drain(at..words.len().min(at + 2)).collect();
    let [_, seconds] = &given[..] else {
        bail!("`--seconds` takes a number");
    };
    let seconds = seconds.parse().context("`--seconds` takes a number")?;
    Ok(Some(Duration::from_secs(seconds)))
}
