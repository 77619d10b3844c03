//! Every message as it is on the wire, and what is refused.

use serde_json::json;

use super::*;

#[test]
fn what_a_client_sends() {
    let messages = [
        json!({"type": "auth", "token": "t"}),
        json!({"type": "ping"}),
        json!({"type": "prompt", "content": "hello"}),
        json!({"type": "prompt", "content": "", "images": ["data:image/png;base64,AA=="],
            "idempotencyKey": "k", "userId": "u"}),
        json!({"type": "cancel"}),
        json!({"type": "get_status"}),
        json!({"type": "get_messages"}),
        json!({"type": "save_snapshot", "message": "m"}),
        json!({"type": "run_auto_start", "runId": "00000000-0000-0000-0000-000000000001", "mode": "start",
            "commands": [{"name": "web", "command": "npm start"}]}),
        json!({"type": "get_git_status", "workspacePath": "a/b"}),
        json!({"type": "git_create_branch", "branchName": "b"}),
        json!({"type": "git_commit", "message": "m", "includeUntracked": true, "files": ["a"]}),
        json!({"type": "git_push"}),
        json!({"type": "git_create_pr", "branch": "fix", "title": "t", "body": "b", "baseBranch": "main"}),
    ];
    let schema = schema_of("ClientMessage");
    for message in messages {
        assert!(schema.is_valid(&message), "{message}");
        let read = ClientMessage::parse(&message.to_string()).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), message);
        assert!(!format!("{read:?}").contains("\"t\"") || !matches!(read, ClientMessage::Auth(_)));
    }
}

#[test]
fn what_a_client_may_not_send() {
    let long = "x".repeat(200_001);
    let table = [
        (json!({"type": "shout"}), "frame: unknown variant"),
        (json!({"content": "x"}), "frame: missing field `type`"),
        (json!({"type": "prompt"}), "frame: missing field `content`"),
        (
            json!({"type": "prompt", "content": "x", "model": "m"}),
            "frame: unknown field `model`",
        ),
        (
            json!({"type": "prompt", "content": " "}),
            "content: must not be empty",
        ),
        (
            json!({"type": "prompt", "content": long}),
            "content: must have at most",
        ),
        (
            json!({"type": "prompt", "content": "x", "idempotencyKey": ""}),
            "idempotencyKey",
        ),
        (
            json!({"type": "prompt", "content": "x", "images": ["http://x/y.png"]}),
            "images: must be data",
        ),
        (
            json!({"type": "prompt", "content": "x", "images": vec!["data:image/png;base64,"; 11]}),
            "at most 10",
        ),
        (
            json!({"type": "get_git_status", "workspacePath": "../x"}),
            "workspacePath: must not contain",
        ),
        (
            json!({"type": "git_push", "workspacePath": "/etc"}),
            "workspacePath: must be a relative",
        ),
        (
            json!({"type": "git_commit", "message": ""}),
            "message: must not be empty",
        ),
        (
            json!({"type": "git_commit", "message": "m", "files": ["../../x"]}),
            "files: must not contain",
        ),
        (
            json!({"type": "git_create_branch", "branchName": ""}),
            "branchName",
        ),
        (json!({"type": "git_create_pr", "title": ""}), "title"),
        (
            json!({"type": "auth", "token": 4711}),
            "frame: must be a string",
        ),
    ];
    let schema = schema_of("ClientMessage");
    for (message, expected) in table {
        // The schema defines shapes, not every rule.
        if expected.starts_with("frame") {
            assert!(!schema.is_valid(&message), "{message:.100}");
        }
        let error = ClientMessage::parse(&message.to_string())
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{message:.100}: {error}");
    }
    assert!(ClientMessage::parse("{").is_err());
}

#[test]
fn what_a_client_is_sent() {
    let schema = schema_of("Frame");
    let text: Vec<String> = samples()
        .iter()
        .enumerate()
        .map(|(index, message)| {
            let seq = message.is_logged().then_some(index as u64 + 1);
            let message = message.clone();
            let frame = Frame { seq, message };
            let text = serde_json::to_string(&frame).unwrap();
            assert_eq!(serde_json::from_str::<Frame>(&text).unwrap(), frame);
            let value: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_eq!(value["type"], frame.message.kind());
            assert!(schema.is_valid(&value), "{value}");
            text
        })
        .collect();
    insta::assert_snapshot!(text.join("\n"));
}

