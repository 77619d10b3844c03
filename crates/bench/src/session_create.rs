//! How many sessions can be created, each durably and under a key of its own?

use crate::{
    client::request,
    load,
    table::Table,
    target::{BACKENDS, Target},
};

pub(crate) const NAME: &str = "session create";

pub(crate) async fn measure(table: &mut Table) -> anyhow::Result<()> {
    for (backend, on) in BACKENDS {
        for workers in [1, 16] {
            let target = Target::start(backend).await?;
            let token = target.token.clone();
            let next = move |worker, n| {
                let key = format!("idempotency-key: {worker}-{n}\r\n");
                request(
                    "POST",
                    "/proliferate/sessions",
                    &token,
                    &key,
                    r#"{"title":"bench"}"#,
                )
            };
            let measured = load::run(target.address, workers, 201, next).await?;
            table.row(NAME, on, &measured, None);
        }
    }
    Ok(())
}
