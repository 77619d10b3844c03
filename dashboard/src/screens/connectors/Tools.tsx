import { useMutation, useQueryClient } from "@tanstack/react-query";
import { createColumnHelper } from "@tanstack/react-table";
import { useMemo, useState } from "react";
import { api, body, type Schemas } from "@/api/client";
import { escapeLine, escapeText } from "@/lib/visible";
import { useMay } from "@/parts/may";
import { Risk } from "@/parts/Risk";
import { Answer } from "@/ui/Answer";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { Table } from "@/ui/Table";
import { toast } from "@/ui/Toast";
import css from "./connectors.module.css";
import { Diagnosis } from "./Diagnosis";
import { type Connector, type Tool, useFreshTools, useTools } from "./queries";
import { Review } from "./Review";

const WHY: Record<Schemas["RiskSource"], string> = {
  tool_override: "decided here",
  destructive_hint: "the server says that it destroys",
  read_only_hint: "the server says that it only reads, and is trusted",
  connector_default: "the server's default",
  fallback: "nothing else is known",
  definition_changed: "held until it is reviewed",
};
type Choice = Schemas["RiskLevel"] | "";

/** What the server offers, how risky each is and why, and what reads differently than it did. */
export function Tools({ connector }: { connector: Connector }) {
  const { isAdmin } = useMay();
  const client = useQueryClient();
  const tools = useTools(connector.id, connector.enabled);
  const fresh = useFreshTools(connector.id);
  const [reviewed, setReviewed] = useState<Tool | null>(null);
  const { mutate: decide } = useMutation({
    mutationFn: async ({ tool, risk }: { tool: string; risk: Choice }) => {
      const { [tool]: _, ...others } = connector.riskPolicy.overrides ?? {};
      const overrides = risk ? { ...others, [tool]: risk } : others;
      await body(
        api.PATCH("/v1/connectors/{id}", {
          params: { path: { id: connector.id } },
          body: { riskPolicy: { ...connector.riskPolicy, overrides } },
        }),
      );
      await client.invalidateQueries({ queryKey: ["connectors"] });
    },
    onSuccess: (_, { tool, risk }) =>
      toast.done(risk ? `${tool} is ${risk} now.` : `${tool} is as its server says.`),
    onError: toast.failed,
  });
  const columns = useMemo(() => {
    const column = createColumnHelper<Tool>();
    return [
      column.accessor("tool", {
        header: "Tool",
        cell: ({ row: { original } }) => (
          <div>
            <code>{escapeLine(original.tool)}</code>
            <p className="muted small">{escapeText(original.description ?? "")}</p>
          </div>
        ),
      }),
      column.accessor("riskLevel", {
        header: "Risk",
        cell: ({ row: { original } }) => (
          <div>
            <Risk level={original.riskLevel} />
            <p className="muted small">{WHY[original.riskSource]}</p>
            <select
              className={css.risk}
              aria-label={`Risk of ${escapeLine(original.tool)}`}
              disabled={!isAdmin}
              value={connector.riskPolicy.overrides?.[original.tool] ?? ""}
              onChange={({ target }) => decide({ tool: original.tool, risk: target.value as Choice })}
            >
              <option value="">as above</option>
              <option value="read">read</option>
              <option value="write">write</option>
              <option value="danger">danger</option>
            </select>
          </div>
        ),
      }),
      column.accessor("state", {
        header: "Definition",
        cell: ({ row: { original } }) =>
          original.state === "changed" ? (
            <span className="row">
              <Badge tone="warn">Changed</Badge>
              <Button size="s" onClick={() => setReviewed(original)}>
                Review
              </Button>
            </span>
          ) : original.reviewedBy ? (
            <Badge>As accepted</Badge>
          ) : (
            <span className="row">
              <Badge tone="info">{original.state === "new" ? "Seen now" : "As first seen"}</Badge>
              <Button size="s" onClick={() => setReviewed(original)}>
                Review
              </Button>
            </span>
          ),
      }),
    ];
  }, [connector, isAdmin, decide]);
  if (!connector.enabled)
    return (
      <Card title="Tools">
        <Empty title="This server is off.">Switch it on below to see what it offers.</Empty>
      </Card>
    );
  return (
    <Card
      title="Tools"
      flush
      actions={
        <Button
          size="s"
          busy={tools.isFetching || fresh.isPending}
          title="What a server said is kept for up to five minutes."
          onClick={() => fresh.mutate()}
        >
          Ask again
        </Button>
      }
    >
      <Answer of={tools} what="Asking the server">
        {(found) =>
          !found.ok ? (
            <div style={{ padding: "var(--s4)" }}>
              <Diagnosis found={found} />
            </div>
          ) : found.tools.length > 0 ? (
            <Table rows={found.tools} columns={columns} label="Tools" rowId={({ name }) => name} />
          ) : (
            <Empty title="The server offers no tools.">Ask its operator, or check its address below.</Empty>
          )
        }
      </Answer>
      {reviewed && <Review connector={connector} tool={reviewed} onClose={() => setReviewed(null)} />}
    </Card>
  );
}
