import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { escapeLine } from "@/lib/visible";
import { Button } from "@/ui/Button";
import { Field } from "@/ui/Field";
import css from "./Decide.module.css";
import type { Decision } from "./decide";

const CALLS_MAX = 1_000_000;
const shape = z.object({
  maxCalls: z.coerce
    .number<string>("A number of calls.")
    .int("A whole number.")
    .min(1, "At least one call.")
    .max(CALLS_MAX, "Fewer calls."),
  scope: z.enum(["session", "org"]),
});

type Props = { action: string; busy: boolean; onCancel: () => void; onGrant: (decision: Decision) => void };

/** This call, and the next ones like it without asking. */
export function GrantForm({ action, busy, onCancel, onGrant }: Props) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(shape),
    defaultValues: { maxCalls: "5", scope: "session" as const },
  });
  const submit = handleSubmit(({ maxCalls, scope }) => onGrant({ verb: "grant", maxCalls, scope }));
  return (
    <form className={css.form} onSubmit={submit} noValidate aria-label="Approve and grant">
      <p className="small">
        This call runs now. After it, so many calls of <code>{escapeLine(action)}</code> run without asking,
        whatever their parameters.
      </p>
      <div className={css.fields}>
        <Field label="Calls in the grant" error={formState.errors.maxCalls?.message}>
          {(wiring) => <input {...wiring} {...register("maxCalls")} inputMode="numeric" />}
        </Field>
        <Field label="Whose calls">
          {(wiring) => (
            <select {...wiring} {...register("scope")}>
              <option value="session">This session</option>
              <option value="org">Every session of the organization</option>
            </select>
          )}
        </Field>
      </div>
      <div className="row">
        <Button kind="primary" type="submit" busy={busy}>
          Approve and grant
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          Back
        </Button>
      </div>
    </form>
  );
}
