import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";

export const REASON_MAX = 500;
export const reasonTyped = z.string().trim().min(1, "Give a reason; it is kept for the record.");
const shape = z.object({ reason: reasonTyped });

type Props = {
  title: string;
  /** What will be different afterwards, and for whom. */
  effect: ReactNode;
  verb: string;
  kind?: "primary" | "danger";
  act: (reason: string) => Promise<unknown>;
  onClose: () => void;
};

/** Confirms an operation that affects all members, describes it, and takes the reason. */
export function ReasonDialog({ title, effect, verb, kind = "danger", act, onClose }: Props) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(shape),
    defaultValues: { reason: "" },
  });
  const go = useMutation({ mutationFn: act, onSuccess: onClose });
  return (
    <Dialog open onOpenChange={onClose} title={title} lead={effect}>
      <Form
        error={go.error}
        onSubmit={handleSubmit(({ reason }) => go.mutate(reason))}
        foot={
          <>
            <Button onClick={onClose}>Not now</Button>
            <Button kind={kind} type="submit" busy={go.isPending}>
              {verb}
            </Button>
          </>
        }
      >
        <Field
          label="Reason"
          hint="The organization sees it; the audit log keeps its digest."
          error={formState.errors.reason?.message}
        >
          {(wiring) => <input {...wiring} {...register("reason")} maxLength={REASON_MAX} />}
        </Field>
      </Form>
    </Dialog>
  );
}
