//! Why a request is not done: a code of the project, which says whether trying again can help, and one
//! sentence. It becomes the same problem document that the gateway writes.

use wire::problem::{Code, Problem};

/// A request that is not done.
#[derive(Debug)]
pub(super) struct Refusal {
    code: Code,
    detail: String,
    /// The member of the request that is wrong, and how.
    field: Option<Box<(&'static str, String)>>,
}

impl Refusal {
    pub(super) fn new(code: Code, detail: impl Into<String>) -> Self {
        Self {
            code,
            detail: detail.into(),
            field: None,
        }
    }

    /// A request that cannot be done as it is.
    pub(super) fn invalid(detail: impl Into<String>) -> Self {
        Self::new(Code::InvalidRequest, detail)
    }

    pub(super) fn field(name: &'static str, why: impl Into<String>) -> Self {
        let why = why.into();
        Self {
            field: Some(Box::new((name, why.clone()))),
            ..Self::invalid(format!("The member {name} {why}."))
        }
    }

    pub(super) fn code(&self) -> Code {
        self.code
    }

    pub(super) fn problem(&self) -> Problem {
        let mut problem = Problem::new(self.code, &self.detail);
        // The usual hints are for clients of a gateway.
        problem.hint = None;
        match self.field.as_deref() {
            Some((name, why)) => problem.with_field(name, why),
            None => problem,
        }
    }
}
