import { createColumnHelper } from "@tanstack/react-table";
import { useMemo, useState } from "react";
import { Link } from "react-router";
import { escapeLine } from "@/lib/visible";
import { ActionState } from "@/parts/ActionState";
import { Person } from "@/parts/members";
import { useIntegrationName } from "@/parts/names";
import { Card } from "@/ui/Card";
import cards from "@/ui/cards.module.css";
import { Empty } from "@/ui/Empty";
import { Failure } from "@/ui/Failure";
import { Loading } from "@/ui/Loading";
import { Pager } from "@/ui/Pager";
import { RelativeTime } from "@/ui/RelativeTime";
import { Table } from "@/ui/Table";
import css from "./approvals.module.css";
import { CallDialog } from "./CallDialog";
import { type InboxEntry, PAGE_SIZE, type Status, useInbox } from "./useInbox";

const STATES: [Status | "", string][] = [
  ["", "Every outcome"],
  ["completed", "Done"],
  ["failed", "Failed"],
  ["denied", "Denied"],
  ["expired", "Expired"],
  ["executing", "Running"],
];
const column = createColumnHelper<InboxEntry>();

/** What authorized it: an admin, a grant, or nothing. */
function DecidedBy({ entry: { authority, approvedBy } }: { entry: InboxEntry }) {
  if (authority?.kind === "grant") return "a grant";
  if (authority?.kind === "read") return "not needed: it only reads";
  const person = approvedBy ?? authority?.userId;
  return person ? <Person id={person} /> : "none";
}

export function History() {
  const [status, setStatus] = useState<Status | "">("");
  const [page, setPage] = useState(0);
  const [open, setOpen] = useState<InboxEntry | null>(null);
  const { data, error, refetch } = useInbox(status || undefined, page, 10_000);
  const name = useIntegrationName();
  const columns = useMemo(
    () => [
      column.display({
        id: "call",
        header: "Call",
        cell: ({ row: { original: it } }) => (
          <button type="button" className={cards.open} onClick={() => setOpen(it)}>
            <code>{escapeLine(it.action)}</code>
            <span className="muted small">{name(it.integration)}</span>
          </button>
        ),
      }),
      column.accessor("status", { header: "Outcome", cell: (it) => <ActionState status={it.getValue()} /> }),
      column.display({
        id: "by",
        header: "Decided by",
        meta: { wide: true },
        cell: ({ row }) => <DecidedBy entry={row.original} />,
      }),
      column.display({
        id: "session",
        header: "Session",
        meta: { wide: true },
        cell: ({ row: { original: it } }) => (
          <Link to={`/sessions/${it.sessionId}`}>{escapeLine(it.sessionTitle ?? "Untitled session")}</Link>
        ),
      }),
      column.accessor("createdAt", { header: "Asked", cell: (it) => <RelativeTime at={it.getValue()} /> }),
    ],
    [name],
  );
  if (error && !data) return <Failure error={error} again={refetch} />;
  return (
    <div className="stack">
      <select
        aria-label="Outcome"
        className={css.select}
        value={status}
        onChange={({ target }) => {
          setStatus(target.value as Status | "");
          setPage(0);
        }}
      >
        {STATES.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
      <Card flush>
        {!data && <Loading what="Fetching decisions" />}
        {data?.invocations.length === 0 && (
          <Empty title="No call like this.">
            What agents asked for, and what became of it, is listed here.
          </Empty>
        )}
        {data && data.invocations.length > 0 && (
          <Table
            label="Calls"
            rows={data.invocations}
            columns={columns}
            rowId={({ id }) => id}
            onOpen={setOpen}
          />
        )}
      </Card>
      {data && <Pager page={page} size={PAGE_SIZE} total={data.total} onPage={setPage} />}
      {open && <CallDialog entry={open} onClose={() => setOpen(null)} />}
    </div>
  );
}
