import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { api } from "@/api/client";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";
import { toast } from "@/ui/Toast";
import type { Lane } from "../queries";
import { REASON_MAX, reasonTyped } from "./ReasonDialog";
import { liftable, useThenLook } from "./tickets";

const MINUTES_MAX = 60;
const MINUTES = `A whole number from 1 to ${MINUTES_MAX}.`;
const shape = z.object({
  laneId: z.string().min(1, "Which lane?"),
  minutes: z.coerce.number<string>(MINUTES).int(MINUTES).min(1, MINUTES).max(MINUTES_MAX, MINUTES),
  reason: reasonTyped,
});

/** A ticket for one lane. It has no effect before another admin has approved it and it is used. */
export function AskOverride({ lanes, onClose }: { lanes: Lane[]; onClose: () => void }) {
  const thenLook = useThenLook();
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(shape),
    defaultValues: { laneId: "", minutes: "30", reason: "" },
  });
  const { errors } = formState;
  const ask = useMutation({
    mutationFn: (draft: z.output<typeof shape>) =>
      thenLook(api.POST("/v1/override-tickets", { body: draft })),
    onSuccess: () => {
      toast.done("The override is asked for", "Another admin has to approve it within an hour.");
      onClose();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Ask for an override"
      lead="Calls of one lane pass the lock for a time, and every other check is made as ever. Another admin has to approve it, and it has to be used within an hour."
    >
      <Form
        error={ask.error}
        onSubmit={handleSubmit((draft) => ask.mutate(draft))}
        foot={
          <>
            <Button onClick={onClose}>Not now</Button>
            <Button kind="primary" type="submit" busy={ask.isPending}>
              Ask for it
            </Button>
          </>
        }
      >
        <Field label="Lane" error={errors.laneId?.message}>
          {(wiring) => (
            <select {...wiring} {...register("laneId")}>
              <option value="">Choose…</option>
              {liftable(lanes).map(({ id }) => (
                <option key={id}>{id}</option>
              ))}
            </select>
          )}
        </Field>
        <Field
          label="Minutes"
          hint={`At most ${MINUTES_MAX}, from the moment that the lane is lifted.`}
          error={errors.minutes?.message}
        >
          {(wiring) => <input {...wiring} {...register("minutes")} inputMode="numeric" />}
        </Field>
        <Field
          label="Reason"
          hint="The other admin reads it; the audit log keeps its digest."
          error={errors.reason?.message}
        >
          {(wiring) => <input {...wiring} {...register("reason")} maxLength={REASON_MAX} />}
        </Field>
      </Form>
    </Dialog>
  );
}
