import { createColumnHelper } from "@tanstack/react-table";
import { useMemo, useState } from "react";
import { useNow } from "@/lib/time";
import { escapeLine } from "@/lib/visible";
import { useIntegrationName } from "@/parts/names";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import cards from "@/ui/cards.module.css";
import { Empty } from "@/ui/Empty";
import { Failure } from "@/ui/Failure";
import { Loading } from "@/ui/Loading";
import { RelativeTime } from "@/ui/RelativeTime";
import { Table } from "@/ui/Table";
import { Budget } from "./Budget";
import { GrantDialog } from "./GrantDialog";
import { type Grant, over, suspensions, useGrants } from "./useGrants";

const column = createColumnHelper<Grant>();

/** Every grant, those that count first as the API lists them. */
export function Ledger() {
  const { grants, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useGrants();
  const [openId, setOpenId] = useState<string | null>(null);
  const name = useIntegrationName();
  const now = useNow(10_000);
  const columns = useMemo(
    () => [
      column.display({
        id: "what",
        header: "Allows",
        cell: ({ row: { original: it } }) => (
          <button type="button" className={cards.open} onClick={() => setOpenId(it.id)}>
            <code>{it.action === "*" ? "every action" : escapeLine(it.action)}</code>
            <span className="muted small">
              {name(it.integration)}
              {it.predicates.length > 0 ? " · with conditions" : ""}
            </span>
          </button>
        ),
      }),
      column.accessor("scope", {
        header: "For",
        meta: { wide: true },
        cell: (it) => (it.getValue() === "org" ? "Every session" : "One session"),
      }),
      column.display({ id: "budget", header: "Budget", cell: ({ row }) => <Budget grant={row.original} /> }),
      column.display({
        id: "state",
        header: "State",
        cell: ({ row: { original: it } }) => {
          const why = over(it, now);
          if (why) return <Badge>{why}</Badge>;
          return it.suspended?.length || it.suspendedTruncated ? (
            <Badge tone="warn">
              {it.suspended?.length ? "Suspended for" : "May be suspended for"} {suspensions(it)}
            </Badge>
          ) : (
            <Badge tone="good">Counts</Badge>
          );
        },
      }),
      column.accessor("expiresAt", {
        header: "Until",
        meta: { wide: true },
        cell: (it) => {
          const at = it.getValue();
          return at ? <RelativeTime at={at} /> : <span className="muted">no end</span>;
        },
      }),
      column.accessor("lastUsedAt", {
        header: "Last used",
        meta: { wide: true },
        cell: (it) => {
          const at = it.getValue();
          return at ? <RelativeTime at={at} /> : <span className="muted">never</span>;
        },
      }),
    ],
    [name, now],
  );
  if (error && grants.length === 0) return <Failure error={error} again={refetch} />;
  const open = grants.find(({ id }) => id === openId);
  return (
    <div className="stack">
      <Card flush>
        {isPending && <Loading what="Fetching grants" />}
        {!isPending && grants.length === 0 && (
          <Empty title="No grants.">
            Every write of an agent asks a person. A grant lets a number of calls run without, and can be
            taken back at any time.
          </Empty>
        )}
        {grants.length > 0 && (
          <Table
            label="Grants"
            rows={grants}
            columns={columns}
            rowId={({ id }) => id}
            onOpen={({ id }) => setOpenId(id)}
          />
        )}
      </Card>
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Older grants
        </Button>
      )}
      {open && <GrantDialog grant={open} onClose={() => setOpenId(null)} />}
    </div>
  );
}
