//! The models an agent may run on and the three spellings of each: the canonical one (stored,
//! shown), the agent's configuration file's, and the provider's API's. One table; everything else
//! is derived.

use crate::{
    invalid::{Invalid, bounded_count, bounded_text},
    limits::{AGENT_TOOLS_MAX, NAME_LENGTH_MAX},
    model_usage::Price,
};

/// One row of the registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelSpec {
    pub model: Model,
    /// Stored in the database and shown to users.
    pub canonical: &'static str,
    /// Written into the agent's configuration.
    pub agent: &'static str,
    /// Sent to the provider.
    pub api: &'static str,
    pub display_name: &'static str,
    pub price: Price,
}

/// A model of the registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Model {
    ClaudeOpus46,
    ClaudeOpus45,
    ClaudeSonnet4,
}

/// The registry, best first.
pub const MODELS: &[ModelSpec] = &[
    ModelSpec {
        model: Model::ClaudeOpus46,
        canonical: "claude-opus-4.6",
        agent: "anthropic/claude-opus-4-6",
        api: "claude-opus-4-6",
        display_name: "Claude Opus 4.6",
        price: Price::of(5, 25),
    },
    ModelSpec {
        model: Model::ClaudeOpus45,
        canonical: "claude-opus-4.5",
        agent: "anthropic/claude-opus-4-5",
        api: "claude-opus-4-5-20251101",
        display_name: "Claude Opus 4.5",
        price: Price::of(5, 25),
    },
    ModelSpec {
        model: Model::ClaudeSonnet4,
        canonical: "claude-sonnet-4",
        agent: "anthropic/claude-sonnet-4-5",
        api: "claude-sonnet-4-20250514",
        display_name: "Claude Sonnet 4",
        price: Price::of(3, 15),
    },
];

impl Model {
    /// The model of a session without a choice.
    pub const DEFAULT: Self = Self::ClaudeOpus46;

    pub const fn spec(self) -> &'static ModelSpec {
        match self {
            Self::ClaudeOpus46 => &MODELS[0],
            Self::ClaudeOpus45 => &MODELS[1],
            Self::ClaudeSonnet4 => &MODELS[2],
        }
    }

    /// Understands each of the three spellings. An unknown id is refused with the list of known
    /// ones; it never silently becomes the default.
    pub fn resolve(field: &str, id: &str) -> Result<Self, Invalid> {
        MODELS
            .iter()
            .find(|spec| [spec.canonical, spec.agent, spec.api].contains(&id))
            .map(|spec| spec.model)
            .ok_or_else(|| {
                let known: Vec<_> = MODELS.iter().map(|spec| spec.canonical).collect();
                let given: String = id.chars().take(NAME_LENGTH_MAX).collect();
                Invalid::new(
                    field,
                    format!(
                        "unknown model `{given}`; known models are {}",
                        known.join(", ")
                    ),
                )
            })
    }
}

crate::text_enum! {
    /// Which agent runs in the sandbox.
    AgentType {
        OpenCode = "opencode",
    }
}

/// The agent configuration of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentConfig {
    pub agent_type: AgentType,
    pub model: Model,
    /// Narrows the tools of the session's mode; `None` keeps all of them.
    pub tools: Option<Vec<String>>,
}

impl AgentConfig {
    pub fn new(
        agent_type: AgentType,
        model: Model,
        tools: Option<Vec<String>>,
    ) -> Result<Self, Invalid> {
        if let Some(tools) = &tools {
            bounded_count("agentConfig.tools", tools.len(), AGENT_TOOLS_MAX)?;
            for (index, tool) in tools.iter().enumerate() {
                bounded_text(
                    &format!("agentConfig.tools[{index}]"),
                    tool,
                    1,
                    NAME_LENGTH_MAX,
                )?;
            }
        }
        Ok(Self {
            agent_type,
            model,
            tools,
        })
    }
}

impl Default for AgentConfig {
    fn default() -> Self {
        Self {
            agent_type: AgentType::OpenCode,
            model: Model::DEFAULT,
            tools: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_spellings_are_those_of_the_contract() {
        let table: Vec<_> = MODELS
            .iter()
            .map(|s| (s.canonical, s.agent, s.api))
            .collect();
        assert_eq!(
            table,
            [
                (
                    "claude-opus-4.6",
                    "anthropic/claude-opus-4-6",
                    "claude-opus-4-6"
                ),
                (
                    "claude-opus-4.5",
                    "anthropic/claude-opus-4-5",
                    "claude-opus-4-5-20251101"
                ),
                (
                    "claude-sonnet-4",
                    "anthropic/claude-sonnet-4-5",
                    "claude-sonnet-4-20250514"
                ),
            ]
        );
    }

    #[test]
    fn every_spelling_of_every_model_resolves_to_it_and_no_spelling_is_shared() {
        let mut seen = std::collections::HashSet::new();
        for spec in MODELS {
            assert_eq!(spec.model.spec(), spec);
            for id in [spec.canonical, spec.agent, spec.api] {
                assert_eq!(Model::resolve("modelId", id), Ok(spec.model));
                assert!(seen.insert(id), "{id} names two models");
            }
        }
    }

    #[test]
    fn an_unknown_model_is_refused_with_the_known_ones() {
        for id in ["gpt-5", "", "claude-opus-4.6 ", "CLAUDE-OPUS-4.6"] {
            let error = Model::resolve("modelId", id).unwrap_err();
            assert_eq!(error.field, "modelId");
            assert!(
                error
                    .message
                    .ends_with("claude-opus-4.6, claude-opus-4.5, claude-sonnet-4"),
                "{error}"
            );
        }
    }
}
