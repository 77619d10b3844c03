//! Why a command did not do what was asked: one sentence, facts beside it, what to do about it, the exit
//! code, and what is known of the invocation, if there is one.

use serde_json::Value;

use crate::exit::Exit;

/// What a command ends with when it fails.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    pub(crate) message: String,
    pub(crate) details: Vec<String>,
    pub(crate) hint: Option<String>,
    /// For stdout.
    pub(crate) document: Option<Value>,
}

impl Failure {
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self {
            exit,
            message: message.into(),
            details: Vec::new(),
            hint: None,
            document: None,
        }
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, message)
    }

    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    #[must_use]
    pub(crate) fn document(mut self, document: Value) -> Self {
        self.document = Some(document);
        self
    }
}
