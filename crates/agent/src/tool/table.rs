//! The six rows. Limits are those of the domain; names are those of agents and clients.

use domain::limits::{
    ENV_FILE_KEYS_MAX, ENV_FILES_MAX, NAME_LENGTH_MAX, PATH_LENGTH_MAX, REFERENCE_LENGTH_MAX,
    REFERENCES_MAX, REQUESTED_KEY_DESCRIPTION_LENGTH_MAX, REQUESTED_KEYS_MAX,
    SECRET_KEY_LENGTH_MAX, SERVICE_COMMAND_LENGTH_MAX, SERVICE_COMMANDS_MAX,
    SNAPSHOT_MESSAGE_LENGTH_MAX, SUGGESTION_INSTRUCTIONS_LENGTH_MAX, SUGGESTION_VALUE_LENGTH_MAX,
    SUGGESTIONS_MAX, SUMMARY_LENGTH_MAX, TOOL_ID_LENGTH_MAX,
};

use super::{
    name::Tool,
    shape::{
        Fallback, Field,
        Presence::{self, Default, Optional, Required},
        Rule, Shape, path, text,
    },
    spec::{AgentToolSpec, ToolHost},
};
use crate::mode::Mode::{Automation, Coding, Setup};

pub(super) static SAVE_SNAPSHOT: AgentToolSpec = AgentToolSpec {
    tool: Tool::SaveSnapshot,
    agent_name: "save_snapshot",
    version: 1,
    modes: &[Setup, Coding, Automation],
    host: ToolHost::Gateway,
    description: "Save the state of this sandbox's files: repositories, installed packages, caches. \
In a setup session it becomes the start of later sessions; in any other session it is where this session \
goes on from. Running processes are not saved. Takes seconds up to minutes and returns when it is done.",
    parameters: &[field(
        "message",
        "What is in this state, in a sentence or two.",
        Optional,
        text(0, SNAPSHOT_MESSAGE_LENGTH_MAX),
    )],
    answer: "`{snapshotId, target}`; `target` is `configuration` in a setup session, else `session`",
};

pub(super) static SAVE_SERVICE_COMMANDS: AgentToolSpec = AgentToolSpec {
    tool: Tool::SaveServiceCommands,
    agent_name: "save_service_commands",
    version: 1,
    modes: &[Setup],
    host: ToolHost::Gateway,
    description: "Save the commands that start the services of this project. Later sessions run them at \
their start. The list replaces the one that was saved before, so give all of them. Save only commands that \
you have seen to work.",
    parameters: &[field(
        "commands",
        "Every service that runs for long, in the order in which they start.",
        Required,
        Shape::List {
            of: &Shape::Record(SERVICE_COMMAND),
            min: 1,
            max: SERVICE_COMMANDS_MAX,
        },
    )],
    answer: "`{configurationId, commandCount}`",
};

static SERVICE_COMMAND: &[Field] = &[
    field(
        "name",
        "A short name, such as `web`.",
        Required,
        text(1, NAME_LENGTH_MAX),
    ),
    field(
        "command",
        "The command line.",
        Required,
        text(1, SERVICE_COMMAND_LENGTH_MAX),
    ),
    field(
        "cwd",
        "The folder it runs in, relative to the workspace.",
        Optional,
        path(PATH_LENGTH_MAX),
    ),
    field(
        "workspacePath",
        "The folder of its repository, where there are several.",
        Optional,
        path(PATH_LENGTH_MAX),
    ),
];

pub(super) static SAVE_ENV_FILES: AgentToolSpec = AgentToolSpec {
    tool: Tool::SaveEnvFiles,
    agent_name: "save_env_files",
    version: 1,
    modes: &[Setup],
    host: ToolHost::Gateway,
    description: "Save which env files this project needs and which keys are in them. Only names are \
saved, never values: later sessions write the files from the values that people have given. The list \
replaces the one that was saved before.",
    parameters: &[field(
        "files",
        "Every env file.",
        Required,
        Shape::List {
            of: &Shape::Record(ENV_FILE),
            min: 1,
            max: ENV_FILES_MAX,
        },
    )],
    answer: "`{configurationId, fileCount}`",
};

static ENV_FILE: &[Field] = &[
    field(
        "path",
        "The file, relative to its repository, such as `.env.local`.",
        Required,
        path(PATH_LENGTH_MAX),
    ),
    field(
        "workspacePath",
        "The folder of its repository, relative to the workspace.",
        Default(Fallback::Text(".")),
        path(PATH_LENGTH_MAX),
    ),
    field(
        "format",
        "How the file is written.",
        Required,
        Shape::OneOf(&["dotenv"]),
    ),
    field(
        "mode",
        "`secret`: the file is left out of snapshots.",
        Required,
        Shape::OneOf(&["secret"]),
    ),
    field(
        "keys",
        "The keys in the file.",
        Required,
        Shape::List {
            of: &Shape::Record(ENV_FILE_KEY),
            min: 1,
            max: ENV_FILE_KEYS_MAX,
        },
    ),
];

static ENV_FILE_KEY: &[Field] = &[
    field(
        "key",
        "The name of the variable.",
        Required,
        Shape::Text {
            min: 1,
            max: SECRET_KEY_LENGTH_MAX,
            rule: Rule::EnvName,
        },
    ),
    field(
        "required",
        "Whether the project fails to run without it.",
        Required,
        Shape::Flag,
    ),
];

