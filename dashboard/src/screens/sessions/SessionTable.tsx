import { createColumnHelper } from "@tanstack/react-table";
import { useMemo } from "react";
import { Link, useNavigate } from "react-router";
import { money } from "@/lib/money";
import { escapeLine } from "@/lib/visible";
import { Person } from "@/parts/members";
import { instanceName } from "@/parts/names";
import { VisibilityBadge } from "@/parts/visibility";
import { Badge } from "@/ui/Badge";
import { RelativeTime } from "@/ui/RelativeTime";
import { Table } from "@/ui/Table";
import { SessionState } from "./SessionState";
import css from "./sessions.module.css";
import type { Session } from "./useSessions";

const column = createColumnHelper<Session>();

export function SessionTable({ sessions }: { sessions: Session[] }) {
  const navigate = useNavigate();
  const columns = useMemo(
    () => [
      column.display({
        id: "title",
        header: "Session",
        cell: ({ row: { original: it } }) => (
          <div className={css.title}>
            <Link to={`/sessions/${it.id}`} className={css.link}>
              {escapeLine(it.title ?? "Untitled session")}
            </Link>
            <span className={css.more}>
              {it.sessionType} · {escapeLine(it.agentConfig.modelId)}
            </span>
          </div>
        ),
      }),
      column.display({
        id: "state",
        header: "State",
        meta: { width: "220px" },
        cell: ({ row: { original: it } }) => (
          <div className="row">
            <SessionState session={it} />
            <VisibilityBadge of={it.visibility} />
            {it.needsYou > 0 && (
              <Badge tone="warn">Needs you{it.needsYou > 1 ? ` (${it.needsYou})` : ""}</Badge>
            )}
          </div>
        ),
      }),
      column.display({
        id: "cost",
        header: "Cost",
        meta: { wide: true, width: "110px" },
        cell: ({ row: { original: it } }) => money(it.costMicroUsd),
      }),
      column.accessor("ownerInstanceId", {
        header: "Served by",
        meta: { wide: true, width: "120px" },
        cell: (it) => {
          const id = it.getValue();
          return id ? <code title={id}>{instanceName(id)}</code> : <span className="muted">no instance</span>;
        },
      }),
      column.accessor("createdBy", {
        header: "By",
        meta: { wide: true, width: "140px" },
        cell: (it) => {
          const id = it.getValue();
          return id ? <Person id={id} /> : <span className="muted">the platform</span>;
        },
      }),
      column.accessor("lastActivityAt", {
        header: "Active",
        meta: { wide: true, width: "150px" },
        cell: (it) => <RelativeTime at={it.getValue()} />,
      }),
    ],
    [],
  );
  return (
    <Table
      label="Sessions"
      rows={sessions}
      columns={columns}
      rowId={({ id }) => id}
      onOpen={({ id }) => navigate(`/sessions/${id}`)}
    />
  );
}