#[test]
fn the_protocol_as_typescript() {
    insta::assert_snapshot!(typescript());
}

fn schema_of(name: &str) -> jsonschema::Validator {
    let mut schema: serde_json::Value = serde_json::from_str(&json_schema()).unwrap();
    schema["anyOf"] = json!([{"$ref": format!("#/$defs/{name}")}]);
    jsonschema::validator_for(&schema).unwrap()
}

#[test]
fn every_reference_of_the_schema_resolves() {
    let schema: serde_json::Value = serde_json::from_str(&json_schema()).unwrap();
    let text = schema.to_string();
    let mut count = 0;
    for part in text.split("\"#/$defs/").skip(1) {
        let name = part.split('"').next().unwrap();
        assert!(schema["$defs"].get(name).is_some(), "{name} is missing");
        count += 1;
    }
    assert!(count > 40 && !text.contains("#/components"), "{count}");
}

fn token() -> Token {
    Token {
        message_id: "msg_1".into(),
        part_id: "prt_1".into(),
        token: "Hel".into(),
    }
}

fn text_part() -> TextPart {
    TextPart {
        message_id: "msg_1".into(),
        part_id: "prt_1".into(),
        text: "Hello".into(),
    }
}

fn call() -> ToolCallView {
    ToolCallView {
        tool_call_id: "toolu_1".into(),
        tool_name: "bash".into(),
        args: json!({"command": "ls"}),
        result: Some("a.rs".into()),
        status: ToolCallStatus::Completed,
    }
}

fn message() -> LiveMessage {
    LiveMessage {
        id: "msg_0".into(),
        role: MessageRole::User,
        content: "hello".into(),
        is_complete: true,
        created_at: 1_700_000_000_000,
        sender_id: Some("user_1".into()),
        prompt_id: None,
        source: Some(MessageSource::Web),
        tool_calls: vec![call()],
        parts: vec![
            MessagePart::Text { text: "t".into() },
            MessagePart::Thinking { text: "h".into() },
            MessagePart::Image {
                image: "data:image/png;base64,AA==".into(),
            },
            MessagePart::Tool(call()),
        ],
    }
}

fn boot_step() -> BootStep {
    BootStep {
        stage: BootStage::Agent,
        started_at: 1_700_000_000_000,
        duration_ms: Some(3100),
        error: None,
    }
}

fn migration() -> MigrationUpdate {
    MigrationUpdate {
        state: MigrationState::Failed,
        reason: MigrationReason::Expiry,
        expires_at: Some(1_700_000_300_000),
        gap_ms: Some(4200),
        queued: 2,
        lost: vec!["The agent was stopped in the middle of its turn.".into()],
        error: Some("no sandbox can be made".into()),
        retry_at: Some(1_700_000_120_000),
    }
}

fn approval() -> crate::notice::ActionApprovalRequest {
    serde_json::from_value(json!({
        "invocationId": "00000000-0000-0000-0000-000000000001", "integration": "linear",
        "action": "create_issue", "riskLevel": "write", "params": {}, "paramsComplete": true, "callSha256": "0".repeat(64),
        "expiresAt": "2026-01-05T09:35:00Z",
    }))
    .unwrap()
}

fn client() -> ConnectedClient {
    ConnectedClient {
        connection_id: "c1".into(),
        user_id: Some("user_1".into()),
    }
}

fn init() -> Init {
    Init {
        messages: vec![message()],
        status: LiveStatus::Running,
        seq: 41,
        config: Some(LiveConfig {
            session_id: uuid::Uuid::from_u128(2),
            org_id: "org_acme".into(),
            connection_id: "1".into(),
            repo_id: None,
            user_id: Some("user_1".into()),
            preview_tunnel_url: None,
        }),
        pending_approvals: vec![approval()],
        env_requests: vec![EnvRequest {
            tool_call_id: "toolu_2".into(),
            args: json!({"keys": [{"key": "API_KEY"}]}),
        }],
        clients: vec![client()],
        timeline: vec![boot_step()],
    }
}

