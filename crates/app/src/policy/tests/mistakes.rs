//! Mistakes that must not load, one per row: each is made in a built-in file that is otherwise good.

use crate::policy::PolicyFile::{self, Lanes, Roles, Tools};

/// File, text to replace, replacement, the one complaint (as far as it goes).
pub(super) const REFUSED: &[(PolicyFile, &str, &str, &str)] = &[
    // Ways in which a file says something else than it seems to say.
    (Lanes, "lanes:\n", "lanes: &all\n", "lanes.yaml:10: anchors"),
    (
        Lanes,
        "roles: [SANDBOX_AGENT]",
        "roles: *all",
        "lanes.yaml:16: aliases",
    ),
    (
        Lanes,
        "roles: [SANDBOX_AGENT]",
        "<<: {a: b}\n      roles: [SANDBOX_AGENT]",
        "lanes.yaml:16: merge keys",
    ),
    (
        Lanes,
        "roles: [SANDBOX_AGENT]",
        "\"<<\": {a: b}\n      roles: [SANDBOX_AGENT]",
        "lanes.yaml:16: merge keys",
    ),
    (
        Lanes,
        "[SANDBOX_AGENT]",
        "!!set [SANDBOX_AGENT]",
        "lanes.yaml:16: tags",
    ),
    (
        Lanes,
        "version: 1",
        "%YAML 1.1\n---\nversion: 1",
        "lanes.yaml:8: not YAML: ",
    ),
    (
        Lanes,
        "    scope:",
        "\tscope:",
        "lanes.yaml:25: tabs are not allowed",
    ),
    (
        Lanes,
        "version: 1",
        "version: 1\nversion: 1",
        "lanes.yaml:9: key `version` is given twice, first on line 8",
    ),
    (
        Lanes,
        "level: full}",
        "level: full, level: full}",
        "lanes.yaml:28: key `level` is given twice, first on line 28",
    ),
    (
        Lanes,
        "version: 1",
        "[a, b]: 1\nversion: 1",
        "lanes.yaml:8: a key must be a word",
    ),
    // Shape.
    (
        Lanes,
        "version: 1",
        "version: 2",
        "lanes.yaml:8: version: must be 1",
    ),
    (
        Lanes,
        "version: 1",
        "version: \"1\"",
        "lanes.yaml:8: version: must be a whole number",
    ),
    (
        Roles,
        "contract_version: v1",
        "contract_version: v2",
        "roles.yaml:4: contract_version: must be v1",
    ),
    (
        Roles,
        "contract_version: v1\n",
        "",
        "roles.yaml:3: `contract_version` is missing",
    ),
    (
        Lanes,
        "    purpose: An",
        "    aim: x\n    purpose: An",
        "lanes.yaml:14: lanes[0]: unknown key `aim`; there are lane_id, purpose",
    ),
    (
        Lanes,
        "      requires:",
        "      demands: []\n      requires:",
        "lanes.yaml:26: lanes[0].scope: unknown key `demands`; there are requires, prohibits",
    ),
    (
        Lanes,
        "    purpose: An agent prepares",
        "    purpose: \"\" # An agent prepares",
        "lanes.yaml:14: lanes[0].purpose: must not be empty",
    ),
    (
        Lanes,
        "[session_id, run_id]",
        "session_id",
        "lanes.yaml:26: lanes[0].scope.requires: must be a list",
    ),
    (
        Lanes,
        "tools: [action.read]",
        "tools: [1.5]",
        "tools: must be text; write \"1.5\" if it is meant so",
    ),
    (
        Roles,
        "description: A person of the organization.",
        "description: no",
        "description: must be text; write \"no\"",
    ),
    (
        Roles,
        "description: A person of the organization.",
        "description: \"a\\u001bb\"",
        "description: must not contain control characters",
    ),
    (
        Tools,
        "enabled: true",
        "enabled: yes",
        "tools.yaml:19: tools[0].enabled: must be true or false",
    ),
    (
        Tools,
        "timeout_ms: 300000",
        "timeout_ms: 0x10",
        "tools[0].timeout_ms: must be a whole number",
    ),
    (
        Tools,
        "timeout_ms: 300000",
        "timeout_ms: 0",
        "timeout_ms: must be between 1 and ",
    ),
    (
        Tools,
        "timeout_ms: 300000",
        "timeout_ms: 99999999999",
        "timeout_ms: must be between 1 and ",
    ),
    (
        Lanes,
        "  - lane_id: ACTION_WRITE\n",
        "  - lane_id: ACTION_WRITE\n    approval_seconds: 0\n",
        "approval_seconds: must be between 1 and 86400",
    ),
    // Words and names.
    (
        Lanes,
        "prohibits: [cross_case_lookup, external_export]",
        "prohibits: [cross_case_lookups]",
        "`cross_case_lookups` is not one of cross_case_lookup, ",
    ),
    (
        Lanes,
        "[session_id, run_id]",
        "[session_id, ticket]",
        "`ticket` is not one of case_id, ",
    ),
    (
        Lanes,
        "mode: upsert",
        "mode: replace",
        "`replace` is not one of append, upsert",
    ),
    (
        Roles,
        "class: agent",
        "class: robot",
        "roles.yaml:8: roles[0].class: `robot` is not one of agent, human, system",
    ),
    (
        Tools,
        "executor: builtin",
        "executor: shell",
        "`shell` is not one of builtin, command, http",
    ),
    (
        Lanes,
        "lane_id: SESSION_SETUP",
        "lane_id: session_setup",
        "`session_setup` is not a valid lane id",
    ),
    (
        Tools,
        "operation: save_snapshot",
        "operation: save_snapshot*",
        "`save_snapshot*` is not a valid operation",
    ),
    (
        Tools,
        "accepts: [application/pdf]",
        "accepts: [application/*]",
        "`application/*` is not a valid media type",
    ),
    (
        Lanes,
        "[session_id, run_id]",
        "[session_id, session_id]",
        "requires: `session_id` is listed twice",
    ),
    // Names that refer to nothing, and grants that one side makes.
    (
        Lanes,
        "tools: [action.read]",
        "tools: [action.reed]",
        "lane ACTION_READ names operation action.reed, which is not registered",
    ),
    (
        Lanes,
        "roles: [CASE_AGENT, ",
        "roles: [PLATFORM_SERVICE, CASE_AGENT, ",
        "lane TOOL_INTERVIEW_CAPTURE lists role PLATFORM_SERVICE, but the role does not list the lane",
    ),
    (
        Lanes,
        "[CASE_AGENT, ",
        "[CASE_AGENT, GHOST, ",
        "names role GHOST, which does not exist",
    ),
    (
        Roles,
        "        - WRITE_CASE_RECORDS\n",
        "        - WRITE_CASE_RECORDS\n        - NOWHERE\n",
        "roles.yaml:21: role SANDBOX_AGENT names lane NOWHERE, which does not exist",
    ),
    (
        Roles,
        "        - WRITE_CASE_RECORDS\n",
        "        - WRITE_CASE_RECORDS\n        - SYSTEM_OVERRIDE\n",
        "roles.yaml:21: role SANDBOX_AGENT lists lane SYSTEM_OVERRIDE, but the lane does not",
    ),
    (
        Lanes,
        "lane_id: ACTION_DANGER\n    purpose: Ask",
        "lane_id: ACTION_WRITE\n    purpose: Ask",
        "lane ACTION_WRITE is defined twice",
    ),
    (
        Roles,
        "role_id: PLATFORM_SERVICE",
        "role_id: CASE_AGENT",
        "role CASE_AGENT is defined twice",
    ),
    (
        Tools,
        "operation: verify",
        "operation: save_snapshot",
        "tool save_snapshot is registered twice",
    ),
    (
        Lanes,
        "table: case_notes",
        "table: audit_ledger",
        "may not write to audit_ledger: only the log itself does",
    ),
];
