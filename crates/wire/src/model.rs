//! The models an agent can run on, and which agent that is.

use domain::model::{MODELS, Model, ModelSpec};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

wire_enum! {
    /// Which agent runs in the sandbox.
    AgentType = domain::model::AgentType {
        OpenCode = "opencode",
    }
}

/// Every known model, best first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelList {
    pub models: Vec<ModelView>,
}

/// A model and the three spellings of its id; requests may use any of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelView {
    /// The canonical one: stored and shown.
    #[schema(example = "claude-opus-4.6")]
    pub id: String,
    /// In the agent's configuration.
    #[schema(example = "anthropic/claude-opus-4-6")]
    pub agent_model_id: String,
    /// At the provider's API.
    #[schema(example = "claude-opus-4-6")]
    pub api_model_id: String,
    #[schema(example = "Claude Opus 4.6")]
    pub display_name: String,
    /// Whether it is the default of a session.
    pub is_default: bool,
}

impl ModelList {
    /// The whole registry.
    pub fn all() -> Self {
        Self {
            models: MODELS.iter().map(ModelView::from).collect(),
        }
    }
}

impl From<&ModelSpec> for ModelView {
    fn from(spec: &ModelSpec) -> Self {
        Self {
            id: spec.canonical.to_owned(),
            agent_model_id: spec.agent.to_owned(),
            api_model_id: spec.api.to_owned(),
            display_name: spec.display_name.to_owned(),
            is_default: spec.model == Model::DEFAULT,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_one_model_is_the_default() {
        let list = ModelList::all();
        assert_eq!(list.models.len(), MODELS.len());
        let defaults: Vec<_> = list.models.iter().filter(|m| m.is_default).collect();
        assert_eq!(defaults.len(), 1);
        assert_eq!(defaults[0].id, Model::DEFAULT.spec().canonical);
    }
}
