//! Converts between the wire shapes and the domain's connectors.

use app::connectors::{
    Auth, Connector, DefinitionStatus, Diagnostic, Failure, ListedTool, Param, ParamType,
    RiskPolicy, SavedConnector, ToolListing, Transport, params,
};
use domain::{action::Risk, id::ConnectorId};
use wire::{
    action::{ActionParam, ActionParamType, RiskLevel},
    connector::{
        ChangedDefinition, ConnectorAuth, ConnectorConfig, ConnectorDiagnostics,
        ConnectorToolState, ConnectorToolView, ConnectorTransport, ConnectorView, DiagnosticClass,
        RiskPolicy as WirePolicy, ValidateConnectorResponse,
    },
};

pub(in crate::routes) fn connector(config: ConnectorConfig) -> Connector {
    Connector {
        id: ConnectorId::from_uuid(config.id),
        name: config.name,
        url: config.url,
        transport: transport(config.transport),
        auth: auth(config.auth),
        risk_policy: policy(config.risk_policy.unwrap_or_default()),
        trusted: config.trusted,
        enabled: config.enabled,
    }
}

pub(super) const fn transport(transport: ConnectorTransport) -> Transport {
    match transport {
        ConnectorTransport::RemoteHttp => Transport::RemoteHttp,
    }
}

pub(super) fn auth(auth: ConnectorAuth) -> Auth {
    match auth {
        ConnectorAuth::None => Auth::None,
        ConnectorAuth::Bearer { secret_key } => Auth::Bearer { secret_key },
        ConnectorAuth::CustomHeader {
            secret_key,
            header_name,
        } => Auth::CustomHeader {
            header_name,
            secret_key,
        },
    }
}

pub(super) fn auth_view(auth: Auth) -> ConnectorAuth {
    match auth {
        Auth::None => ConnectorAuth::None,
        Auth::Bearer { secret_key } => ConnectorAuth::Bearer { secret_key },
        Auth::CustomHeader {
            header_name,
            secret_key,
        } => ConnectorAuth::CustomHeader {
            secret_key,
            header_name,
        },
    }
}

pub(super) fn policy(policy: WirePolicy) -> RiskPolicy {
    let overrides = policy.overrides.into_iter();
    RiskPolicy {
        default_risk: policy.default_risk.map(Risk::from),
        overrides: overrides
            .map(|(tool, risk)| (tool, Risk::from(risk)))
            .collect(),
    }
}

fn policy_view(policy: RiskPolicy) -> WirePolicy {
    let overrides = policy.overrides.into_iter();
    WirePolicy {
        default_risk: policy.default_risk.map(RiskLevel::from),
        overrides: overrides
            .map(|(tool, risk)| (tool, RiskLevel::from(risk)))
            .collect(),
    }
}

const fn transport_view(transport: Transport) -> ConnectorTransport {
    match transport {
        Transport::RemoteHttp => ConnectorTransport::RemoteHttp,
    }
}

pub(super) fn config(connector: Connector) -> ConnectorConfig {
    let policy = policy_view(connector.risk_policy);
    ConnectorConfig {
        id: connector.id.uuid(),
        name: connector.name,
        transport: transport_view(connector.transport),
        url: connector.url,
        auth: auth_view(connector.auth),
        risk_policy: (policy != WirePolicy::default()).then_some(policy),
        enabled: connector.enabled,
        trusted: connector.trusted,
    }
}

pub(super) fn view(saved: SavedConnector) -> ConnectorView {
    let connector = saved.connector;
    ConnectorView {
        id: connector.id.uuid(),
        integration: connector.integration(),
        configuration_id: saved
            .configuration_id
            .map(domain::id::ConfigurationId::uuid),
        name: connector.name,
        transport: transport_view(connector.transport),
        url: connector.url,
        auth: auth_view(connector.auth),
        risk_policy: policy_view(connector.risk_policy),
        enabled: connector.enabled,
        trusted: connector.trusted,
        created_by: saved.created_by.map(|id| id.to_string()),
        created_at: saved.created_at.datetime(),
        updated_at: saved.updated_at.datetime(),
    }
}

pub(super) fn listing(listing: ToolListing) -> ValidateConnectorResponse {
    ValidateConnectorResponse {
        ok: listing.failure.is_none(),
        tools: listing.tools.iter().map(tool).collect(),
        notes: listing.notes,
        error: listing.failure.as_ref().map(|it| it.message().to_owned()),
        diagnostics: listing.failure.as_ref().map(diagnostics),
    }
}

fn tool(listed: &ListedTool) -> ConnectorToolView {
    let pinned = listed.pinned.as_ref();
    let reviewed = pinned.and_then(|pinned| pinned.reviewed.clone());
    let is_changed = listed.definition == DefinitionStatus::Changed;
    ConnectorToolView {
        risk_level: listed.risk.into(),
        risk_source: listed.source.into(),
        params: params(&listed.tool.input_schema)
            .into_iter()
            .map(param)
            .collect(),
        state: match listed.definition {
            DefinitionStatus::New => ConnectorToolState::New,
            DefinitionStatus::Same => ConnectorToolState::Unchanged,
            DefinitionStatus::Changed => ConnectorToolState::Changed,
        },
        pinned_sha256: pinned.map(|pinned| pinned.sha256.as_str().to_owned()),
        first_seen_at: pinned.map(|pinned| pinned.first_seen_at.datetime()),
        reviewed_by: reviewed.as_ref().map(|(user_id, _)| user_id.to_string()),
        reviewed_at: reviewed.as_ref().map(|(_, at)| at.datetime()),
        definition: (!is_changed && reviewed.is_none()).then(|| listed.tool.definition()),
        changed: is_changed.then(|| ChangedDefinition {
            accepted: pinned.and_then(|pinned| pinned.definition.clone()),
            now: listed.tool.definition(),
        }),
        name: listed.tool.action.clone(),
        tool: listed.tool.name.clone(),
        description: listed.tool.description.clone().unwrap_or_default(),
        sha256: listed.tool.digest.clone(),
    }
}

fn param(param: Param) -> ActionParam {
    ActionParam {
        name: param.name,
        param_type: match param.kind {
            ParamType::String => ActionParamType::String,
            ParamType::Number => ActionParamType::Number,
            ParamType::Boolean => ActionParamType::Boolean,
            ParamType::Object => ActionParamType::Object,
        },
        required: param.required,
        description: param.description.unwrap_or_default(),
    }
}

fn diagnostics(failure: &Failure) -> ConnectorDiagnostics {
    let class = match failure.kind.diagnostic() {
        Diagnostic::Auth => DiagnosticClass::Auth,
        Diagnostic::Timeout => DiagnosticClass::Timeout,
        // For the admin who sets it up, a forbidden address is the same as an unreachable one.
        Diagnostic::Unreachable | Diagnostic::Refused => DiagnosticClass::Unreachable,
        Diagnostic::Protocol => DiagnosticClass::Protocol,
        Diagnostic::Unknown => DiagnosticClass::Unknown,
    };
    ConnectorDiagnostics {
        class,
        message: failure.message().to_owned(),
    }
}
