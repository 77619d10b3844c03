import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { api, body } from "@/api/client";
import { downloadArtifact } from "@/lib/download";
import { escapeLine, escapeText } from "@/lib/visible";
import { Person } from "@/parts/members";
import { Answer } from "@/ui/Answer";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Digest } from "@/ui/Digest";
import { Facts } from "@/ui/Facts";
import { LinkButton } from "@/ui/LinkButton";
import Markdown from "@/ui/Markdown";
import { Note } from "@/ui/Note";
import { Page } from "@/ui/Page";
import { RelativeTime } from "@/ui/RelativeTime";
import { toast } from "@/ui/Toast";
import css from "./automations.module.css";
import { type Run, useRun } from "./queries";
import { RunState } from "./RunState";

/** A kind is a word of programs. */
const words = (kind: string) => kind.replaceAll("_", " ");
const list = (items: string[]) => (items.length > 0 ? items.join(", ") : undefined);

/** One run: how it ended, in its agent's words, and what it left. */
export function RunPage() {
  const { runId = "" } = useParams();
  const run = useRun(runId);
  return (
    <Page
      title="Run"
      lead={run.data && <RelativeTime at={run.data.createdAt} />}
      actions={
        run.data && (
          <>
            <LinkButton to={`/automations/${run.data.automationId}`}>Back</LinkButton>
            <LinkButton to={`/sessions/${run.data.sessionId}`} kind="primary">
              What was said
            </LinkButton>
          </>
        )
      }
    >
      <Answer of={run} what="Looking for the run">
        {(found) => (
          <>
            <Outcome run={found} />
            <Left sessionId={found.sessionId} />
          </>
        )}
      </Answer>
    </Page>
  );
}

function Outcome({ run }: { run: Run }) {
  const { completion } = run;
  return (
    <Card title="Outcome" actions={<RunState of={run.status} />}>
      <div className="stack">
        {run.status === "needs_human" && (
          <Note tone="warn" title="Its agent could not go on alone.">
            <p>Read what it says below, and go on in a session of your own.</p>
          </Note>
        )}
        {completion?.summaryMarkdown ? (
          <Markdown text={completion.summaryMarkdown} />
        ) : (
          <p className="muted">
            {run.status === "running"
              ? "Its agent is at work."
              : escapeText(run.statusReason ?? "Its agent said nothing.")}
          </p>
        )}
        <Facts
          facts={[
            ["Began", <RelativeTime key="" at={run.createdAt} />],
            ["Started by", run.createdBy && <Person key="" id={run.createdBy} />],
            ["Ended", run.completedAt && <RelativeTime key="" at={run.completedAt} />],
            [
              "Given up",
              run.status === "running" && run.deadlineAt ? (
                <RelativeTime key="" at={run.deadlineAt} />
              ) : undefined,
            ],
            ["Citations", list(completion?.citations ?? [])],
            ["Side effects", list(completion?.sideEffectRefs ?? [])],
            ["Changes", completion?.diffRef],
            ["Test report", completion?.testReportRef],
            [
              "Session",
              <Link key="" to={`/sessions/${run.sessionId}`}>
                {run.sessionId}
              </Link>,
            ],
            [
              "In the log",
              <Link key="" to={`/audit?sessionId=${run.sessionId}`}>
                its trail
              </Link>,
            ],
          ]}
        />
      </div>
    </Card>
  );
}

function Left({ sessionId }: { sessionId: string }) {
  const artifacts = useQuery({
    queryKey: ["artifacts", { sessionId }],
    queryFn: () => body(api.GET("/v1/artifacts", { params: { query: { sessionId } } })),
  });
  return (
    <Card title="Artifacts">
      <Answer of={artifacts} what="Looking for artifacts">
        {({ items }) =>
          items.length > 0 ? (
            <ul className={css.artifacts}>
              {items.map(({ artifact_id, artifact_kind, hash_sha256 }) => (
                <li key={artifact_id}>
                  <span>{escapeLine(words(artifact_kind))}</span>
                  <Button
                    size="s"
                    onClick={() =>
                      void downloadArtifact(artifact_id, `${artifact_kind}-${artifact_id}`).catch(
                        toast.failed,
                      )
                    }
                  >
                    Download
                  </Button>
                  <span className="muted small">
                    <Digest of={hash_sha256} />
                  </span>
                </li>
              ))}
            </ul>
          ) : (
            <p className="muted">It left none.</p>
          )
        }
      </Answer>
    </Card>
  );
}
