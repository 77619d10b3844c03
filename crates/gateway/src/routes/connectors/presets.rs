//! Templates of connectors.

use app::{access::Insider, connectors::Preset};
use wire::connector::{ConnectorPreset, ConnectorPresetList};

use super::shape::auth_view;
use crate::{
    extract::{Auth, Json},
    openapi::ReadProblems,
    routes::Answer,
};

/// MCP servers that are known in advance.
#[utoipa::path(get, path = "/v1/connectors/presets", operation_id = "connector_presets", tag = "connectors",
    responses((status = 200, description = "The presets", body = ConnectorPresetList), ReadProblems))]
pub(crate) async fn presets(Auth(_): Auth<Insider>) -> Answer<Json<ConnectorPresetList>> {
    let secret_key = |preset: &Preset| format!("{}_API_KEY", preset.as_str().to_uppercase());
    let preset = |preset: &Preset| ConnectorPreset {
        preset: preset.as_str().to_owned(),
        name: preset.display_name().to_owned(),
        url: preset.url().map(str::to_owned),
        auth: auth_view(preset.auth(Some(&secret_key(preset)))),
        default_risk: preset.default_risk().map(Into::into),
    };
    Ok(Json(ConnectorPresetList {
        presets: Preset::ALL.iter().map(preset).collect(),
    }))
}
