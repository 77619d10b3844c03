//! An automation: a task that an agent works on without a user, each time it is started.

use crate::{
    clock::Timestamp,
    id::{AutomationId, ConfigurationId, OrganizationId, UserId},
    invalid::{Invalid, bounded_text},
    limits::{AUTOMATION_INSTRUCTIONS_LENGTH_MAX, NAME_LENGTH_MAX, NOTES_LENGTH_MAX},
    model::Model,
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Automation {
    pub id: AutomationId,
    pub organization_id: OrganizationId,
    pub name: String,
    pub description: Option<String>,
    /// A disabled automation can be viewed and changed, but not started.
    pub enabled: bool,
    /// The first instructions of its agent.
    pub agent_instructions: String,
    pub model: Model,
    /// What its sessions start from; `None` is an empty workspace.
    pub default_configuration_id: Option<ConfigurationId>,
    pub created_by: Option<UserId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// The fields of an automation that users set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AutomationDraft {
    pub name: String,
    pub description: Option<String>,
    pub enabled: bool,
    pub agent_instructions: String,
    pub model: Model,
    pub default_configuration_id: Option<ConfigurationId>,
}

impl AutomationDraft {
    pub fn validate(&self) -> Result<(), Invalid> {
        bounded_text("name", &self.name, 1, NAME_LENGTH_MAX)?;
        if let Some(description) = &self.description {
            bounded_text("description", description, 0, NOTES_LENGTH_MAX)?;
        }
        let instructions = &self.agent_instructions;
        let max = AUTOMATION_INSTRUCTIONS_LENGTH_MAX;
        bounded_text("agentInstructions", instructions, 1, max)?;
        if instructions.trim().is_empty() {
            return Err(Invalid::new("agentInstructions", "must not be blank"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_named() {
        let good = AutomationDraft {
            name: "Nightly".to_owned(),
            description: None,
            enabled: true,
            agent_instructions: "Look at the logs.".to_owned(),
            model: Model::DEFAULT,
            default_configuration_id: None,
        };
        assert_eq!(good.validate(), Ok(()));
        let long = "x".repeat(AUTOMATION_INSTRUCTIONS_LENGTH_MAX + 1);
        let mut bad = vec![("name", good.clone()), ("description", good.clone())];
        bad[0].1.name = String::new();
        bad[1].1.description = Some("x".repeat(NOTES_LENGTH_MAX + 1));
        for instructions in ["", " \n", &long] {
            let mut draft = good.clone();
            instructions.clone_into(&mut draft.agent_instructions);
            bad.push(("agentInstructions", draft));
        }
        for (field, draft) in bad {
            assert_eq!(draft.validate().unwrap_err().field, field);
        }
    }
}
