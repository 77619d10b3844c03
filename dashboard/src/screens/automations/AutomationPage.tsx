import { useMutation, useQueryClient } from "@tanstack/react-query";
import { createColumnHelper } from "@tanstack/react-table";
import { Play } from "lucide-react";
import { useRef } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { api, body, newKey } from "@/api/client";
import { duration } from "@/lib/time";
import { escapeText } from "@/lib/visible";
import { Answer } from "@/ui/Answer";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { LinkButton } from "@/ui/LinkButton";
import { MarkdownLine } from "@/ui/Markdown";
import { More } from "@/ui/More";
import { Page } from "@/ui/Page";
import { RelativeTime } from "@/ui/RelativeTime";
import { Remove } from "@/ui/Remove";
import { Table } from "@/ui/Table";
import { toast } from "@/ui/Toast";
import { AutomationForm } from "./AutomationForm";
import css from "./automations.module.css";
import { type Run, useAutomation, useRuns } from "./queries";
import { RunState } from "./RunState";

const column = createColumnHelper<Run>();
const columns = [
  column.accessor("createdAt", {
    header: "Began",
    cell: ({ row, getValue }) => (
      <Link to={`/automations/runs/${row.original.id}`}>
        <RelativeTime at={getValue()} />
      </Link>
    ),
  }),
  column.accessor("status", { header: "Outcome", cell: ({ getValue }) => <RunState of={getValue()} /> }),
  column.display({
    id: "summary",
    header: "Summary",
    meta: { wide: true, width: "50%" },
    cell: ({ row: { original } }) => (
      <span className={css.summary}>
        {original.completion?.summaryMarkdown ? (
          <MarkdownLine text={original.completion.summaryMarkdown} />
        ) : (
          escapeText(original.statusReason ?? "") || <span className="muted">none</span>
        )}
      </span>
    ),
  }),
  column.display({
    id: "took",
    header: "Took",
    meta: { wide: true },
    cell: ({ row: { original } }) =>
      original.completedAt &&
      duration(new Date(original.completedAt).getTime() - new Date(original.createdAt).getTime()),
  }),
];

export function AutomationPage() {
  const { id = "" } = useParams();
  const automation = useAutomation(id);
  const runs = useRuns(id);
  const client = useQueryClient();
  const navigate = useNavigate();
  // The same key until a run has begun: a start that is repeated begins no second one.
  const key = useRef(newKey());
  const params = { path: { id } };
  const start = useMutation({
    mutationFn: () =>
      body(
        api.POST("/v1/automations/{id}/runs", {
          params: { ...params, header: { "Idempotency-Key": key.current } },
        }),
      ),
    onSuccess: async () => {
      key.current = newKey();
      await client.invalidateQueries({ queryKey: ["automations", id, "runs"] });
      toast.done("It has begun.", "Its agent works alone; the outcome is here when it is over.");
    },
    onError: toast.failed,
  });
  const isOff = automation.data?.enabled === false;
  return (
    <Page
      title={automation.data?.name ?? "Automation"}
      lead={automation.data?.description}
      actions={
        <>
          <LinkButton to="/automations">Back</LinkButton>
          <Remove
            question={`Delete ${automation.data?.name ?? "this automation"}?`}
            effect="The record of its runs goes with it and cannot be had back; their sessions stay. It is not deleted while a run is going on."
            verb="Delete it"
            act={async () => {
              await api.DELETE("/v1/automations/{id}", { params });
              await client.invalidateQueries({ queryKey: ["automations"] });
              await navigate("/automations");
            }}
          >
            Delete
          </Remove>
          <Button
            kind="primary"
            busy={start.isPending}
            disabled={isOff}
            title={isOff ? "It is switched off; switch it on below." : undefined}
            onClick={() => start.mutate()}
          >
            <Play aria-hidden /> Start a run
          </Button>
        </>
      }
    >
      <Card title="Runs" flush>
        <Answer of={runs} what="Looking for runs">
          {(rows) =>
            rows.length > 0 ? (
              <>
                <Table
                  rows={rows}
                  columns={columns}
                  label="Runs"
                  rowId={(run) => run.id}
                  onOpen={(run) => void navigate(`/automations/runs/${run.id}`)}
                />
                <More of={runs} />
              </>
            ) : (
              <Empty title="It has not run yet.">
                Start a run, here or by POST /v1/automations/{id}/runs.
              </Empty>
            )
          }
        </Answer>
      </Card>
      <Answer of={automation} what="Looking for the automation">
        {(found) => (
          <Card title="Settings" className={css.narrow}>
            <AutomationForm
              automation={found}
              verb="Save"
              save={async (request) => {
                await body(api.PATCH("/v1/automations/{id}", { params, body: request }));
                await client.invalidateQueries({ queryKey: ["automations"] });
                toast.done("Saved.", "Runs that are going on stay as they were started.");
              }}
            />
          </Card>
        )}
      </Answer>
    </Page>
  );
}
