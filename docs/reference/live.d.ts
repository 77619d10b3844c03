// The protocol of a live session: a client sends ClientMessage and is sent Frame.
// Generated; `cargo xtask generate` writes it.

/** An approval is needed. */
export type ActionApprovalRequest = {
  action: string;
  /** The digest of the call as it would run. A decision about it sends it. Empty from an older gateway. */
  callSha256: string;
  /** Until when it can be decided. */
  expiresAt: string;
  integration: string;
  invocationId: string;
  /** Without secrets, at most 10 KB. */
  params: unknown;
  /** Whether `params` is all of the call. An admin opens any other call before deciding it. */
  paramsComplete: boolean;
  /** Why it has to be approved once more, if it has. */
  returnedBecause?: string[];
  riskLevel: RiskLevel;
};

/** It was decided, or expired. */
export type ActionApprovalResult = {
  action: string;
  /** The user who decided, in either way. */
  approvedBy?: string | null;
  integration: string;
  invocationId: string;
  /** Their reason, or why the platform denied it. */
  reason?: string | null;
  riskLevel: RiskLevel;
  status: ApprovalResult;
};

/** It ran. */
export type ActionCompleted = {
  action: string;
  error?: string | null;
  integration: string;
  invocationId: string;
  /** With a failure: whether its effect in the outside service is unknown. */
  outcomeUnknown?: boolean | null;
  /** Without secrets, at most 10 KB. */
  result?: unknown;
  riskLevel: RiskLevel;
  /** `completed` or `failed`. */
  status: ActionStatus;
};

/** The status of an invocation. */
export type ActionStatus = "pending" | "approved" | "executing" | "completed" | "failed" | "denied" | "expired";

/** How an approval request ended. */
export type ApprovalResult = "approved" | "denied" | "expired";

export type AutoStartEntry = {
  cwd?: string;
  /** Null while it runs. */
  exitCode?: number | null;
  logFile?: string;
  name: string;
  output: string;
  workspacePath?: string;
};

/** Whether services keep running. */
export type AutoStartMode = "test" | "start";

export type AutoStartOutput = {
  entries: AutoStartEntry[];
  runId: string;
};

/** In order. A migration to a fresh sandbox has the first three too, a boot does not. */
export type BootStage = "created" | "settle" | "quiesce" | "snapshot" | "sandbox" | "repo" | "files" | "agent" | "stream" | "ready";

/** One step of a boot, or of a migration to a fresh sandbox. */
export type BootStep = {
  /** Absent while it is under way. */
  durationMs?: number;
  /** Why it failed, if it did. */
  error?: string;
  stage: BootStage;
  /** Milliseconds since 1970, when it started. */
  startedAt: number;
};

/** A frame of a client. */
export type ClientMessage = {
  token: SecretText;
  type: "auth";
} | {
  type: "ping";
} | {
  /** Empty only if there is a picture. */
  content: string;
  /** A second prompt with the same key is the same prompt, and is run once. */
  idempotencyKey?: string;
  /** Pictures as data URIs. */
  images?: string[];
  type: "prompt";
  /** Accepted and not used: the connection identifies the sender. */
  userId?: string;
} | {
  type: "cancel";
  /** Accepted and not used. */
  userId?: string;
} | {
  type: "get_status";
} | {
  type: "get_messages";
} | {
  message?: string;
  type: "save_snapshot";
} | {
  /** Those of the configuration if absent. */
  commands?: ServiceCommand[];
  mode?: AutoStartMode;
  /** Chosen by the client, to match the response. */
  runId: string;
  type: "run_auto_start";
} | {
  type: "get_git_status";
  /** Folder of the repository, below the workspace. */
  workspacePath?: string;
} | {
  branchName: string;
  type: "git_create_branch";
  workspacePath?: string;
} | {
  /** Only these. */
  files?: string[];
  includeUntracked?: boolean;
  message: string;
  type: "git_commit";
  workspacePath?: string;
} | {
  type: "git_push";
  workspacePath?: string;
} | {
  baseBranch?: string;
  body?: string;
  /** The branch that was shown to the caller. An administrator's request is an approval only if the sandbox reports the same one; without it the request waits for a decision. */
  branch?: string;
  title: string;
  type: "git_create_pr";
  workspacePath?: string;
};

/** A connected client. */
export type ConnectedClient = {
  connectionId: string;
  userId?: string;
};

/** A form to fill in, by the call that requested it. */
export type EnvRequest = {
  /** The agent's arguments: keys, descriptions, suggestions. */
  args: Record<string, unknown>;
  toolCallId: string;
};

/** A frame for a client. */
export type Frame = ServerMessage & {
  /** The event's position in the session's log. Resume after the last one seen. Absent on messages for one client only, such as `init` and `pong`. */
  seq?: number;
};

/** Both ends are missing events. */
export type Gap = {
  from: number;
  to: number;
};

