//! The checks of this installation.

use app::{
    access::FleetAdmin,
    installation::{self, CheckState, InstallationCheck},
};
use axum::extract::State;
use wire::installation::{
    InstallationCheckState, InstallationCheckView, InstallationChecksResponse,
};

use super::Answer;
use crate::{
    extract::{Auth, Json},
    openapi::ReadProblems,
    state::Gateway,
};

/// Check what this installation stands on: database, coordination, storage, sandboxes, model, listeners. For operators.
///
/// The checks of `proliferate doctor`, as the instance that answers sees them. They take some seconds, twenty at most, and
/// run one at a time.
#[utoipa::path(post, path = "/v1/installation/checks", operation_id = "installation_check", tag = "operations",
    responses((status = 200, description = "The checks", body = InstallationChecksResponse), ReadProblems))]
pub(crate) async fn check(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<FleetAdmin>,
) -> Answer<Json<InstallationChecksResponse>> {
    let runner = gateway.options.installation_checks.as_ref();
    let checks = installation::check(&gateway.app, &admin, runner).await?;
    Ok(Json(InstallationChecksResponse {
        ok: checks.iter().all(|check| check.state != CheckState::Failed),
        checks: checks.into_iter().map(view).collect(),
    }))
}

fn view(check: InstallationCheck) -> InstallationCheckView {
    InstallationCheckView {
        name: check.name,
        state: match check.state {
            CheckState::Ok => InstallationCheckState::Ok,
            CheckState::Warning => InstallationCheckState::Warning,
            CheckState::Failed => InstallationCheckState::Failed,
        },
        sentence: check.sentence,
        remedy: check.remedy,
    }
}
