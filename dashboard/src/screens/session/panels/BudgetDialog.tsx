import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { api } from "@/api/client";
import { dollarsTyped, microUsd, typed } from "@/lib/money";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";

const shape = z.object({ dollars: dollarsTyped });

type Props = { id: string; budgetMicroUsd: number | null; onClose: () => void };

/** How much a session's models may cost. */
export function BudgetDialog({ id, budgetMicroUsd, onClose }: Props) {
  const client = useQueryClient();
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(shape),
    defaultValues: { dollars: typed(budgetMicroUsd) },
  });
  const change = useMutation({
    mutationFn: ({ dollars }: { dollars: string }) =>
      api.PUT("/v1/sessions/{id}/budget", {
        params: { path: { id } },
        body: { budgetMicroUsd: microUsd(dollars) },
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["sessions", id, "usage"] });
      onClose();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Budget of this session"
      lead="When it is used up, the agent's model is not asked any more until the budget is raised."
    >
      <Form
        onSubmit={handleSubmit((values) => change.mutate(values))}
        error={change.error}
        foot={
          <Button kind="primary" type="submit" busy={change.isPending}>
            Set the budget
          </Button>
        }
      >
        <Field label="Dollars" hint="Empty: as much as it wants." error={formState.errors.dollars?.message}>
          {(wiring) => <input {...wiring} {...register("dollars")} inputMode="decimal" />}
        </Field>
      </Form>
    </Dialog>
  );
}
