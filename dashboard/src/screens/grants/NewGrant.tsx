import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { api } from "@/api/client";
import { useIntegrations } from "@/parts/names";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";
import { toast } from "@/ui/Toast";
import { Backtest } from "./Backtest";
import { Conditions } from "./Conditions";
import { type Draft, request, shape } from "./draft";
import css from "./grants.module.css";

/** A grant, with what it would have allowed in the last thirty days before it is made. */
export function NewGrant({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const integrations = useIntegrations();
  const form = useForm<Draft>({
    resolver: zodResolver(shape),
    mode: "onChange",
    defaultValues: {
      integration: "",
      action: "",
      scope: "org",
      sessionId: "",
      maxCalls: "10",
      days: "7",
      conditions: [],
    },
  });
  const { errors } = form.formState;
  const create = useMutation({
    mutationFn: (draft: Draft) => api.POST("/v1/grants", { body: request(draft, Date.now()) }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["grants"] });
      toast.done("The grant counts from now on");
      onClose();
    },
  });
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title="New grant"
      lead="Writes that it covers run without asking. What is dangerous is denied, whatever was granted."
    >
      <Form
        onSubmit={form.handleSubmit((draft) => create.mutate(draft))}
        error={create.error}
        foot={
          <>
            <Button onClick={onClose}>Not now</Button>
            <Button kind="primary" type="submit" busy={create.isPending}>
              Make the grant
            </Button>
          </>
        }
      >
        <div className={css.pair}>
          <Field label="Service" error={errors.integration?.message}>
            {(wiring) => (
              <select {...wiring} {...form.register("integration")}>
                <option value="">Choose…</option>
                {integrations.map(({ value, name }) => (
                  <option key={value} value={value}>
                    {name}
                  </option>
                ))}
                <option value="*">Every service</option>
              </select>
            )}
          </Field>
          <Field label="Action" hint="Its name, or * for every one." error={errors.action?.message}>
            {(wiring) => <input {...wiring} {...form.register("action")} spellCheck={false} />}
          </Field>
          <Field label="Calls" hint="Empty: no limit." error={errors.maxCalls?.message}>
            {(wiring) => <input {...wiring} {...form.register("maxCalls")} inputMode="numeric" />}
          </Field>
          <Field label="Days" hint="Empty: until it is revoked." error={errors.days?.message}>
            {(wiring) => <input {...wiring} {...form.register("days")} inputMode="numeric" />}
          </Field>
          <Field label="For">
            {(wiring) => (
              <select {...wiring} {...form.register("scope")}>
                <option value="org">Every session</option>
                <option value="session">One session</option>
              </select>
            )}
          </Field>
          {form.watch("scope") === "session" && (
            <Field label="Id of the session" error={errors.sessionId?.message}>
              {(wiring) => <input {...wiring} {...form.register("sessionId")} spellCheck={false} />}
            </Field>
          )}
        </div>
        <Conditions form={form} />
        <Backtest form={form} />
      </Form>
    </Dialog>
  );
}