/// One of each.
fn samples() -> Vec<ServerMessage> {
    let mut all = vec![
        ServerMessage::Init(Box::new(init())),
        ServerMessage::Message(Box::new(message())),
        ServerMessage::Token(token()),
        ServerMessage::TextPartComplete(text_part()),
        ServerMessage::TextSnapshot(text_part()),
        ServerMessage::TextVoid(TextRef {
            message_id: "msg_1".into(),
            part_id: "prt_1".into(),
        }),
        ServerMessage::Thinking(token()),
        ServerMessage::ThinkingComplete(text_part()),
        ServerMessage::MessageComplete(MessageRef {
            message_id: "msg_1".into(),
        }),
        ServerMessage::MessageCancelled(MessageCancelled { message_id: None }),
        ServerMessage::Status(StatusUpdate {
            status: LiveStatus::Migrating,
            is_idle: false,
            message: Some("moving".into()),
        }),
        ServerMessage::Error(LiveError {
            message: "The model did not answer.".into(),
            code: LiveErrorCode::Model,
            retryable: true,
        }),
        ServerMessage::BootStep(boot_step()),
        ServerMessage::Migration(migration()),
        ServerMessage::Presence(Presence {
            clients: vec![client()],
        }),
        ServerMessage::Gap(Gap { from: 3, to: 9 }),
        ServerMessage::SessionPaused,
        ServerMessage::SessionResumed,
        ServerMessage::Pong,
    ];
    all.extend(tool_samples());
    all.extend(other_samples());
    all
}

fn tool_samples() -> [ServerMessage; 3] {
    let summary = ToolSummary {
        id: "p1".into(),
        tool: "read".into(),
        state: ToolSummaryState {
            status: "completed".into(),
            title: Some("a.rs".into()),
        },
    };
    [
        ServerMessage::ToolStart(ToolStart {
            message_id: Some("msg_1".into()),
            part_id: "prt_2".into(),
            tool_call_id: "toolu_1".into(),
            tool: "bash".into(),
            args: json!({"command": "ls"}),
            is_cut: false,
        }),
        ServerMessage::ToolMetadata(ToolMetadata {
            tool_call_id: "toolu_1".into(),
            tool: "task".into(),
            title: Some("Looking".into()),
            metadata: ToolMetadataBody {
                summary: vec![summary],
                session_id: Some("ses_2".into()),
            },
        }),
        ServerMessage::ToolEnd(ToolEnd {
            part_id: "prt_2".into(),
            tool_call_id: "toolu_1".into(),
            tool: "bash".into(),
            result: "a.rs".into(),
            duration_ms: 12,
            status: ToolCallStatus::Completed,
            is_cut: false,
        }),
    ]
}

fn other_samples() -> Vec<ServerMessage> {
    let result = json!({
        "invocationId": "00000000-0000-0000-0000-000000000001", "integration": "linear",
        "action": "create_issue", "riskLevel": "write", "status": "denied",
    });
    let completed = json!({
        "invocationId": "00000000-0000-0000-0000-000000000001", "integration": "linear",
        "action": "create_issue", "riskLevel": "write", "status": "completed", "result": {"id": 1},
    });
    vec![
        ServerMessage::PreviewUrl(PreviewUrl {
            url: "http://x".into(),
        }),
        ServerMessage::TitleUpdate(TitleUpdate {
            title: "Fix it".into(),
        }),
        ServerMessage::SnapshotResult(SnapshotResult {
            success: true,
            snapshot_id: Some("snap_1".into()),
            error: None,
            target: SnapshotTarget::Session,
        }),
        ServerMessage::AutoStartOutput(AutoStartOutput {
            run_id: uuid::Uuid::from_u128(3),
            entries: vec![AutoStartEntry {
                name: "web".into(),
                workspace_path: None,
                cwd: Some("apps/web".into()),
                output: "listening".into(),
                exit_code: None,
                log_file: None,
            }],
        }),
        ServerMessage::GitStatus(GitState {
            branch: "main".into(),
            ahead: Some(1),
            ..GitState::default()
        }),
        ServerMessage::GitResult(GitResult {
            action: GitAction::Commit,
            success: false,
            code: GitCode::NothingToCommit,
            message: "Nothing changed.".into(),
            pr_url: None,
        }),
        ServerMessage::ActionApprovalRequest(approval()),
        ServerMessage::ActionApprovalResult(serde_json::from_value(result).unwrap()),
        ServerMessage::ActionCompleted(serde_json::from_value(completed).unwrap()),
    ]
}
