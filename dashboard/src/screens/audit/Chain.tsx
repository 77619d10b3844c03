import { useState } from "react";
import { Link, useParams } from "react-router";
import { duration } from "@/lib/time";
import { escapeLine } from "@/lib/visible";
import { ActionState } from "@/parts/ActionState";
import { Person } from "@/parts/members";
import { useIntegrationName } from "@/parts/names";
import { Risk } from "@/parts/Risk";
import { Answer } from "@/ui/Answer";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { Facts } from "@/ui/Facts";
import { Failure } from "@/ui/Failure";
import { Json } from "@/ui/Json";
import { LinkButton } from "@/ui/LinkButton";
import { Page } from "@/ui/Page";
import { RelativeTime } from "@/ui/RelativeTime";
import { Artifacts } from "./Artifacts";
import css from "./audit.module.css";
import { type Run, useInvocation, useRun } from "./chain";
import { EventDialog } from "./EventDialog";
import { type AuditRecord, deed, event, useEvents } from "./events";
import { Outcome } from "./Outcome";

/** One call from the request to its proof. */
export function Chain() {
  const { runId = "" } = useParams();
  const run = useRun(runId);
  return (
    <Page
      title={run.data?.operation ?? run.data?.run_kind ?? "Call"}
      lead="What was asked for, who or what allowed it, what it did, and the entries of the log that say so."
      actions={<LinkButton to={`/audit?runId=${runId}`}>Back to the log</LinkButton>}
    >
      <Answer of={run} what="Looking for the call">
        {(found) => (
          <>
            <div className={css.columns}>
              <RunCard run={found} />
              <DecisionCard run={found} />
            </div>
            <Artifacts inputs={found.inputs.artifact_refs} outputs={found.outputs.artifact_refs} />
            <EventsCard run={found} />
          </>
        )}
      </Answer>
    </Page>
  );
}

const STATES: Record<string, "good" | "bad" | "warn" | "info"> = {
  completed: "good",
  denied: "bad",
  failed: "warn",
};

function RunCard({ run }: { run: Run }) {
  const hash = (text: string | null | undefined) => text && <code>{text}</code>;
  return (
    <Card title="Run" actions={<Badge tone={STATES[run.status] ?? "info"}>{run.status}</Badge>}>
      <Facts
        facts={[
          ["Run", hash(run.run_id)],
          [
            "Part of",
            run.parent_run_id && <Link to={`/audit/runs/${run.parent_run_id}`}>{run.parent_run_id}</Link>,
          ],
          ["Who", `${run.actor.actor_id} (${run.actor.actor_type})`],
          ["Role", run.actor.role_id],
          ["Lane", run.actor.lane_id],
          ["Tool", run.tool_name && `${run.tool_name} ${run.tool_version ?? ""}`],
          ["Case", run.case_id && <Link to={`/audit?caseId=${run.case_id}`}>{escapeLine(run.case_id)}</Link>],
          ["Session", run.session_id && <Link to={`/sessions/${run.session_id}`}>{run.session_id}</Link>],
          ["Began", <RelativeTime key="" at={run.created_at_utc} />],
          ["Took", run.duration_ms != null && duration(run.duration_ms)],
          ["Reason", run.outcome_reason],
          ["Error", run.error && `${run.error.error_code}: ${run.error.message}`],
          ["Request", hash(run.request_hash_sha256)],
          ["Response", hash(run.answer?.response_hash_sha256)],
          ["Lanes file", hash(run.policy_versions?.lanes)],
          ["Roles file", hash(run.policy_versions?.roles)],
          ["Tools file", hash(run.policy_versions?.tools)],
        ].map(([name, value]) => [name as string, value === false ? undefined : value])}
      />
    </Card>
  );
}

function DecisionCard({ run }: { run: Run }) {
  const query = useInvocation(run);
  const nameOf = useIntegrationName();
  if (query.error) return <Failure error={query.error} again={() => void query.refetch()} />;
  const found = query.data;
  if (!found)
    return (
      <Card title="Approval">
        <p className="muted">
          {query.isPending
            ? "Looking for a decision…"
            : run.status === "denied"
              ? "No approval was requested: the policy denied it."
              : "No approval was needed: the policy allows such calls."}
        </p>
      </Card>
    );
  const { invocation, usedGrantId, grants } = found;
  return (
    <Card title="Approval" actions={<ActionState status={invocation.status} />}>
      <div className="stack">
        <Facts
          facts={[
            [
              "Call",
              <span key="">
                {nameOf(invocation.integration)}: {escapeLine(invocation.action)}
              </span>,
            ],
            ["Risk", <Risk key="" level={invocation.riskLevel} />],
            ["Allowed by", invocation.authority?.kind],
            ["Decided by", invocation.approvedBy && <Person key="" id={invocation.approvedBy} />],
            ["When", invocation.approvedAt && <RelativeTime at={invocation.approvedAt} />],
            ["Grant", usedGrantId && <Link to={`/grants?grant=${usedGrantId}`}>{usedGrantId}</Link>],
            ["Call hash", <code key="">{invocation.callSha256}</code>],
            ["Error", invocation.error],
          ]}
        />
        <Json value={invocation.params ?? {}} label="Parameters" />
        {grants.length > 0 && (
          <ul className="small">
            {grants.map(({ grantId, applies, reason }) => (
              <li key={grantId}>
                <Link to={`/grants?grant=${grantId}`}>{grantId.slice(0, 8)}</Link>{" "}
                {applies ? "covers such a call" : "does not cover it"}: {escapeLine(reason)}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}

function EventsCard({ run }: { run: Run }) {
  const events = useEvents({ runId: run.run_id, caseId: run.case_id ?? undefined });
  const [opened, setOpened] = useState<AuditRecord | null>(null);
  return (
    <Card title="In the log">
      <Answer of={events} what="Reading the log">
        {(rows) =>
          rows.length > 0 ? (
            <ol className={css.steps}>
              {rows.toReversed().map((record) => {
                const of = event(record);
                return (
                  <li key={record.eventId} className={css.step}>
                    <div className="row">
                      <strong>{of.action_type}</strong> {escapeLine(deed(of))} <Outcome of={of.outcome} />
                      <span className="muted small">
                        {escapeLine(of.outcome_reason ?? "")} <RelativeTime at={of.timestamp_utc} />
                      </span>
                    </div>
                    <div className="row small">
                      <span className="muted">
                        No. {record.seq}, leaf <code>{record.leaf.slice(0, 24)}…</code>
                      </span>
                      <Button size="s" kind="quiet" onClick={() => setOpened(record)}>
                        Record and proof
                      </Button>
                    </div>
                  </li>
                );
              })}
            </ol>
          ) : (
            <Empty title="The log has no entry of this run yet.">
              Entries are there about a second after something happened.
            </Empty>
          )
        }
      </Answer>
      <EventDialog record={opened} onClose={() => setOpened(null)} />
    </Card>
  );
}
