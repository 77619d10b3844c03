import { createColumnHelper } from "@tanstack/react-table";
import { Link, useNavigate } from "react-router";
import { escapeLine } from "@/lib/visible";
import { Answer } from "@/ui/Answer";
import { Badge } from "@/ui/Badge";
import { Card } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { Table } from "@/ui/Table";
import { type Connector, useConnectors } from "./queries";

const SENT = { none: "nothing", bearer: "Bearer token", custom_header: "header" };
const column = createColumnHelper<Connector>();
const columns = [
  column.accessor("name", {
    header: "Name",
    cell: ({ row, getValue }) => <Link to={`/connectors/${row.original.id}`}>{escapeLine(getValue())}</Link>,
  }),
  column.accessor("url", {
    header: "Address",
    meta: { wide: true },
    cell: ({ getValue }) => <code>{escapeLine(getValue())}</code>,
  }),
  column.accessor("auth", {
    header: "Secret",
    meta: { wide: true },
    cell: ({ getValue }) => {
      const auth = getValue();
      return auth.type === "none" ? (
        <span className="muted">none</span>
      ) : (
        <>
          <code>{escapeLine(auth.secretKey)}</code> <span className="muted small">{SENT[auth.type]}</span>
        </>
      );
    },
  }),
  column.display({
    id: "state",
    header: "State",
    cell: ({ row: { original } }) => (
      <span className="row">
        <Badge tone={original.enabled ? "good" : "neutral"} dot>
          {original.enabled ? "In use" : "Off"}
        </Badge>
        {original.trusted && <Badge tone="info">Trusted</Badge>}
        {original.configurationId && <Badge>One configuration</Badge>}
      </span>
    ),
  }),
];

export function ConnectorList() {
  const connectors = useConnectors();
  const navigate = useNavigate();
  return (
    <Card title="MCP servers" flush>
      <Answer of={connectors} what="Looking for connectors">
        {(rows) =>
          rows.length > 0 ? (
            <Table
              rows={rows}
              columns={columns}
              label="MCP servers"
              rowId={({ id }) => id}
              onOpen={({ id }) => void navigate(`/connectors/${id}`)}
            />
          ) : (
            <Empty title="No MCP server yet.">
              Add any server that speaks the Model Context Protocol over HTTP. Its tools become actions, with
              the same approvals, grants and records as every other.
            </Empty>
          )
        }
      </Answer>
    </Card>
  );
}
