// Events of the log: how they are asked for, and what a record says.
import { api, body, type Schemas } from "@/api/client";
import { usePages } from "@/lib/pages";

export type AuditRecord = Schemas["AuditRecordView"];
export const ACTION_TYPES: Schemas["AuditActionType"][] = [
  "authz_decision",
  "tool_call",
  "db_write",
  "db_read",
  "policy_change",
  "promotion",
  "export",
  "override",
  "system",
];
export const OUTCOMES: Schemas["AuditOutcome"][] = ["allow", "deny", "success", "failure"];

type ArtifactDigest = { artifact_id: string; artifact_kind: string; hash_sha256: string };
/** The members of an event that the screens show; the rest is in the record itself. */
export type AuditEvent = {
  action_type: string;
  actor: { actor_id: string; actor_type: string };
  outcome: Schemas["AuditOutcome"];
  outcome_reason?: string;
  timestamp_utc: string;
  target?: { name?: string; operation?: string; target_type: string };
  case_id?: string;
  run_id?: string;
  parent_run_id?: string;
  lane_id?: string;
  role_id?: string;
  request_hash_sha256?: string;
  response_hash_sha256?: string;
  input_artifacts?: ArtifactDigest[];
  output_artifacts?: ArtifactDigest[];
  policy_versions?: Record<string, string>;
};

type Envelope = { event: AuditEvent; prev: string; session_id?: string };
export const envelope = ({ record }: AuditRecord): Envelope => record as unknown as Envelope;
export const event = (record: AuditRecord): AuditEvent => envelope(record).event;

/** What was done, in words where the log has a word of its own. */
export function deed({ target, action_type }: AuditEvent): string {
  const operation = target?.operation ?? action_type;
  const name = target?.name;
  if (target?.target_type !== "tool" || !name || name === operation) return operation;
  return `${operation} ${name.slice(name.lastIndexOf("/") + 1)}`;
}

export type Filters = {
  caseId?: string;
  sessionId?: string;
  runId?: string;
  actorId?: string;
  actionType?: Schemas["AuditActionType"];
  outcome?: Schemas["AuditOutcome"];
  from?: string;
  to?: string;
};

export function useEvents(filters: Filters, enabled = true) {
  return usePages(
    ["audit", "events", filters],
    (cursor) => body(api.GET("/v1/audit/events", { params: { query: { ...filters, cursor, limit: 50 } } })),
    { enabled },
  );
}

export async function fetchBundle(of: { case: string } | { session: string }): Promise<File> {
  const blob = await body(
    api.GET("/v1/audit/bundle", { params: { query: of }, parseAs: "blob" }) as Promise<never>,
  );
  const name = "case" in of ? `case-${of.case}` : `session-${of.session}`;
  return new File([blob as Blob], `${name}.jsonl`, { type: "application/jsonl" });
}