export type GitAction = "create_branch" | "commit" | "push" | "create_pr";

export type GitCode = "SUCCESS" | "NOTHING_TO_COMMIT" | "NO_REMOTE" | "NOT_A_REPO" | "SHALLOW_PUSH_FAILED" | "AUTH_FAILED" | "GH_NOT_AVAILABLE" | "NOT_GITHUB_REMOTE" | "BRANCH_EXISTS" | "MERGE_CONFLICT" | "REPO_BUSY" | "MULTIPLE_REMOTES" | "AWAITING_APPROVAL" | "UNKNOWN_ERROR";

export type GitCommitView = {
  author: string;
  /** In git's format, ISO 8601. */
  date: string;
  message: string;
  sha: string;
};

/** The result of a change. */
export type GitResult = {
  action: GitAction;
  code: GitCode;
  message: string;
  prUrl?: string;
  success: boolean;
};

/** The state of a working tree, as git reports it. */
export type GitState = {
  /** Null without an upstream. */
  ahead?: number | null;
  behind?: number | null;
  /** The commit where the head is detached. */
  branch: string;
  /** Newest first. */
  commits: GitCommitView[];
  conflictedFiles: string[];
  detached: boolean;
  isBusy: boolean;
  isShallow: boolean;
  mergeInProgress: boolean;
  rebaseInProgress: boolean;
  stagedChanges: string[];
  unstagedChanges: string[];
  untrackedFiles: string[];
};

/** The current state of the session. */
export type Init = {
  /** Connected clients, this one included; of very many, the first. */
  clients?: ConnectedClient[];
  config?: LiveConfig;
  /** Forms that the agent asked users to fill in. */
  envRequests?: EnvRequest[];
  /** Oldest first. */
  messages: LiveMessage[];
  /** Approval requests that are pending. */
  pendingApprovals?: ActionApprovalRequest[];
  /** The last event that is in `messages`; further events have higher numbers. */
  seq: number;
  status: LiveStatus;
  /** The steps of the sandbox's boot, or of the session's migration to it. */
  timeline?: BootStep[];
};

export type LiveConfig = {
  /** This client's id in `clients` and `presence`. */
  connectionId: string;
  orgId: string;
  previewTunnelUrl?: string;
  repoId?: string;
  sessionId: string;
  userId?: string;
};

/** An error. */
export type LiveError = {
  code: LiveErrorCode;
  message: string;
  /** Whether the same request may succeed later. */
  retryable: boolean;
};

export type LiveErrorCode = "invalid_frame" | "forbidden" | "refused" | "model" | "agent" | "silent" | "sandbox";

/** A message of a user or of the agent. */
export type LiveMessage = {
  content: string;
  /** Milliseconds since 1970. */
  createdAt: number;
  id: string;
  isComplete: boolean;
  parts?: MessagePart[];
  /** The prompt that this message of the agent responds to, by an id with the same ending as the prompt's. */
  promptId?: string;
  role: MessageRole;
  /** The user who wrote it. */
  senderId?: string;
  source?: MessageSource;
  toolCalls?: ToolCallView[];
};

/** The status of a session as users see it. */
export type LiveStatus = "creating" | "resuming" | "running" | "migrating" | "paused" | "stopped" | "error";

export type MessageCancelled = {
  /** Absent if none had started. */
  messageId?: string;
};

/** A part of a message, in order. */
export type MessagePart = {
  text: string;
  type: "text";
} | {
  text: string;
  type: "thinking";
} | {
  /** A data URI. */
  image: string;
  type: "image";
} | ToolCallView & {
  type: "tool";
};

export type MessageRef = {
  messageId: string;
};

export type MessageRole = "user" | "assistant";

/** How a message was sent. */
export type MessageSource = "slack" | "web" | "api" | "cli" | "automation";

/** Why a session migrates. */
export type MigrationReason = "expiry" | "asked";

/** In order; the last three are final. */
export type MigrationState = "started" | "completed" | "failed" | "stranded";

/** The progress of a session's migration to a fresh sandbox. */
export type MigrationUpdate = {
  /** Why it failed, if it did. */
  error?: string;
  /** Milliseconds since 1970: when the session's current sandbox expires, if it does. */
  expiresAt?: number;
  /** How long prompts had to wait. Absent while they do. */
  gapMs?: number;
  /** What was not migrated, in sentences for users. Empty if everything was. */
  lost?: string[];
  /** Prompts that waited, and are now sent to the agent in order. */
  queued?: number;
  reason: MigrationReason;
  /** Milliseconds since 1970: when it is tried again, if it is. */
  retryAt?: number;
  state: MigrationState;
};

export type Presence = {
  clients: ConnectedClient[];
};

export type PreviewUrl = {
  url: string;
};

/** How much harm an action can do: reads run, writes need an approval, danger is denied. */
export type RiskLevel = "read" | "write" | "danger";

