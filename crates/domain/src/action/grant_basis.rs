//! What a grant is bound to: the definitions of actions that it was created for. An action whose definition has
//! changed is another action, which no admin has granted.
//!
//! A connector's tool is bound with everything that its server states about it. A built-in action is bound by its
//! risk and by its parameters: its texts come with this program, and a better wording voids no grant.

use std::{collections::BTreeMap, fmt};

use serde_json::{Value, json};

use super::{
    binding::digest,
    name::{ActionName, IntegrationName, Pattern},
    risk::Risk,
};
use crate::{audit::Sha256Hex, canonical::NotCanonical, id::GrantId};

/// The definitions that a grant was created for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GrantBasis {
    /// The definition of the one tool that the grant names; `None` for a grant that names more, and for a tool that
    /// was not known.
    pub tool: Option<Sha256Hex>,
    /// How many definitions of tools the organization knew at that time.
    pub known_tools: i64,
    /// The built-in actions that the grant names, as they were.
    pub built_in: BuiltInActions,
}

/// Digests of built-in actions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BuiltInActions(pub BTreeMap<(IntegrationName, ActionName), Sha256Hex>);

impl BuiltInActions {
    pub fn get(&self, integration: &IntegrationName, action: &ActionName) -> Option<&Sha256Hex> {
        self.0.get(&(integration.clone(), action.clone()))
    }

    /// Returns those that a grant with these patterns names.
    #[must_use]
    pub fn named_by(
        &self,
        integration: &Pattern<IntegrationName>,
        action: &Pattern<ActionName>,
    ) -> Self {
        let named = self
            .0
            .iter()
            .filter(|((of, name), _)| integration.matches(of) && action.matches(name));
        Self(
            named
                .map(|(names, digest)| (names.clone(), digest.clone()))
                .collect(),
        )
    }
}

/// The digest of a built-in action as grants are bound to it. `schema` is without descriptions.
pub fn built_in_digest(risk: Risk, schema: &Value) -> Result<Sha256Hex, NotCanonical> {
    digest(&json!({"kind": "built_in_action", "risk": risk.as_str(), "schema": schema}))
}

/// The definition in force for a connector's tool: the one that was first seen, or that an admin accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandingTool {
    pub sha256: Sha256Hex,
    /// Its number among the definitions that the organization has seen. `None` if it was not counted: then no
    /// grant was created for it.
    pub known_as: Option<i64>,
    /// Whether an admin has accepted it.
    pub accepted: bool,
}

/// The definition that a call would run under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallDefinition {
    BuiltIn {
        sha256: Sha256Hex,
    },
    Tool {
        /// As its server defines it now.
        sha256: Sha256Hex,
        standing: Option<StandingTool>,
    },
}

crate::text_enum! {
    /// Why a grant does not cover a call any more that it names, as the word that is recorded.
    Suspension {
        /// A connector's tool is defined differently.
        ToolChanged = "tool_definition_changed",
        /// A connector has a tool that was not known when the grant was created.
        ToolNew = "tool_definition_new",
        /// A built-in action has another risk or takes other parameters.
        ActionChanged = "action_changed",
        /// A built-in action did not exist yet, or the grant was created by a release that did not record
        /// which ones did.
        ActionNew = "action_new",
    }
}

/// Why the definition is not one that the grant was created for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uncovered {
    pub because: Suspension,
    /// The definition it was created for; `None` for one that did not exist.
    pub given_for: Option<Sha256Hex>,
    pub now: Sha256Hex,
}

/// The grant that would cover a call if the action were still defined as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SuspendedGrant {
    pub id: GrantId,
    pub because: Suspension,
}

impl GrantBasis {
    /// Whether the definition is one that the grant was created for, or one that an admin has accepted
    /// since.
    pub fn covers(
        &self,
        (integration, action): (&IntegrationName, &ActionName),
        found: &CallDefinition,
    ) -> Result<(), Uncovered> {
        let (now, given_for, changed, new) = match found {
            CallDefinition::BuiltIn { sha256 } => (
                sha256,
                self.built_in.get(integration, action),
                Suspension::ActionChanged,
                Suspension::ActionNew,
            ),
            CallDefinition::Tool { sha256, standing } => {
                let standing = standing.as_ref().filter(|tool| self.knows(tool));
                if standing.is_some_and(|tool| tool.sha256 == *sha256) {
                    return Ok(());
                }
                (
                    sha256,
                    self.tool.as_ref().or(standing.map(|tool| &tool.sha256)),
                    Suspension::ToolChanged,
                    Suspension::ToolNew,
                )
            }
        };
        if given_for == Some(now) {
            return Ok(());
        }
        Err(Uncovered {
            because: if given_for.is_some() { changed } else { new },
            given_for: given_for.cloned(),
            now: now.clone(),
        })
    }

    /// Whether the definition was known when the grant was created, or accepted since. A grant that was created for
    /// one definition does not cover another that was known beside it.
    fn knows(&self, tool: &StandingTool) -> bool {
        let since = tool.known_as.is_none_or(|place| place > self.known_tools);
        if since {
            tool.accepted
        } else {
            self.tool.as_ref().is_none_or(|own| *own == tool.sha256)
        }
    }
}

impl CallDefinition {
    pub const fn sha256(&self) -> &Sha256Hex {
        match self {
            Self::BuiltIn { sha256 } | Self::Tool { sha256, .. } => sha256,
        }
    }
}

impl Suspension {
    /// States what happened, and what makes the grant cover such calls again.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::ToolChanged => {
                "the tool's definition changed since it was given; an admin has to review the definition"
            }
            Self::ToolNew => {
                "the tool was not known when it was given; an admin has to review the tool's definition"
            }
            Self::ActionChanged => {
                "the action's risk or parameters changed since it was given; an admin has to grant it again"
            }
            Self::ActionNew => {
                "it was not given for this action: the action came later, or an older release made the grant; an admin \
                 has to grant it again"
            }
        }
    }
}

impl fmt::Display for Uncovered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = |digest: &Sha256Hex| digest.as_str()[..12].to_owned();
        f.write_str(self.because.sentence())?;
        match &self.given_for {
            Some(was) => write!(f, " (was {}, is {})", short(was), short(&self.now)),
            None => write!(f, " (is {})", short(&self.now)),
        }
    }
}

#[cfg(test)]
mod tests;
