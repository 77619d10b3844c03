import { useState } from "react";
import { useMe } from "@/api/me";
import { useMoving } from "@/lib/useMoving";
import { useIntegrationName } from "@/parts/names";
import { Button } from "@/ui/Button";
import { Checkbox } from "@/ui/Checkbox";
import cards from "@/ui/cards.module.css";
import { Empty } from "@/ui/Empty";
import { Failure } from "@/ui/Failure";
import { Loading } from "@/ui/Loading";
import { Pager } from "@/ui/Pager";
import css from "./approvals.module.css";
import { BulkDeny } from "./BulkDeny";
import { Call } from "./Call";
import { useDeliveries } from "./useDeliveries";
import { PAGE_SIZE, useInbox } from "./useInbox";

const EVERY_MS = 2_000;

/** The calls that wait for a decision, the oldest first. */
export function Waiting() {
  const [page, setPage] = useState(0);
  const [of, setOf] = useState("");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [denying, setDenying] = useState(false);
  const { isAdmin } = useMe();
  const name = useIntegrationName();
  const deliveries = useDeliveries();
  const { data, error, refetch } = useInbox("pending", page, EVERY_MS);
  const moving = useMoving(data?.invocations.map(({ id }) => id).join(" ") ?? "");
  if (error && !data) return <Failure error={error} again={refetch} />;
  if (!data) return <Loading what="Fetching what waits" />;
  const { invocations, total } = data;
  if (total === 0) {
    return (
      <Empty title="Nothing waits for you.">
        When an agent wants to change something outside, the call is here until it is decided or its time is
        over.
      </Empty>
    );
  }
  const services = [...new Set(invocations.map(({ integration }) => integration))];
  const shown = invocations.filter(({ integration }) => !of || integration === of);
  const picked = shown.filter(({ id }) => chosen.has(id));
  const all = picked.length === shown.length && shown.length > 0;
  const toggle = (ids: string[], on: boolean) => {
    const next = new Set(chosen);
    for (const id of ids) on ? next.add(id) : next.delete(id);
    setChosen(next);
  };
  return (
    <div className="stack">
      <div className={css.bar}>
        {isAdmin && (
          <Checkbox
            label={picked.length ? `${picked.length} chosen` : "Choose all"}
            checked={all}
            onChange={({ target }) =>
              toggle(
                shown.map(({ id }) => id),
                target.checked,
              )
            }
          />
        )}
        {picked.length > 0 && (
          <Button kind="danger" size="s" onClick={() => setDenying(true)}>
            Deny {picked.length}…
          </Button>
        )}
        <select
          aria-label="Service"
          className={css.select}
          value={of}
          onChange={({ target }) => setOf(target.value)}
        >
          <option value="">Every service</option>
          {services.map((integration) => (
            <option key={integration} value={integration}>
              {name(integration)}
            </option>
          ))}
        </select>
      </div>
      <ul className={cards.list} aria-label="Calls that wait">
        {shown.map((entry) => (
          <Call
            key={entry.id}
            entry={entry}
            deliveries={deliveries.get(entry.id)}
            moving={moving}
            chosen={isAdmin ? chosen.has(entry.id) : undefined}
            onChoose={(on) => toggle([entry.id], on)}
          />
        ))}
      </ul>
      <Pager page={page} size={PAGE_SIZE} total={total} onPage={setPage} />
      <BulkDeny open={denying} onOpenChange={setDenying} calls={picked} onDone={() => setChosen(new Set())} />
    </div>
  );
}