/** A confidential string. It occurs in requests and never in a response, with the one exception of a new API key. */
export type SecretText = string;

/** The message. */
export type ServerMessage = {
  /** The current state of the session; the first message of all. */
  payload: Init;
  type: "init";
} | {
  /** A message starts, or a whole one of a user. */
  payload: LiveMessage;
  type: "message";
} | {
  /** More of the agent's text. */
  payload: Token;
  type: "token";
} | {
  /** The whole text of a part; it replaces what was streamed. */
  payload: TextPart;
  type: "text_part_complete";
} | {
  /** The text of a part so far, for a client that could not keep up or reconnects in the middle of it. It replaces what was streamed. */
  payload: TextPart;
  type: "text_snapshot";
} | {
  /** The streamed text of this part is void: the model is called again. */
  payload: TextRef;
  type: "text_void";
} | {
  /** More of the agent's reasoning. */
  payload: Token;
  type: "thinking";
} | {
  /** The whole reasoning of a part. */
  payload: TextPart;
  type: "thinking_complete";
} | {
  payload: MessageRef;
  type: "message_complete";
} | {
  payload: MessageCancelled;
  type: "message_cancelled";
} | {
  payload: ToolStart;
  type: "tool_start";
} | {
  payload: ToolMetadata;
  type: "tool_metadata";
} | {
  payload: ToolEnd;
  type: "tool_end";
} | {
  payload: StatusUpdate;
  type: "status";
} | {
  payload: LiveError;
  type: "error";
} | {
  payload: PreviewUrl;
  type: "preview_url";
} | {
  payload: TitleUpdate;
  type: "title_update";
} | {
  payload: SnapshotResult;
  type: "snapshot_result";
} | {
  payload: AutoStartOutput;
  type: "auto_start_output";
} | {
  payload: GitState;
  type: "git_status";
} | {
  payload: GitResult;
  type: "git_result";
} | {
  payload: ActionApprovalRequest;
  type: "action_approval_request";
} | {
  payload: ActionApprovalResult;
  type: "action_approval_result";
} | {
  payload: ActionCompleted;
  type: "action_completed";
} | {
  /** The progress of the sandbox's boot. */
  payload: BootStep;
  type: "boot_step";
} | {
  /** The session migrates to a fresh sandbox, or has. */
  payload: MigrationUpdate;
  type: "migration";
} | {
  /** The connected clients; of very many, the first. */
  payload: Presence;
  type: "presence";
} | {
  /** Events that are no longer kept; ask for the messages. */
  payload: Gap;
  type: "gap";
} | {
  type: "session_paused";
} | {
  type: "session_resumed";
} | {
  type: "pong";
};

/** A command that starts a service in the sandbox. */
export type ServiceCommand = {
  command: string;
  /** Folder to run it in, below the workspace. */
  cwd?: string | null;
  name: string;
  /** Folder of the repository it belongs to, if the configuration has several. */
  workspacePath?: string | null;
};

export type SnapshotResult = {
  error?: string;
  snapshotId?: string;
  success: boolean;
  target: SnapshotTarget;
};

/** What a snapshot was saved for. */
export type SnapshotTarget = "configuration" | "session";

export type StatusUpdate = {
  /** The agent has finished all of its prompts, and is idle. */
  isIdle?: boolean;
  message?: string;
  status: LiveStatus;
};

export type TextPart = {
  messageId: string;
  partId: string;
  text: string;
};

export type TextRef = {
  messageId: string;
  partId: string;
};

export type TitleUpdate = {
  title: string;
};

export type Token = {
  messageId: string;
  partId: string;
  token: string;
};

export type ToolCallStatus = "pending" | "running" | "completed" | "error";

/** A call of a tool, with its result once it has one. */
export type ToolCallView = {
  args: Record<string, unknown>;
  result?: string;
  status: ToolCallStatus;
  toolCallId: string;
  toolName: string;
};

/** A tool is done. */
export type ToolEnd = {
  durationMs: number;
  /** The result was truncated. */
  isCut?: boolean;
  partId: string;
  result: string;
  /** `completed` or `error`. */
  status: ToolCallStatus;
  tool: string;
  toolCallId: string;
};

/** The progress of a tool. */
export type ToolMetadata = {
  metadata: ToolMetadataBody;
  title?: string;
  tool: string;
  toolCallId: string;
};

export type ToolMetadataBody = {
  sessionId?: string;
  /** Steps of a tool that calls tools itself. */
  summary?: ToolSummary[];
};

/** A tool was called. Sent again once its arguments are known. */
export type ToolStart = {
  args: Record<string, unknown>;
  /** The arguments were truncated. */
  isCut?: boolean;
  messageId?: string;
  partId: string;
  tool: string;
  toolCallId: string;
};

export type ToolSummary = {
  id: string;
  state: ToolSummaryState;
  tool: string;
};

export type ToolSummaryState = {
  status: string;
  title?: string;
};