pub(super) static VERIFY: AgentToolSpec = AgentToolSpec {
    tool: Tool::Verify,
    agent_name: "verify",
    version: 1,
    modes: &[Setup, Coding, Automation],
    host: ToolHost::Gateway,
    description: "Hand in the evidence that the work is done: screenshots, test logs, answers of \
endpoints. Put the files into the folder first, with names that say what they show; then call this once. \
People see the files beside the session.",
    parameters: &[field(
        "folder",
        "The folder with the files, relative to the workspace.",
        Default(Fallback::Text(".proliferate/.verification/")),
        path(PATH_LENGTH_MAX),
    )],
    answer: "`{uploadedCount, prefix, skippedCount, skipped}`; the files are under that prefix, and \
`skipped` says of each that is not why",
};

pub(super) static AUTOMATION_COMPLETE: AgentToolSpec = AgentToolSpec {
    tool: Tool::AutomationComplete,
    agent_name: "automation_complete",
    version: 1,
    modes: &[Automation],
    host: ToolHost::Gateway,
    description: "Say how the automation run ended. Every run ends with this call, whatever came of it; \
a run without it counts as failed. Calling it again with the same `completion_id` and the same content \
changes nothing.",
    parameters: &[
        field(
            "run_id",
            "The run, as the instructions name it.",
            Required,
            text(1, TOOL_ID_LENGTH_MAX),
        ),
        field(
            "completion_id",
            "The completion, as the instructions name it.",
            Required,
            text(1, TOOL_ID_LENGTH_MAX),
        ),
        field(
            "outcome",
            "`succeeded`: the task is done. `failed`: it cannot be done. `needs_human`: a person must decide or help.",
            Required,
            Shape::OneOf(&["succeeded", "failed", "needs_human"]),
        ),
        field(
            "summary_markdown",
            "What was done and what was found, in Markdown.",
            Optional,
            text(0, SUMMARY_LENGTH_MAX),
        ),
        references(
            "citations",
            "What the summary rests on: files, links, log lines.",
        ),
        reference(
            "diff_ref",
            "Where the changes are: a branch, a commit or a pull request.",
        ),
        reference("test_report_ref", "Where the test report is."),
        references(
            "side_effect_refs",
            "What was changed outside of the sandbox: issues, messages, pull requests.",
        ),
    ],
    answer: "`{runId, outcome}`",
};

pub(super) static REQUEST_ENV_VARIABLES: AgentToolSpec = AgentToolSpec {
    tool: Tool::RequestEnvVariables,
    agent_name: "request_env_variables",
    version: 1,
    modes: &[Setup, Coding, Automation],
    host: ToolHost::Sandbox,
    description: "Ask the person for environment variables. A form appears on their screen; this returns \
at once, and a message follows when they have answered. Ask for everything in one call. Do not ask for keys \
of connected integrations, nor for what a local service can stand in for. The values are then in \
/tmp/.proliferate_env.json: never print that file, take single keys out of it with jq.",
    parameters: &[field(
        "keys",
        "The variables.",
        Required,
        Shape::List {
            of: &Shape::Record(REQUESTED_KEY),
            min: 1,
            max: REQUESTED_KEYS_MAX,
        },
    )],
    answer: "a sentence on what happens next; the form comes from the agent's events",
};

static REQUESTED_KEY: &[Field] = &[
    field(
        "key",
        "The name of the variable.",
        Required,
        Shape::Text {
            min: 1,
            max: SECRET_KEY_LENGTH_MAX,
            rule: Rule::EnvName,
        },
    ),
    field(
        "description",
        "What it is for and where to get it.",
        Optional,
        text(0, REQUESTED_KEY_DESCRIPTION_LENGTH_MAX),
    ),
    field(
        "type",
        "`env`: put into this sandbox only. `secret`: also kept, encrypted, for later sessions.",
        Default(Fallback::Text("env")),
        Shape::OneOf(&["env", "secret"]),
    ),
    field(
        "required",
        "Whether the work cannot go on without it.",
        Default(Fallback::Flag(true)),
        Shape::Flag,
    ),
    field(
        "suggestions",
        "Answers to choose from.",
        Optional,
        Shape::List {
            of: &Shape::Record(SUGGESTION),
            min: 0,
            max: SUGGESTIONS_MAX,
        },
    ),
];

static SUGGESTION: &[Field] = &[
    field(
        "label",
        "What the person sees.",
        Required,
        text(1, NAME_LENGTH_MAX),
    ),
    field(
        "value",
        "The value that is filled in.",
        Optional,
        text(0, SUGGESTION_VALUE_LENGTH_MAX),
    ),
    field(
        "instructions",
        "How to get a value.",
        Optional,
        text(0, SUGGESTION_INSTRUCTIONS_LENGTH_MAX),
    ),
];

const fn field(
    name: &'static str,
    description: &'static str,
    presence: Presence,
    shape: Shape,
) -> Field {
    Field {
        name,
        description,
        presence,
        shape,
    }
}

static REFERENCE: Shape = text(1, REFERENCE_LENGTH_MAX);

const fn reference(name: &'static str, description: &'static str) -> Field {
    field(name, description, Optional, text(0, REFERENCE_LENGTH_MAX))
}

const fn references(name: &'static str, description: &'static str) -> Field {
    let list = Shape::List {
        of: &REFERENCE,
        min: 0,
        max: REFERENCES_MAX,
    };
    field(name, description, Optional, list)
}
