import { createColumnHelper } from "@tanstack/react-table";
import { useMemo } from "react";
import { escapeLine, escapeText } from "@/lib/visible";
import type { Ticket } from "@/parts/lock";
import { useMemberName } from "@/parts/members";
import { RelativeTime } from "@/ui/RelativeTime";
import { Table } from "@/ui/Table";
import css from "../policy.module.css";
import { TicketState } from "./TicketState";

const column = createColumnHelper<Ticket>();

/** Tickets that are over, newest first. */
export function PastTickets({ tickets }: { tickets: Ticket[] }) {
  const name = useMemberName();
  const columns = useMemo(
    () => [
      column.accessor("laneId", {
        header: "Lane",
        cell: ({ row: { original } }) => (
          <div className={css.wrap}>
            <code>{escapeLine(original.laneId)}</code>
            <p className="muted small">{escapeText(original.reason)}</p>
          </div>
        ),
      }),
      column.accessor("openedBy", { header: "Asked by", cell: ({ getValue }) => name(getValue()) }),
      column.accessor("approvedBy", {
        header: "Approved by",
        meta: { wide: true },
        cell: ({ getValue }) => {
          const by = getValue();
          return by ? name(by) : <span className="muted">none</span>;
        },
      }),
      column.accessor("status", {
        header: "State",
        cell: ({ row: { original } }) => (
          <>
            <TicketState status={original.status} />
            {original.closedBy && <p className="muted small">by {name(original.closedBy)}</p>}
          </>
        ),
      }),
      column.accessor("endedAt", {
        header: "Over",
        meta: { wide: true },
        cell: ({ getValue }) => {
          const at = getValue();
          return at && <RelativeTime at={at} />;
        },
      }),
    ],
    [name],
  );
  return <Table label="Tickets that are over" rows={tickets} columns={columns} rowId={({ id }) => id} />;
}
