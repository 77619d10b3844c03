import { createColumnHelper } from "@tanstack/react-table";
import { FileCheck2 } from "lucide-react";
import { useMemo, useState } from "react";
import { Link } from "react-router";
import { useMe } from "@/api/me";
import { escapeLine } from "@/lib/visible";
import { Answer } from "@/ui/Answer";
import { Card } from "@/ui/Card";
import { Digest } from "@/ui/Digest";
import { Empty } from "@/ui/Empty";
import { LinkButton } from "@/ui/LinkButton";
import { More } from "@/ui/More";
import { Page } from "@/ui/Page";
import { RelativeTime } from "@/ui/RelativeTime";
import { Table } from "@/ui/Table";
import css from "./audit.module.css";
import { BundleButton } from "./BundleButton";
import { EventDialog } from "./EventDialog";
import { EventFilters, useFilters } from "./EventFilters";
import { type AuditRecord, deed, event, useEvents } from "./events";
import { Outcome } from "./Outcome";

const column = createColumnHelper<AuditRecord>();
const columns = (open: (record: AuditRecord) => void) => [
  column.accessor("seq", { header: "No.", meta: { wide: true } }),
  column.display({
    id: "when",
    header: "When",
    cell: ({ row }) => <RelativeTime at={event(row.original).timestamp_utc} />,
  }),
  column.display({
    id: "what",
    header: "What",
    cell: ({ row }) => {
      const { run_id, lane_id } = event(row.original);
      const words = escapeLine(deed(event(row.original)));
      return (
        <div className={css.deed}>
          {run_id ? (
            <Link to={`/audit/runs/${run_id}`}>{words}</Link>
          ) : (
            <button type="button" className={css.link} onClick={() => open(row.original)}>
              {words}
            </button>
          )}
          {lane_id && <span className="muted small">{escapeLine(lane_id)}</span>}
        </div>
      );
    },
  }),
  column.display({
    id: "who",
    header: "Who",
    meta: { wide: true },
    cell: ({ row }) => {
      const { actor_id, actor_type } = event(row.original).actor;
      return (
        <>
          {actor_type === "agent" ? <Digest of={actor_id} /> : escapeLine(actor_id)}{" "}
          <span className="muted small">{actor_type}</span>
        </>
      );
    },
  }),
  column.display({
    id: "outcome",
    header: "Outcome",
    cell: ({ row }) => {
      const { outcome, outcome_reason } = event(row.original);
      return (
        <div className={css.deed}>
          <span>
            <Outcome of={outcome} />
          </span>
          {outcome_reason && <span className="muted small">{escapeLine(outcome_reason)}</span>}
        </div>
      );
    },
  }),
  column.accessor("leaf", {
    header: "Leaf",
    meta: { wide: true },
    cell: ({ getValue }) => <Digest of={getValue()} length={8} />,
  }),
];

export function Timeline() {
  const { me, isAdmin } = useMe();
  const [filters] = useFilters();
  const allowed = isAdmin || filters.caseId !== undefined;
  const events = useEvents(filters, allowed);
  const [opened, setOpened] = useState<AuditRecord | null>(null);
  const shown = useMemo(() => columns(setOpened), []);
  const narrowed = Object.keys(filters).length > 0;
  return (
    <Page
      title="Audit"
      lead="Everything that was decided and done, in one signed log that can only grow. Each entry can be proven to be in it."
      actions={
        <>
          <BundleButton filters={filters} />
          <LinkButton to="/audit/verify" kind="primary">
            <FileCheck2 aria-hidden /> Verify a bundle
          </LinkButton>
        </>
      }
    >
      <EventFilters />
      <Card flush>
        {me && !allowed ? (
          <Empty title="Name a case to see its part of the log.">
            The whole log is for admins and owners. As a member of a case you see what happened in it: put its
            id into the field above.
          </Empty>
        ) : (
          <Answer of={events} what="Reading the log">
            {(rows) =>
              rows.length > 0 ? (
                <>
                  <Table
                    rows={rows}
                    columns={shown}
                    label="Events, newest first"
                    rowId={({ eventId }) => eventId}
                    onOpen={setOpened}
                  />
                  <More of={events} />
                </>
              ) : (
                <Empty title={narrowed ? "No event is like that." : "Nothing has happened yet."}>
                  {narrowed
                    ? "Take a filter away, or look at a longer time."
                    : "The first event appears about a second after the first change."}
                </Empty>
              )
            }
          </Answer>
        )}
      </Card>
      <EventDialog record={opened} onClose={() => setOpened(null)} />
    </Page>
  );
}
