//! The system prompt: a body for the mode, a part for every mode, and the tail that a custom prompt cannot
//! remove.
//!
//! INVARIANT: a built-in prompt names no tool that the session does not have.

use crate::{
    context::{AutomationRunIds, Context},
    mode::Mode,
    text::fill,
    tool::Tool,
};

const SETUP: &str = include_str!("../prompts/setup.md");
const SETUP_TAIL: &str = include_str!("../prompts/setup.tail.md");
const CODING: &str = include_str!("../prompts/coding.md");
const CODING_TAIL: &str = include_str!("../prompts/coding.tail.md");
const AUTOMATION: &str = include_str!("../prompts/automation.md");
const AUTOMATION_TAIL: &str = include_str!("../prompts/automation.tail.md");
const PLATFORM: &str = include_str!("../prompts/platform.md");

/// The prompt of a session. The agent does not store it: it is sent with every message.
pub fn system(context: &Context) -> String {
    let (body, tail): (&[&str], &str) = match context.mode {
        Mode::Setup => (&[SETUP, PLATFORM], SETUP_TAIL),
        Mode::Coding => (&[CODING, PLATFORM], CODING_TAIL),
        // What holds for coding holds for automation, which adds to it.
        Mode::Automation => (&[CODING, AUTOMATION, PLATFORM], AUTOMATION_TAIL),
    };
    let body = match &context.system_prompt {
        Some(custom) => custom.trim().to_owned(),
        None => ours(&body.join("\n"), context),
    };
    format!("{body}\n\n{}\n", ours(tail, context))
}

fn ours(text: &str, context: &Context) -> String {
    let places = [("REPO", repo(context)), ("RUN", run(context.run.as_ref()))];
    let text = fill(text, &places);
    let absent: Vec<_> = Tool::ALL
        .iter()
        .filter(|tool| !context.tools().contains(tool))
        .collect();
    without(&text, &absent).trim().to_owned()
}

fn repo(context: &Context) -> String {
    match context.repo_name.as_deref() {
        Some(name) => format!("the repository {name}"),
        None => "a workspace".to_owned(),
    }
}

fn run(run: Option<&AutomationRunIds>) -> String {
    match run {
        Some(run) => format!(
            "- `run_id`: {}\n- `completion_id`: {}",
            run.run_id, run.completion_id
        ),
        None => "- `run_id` and `completion_id`: as the task names them.".to_owned(),
    }
}

/// Leaves out each paragraph and each item of a list that names one of these tools.
fn without(text: &str, absent: &[&Tool]) -> String {
    let names_one = |block: &str| {
        absent.iter().any(|tool| {
            let names = [tool.as_str(), tool.spec().agent_name];
            names
                .iter()
                .any(|name| block.contains(&format!("`{name}`")))
        })
    };
    let kept: Vec<_> = blocks(text)
        .into_iter()
        .filter(|block| !names_one(block))
        .collect();
    kept.concat()
}

