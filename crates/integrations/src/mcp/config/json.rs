//! Connectors as JSON: in the column of a configuration and in requests. Unknown members and wrong types
//! are errors that name the field.

use std::collections::BTreeMap;

use domain::{Invalid, action::Risk, id::ConnectorId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Auth, Connector, RiskPolicy, Transport};

#[derive(Serialize, Deserialize)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "a connector"
)]
struct ConnectorJson {
    id: String,
    name: String,
    transport: String,
    url: String,
    #[serde(default)]
    auth: AuthJson,
    #[serde(default)]
    risk_policy: RiskPolicyJson,
    #[serde(default)]
    trusted: bool,
    #[serde(default = "enabled")]
    enabled: bool,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum AuthJson {
    #[default]
    None,
    #[serde(rename_all = "camelCase")]
    Bearer { secret_key: String },
    #[serde(rename_all = "camelCase")]
    CustomHeader {
        secret_key: String,
        header_name: String,
    },
}

#[derive(Default, Serialize, Deserialize)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "a risk policy"
)]
struct RiskPolicyJson {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    default_risk: Option<String>,
    #[serde(default)]
    overrides: BTreeMap<String, String>,
}

fn enabled() -> bool {
    true
}

fn read_with_path(value: &Value) -> Result<ConnectorJson, Invalid> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        let field = if path == "." {
            "connector".into()
        } else {
            path
        };
        Invalid::new(field, error.into_inner().to_string())
    })
}

/// Reads one connector; [`Connector::check`] says whether it may be used.
pub fn read(value: &Value) -> Result<Connector, Invalid> {
    // This runs with every action: the wrong member is searched for only after an error.
    let json = ConnectorJson::deserialize(value).or_else(|_| read_with_path(value))?;
    let id: ConnectorId = json
        .id
        .parse()
        .map_err(|_| Invalid::new("id", "must be a UUID"))?;
    let transport: Transport =
        json.transport
            .parse()
            .map_err(|error: domain::text_enum::UnknownText| {
                Invalid::new("transport", error.to_string())
            })?;
    let default_risk = json.risk_policy.default_risk;
    let default_risk = default_risk.map(|text| risk("riskPolicy.defaultRisk", &text));
    let overrides = json.risk_policy.overrides.into_iter();
    let overrides = overrides.map(|(tool, text)| {
        let found = risk("riskPolicy.overrides", &text)?;
        Ok((tool, found))
    });
    Ok(Connector {
        id,
        name: json.name,
        url: json.url,
        transport,
        auth: match json.auth {
            AuthJson::None => Auth::None,
            AuthJson::Bearer { secret_key } => Auth::Bearer { secret_key },
            AuthJson::CustomHeader {
                secret_key,
                header_name,
            } => Auth::CustomHeader {
                header_name,
                secret_key,
            },
        },
        risk_policy: RiskPolicy {
            default_risk: default_risk.transpose()?,
            overrides: overrides.collect::<Result<_, Invalid>>()?,
        },
        trusted: json.trusted,
        enabled: json.enabled,
    })
}

/// Reads the connectors of a stored list. One that cannot be read is left out; its error says
/// which and why.
pub fn read_all(stored: &Value) -> (Vec<Connector>, Vec<Invalid>) {
    let Some(entries) = stored.as_array() else {
        let complaint = Invalid::new("connectors", "must be a list");
        return (Vec::new(), vec![complaint]);
    };
    let mut good = Vec::new();
    let mut bad = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        match read(entry) {
            Ok(connector) => good.push(connector),
            Err(wrong) => bad.push(wrong.within(&format!("connectors[{at}]"))),
        }
    }
    (good, bad)
}

/// The JSON of a connector; [`read`] gives it back.
pub fn write(connector: &Connector) -> Value {
    let text = |risk: &Risk| risk.as_str().to_owned();
    let json = ConnectorJson {
        id: connector.id.to_string(),
        name: connector.name.clone(),
        transport: connector.transport.as_str().to_owned(),
        url: connector.url.clone(),
        auth: match connector.auth.clone() {
            Auth::None => AuthJson::None,
            Auth::Bearer { secret_key } => AuthJson::Bearer { secret_key },
            Auth::CustomHeader {
                header_name,
                secret_key,
            } => AuthJson::CustomHeader {
                secret_key,
                header_name,
            },
        },
        risk_policy: RiskPolicyJson {
            default_risk: connector.risk_policy.default_risk.as_ref().map(text),
            overrides: (connector.risk_policy.overrides.iter())
                .map(|(tool, risk)| (tool.clone(), text(risk)))
                .collect(),
        },
        trusted: connector.trusted,
        enabled: connector.enabled,
    };
    // Texts, flags and maps with text keys: there is nothing in it that JSON cannot hold.
    serde_json::to_value(json).unwrap_or_default()
}

fn risk(field: &str, text: &str) -> Result<Risk, Invalid> {
    text.parse()
        .map_err(|error: domain::text_enum::UnknownText| Invalid::new(field, error.to_string()))
}
