//! Flags that set settings. They follow from `config`'s declarations: name, meaning, variable and default
//! are written down once, and a flag that an error message names exists.

use std::{fmt, marker::PhantomData};

use clap::{Arg, ArgMatches, Command, FromArgMatches};
use config::{
    Overrides, Section, Setting, coordination, database, policy, sandbox, server, storage,
};

use crate::load::CATALOG;

/// Settings that `-h` shows too; the others are shown by `--help` alone.
const COMMON: [Setting; 8] = [
    server::LISTEN,
    server::ADVERTISE_URL,
    server::PUBLIC_URL,
    database::URL,
    coordination::URL,
    storage::URL,
    policy::DIRECTORY,
    sandbox::PROVIDER,
];

/// Which sections a command takes flags of.
pub(crate) trait FlagSet {
    fn has_section(name: &str) -> bool;
}

/// The flags of a command that serves, or that checks the settings of one.
#[derive(Debug)]
pub(crate) struct AllFlags;
impl FlagSet for AllFlags {
    fn has_section(_: &str) -> bool {
        true
    }
}

/// The flags of a command that only works on the database.
#[derive(Debug)]
pub(crate) struct DatabaseFlags;
impl FlagSet for DatabaseFlags {
    fn has_section(name: &str) -> bool {
        ["database", "storage", "policy", "identity", "encryption"].contains(&name)
    }
}

/// What was given, as settings.
pub(crate) struct Flags<S> {
    pub(crate) overrides: Overrides,
    set: PhantomData<fn() -> S>,
}

impl<S> fmt::Debug for Flags<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Flags").field(&self.overrides).finish()
    }
}

/// The sections of a command. The keys above all sections are left out: each command has a global flag for them.
fn sections<S: FlagSet>() -> impl Iterator<Item = &'static Section> {
    let sections = CATALOG.sections().iter();
    sections.filter(|section| !section.name.is_empty() && S::has_section(section.name))
}

impl<S: FlagSet> clap::Args for Flags<S> {
    fn augment_args(mut command: Command) -> Command {
        for section in sections::<S>() {
            for setting in section.settings() {
                let is_rare = !COMMON.contains(setting);
                let flag = flag(setting, section.heading);
                command = command.arg(flag.hide_short_help(is_rare));
            }
        }
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<S: FlagSet> FromArgMatches for Flags<S> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut flags = Self {
            overrides: Overrides::default(),
            set: PhantomData,
        };
        flags.update_from_arg_matches(matches)?;
        Ok(flags)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for setting in sections::<S>().flat_map(Section::settings) {
            self.overrides
                .set_if(setting, matches.get_one::<String>(setting.path).cloned());
        }
        Ok(())
    }
}

fn flag(setting: &'static Setting, heading: &'static str) -> Arg {
    let meaning = setting.help.trim_end_matches('.');
    let separated = if setting.kind.is_list() {
        "; separated by commas"
    } else {
        ""
    };
    let default = match setting.default.summary() {
        text if text.is_empty() => text,
        text => format!(" [default: {text}]"),
    };
    let variable = setting.env[0].name;
    Arg::new(setting.path)
        .long(setting.flag.trim_start_matches('-'))
        .value_name(setting.kind.placeholder())
        .help(format!("{meaning}{separated}{default} [env: {variable}]"))
        .help_heading(heading)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_has_its_flag() {
        let flags = <Flags<AllFlags> as clap::Args>::augment_args(Command::new("serve"));
        let mut flags: Vec<_> = flags
            .get_arguments()
            .map(|it| it.get_id().as_str())
            .collect();
        // Global: every command takes it.
        flags.push(config::data_dir::DATA_DIR.path);
        flags.sort_unstable();
        let files = CATALOG.secrets().map(|secret| &secret.file);
        let known = CATALOG.settings().chain(files);
        let mut known: Vec<_> = known.map(|setting| setting.path).collect();
        known.sort_unstable();
        assert_eq!(flags, known);
    }
}
