import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import type { UseFormReturn } from "react-hook-form";
import { api, body } from "@/api/client";
import { escapeLine } from "@/lib/visible";
import { Badge } from "@/ui/Badge";
import { Failure } from "@/ui/Failure";
import { RelativeTime } from "@/ui/RelativeTime";
import { type Draft, request, shape } from "./draft";
import css from "./grants.module.css";

/** Which calls of the last thirty days the grant would have allowed. */
export function Backtest({ form }: { form: UseFormReturn<Draft> }) {
  const draft = useDeferredValue(form.watch());
  const { success, data: valid } = shape.safeParse(draft);
  const { data, error, isFetching } = useQuery({
    queryKey: ["backtest", valid],
    enabled: success,
    // Without its end: the API judges it by as much of the past as it is to live, and what it would have allowed in a
    // month says more than what it would have in its hour.
    queryFn: () =>
      body(
        api.POST("/v1/grants/backtest", {
          body: { ...request(valid as Draft, Date.now()), expiresAt: null },
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  if (!success)
    return <p className="muted small">Filled in, it shows here which past calls it would have allowed.</p>;
  if (error) return <Failure error={error} />;
  if (!data) return <p className="muted small">Looking at past calls…</p>;
  return (
    <section className={css.preview} aria-label="Backtest" aria-busy={isFetching} tabIndex={0}>
      <p>
        In the last 30 days it would have allowed <b>{data.allowed}</b> of {data.calls.length}
        {data.truncated ? " or more" : ""} calls, had it counted all the while.
      </p>
      <ul className={css.calls}>
        {data.calls.map(({ invocationId, action, allowed, reason, at }) => (
          <li key={invocationId}>
            <Badge tone={allowed ? "good" : "neutral"}>{allowed ? "allowed" : "not"}</Badge>
            <code>{escapeLine(action)}</code> <RelativeTime at={at} />{" "}
            <span className="muted">{escapeLine(reason)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
