//! `command` of a tool: the programs it runs, what they may use and what is kept.

use std::collections::BTreeSet;

use domain::{
    limits::{
        TOOL_ARGUMENTS_MAX, TOOL_FILE_BYTES_MAX, TOOL_MEMORY_MB_MAX, TOOL_OUTPUTS_MAX,
        TOOL_PROCESSES_MAX, TOOL_STEPS_MAX,
    },
    policy::{
        Argument, ArtifactKind, CommandSpec, CommandStep, FileName, MediaType, OutputFile,
        PackageName, ToolSpec,
    },
};

use super::{
    fields::{Fields, Spot},
    problem::Report,
};

/// `None` if it could not be read whole.
pub(super) fn read(fields: &mut Fields<'_>, report: &mut Report) -> Option<CommandSpec> {
    let before = report.found();
    let mut command = fields.inner("command", report)?;
    let packages = command.sequence::<PackageName>("packages", TOOL_ARGUMENTS_MAX, report);
    let probe = command.sequence::<Argument>("probe", TOOL_ARGUMENTS_MAX, report);
    let memory = command.bounded("memory_mb", 1..=TOOL_MEMORY_MB_MAX, report);
    let processes = command.bounded("processes_max", 1..=TOOL_PROCESSES_MAX, report);
    let work = command.bounded("work_bytes_max", 0..=TOOL_FILE_BYTES_MAX, report);
    let output = command.bounded("output_bytes_max", 1..=TOOL_FILE_BYTES_MAX, report);
    let steps: Vec<CommandStep> = command
        .inners("steps", report)
        .into_iter()
        .filter_map(|fields| step(fields, report))
        .collect();
    let outputs: Vec<OutputFile> = command
        .inners("outputs", report)
        .into_iter()
        .filter_map(|fields| output_file(fields, report))
        .collect();
    command.close(report);
    let spec = CommandSpec {
        packages: in_order(packages),
        probe: in_order(probe),
        memory_bytes: memory? * 1024 * 1024,
        processes_max: u32::try_from(processes?).ok()?,
        work_bytes_max: work?,
        output_bytes_max: output?,
        steps,
        outputs,
    };
    (report.found() == before).then_some(spec)
}

fn step(mut fields: Fields<'_>, report: &mut Report) -> Option<CommandStep> {
    let argv = fields.sequence::<Argument>("argv", TOOL_ARGUMENTS_MAX, report);
    let stdout = if fields.has("stdout") {
        Some(fields.word::<FileName>("stdout", report)?.value)
    } else {
        None
    };
    fields.close(report);
    let argv = in_order(argv);
    Some(CommandStep { argv, stdout })
}

fn output_file(mut fields: Fields<'_>, report: &mut Report) -> Option<OutputFile> {
    let file = fields.word::<FileName>("file", report);
    let kind = fields.word::<ArtifactKind>("kind", report);
    let media_type = fields.word::<MediaType>("media_type", report);
    fields.close(report);
    Some(OutputFile {
        file: file?.value,
        kind: kind?.value,
        media_type: media_type?.value,
    })
}

fn in_order<T>(spots: Vec<Spot<T>>) -> Vec<T> {
    spots.into_iter().map(|spot| spot.value).collect()
}

/// Where the parts do not fit each other.
pub(super) fn problems(spec: &ToolSpec, command: &CommandSpec) -> Vec<String> {
    let mut problems = Vec::new();
    let mut unless = |good: bool, reason: String| {
        if !good {
            problems.push(reason);
        }
    };
    unless(
        (1..=TOOL_STEPS_MAX).contains(&command.steps.len()),
        format!("command.steps: must be 1 to {TOOL_STEPS_MAX}"),
    );
    unless(
        command.outputs.len() <= TOOL_OUTPUTS_MAX,
        format!("command.outputs: must be at most {TOOL_OUTPUTS_MAX}"),
    );
    for step in &command.steps {
        let program = step.program().unwrap_or_default();
        let named = !program.is_empty() && (!program.contains('/') || program.starts_with("/usr/"));
        let reason = "command.steps: the first of argv must be the name of a program or its path \
                      below /usr, without braces";
        unless(named && !program.contains(".."), reason.into());
    }
    let fixed = command.probe.iter().all(|word| word.fixed().is_some());
    unless(fixed, "command.probe: must hold no braces".into());
    unless(
        command.takes_input() != spec.accepts.is_empty(),
        "command.steps: must hold {input} if the tool accepts something, and only then".into(),
    );
    let asked = command.parameters();
    let known: BTreeSet<_> = spec.parameters.iter().map(|spec| &spec.name).collect();
    for name in asked.difference(&known) {
        unless(
            false,
            format!("command.steps: there is no parameter {name}"),
        );
    }
    for name in known.difference(&asked) {
        unless(false, format!("parameters: no step asks for {name}"));
    }
    let kinds: BTreeSet<_> = command.outputs.iter().map(|output| &output.kind).collect();
    unless(
        kinds == spec.produces.iter().collect(),
        "command.outputs: must be of the kinds that the tool produces, and of each".into(),
    );
    let files: BTreeSet<_> = command.outputs.iter().map(|output| &output.file).collect();
    unless(
        files.len() == command.outputs.len(),
        "command.outputs: a file is named twice".into(),
    );
    let printed: Vec<_> = command
        .steps
        .iter()
        .filter_map(|step| step.stdout.as_ref())
        .collect();
    unless(
        printed.iter().all(|file| files.contains(file)),
        "command.steps: stdout must be one of the output files".into(),
    );
    let distinct: BTreeSet<_> = printed.iter().collect();
    unless(
        distinct.len() == printed.len(),
        "command.steps: two steps print to the same file".into(),
    );
    problems
}
