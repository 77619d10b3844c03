//! Measurements, one file per question, against the direct call in the same run: the direct call is
//! what the machine can do at most, so the ratio says what we cost. `./bench [WORD..]` runs the
//! questions whose name contains a word.

mod action;
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

use table::Table;

/// The one the program has, so that the numbers are its.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
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
    if wanted(dashboard::NAME) {
        dashboard::measure(&mut table).await?;
    }
    table.print();
    Ok(())
}