/// Paragraphs, items and blank lines, each with its line ends.
fn blocks(text: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    for line in text.split_inclusive('\n') {
        let continues =
            line.starts_with("  ") || line.chars().next().is_some_and(char::is_alphanumeric);
        match blocks.last_mut() {
            Some(block) if continues && !block.trim().is_empty() => block.push_str(line),
            _ => blocks.push(line.to_owned()),
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::context::tests::context;

    /// Every tool that a text names, by either name.
    fn named(text: &str) -> BTreeSet<Tool> {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && !"_.".contains(c));
        words
            .filter_map(|word| Tool::find(word.trim_matches('.')))
            // An everyday word, too: only in backticks does it mean the tool.
            .filter(|tool| *tool != Tool::Verify || text.contains("`verify`"))
            .collect()
    }

    #[test]
    fn a_prompt_names_the_tools_of_its_mode_and_no_others() {
        for mode in Mode::ALL {
            let context = context(*mode);
            let has: BTreeSet<_> = context.tools().into_iter().collect();
            assert_eq!(named(&system(&context)), has, "{mode}");
        }
    }

    #[test]
    fn nothing_of_a_modes_own_prompt_is_left_out() {
        for (mode, parts) in [
            (Mode::Setup, &[SETUP, PLATFORM, SETUP_TAIL][..]),
            (Mode::Coding, &[CODING, PLATFORM, CODING_TAIL]),
            (
                Mode::Automation,
                &[CODING, AUTOMATION, PLATFORM, AUTOMATION_TAIL],
            ),
        ] {
            let prompt = system(&context(mode));
            for line in parts.iter().flat_map(|part| part.lines()) {
                if !line.contains("__") {
                    assert!(prompt.contains(line), "{mode} lacks: {line}");
                }
            }
            assert!(!prompt.contains("__"), "{prompt}");
        }
    }

    /// The table of the contract: the parts of each mode's prompt.
    #[test]
    fn each_mode_is_told_what_the_contract_says() {
        let rows: &[(&str, [bool; 3])] = &[
            ("Source code stays as it is", [true, false, false]),
            ("Understand before you change", [false, true, true]),
            ("Call it before you save the snapshot", [true, false, false]),
            ("Then call `save_snapshot`", [true, false, false]),
            ("`save_snapshot` keeps the state", [true, true, true]),
            (
                "`request_env_variables` asks the person",
                [true, true, true],
            ),
            ("Done — Save Snapshot", [true, false, false]),
            ("`save_service_commands` keeps", [true, false, false]),
            ("`save_env_files` keeps", [true, false, false]),
            (
                "it ends with a call of `automation_complete`",
                [false, false, true],
            ),
            ("You run inside Proliferate", [true, true, true]),
            (
                "`proliferate services list|start|stop|restart|logs|expose`",
                [true, true, true],
            ),
            ("`proliferate actions list`", [true, true, true]),
            ("Never ask the person for them", [true, true, true]),
            ("Never print the file", [true, true, true]),
            (crate::env::ENV_FILE, [true, true, true]),
        ];
        for (words, told) in rows {
            let found = [Mode::Setup, Mode::Coding, Mode::Automation]
                .map(|mode| system(&context(mode)).contains(words));
            assert_eq!(found, *told, "{words}");
        }
    }

    #[test]
    fn a_custom_prompt_takes_the_body_and_leaves_the_tail() {
        for (mode, tail) in [
            (Mode::Setup, "Then call `save_snapshot`"),
            (Mode::Coding, "Hand in evidence with `verify`"),
            (
                Mode::Automation,
                "it ends with a call of `automation_complete`",
            ),
        ] {
            let mut context = context(mode);
            context.system_prompt =
                Some("Speak like a pirate. __REPO__ `save_env_files`\n".to_owned());
            let prompt = system(&context);
            // Word for word: text that looks like a placeholder is not filled, and a mentioned tool is not
            // removed.
            assert!(
                prompt.starts_with("Speak like a pirate. __REPO__ `save_env_files`\n\n# "),
                "{prompt}"
            );
            assert!(prompt.contains(tail), "{mode}");
            assert!(!prompt.contains("# Proliferate"), "{mode}");
        }
    }

    #[test]
    fn a_session_with_fewer_tools_is_not_told_of_the_others() {
        for mode in Mode::ALL {
            let mut context = context(*mode);
            context.tool_names = Some(vec!["verify".to_owned(), "no_such".to_owned()]);
            let has: BTreeSet<_> = context.tools().into_iter().collect();
            assert_eq!(named(&system(&context)), has, "{mode}");
            assert!(has.contains(&Tool::Verify) && has.len() <= 2, "{has:?}");
        }
    }

    #[test]
    fn the_ids_of_the_run_are_in_the_tail() {
        let mut context = context(Mode::Automation);
        context.system_prompt = Some("x".to_owned());
        let prompt = system(&context);
        assert!(
            prompt.contains("- `run_id`: run-1\n- `completion_id`: completion-1\n- `outcome`"),
            "{prompt}"
        );
        context.run = None;
        assert!(system(&context).contains("as the task names them"));
    }

    #[test]
    fn prompts_as_they_are() {
        for mode in Mode::ALL {
            insta::assert_snapshot!(format!("prompt_{mode}"), system(&context(*mode)));
        }
    }
}
