import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { api, body, type Schemas } from "@/api/client";
import { dollarsTyped, microUsd, money, typed } from "@/lib/money";
import { LookOnly, useMay } from "@/parts/may";
import { Answer } from "@/ui/Answer";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";
import { toast } from "@/ui/Toast";
import { useOrganizationBudget } from "./queries";
import css from "./settings.module.css";

const shape = z.object({ dollars: dollarsTyped });

/** What sessions may spend on their models, where nothing nearer to them says so. */
export function Spending() {
  const budget = useOrganizationBudget();
  return (
    <div className="stack">
      <LookOnly what="Changing what sessions may spend" />
      <Card title="Budget of each session">
        <Answer of={budget} what="Looking for the budget">
          {(found) => <Amount key={found.budgetMicroUsd} of={found} />}
        </Answer>
      </Card>
    </div>
  );
}

function Amount({ of }: { of: Schemas["OrganizationBudgetView"] }) {
  const { guard } = useMay();
  const client = useQueryClient();
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(shape),
    defaultValues: { dollars: typed(of.budgetMicroUsd) },
  });
  const change = useMutation({
    mutationFn: ({ dollars }: z.infer<typeof shape>) =>
      body(api.PUT("/v1/organization/budget", { body: { budgetMicroUsd: microUsd(dollars) } })),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["organization-budget"] });
      toast.done("The budget is set.", "Sessions that rested for it and may go on do so by themselves.");
    },
  });
  const inForce = of.inForceMicroUsd == null ? "no limit" : money(of.inForceMicroUsd);
  return (
    <div className={css.budget}>
      <Form
        error={change.error}
        onSubmit={handleSubmit((values) => change.mutate(values))}
        foot={
          <Button {...guard} kind="primary" type="submit" busy={change.isPending}>
            Set the budget
          </Button>
        }
      >
        <p>
          Now: <strong>{inForce}</strong>{" "}
          <span className="muted small">
            {of.budgetMicroUsd == null ? "by the gateway's setting" : "as set here"}
          </span>
        </p>
        <Field
          label="Dollars"
          hint="Counts where neither the session nor its configuration has a budget. Empty: the gateway's setting."
          error={formState.errors.dollars?.message}
        >
          {(wiring) => (
            <input {...wiring} {...register("dollars")} inputMode="decimal" disabled={guard.disabled} />
          )}
        </Field>
      </Form>
    </div>
  );
}
