//! Scripts: scenes that are played when a prompt matches. A file is YAML, and so JSON as well.
//!
//! ```yaml
//! scenes:
//!   - prompt: "(?i)set up"
//!     steps:
//!       - say: I look around first.
//!       - call: {tool: bash, input: {command: "ls"}}
//!       - if:
//!           when: {error: true}
//!           then: [{say: "That failed: {{result}}"}]
//!           else: [{call: {tool: save_snapshot, input: {message: ready}}}]
//! ```

use domain::limits::{SCRIPT_BYTES_MAX, SCRIPT_DEPTH_MAX};
use regex::Regex;
use serde::Deserialize;

use super::{conversation::Conversation, directives, program::Step};

/// The text without any instruction.
const HELP: &str = "I am a scripted model: I do what a script or the lines of a prompt tell me, and this \
                    prompt told me nothing. Try a line `SAY hello` or `CALL bash {\"command\":\"ls\"}`.";

/// What the model plays. The default has no scene: it follows what prompts say.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    #[serde(default)]
    scenes: Vec<Scene>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Matched against the prompts it applies to; without it, the scene applies to prompts without
    /// another match.
    #[serde(default)]
    pub prompt: Option<Pattern>,
    pub steps: Vec<Step>,
}

/// A regular expression.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub struct Pattern(Regex);

impl TryFrom<String> for Pattern {
    type Error = regex::Error;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Regex::new(&text).map(Self)
    }
}

/// Why a text is not a script.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    #[error("the script is larger than {SCRIPT_BYTES_MAX} bytes")]
    TooLarge,
    #[error("the script has steps more than {SCRIPT_DEPTH_MAX} deep")]
    TooDeep,
    #[error("the script cannot be read: {0}")]
    Invalid(String),
}

impl Script {
    pub fn new(scenes: Vec<Scene>) -> Self {
        Self { scenes }
    }

    /// Reads the text of a script file.
    pub fn parse(text: &str) -> Result<Self, ScriptError> {
        if text.len() > SCRIPT_BYTES_MAX {
            return Err(ScriptError::TooLarge);
        }
        let script: Self = serde_saphyr::from_str(text)
            .map_err(|error| ScriptError::Invalid(error.to_string()))?;
        if script
            .scenes
            .iter()
            .any(|scene| depth(&scene.steps) > SCRIPT_DEPTH_MAX)
        {
            return Err(ScriptError::TooDeep);
        }
        Ok(script)
    }

    /// The steps for a prompt. A scene that names it takes precedence over its own instructions.
    pub(super) fn steps(&self, conversation: &Conversation) -> Vec<Step> {
        let prompt = &conversation.prompt;
        let named = |scene: &&Scene| {
            let pattern = scene.prompt.as_ref();
            pattern.is_some_and(|Pattern(regex)| regex.is_match(prompt))
        };
        if let Some(scene) = self.scenes.iter().find(named) {
            return scene.steps.clone();
        }
        let own = directives::parse(prompt);
        if !own.is_empty() {
            return own;
        }
        let fallback = self.scenes.iter().find(|scene| scene.prompt.is_none());
        fallback.map_or_else(|| vec![Step::Say(HELP.into())], |scene| scene.steps.clone())
    }
}

fn depth(steps: &[Step]) -> usize {
    let below = steps.iter().map(|step| match step {
        Step::If(choice) => depth(&choice.then).max(depth(&choice.otherwise)),
        Step::Repeat(repeat) => depth(&repeat.steps),
        _ => 0,
    });
    1 + below.max().unwrap_or(0)
}
