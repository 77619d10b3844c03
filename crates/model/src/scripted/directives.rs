//! Plain instructions in a prompt, one on a line, in capitals. Other lines are for people. What cannot be
//! understood is said in the answer instead of being passed over.
//!
//! | Line | Effect |
//! |---|---|
//! | `SAY text`, `THINK text` | says or thinks it |
//! | `CALL tool {json}` | calls a tool and waits for the result |
//! | `ALSO tool {json}` | calls it at once with the one before |
//! | `WAIT ms`, `SLOW ms` | waits before this turn's answer, or between its pieces |
//! | `ERR status [times] [retry_after_ms]` | fails with the status |
//! | `DROP pieces [times]` | the connection breaks after so many pieces |
//! | `BREAK pieces [times]` | the stream ends with an error after so many pieces |
//! | `HANG pieces [times]` | nothing comes after so many pieces |
//! | `IF OK`, `IF ERROR`, `IF CONTAINS text` .. `ELSE` .. `END` | by the last result |
//! | `REPEAT n [UNTIL OK\|ERROR\|CONTAINS text]` .. `END` | again and again |
//!
//! `times` is 1 unless given; `always` is a number too.

use domain::limits::SCRIPT_DEPTH_MAX;
use serde_json::{Map, Value};

use super::{
    fault::{Fault, Times},
    program::{Condition, FaultStep, IfStep, RepeatStep, Step, ToolCall},
};

/// The steps of a prompt; none if it has no instruction.
pub(super) fn parse(prompt: &str) -> Vec<Step> {
    let mut open = vec![Frame::default()];
    for (index, line) in prompt.lines().enumerate() {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if let Err(problem) = take(&mut open, word, rest.trim()) {
            let text = format!("Line {} cannot be followed: {problem}.", index + 1);
            push(&mut open, Step::Say(text));
        }
    }
    while open.len() > 1 {
        close(&mut open);
        push(&mut open, Step::Say("An END is missing.".into()));
    }
    open.pop().map(|frame| frame.steps).unwrap_or_default()
}

/// A block that is not closed yet.
#[derive(Debug, Default)]
struct Frame {
    kind: Kind,
    steps: Vec<Step>,
}

#[derive(Debug, Default)]
enum Kind {
    #[default]
    Whole,
    Then(Condition),
    Else(Condition, Vec<Step>),
    Repeat(u32, Option<Condition>),
}

fn take(open: &mut Vec<Frame>, word: &str, rest: &str) -> Result<(), String> {
    let step = match word {
        "SAY" => Step::Say(rest.into()),
        "THINK" => Step::Think(rest.into()),
        "CALL" => Step::Call(tool_call(rest)?),
        "ALSO" => return also(open, tool_call(rest)?),
        "WAIT" => Step::WaitMs(number(rest)?),
        "SLOW" => Step::PaceMs(number(rest)?),
        "ERR" => Step::Fail(status(rest)?),
        "DROP" => Step::Fail(after(rest, |after| Fault::Drop { after })?),
        "BREAK" => Step::Fail(after(rest, |after| Fault::Break { after })?),
        "HANG" => Step::Fail(after(rest, |after| Fault::Hang { after })?),
        "IF" => return begin(open, Kind::Then(condition(rest)?)),
        "REPEAT" => return begin(open, repeat(rest)?),
        "ELSE" if rest.is_empty() => return otherwise(open),
        "END" if rest.is_empty() => {
            return if close(open) {
                Ok(())
            } else {
                Err("END without IF or REPEAT".into())
            };
        }
        _ => return Ok(()),
    };
    push(open, step);
    Ok(())
}

fn push(open: &mut [Frame], step: Step) {
    if let Some(frame) = open.last_mut() {
        frame.steps.push(step);
    }
}

fn begin(open: &mut Vec<Frame>, kind: Kind) -> Result<(), String> {
    if open.len() > SCRIPT_DEPTH_MAX {
        return Err(format!("blocks are at most {SCRIPT_DEPTH_MAX} deep"));
    }
    let steps = Vec::new();
    open.push(Frame { kind, steps });
    Ok(())
}

fn otherwise(open: &mut [Frame]) -> Result<(), String> {
    match open.last_mut() {
        Some(frame) if matches!(frame.kind, Kind::Then(_)) => {
            let then = std::mem::take(&mut frame.steps);
            let kind = std::mem::take(&mut frame.kind);
            if let Kind::Then(condition) = kind {
                frame.kind = Kind::Else(condition, then);
            }
            Ok(())
        }
        _ => Err("ELSE without IF".into()),
    }
}

/// Closes the innermost block; false if none is open.
fn close(open: &mut Vec<Frame>) -> bool {
    if open.len() < 2 {
        return false;
    }
    let Some(Frame { kind, steps }) = open.pop() else {
        return false;
    };
    let step = match kind {
        Kind::Whole => return false,
        Kind::Then(when) => Step::If(IfStep {
            when,
            then: steps,
            otherwise: Vec::new(),
        }),
        Kind::Else(when, then) => Step::If(IfStep {
            when,
            then,
            otherwise: steps,
        }),
        Kind::Repeat(times, until) => Step::Repeat(RepeatStep {
            times,
            until,
            steps,
        }),
    };
    push(open, step);
    true
}

