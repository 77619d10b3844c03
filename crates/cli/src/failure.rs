//! Why a command did not do what was asked: one sentence, its causes, facts beside it, what to do
//! about it, and the exit code. Errors of the other crates become one here, and only here.

use config::ConfigError;

use crate::exit::Exit;

/// What a command ends with when it fails. Rendered by the printer.
#[derive(Debug)]
pub struct Failure {
    pub exit: Exit,
    pub message: String,
    /// What caused it, outermost first.
    pub causes: Vec<String>,
    /// Facts a reader may need: name and value.
    pub details: Vec<(String, String)>,
    pub hint: Option<String>,
}

/// What a command ends with: an exit code that needs no words, or a failure that does.
pub type Outcome = Result<Exit, Failure>;

impl Failure {
    pub fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self {
            exit,
            message: message.into(),
            causes: Vec::new(),
            details: Vec::new(),
            hint: None,
        }
    }

    /// With every error below `error` as a cause.
    pub fn caused(
        exit: Exit,
        message: impl Into<String>,
        error: &(dyn std::error::Error + 'static),
    ) -> Self {
        let mut failure = Self::new(exit, message);
        failure.causes = chain(error);
        failure
    }

    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    #[must_use]
    pub fn detail(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.details.push((name.into(), value.into()));
        self
    }
}

/// The error and its sources, without one that repeats what stands before it.
fn chain(error: &(dyn std::error::Error + 'static)) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    let mut next = Some(error);
    while let Some(current) = next {
        let text = current.to_string();
        if texts.last().is_none_or(|last| !last.contains(&text)) {
            texts.push(text);
        }
        next = current.source();
    }
    texts
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        let mut texts = chain(error.as_ref()).into_iter();
        let mut failure = Self::new(Exit::Failed, texts.next().unwrap_or_default());
        failure.causes = texts.collect();
        failure
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::new(Exit::Usage, error.to_string())
    }
}

impl From<store::Error> for Failure {
    fn from(error: store::Error) -> Self {
        let exit = if error.is_retryable() {
            Exit::Unavailable
        } else {
            Exit::Failed
        };
        let remedy = error.remedy();
        let mut failure = Self::from(anyhow::Error::new(error));
        failure.exit = exit;
        failure.hint(
            remedy.unwrap_or("`proliferate doctor` checks the database and says how to fix it"),
        )
    }
}

impl From<coord::Error> for Failure {
    fn from(error: coord::Error) -> Self {
        let exit = if error.is_retryable() {
            Exit::Unavailable
        } else {
            Exit::Failed
        };
        let mut failure = Self::from(anyhow::Error::new(error));
        failure.exit = exit;
        failure.hint("`proliferate doctor` checks the coordination service")
    }
}

impl From<app::Error> for Failure {
    fn from(error: app::Error) -> Self {
        use app::Error;
        match error {
            Error::Invalid(fields) => {
                let mut failure = Self::new(Exit::Usage, "the request is not valid");
                for invalid in fields {
                    failure = failure.detail(invalid.field, invalid.message);
                }
                failure
            }
            Error::Recorded(error) => (*error).into(),
            Error::Store(error) => error.into(),
            Error::Coordination(error) => error.into(),
            error => {
                let exit = match error {
                    Error::Unauthenticated(_)
                    | Error::TokenExpired
                    | Error::Forbidden(_)
                    | Error::AdmissionDenied(_) => Exit::Denied,
                    Error::NotFound(_) => Exit::NotFound,
                    Error::Conflict(_)
                    | Error::IdempotencyConflict
                    | Error::InvalidState(_)
                    | Error::LimitReached(_) => Exit::Conflict,
                    _ => Exit::Failed,
                };
                Self::new(exit, error.to_string())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context as _;

    #[test]
    fn causes_are_listed_once_each() {
        let inner = std::io::Error::other("no space left");
        let error = Err::<(), _>(inner)
            .context("cannot write x")
            .context("cannot start")
            .unwrap_err();
        let failure = Failure::from(error);
        assert_eq!(failure.message, "cannot start");
        assert_eq!(failure.causes, ["cannot write x", "no space left"]);
    }

    #[test]
    fn what_the_product_refuses_keeps_its_kind() {
        assert_eq!(
            Failure::from(app::Error::NotFound("session")).exit,
            Exit::NotFound
        );
        assert_eq!(
            Failure::from(app::Error::Forbidden("no")).exit,
            Exit::Denied
        );
        let invalid = domain::Invalid::new("name", "must not be empty");
        let failure = Failure::from(app::Error::Invalid(vec![invalid]));
        assert_eq!(failure.exit, Exit::Usage);
        assert_eq!(
            failure.details,
            [("name".to_owned(), "must not be empty".to_owned())]
        );
    }
}
