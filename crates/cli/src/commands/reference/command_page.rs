//! The page of all commands, made from the definition that parses them.

use std::fmt::Write as _;

use clap::{Arg, Command};

use crate::exit::Exit;

pub(super) fn render(mut root: Command) -> String {
    root.build();
    let mut page = format!(
        "# Commands\n\n\
         Generated from `crates/cli/src/commands`; do not edit.\n\n{}\n\n",
        about(&root)
    );
    page.push_str("## Options of every command\n\n");
    let global = |arg: &&Arg| arg.is_global_set();
    options(&mut page, root.get_arguments().filter(global));
    page.push_str("\n## Exit codes\n\n| Code | Meaning |\n|---|---|\n");
    for exit in Exit::ALL {
        let _ = writeln!(page, "| {} | {} |", exit.code(), exit.meaning());
    }
    for command in visible(&root) {
        section(&mut page, command, "proliferate");
    }
    page
}

fn visible(command: &Command) -> impl Iterator<Item = &Command> {
    command
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
}

fn section(page: &mut String, command: &Command, parent: &str) {
    let name = format!("{parent} {}", command.get_name());
    if command.has_subcommands() {
        for command in visible(command) {
            section(page, command, &name);
        }
        return;
    }
    let _ = write!(page, "\n## {name}\n\n{}\n\n", about(command));
    let _ = writeln!(page, "```\n{name}{}\n```", usage(command));
    let positional: Vec<&Arg> = command.get_positionals().collect();
    if !positional.is_empty() {
        page.push_str("\nArguments:\n\n");
        for arg in positional {
            let help = help(arg);
            let _ = writeln!(page, "- `{}`{help}", value_names(arg));
        }
    }
    let own = |arg: &&Arg| {
        !arg.is_positional() && !arg.is_global_set() && !arg.is_hide_set() && !is_built_in(arg)
    };
    let mut groups: Vec<(Option<&str>, Vec<&Arg>)> = Vec::new();
    for arg in command.get_arguments().filter(own) {
        let heading = arg.get_help_heading();
        match groups.iter_mut().find(|(known, _)| *known == heading) {
            Some((_, args)) => args.push(arg),
            None => groups.push((heading, vec![arg])),
        }
    }
    // What a command has for itself comes first.
    groups.sort_by_key(|(heading, _)| heading.is_some());
    for (heading, args) in groups {
        let _ = write!(page, "\n{}:\n\n", heading.unwrap_or("Options"));
        options(page, args.into_iter());
    }
}

fn options<'a>(page: &mut String, args: impl Iterator<Item = &'a Arg>) {
    for arg in args {
        let mut names: Vec<String> = Vec::new();
        names.extend(arg.get_short().map(|short| format!("-{short}")));
        names.extend(arg.get_long().map(|long| format!("--{long}")));
        let mut shown = names.join(", ");
        if arg.get_action().takes_values() {
            let _ = write!(shown, " {}", value_names(arg));
        }
        let _ = writeln!(page, "- `{shown}`{}", help(arg));
    }
}

/// The arguments as a synopsis: required ones, and that there are others.
fn usage(command: &Command) -> String {
    let mut text = String::new();
    for arg in command.get_positionals() {
        let name = value_names(arg);
        let shown = if arg.is_required_set() {
            name
        } else {
            format!("[{name}]")
        };
        let _ = write!(text, " {shown}");
    }
    for arg in command.get_arguments() {
        if arg.is_required_set()
            && let Some(long) = arg.get_long()
        {
            let _ = write!(text, " --{long} {}", value_names(arg));
        }
    }
    text.push_str(" [OPTIONS]");
    text
}

fn about(command: &Command) -> String {
    let text = command.get_long_about().or(command.get_about());
    text.map(ToString::to_string).unwrap_or_default()
}

fn value_names(arg: &Arg) -> String {
    let names = arg.get_value_names().unwrap_or_default();
    let names: Vec<&str> = names.iter().map(clap::builder::Str::as_str).collect();
    names.join(" ")
}

fn help(arg: &Arg) -> String {
    let mut text = String::new();
    if let Some(help) = arg.get_help() {
        let _ = write!(text, ": {help}");
    }
    if arg.get_action().takes_values() {
        let values: Vec<String> = arg
            .get_possible_values()
            .iter()
            .filter(|value| !value.is_hide_set())
            .map(|value| format!("`{}`", value.get_name()))
            .collect();
        if !values.is_empty() {
            let _ = write!(text, " (one of {})", values.join(", "));
        }
        let defaults: Vec<_> = arg
            .get_default_values()
            .iter()
            .map(|value| format!("`{}`", value.to_string_lossy()))
            .collect();
        if !defaults.is_empty() {
            let _ = write!(text, " (default {})", defaults.join(", "));
        }
    }
    text
}

fn is_built_in(arg: &Arg) -> bool {
    matches!(arg.get_id().as_str(), "help" | "version")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_section_and_every_option_a_meaning() {
        let page = render(<crate::cli::Cli as clap::CommandFactory>::command());
        for name in [
            "dev",
            "serve",
            "worker",
            "migrate",
            "doctor",
            "token mint user",
            "token mint service",
            "token mint api-key",
            "token list",
            "token revoke",
            "token sandbox",
            "session create",
            "session list",
            "session show",
            "session stop",
            "session migrate",
            "job list",
            "audit verify",
            "audit export",
            "audit key",
            "policy check",
            "policy show",
            "policy diff",
            "policy who-can",
            "policy why",
            "config check",
            "openapi",
            "completions",
        ] {
            assert!(
                page.contains(&format!("\n## proliferate {name}\n")),
                "{name}"
            );
        }
        assert!(!page.contains("proliferate reference"));
        for line in page.lines().filter(|line| line.starts_with("- `--")) {
            assert!(line.contains("`: "), "{line}");
        }
    }
}
