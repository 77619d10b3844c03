// The protocol of a live session: a client sends ClientMessage and is sent Frame.
// Generated; `cargo xtask generate` writes it.

/** Somebody has to decide. */
export type ActionApprovalRequest = {
  action: string;
  /** The digest of the call as it would run. A decision about it sends it. Empty from a gateway that is older. */
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

/** It was decided, or can no longer be. */
export type ActionApprovalResult = {
  action: string;
  /** The person who decided, whichever way. */
  approvedBy?: string | null;
  integration: string;
  invocationId: string;
  /** What they said, or why the platform denied it. */
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
  /** With a failure: whether it is unknown what it did at the other side. */
  outcomeUnknown?: boolean | null;
  /** Without secrets, at most 10 KB. */
  result?: unknown;
  riskLevel: RiskLevel;
  /** `completed` or `failed`. */
  status: ActionStatus;
};

/** Where an invocation stands. */
export type ActionStatus = "pending" | "approved" | "executing" | "completed" | "failed" | "denied" | "expired";

/** How a question was answered. */
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

/** Whether services stay. */
export type AutoStartMode = "test" | "start";

export type AutoStartOutput = {
  entries: AutoStartEntry[];
  runId: string;
};

/** In their order. A move to a fresh sandbox has the first three too, a boot has not. */
export type BootStage = "created" | "settle" | "quiesce" | "snapshot" | "sandbox" | "repo" | "files" | "agent" | "stream" | "ready";

/** One step of a boot, or of a move to a fresh sandbox. */
export type BootStep = {
  /** Absent while it is under way. */
  durationMs?: number;
  /** Why it failed, if it did. */
  error?: string;
  stage: BootStage;
  /** Milliseconds since 1970, when it began. */
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
  /** The same key again is the same prompt again, and is done once. */
  idempotencyKey?: string;
  /** Pictures as data URIs. */
  images?: string[];
  type: "prompt";
  /** Taken and not used: who sends is known from the connection. */
  userId?: string;
} | {
  type: "cancel";
  /** Taken and not used. */
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
  /** Chosen by the client, to know the answer by. */
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
  /** The branch that the caller was shown. An administrator's request is an approval only if the sandbox reports the same one; without it the request waits for a decision. */
  branch?: string;
  title: string;
  type: "git_create_pr";
  workspacePath?: string;
};

/** Somebody who watches. */
export type ConnectedClient = {
  connectionId: string;
  userId?: string;
};

/** A form that waits to be filled in, by the call that asked for it. */
export type EnvRequest = {
  /** As the agent gave them: keys, descriptions, suggestions. */
  args: Record<string, unknown>;
  toolCallId: string;
};

/** A frame for a client. */
export type Frame = ServerMessage & {
  /** The event's place in the session's log. Resume after the last one seen. Absent on what is for one client only, such as `init` and `pong`. */
  seq?: number;
};

/** Both ends are missing. */
export type Gap = {
  from: number;
  to: number;
};

export type GitAction = "create_branch" | "commit" | "push" | "create_pr";

export type GitCode = "SUCCESS" | "NOTHING_TO_COMMIT" | "NO_REMOTE" | "NOT_A_REPO" | "SHALLOW_PUSH_FAILED" | "AUTH_FAILED" | "GH_NOT_AVAILABLE" | "NOT_GITHUB_REMOTE" | "BRANCH_EXISTS" | "MERGE_CONFLICT" | "REPO_BUSY" | "MULTIPLE_REMOTES" | "AWAITING_APPROVAL" | "UNKNOWN_ERROR";

export type GitCommitView = {
  author: string;
  /** As git writes it, ISO 8601. */
  date: string;
  message: string;
  sha: string;
};

/** What became of a change. */
export type GitResult = {
  action: GitAction;
  code: GitCode;
  message: string;
  prUrl?: string;
  success: boolean;
};

/** What git says of a working tree. */
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

/** The session as it is. */
export type Init = {
  /** Who watches, this client among them; of very many, the first. */
  clients?: ConnectedClient[];
  config?: LiveConfig;
  /** What the agent asked people to fill in. */
  envRequests?: EnvRequest[];
  /** Oldest first. */
  messages: LiveMessage[];
  /** What waits for somebody's decision. */
  pendingApprovals?: ActionApprovalRequest[];
  /** The last event that is in `messages`; what comes next has a higher one. */
  seq: number;
  status: LiveStatus;
  /** How the sandbox came up, or how the session moved to it. */
  timeline?: BootStep[];
};

export type LiveConfig = {
  /** This client, as `clients` and `presence` have it. */
  connectionId: string;
  orgId: string;
  previewTunnelUrl?: string;
  repoId?: string;
  sessionId: string;
  userId?: string;
};

/** Something went wrong. */
export type LiveError = {
  code: LiveErrorCode;
  message: string;
  /** Whether the same again may go well. */
  retryable: boolean;
};

export type LiveErrorCode = "invalid_frame" | "forbidden" | "refused" | "model" | "agent" | "silent" | "sandbox";

/** A message of a person or of the agent. */
export type LiveMessage = {
  content: string;
  /** Milliseconds since 1970. */
  createdAt: number;
  id: string;
  isComplete: boolean;
  parts?: MessagePart[];
  /** The prompt that the agent answers with it, by an id that ends like the prompt's. */
  promptId?: string;
  role: MessageRole;
  /** The person who wrote it. */
  senderId?: string;
  source?: MessageSource;
  toolCalls?: ToolCallView[];
};

/** A session as people see it. */
export type LiveStatus = "creating" | "resuming" | "running" | "migrating" | "paused" | "stopped" | "error";

export type MessageCancelled = {
  /** Absent if none had begun. */
  messageId?: string;
};

/** A piece of a message, in its order. */
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

/** How a message came in. */
export type MessageSource = "slack" | "web" | "api" | "cli" | "automation";

/** Why a session moves. */
export type MigrationReason = "expiry" | "asked";

/** In their order; the last three are ends. */
export type MigrationState = "started" | "completed" | "failed" | "stranded";

/** How far the move of a session to a fresh sandbox is. */
export type MigrationUpdate = {
  /** Why it came to nothing, if it did. */
  error?: string;
  /** Milliseconds since 1970: when the sandbox that the session is in now ends by itself, if it does. */
  expiresAt?: number;
  /** How long prompts had to wait. Absent while they do. */
  gapMs?: number;
  /** What did not come along, in sentences for people. Empty if everything did. */
  lost?: string[];
  /** Prompts that waited, and are given to the agent now in their order. */
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

/** How much harm an action can do: reads run, writes ask, danger is denied. */
export type RiskLevel = "read" | "write" | "danger";

/** A confidential string. It is written in requests and never comes back in an answer, with the one exception of a new API key. */
export type SecretText = string;

/** What is said. */
export type ServerMessage = {
  /** The session as it is; the first of all. */
  payload: Init;
  type: "init";
} | {
  /** A message begins, or a whole one of a person. */
  payload: LiveMessage;
  type: "message";
} | {
  /** More of the agent's text. */
  payload: Token;
  type: "token";
} | {
  /** The whole text of a part; what was streamed of it is replaced. */
  payload: TextPart;
  type: "text_part_complete";
} | {
  /** The text of a part so far, for a client that could not keep up or comes back in the middle of it. What was streamed of it is replaced. */
  payload: TextPart;
  type: "text_snapshot";
} | {
  /** What was streamed of this part does not count: the model is asked again. */
  payload: TextRef;
  type: "text_void";
} | {
  /** More of what the agent thinks. */
  payload: Token;
  type: "thinking";
} | {
  /** All of what the agent thought in a part. */
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
  /** How far the sandbox is. */
  payload: BootStep;
  type: "boot_step";
} | {
  /** The session moves to a fresh sandbox, or has. */
  payload: MigrationUpdate;
  type: "migration";
} | {
  /** Who watches now; of very many, the first. */
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
  /** The agent is done with everything it was told, and waits. */
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
  /** The result was too large to show. */
  isCut?: boolean;
  partId: string;
  result: string;
  /** `completed` or `error`. */
  status: ToolCallStatus;
  tool: string;
  toolCallId: string;
};

/** What a tool is at. */
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

/** A tool was called. Told again once its arguments are known. */
export type ToolStart = {
  args: Record<string, unknown>;
  /** The arguments were too large to show. */
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
