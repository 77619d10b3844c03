//! What does a request cost that is authenticated, scoped to its tenant and read from the database,
//! against a bare handler that answers the same bytes?

use anyhow::{Context, ensure};

use crate::{
    client::{Client, request},
    load,
    table::Table,
    target::{BACKENDS, Target, bare_handler},
};

pub(crate) const NAME: &str = "authenticated get";

pub(crate) async fn measure(table: &mut Table) -> anyhow::Result<()> {
    for (backend, on) in BACKENDS {
        let target = Target::start(backend).await?;
        let (get, body) = session(&target).await?;
        let direct = bare_handler(body).await?;
        for workers in [1, 16] {
            let bytes = get.clone();
            let plain = load::run(direct, workers, 200, move |_, _| bytes.clone()).await?;
            table.row("bare handler", "-", &plain, None);
            let bytes = get.clone();
            let ours = load::run(target.address, workers, 200, move |_, _| bytes.clone()).await?;
            table.row(NAME, on, &ours, Some(&plain));
        }
    }
    Ok(())
}

/// Creates a session; the request that reads it and the bytes that come back.
async fn session(target: &Target) -> anyhow::Result<(Vec<u8>, Vec<u8>)> {
    let mut client = Client::connect(target.address).await?;
    let create = request("POST", "/proliferate/sessions", &target.token, "", "{}");
    let (status, body) = client.exchange(&create).await?;
    ensure!(status == 201, "creating answered {status}");
    let created: serde_json::Value = serde_json::from_slice(body)?;
    let id = created["sessionId"].as_str().context("a session id")?;
    let get = request("GET", &format!("/v1/sessions/{id}"), &target.token, "", "");
    let (status, body) = client.exchange(&get).await?;
    ensure!(status == 200, "reading answered {status}");
    Ok((get.clone(), body.to_vec()))
}
