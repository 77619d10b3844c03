//! Export deliveries: bundles that were handed over, each with the run that recorded it.

use domain::{
    clock::Timestamp,
    id::{ArtifactId, OrganizationId, RunId},
    policy::{CaseId, RoleClass},
};

use crate::{
    conn::{Conn, Tx},
    error::Result,
    statement::statements,
    value::values,
};

statements! {
    DELIVERY_INSERT = "INSERT INTO export_deliveries
        (run_id, organization_id, case_id, artifact_id, created_at) VALUES ($1, $2, $3, $4, $5)";
    /// INVARIANT: a delivery is valid once its run is completed, and for the recipient of that run.
    DELIVERY_COUNT = "SELECT COUNT(*) AS n FROM export_deliveries d
        JOIN runs r ON r.id = d.run_id AND r.organization_id = d.organization_id
        WHERE d.organization_id = $1 AND d.artifact_id = $2 AND r.status = 'completed'
        AND r.actor_class = $3 AND r.actor_id = $4";
}

/// Whether a delivery of the artifact to this actor is on record.
pub async fn delivery_exists(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    artifact_id: ArtifactId,
    (class, actor_id): (RoleClass, &str),
) -> Result<bool> {
    let values = values![organization_id, artifact_id, class.as_str(), actor_id];
    let count = conn.count("export_deliveries", &DELIVERY_COUNT, values);
    Ok(count.await? > 0)
}

/// `Error::MissingReference` for an artifact that is not of the case.
pub async fn delivery_insert(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    case_id: &CaseId,
    (run_id, artifact_id): (RunId, ArtifactId),
    now: Timestamp,
) -> Result<()> {
    let values = values![run_id, organization_id, case_id.as_str(), artifact_id, now];
    tx.execute(&DELIVERY_INSERT, values).await?;
    Ok(())
}
