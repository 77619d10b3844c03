//! `proliferate help`: how to use a command, and short texts about what several commands have in common.

use clap::Command;

use crate::{
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
};

/// A text that is compiled in.
struct Topic {
    name: &'static str,
    about: &'static str,
    text: &'static str,
}

macro_rules! topics {
    ($($name:literal $about:literal;)+) => {
        &[$(Topic {
            name: $name,
            about: $about,
            text: include_str!(concat!("topics/", $name, ".md")),
        }),+]
    };
}

const TOPICS: &[Topic] = topics! {
    "contexts" "signing in, and switching between gateways";
    "ids" "ids, parts of them, and names";
    "output" "tables, JSON, and exit codes";
    "environment" "the environment variables of client commands";
    "approvals" "calls that wait for a decision, and grants";
    "lanes" "the policy: lanes, roles and the safety lock";
    "snapshots" "saved sandboxes and what starts from them";
    "automations" "tasks that agents work on alone";
};

/// Explain a command or a topic; without one, list both.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A topic, or the words of a command
    #[arg(value_name = "TOPIC|COMMAND")]
    words: Vec<String>,
}

/// Prints help from the whole of `proliferate`, of which this command is a part.
pub fn run(context: &Context, args: &Args, mut proliferate: Command) -> Outcome {
    proliferate.build();
    let text = match &args.words[..] {
        [] => overview(&proliferate),
        [one] if topic(one).is_some() => topic(one)
            .map(|topic| topic.text.to_owned())
            .unwrap_or_default(),
        words => {
            let command = find(&mut proliferate, words).ok_or_else(|| unknown(words))?;
            command.render_long_help().to_string()
        }
    };
    context.printer.data(text.trim_end());
    Ok(Exit::Ok)
}

fn topic(name: &str) -> Option<&'static Topic> {
    TOPICS.iter().find(|topic| topic.name == name)
}

/// The command that the words name, one below the other.
fn find<'a>(proliferate: &'a mut Command, words: &[String]) -> Option<&'a mut Command> {
    let mut command = proliferate;
    for word in words {
        command = command.find_subcommand_mut(word)?;
    }
    Some(command)
}

fn unknown(words: &[String]) -> Failure {
    let words = words.join(" ").escape_debug().to_string();
    Failure::new(
        Exit::Usage,
        format!("there is no topic or command `{words}`"),
    )
    .hint("`proliferate help` lists them")
}

fn overview(proliferate: &Command) -> String {
    let mut lines = vec!["Commands:".to_owned()];
    let commands = proliferate
        .get_subcommands()
        .filter(|command| !command.is_hide_set());
    for command in commands {
        let about = command
            .get_about()
            .map(ToString::to_string)
            .unwrap_or_default();
        lines.push(format!("  {:<14} {about}", command.get_name()));
    }
    lines.extend([String::new(), "Topics:".to_owned()]);
    lines.extend(
        TOPICS
            .iter()
            .map(|topic| format!("  {:<14} {}", topic.name, topic.about)),
    );
    let more = "`proliferate help COMMAND` and `proliferate help TOPIC` say more.";
    lines.extend([String::new(), more.to_owned()]);
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::cli::Cli;

    fn proliferate() -> Command {
        let mut command = Cli::command();
        command.build();
        command
    }

    /// What stands between back ticks in a text.
    fn quoted(text: &str) -> impl Iterator<Item = &str> {
        text.split('`').skip(1).step_by(2)
    }

    #[test]
    fn every_command_and_option_that_a_topic_names_exists() {
        let mut proliferate = proliferate();
        for topic in TOPICS {
            let mut count = 0;
            for named in quoted(topic.text) {
                let Some(words) = named.strip_prefix("proliferate ") else {
                    continue;
                };
                count += 1;
                let mut command = &mut proliferate;
                for word in words.split_whitespace() {
                    if let Some(flag) = word.strip_prefix("--") {
                        let has = command
                            .get_arguments()
                            .any(|arg| arg.get_long() == Some(flag));
                        assert!(has, "{}: `{named}` has no --{flag}", topic.name);
                    }
                    if command.has_subcommands()
                        && word.chars().all(|c| c.is_ascii_lowercase() || c == '-')
                    {
                        let found = command.find_subcommand_mut(word);
                        command = found.unwrap_or_else(|| panic!("{}: `{named}`", topic.name));
                    }
                }
            }
            assert!(count > 0, "{} names no command", topic.name);
        }
    }

    #[test]
    fn no_topic_has_the_name_of_a_command_and_each_fits_a_screen() {
        let mut proliferate = proliferate();
        for topic in TOPICS {
            assert!(
                proliferate.find_subcommand_mut(topic.name).is_none(),
                "{}",
                topic.name
            );
        }
        for topic in TOPICS {
            for line in topic.text.lines() {
                assert!(line.chars().count() <= 100, "{}: {line}", topic.name);
            }
            assert!(topic.text.lines().count() <= 50, "{}", topic.name);
        }
    }

    #[test]
    fn a_command_is_found_by_its_words() {
        let mut proliferate = proliferate();
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let help = find(&mut proliferate, &words("session create"))
            .unwrap()
            .render_long_help();
        assert!(help.to_string().contains("--provisioning"), "{help}");
        assert!(find(&mut proliferate, &words("session fly")).is_none());
        assert_eq!(unknown(&words("session fly")).exit, Exit::Usage);
        assert!(overview(&proliferate).contains("\n  snapshots "));
    }
}
