//! An invocation as the gateway describes it, and how a command ends with it.
//!
//! Read leniently: what is printed is what was received, so that a response may grow; a status that is not known
//! here is one that has not ended.

use serde::Deserialize as _;
use serde_json::{Value, json};
use uuid::Uuid;
use wire::action::ActionStatus;

use crate::{exit::Exit, failure::Failure, printer::Printer};

/// One invocation at one moment.
#[derive(Debug)]
pub(crate) struct Invocation {
    pub(crate) id: Uuid,
    /// `None` if it is newer than this command.
    status: Option<ActionStatus>,
    /// As it was received.
    view: Value,
    /// The whole result, which only the response to `invoke` has; also where it is `null`.
    whole_result: Option<Value>,
}

impl Invocation {
    /// Reads the invocation of a response that has one.
    pub(crate) fn from_response(response: &Value) -> Option<Self> {
        let view = response.get("invocation")?;
        let status = view.get("status").filter(|status| status.is_string())?;
        Some(Self {
            id: view.get("id")?.as_str()?.parse().ok()?,
            status: ActionStatus::deserialize(status).ok(),
            view: view.clone(),
            whole_result: response.get("result").cloned(),
        })
    }

    pub(crate) fn has_ended(&self) -> bool {
        use ActionStatus::{Approved, Completed, Denied, Executing, Expired, Failed, Pending};
        match self.status {
            None | Some(Pending | Approved | Executing) => false,
            Some(Completed | Failed | Denied | Expired) => true,
        }
    }

    /// The command that continues waiting.
    pub(crate) fn resume(&self) -> String {
        format!("proliferate actions wait {}", self.id)
    }

    pub(crate) fn document(&self) -> Value {
        json!({"invocation": self.view})
    }

    /// The result, or why there is none.
    pub(crate) fn outcome(self, printer: &Printer) -> Result<Value, Failure> {
        match self.status {
            Some(ActionStatus::Completed) => Ok(self.result(printer)),
            Some(ActionStatus::Failed) => Err(self.failed()),
            Some(ActionStatus::Denied) => {
                let message = format!("denied: {}", self.error());
                Err(Failure::new(Exit::Denied, message).document(self.document()))
            }
            Some(ActionStatus::Expired) => {
                let message = format!("expired: {}", self.error());
                let failure = Failure::new(Exit::Expired, message).document(self.document());
                Err(failure.hint("nothing ran; it can be asked for again"))
            }
            _ => Err(self.unfinished()),
        }
    }

    fn result(mut self, printer: &Printer) -> Value {
        if let Some(whole) = self.whole_result.take() {
            return whole;
        }
        let result = self.view["result"].take();
        if result.get("_truncated") == Some(&Value::Bool(true)) {
            let artifact = self.view.get("resultArtifactId").and_then(Value::as_str);
            let reference =
                artifact.map_or_else(String::new, |id| format!("; the whole is artifact {id}"));
            printer.note(&format!(
                "the result was too large for the record and is cut{reference}"
            ));
        }
        result
    }

    fn failed(&self) -> Failure {
        let is_unknown = self.view.get("outcomeUnknown") == Some(&Value::Bool(true));
        let failure = if is_unknown {
            let message = format!(
                "the outcome is unknown, it may have happened: {}",
                self.error()
            );
            Failure::new(Exit::Failed, message)
                .hint("look whether it happened before you run it again")
        } else {
            Failure::new(
                Exit::Failed,
                format!("the action ran and failed: {}", self.error()),
            )
        };
        failure.document(self.document())
    }

    fn unfinished(&self) -> Failure {
        let resume = self.resume();
        let status = self
            .view
            .get("status")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let document = json!({"invocation": self.view, "resume": resume});
        Failure::new(
            Exit::Pending,
            format!("invocation {} is still {status}", self.id),
        )
        .document(document)
        .hint(format!(
            "do not run it again; go on waiting with `{resume}`"
        ))
    }

    fn error(&self) -> &str {
        let error = self.view.get("error").and_then(Value::as_str);
        error.unwrap_or("no reason is given")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(answer: &Value) -> Result<Value, Exit> {
        let invocation = Invocation::from_response(answer).unwrap();
        invocation
            .outcome(&Printer::default())
            .map_err(|failure| failure.exit)
    }

    fn answer(status: &str) -> Value {
        let id = "0192f0c1-2345-7abc-8def-0123456789ab";
        json!({"invocation": {"id": id, "status": status, "result": {"cut": true}}})
    }

    #[test]
    fn every_status_has_its_exit() {
        for (status, exit) in [
            ("pending", Exit::Pending),
            ("approved", Exit::Pending),
            ("executing", Exit::Pending),
            ("failed", Exit::Failed),
            ("denied", Exit::Denied),
            ("expired", Exit::Expired),
            ("returned_from_the_future", Exit::Pending),
        ] {
            assert_eq!(outcome(&answer(status)), Err(exit), "{status}");
        }
        assert_eq!(outcome(&answer("completed")), Ok(json!({"cut": true})));
    }

    #[test]
    fn the_whole_result_goes_first_even_where_it_is_null() {
        let mut whole = answer("completed");
        whole["result"] = Value::Null;
        assert_eq!(outcome(&whole), Ok(Value::Null));
    }

    #[test]
    fn other_responses_have_no_invocation() {
        for other in [
            json!({}),
            json!({"invocation": {"id": 1}}),
            json!([]),
            json!(null),
        ] {
            assert!(Invocation::from_response(&other).is_none(), "{other}");
        }
    }
}