fn also(open: &mut [Frame], call: ToolCall) -> Result<(), String> {
    let last = open.last_mut().and_then(|frame| frame.steps.last_mut());
    match last {
        Some(Step::Calls(calls)) => calls.push(call),
        Some(step @ Step::Call(_)) => {
            let Step::Call(first) = step.clone() else {
                return Err("ALSO without CALL".into());
            };
            *step = Step::Calls(vec![first, call]);
        }
        _ => return Err("ALSO without CALL just before".into()),
    }
    Ok(())
}

fn tool_call(rest: &str) -> Result<ToolCall, String> {
    let (tool, input) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    if tool.is_empty() {
        return Err("which tool?".into());
    }
    let input = match input.trim() {
        "" => Map::new(),
        text => match serde_json::from_str(text) {
            Ok(Value::Object(input)) => input,
            Ok(_) => return Err("the input of a tool is a JSON object".into()),
            Err(error) => return Err(format!("the input is not JSON ({error})")),
        },
    };
    Ok(ToolCall {
        tool: tool.into(),
        input,
    })
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse()
        .map_err(|_| format!("`{text}` is not a number that fits"))
}

fn times(text: Option<&str>) -> Result<Times, String> {
    match text {
        None => Ok(Times::default()),
        Some("always") => Ok(Times::ALWAYS),
        Some(text) => number(text).map(Times::Count),
    }
}

fn status(rest: &str) -> Result<FaultStep, String> {
    let mut words = rest.split_whitespace();
    let code = number(words.next().unwrap_or_default())?;
    if !(400..600).contains(&code) {
        return Err("a status of an error is from 400 to 599".into());
    }
    let times = times(words.next())?;
    let retry_after_ms = words.next().map(number).transpose()?;
    let fault = Fault::Status {
        code,
        retry_after_ms,
    };
    Ok(FaultStep { fault, times })
}

fn after(rest: &str, fault: impl Fn(usize) -> Fault) -> Result<FaultStep, String> {
    let mut words = rest.split_whitespace();
    Ok(FaultStep {
        fault: fault(number(words.next().unwrap_or_default())?),
        times: times(words.next())?,
    })
}

fn condition(rest: &str) -> Result<Condition, String> {
    let (word, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let mut condition = Condition::default();
    match (word, rest.trim()) {
        ("OK", "") => condition.error = Some(false),
        ("ERROR", "") => condition.error = Some(true),
        ("CONTAINS", text) if !text.is_empty() => condition.contains = Some(text.into()),
        _ => return Err("a condition is OK, ERROR or CONTAINS text".into()),
    }
    Ok(condition)
}

fn repeat(rest: &str) -> Result<Kind, String> {
    let (count, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let count = number(count)?;
    let until = match rest.trim() {
        "" => None,
        rest => {
            let rest = rest.strip_prefix("UNTIL ").ok_or("expected UNTIL")?;
            Some(condition(rest.trim())?)
        }
    };
    Ok(Kind::Repeat(count, until))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn instructions_become_steps_and_other_lines_are_for_people() {
        let prompt = "Please do this.\nSAY one\nCALL a {\"x\":1}\nALSO b\n  REPEAT 3 UNTIL OK\nCALL c\nEND\n\
                      IF CONTAINS no way\nERR 529 2 50\nELSE\nDROP 3 always\nEND\nSAYING is no word";
        insta::assert_debug_snapshot!(parse(prompt));
    }

    #[test]
    fn what_cannot_be_followed_is_said() {
        let said = |prompt: &str| match parse(prompt).as_slice() {
            [.., Step::Say(text)] => text.clone(),
            other => panic!("{prompt}: {other:?}"),
        };
        let table = [
            ("CALL", "which tool"),
            ("CALL a {x}", "not JSON"),
            ("CALL a [1]", "JSON object"),
            ("ALSO a", "without CALL"),
            ("ERR 200", "from 400"),
            ("ERR", "not a number"),
            ("SLOW x", "not a number"),
            ("IF MAYBE", "a condition is"),
            ("REPEAT 2 WHILE OK", "expected UNTIL"),
            ("ELSE", "without IF"),
            ("END", "END without"),
            ("IF OK\nSAY x", "END is missing"),
        ];
        for (prompt, expected) in table {
            assert!(
                said(prompt).contains(expected),
                "{prompt}: {}",
                said(prompt)
            );
        }
        let deep = "IF OK\n".repeat(SCRIPT_DEPTH_MAX + 1);
        assert!(format!("{:?}", parse(&deep)).contains("at most 16 deep"));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "(?s).{0,200}") {
            parse(&text);
        }

        #[test]
        fn no_mix_of_instructions_makes_it_panic(
            lines in prop::collection::vec("(IF|ELSE|END|REPEAT|CALL|ALSO|SAY|ERR|DROP)( (OK|2|a|\\{\\}|529))?", 0..30),
        ) {
            parse(&lines.join("\n"));
        }
    }
}
