import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMe } from "@/api/me";
import { count, money } from "@/lib/money";
import { Button } from "@/ui/Button";
import { Facts } from "@/ui/Facts";
import { Failure } from "@/ui/Failure";
import { Meter } from "@/ui/Meter";
import { usageQuery } from "../queries";
import { BudgetDialog } from "./BudgetDialog";
import css from "./panels.module.css";

/** What the models cost so far, and how much of the budget that is. */
export function Usage({ id }: { id: string }) {
  const { isAdmin } = useMe();
  const [changing, setChanging] = useState(false);
  const { data, error, refetch } = useQuery(usageQuery(id));
  if (error && !data) return <Failure error={error} again={refetch} />;
  if (!data) return <p className="muted small">…</p>;
  const { total, budgetMicroUsd: budget, overBudget, models } = data;
  return (
    <div className="stack">
      {budget !== null && (
        <Meter
          used={total.costMicroUsd}
          max={budget}
          label={`${money(total.costMicroUsd)} of ${money(budget)}`}
        />
      )}
      {overBudget && (
        <p className={css.warning}>The budget is used up: the agent's model is not asked any more.</p>
      )}
      <Facts
        facts={[
          ["Cost", money(total.costMicroUsd)],
          ["Requests", count(total.requests)],
          ["Tokens in", count(total.inputTokens + total.cacheReadTokens + total.cacheWriteTokens)],
          ["Tokens out", count(total.outputTokens)],
          ...models.map(({ modelId, costMicroUsd }): [string, string] => [modelId, money(costMicroUsd)]),
        ]}
      />
      {isAdmin && (
        <div className="row">
          <Button size="s" onClick={() => setChanging(true)}>
            {budget === null ? "Set a budget…" : "Change the budget…"}
          </Button>
        </div>
      )}
      {changing && <BudgetDialog id={id} budgetMicroUsd={budget} onClose={() => setChanging(false)} />}
    </div>
  );
}
