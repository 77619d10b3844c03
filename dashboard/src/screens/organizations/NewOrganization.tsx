import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { api, body } from "@/api/client";
import { ShownOnce } from "@/screens/settings/ShownOnce";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";

const shape = z.object({
  organizationName: z.string().trim().min(1, "Name the organization.").max(100, "At most 100 characters."),
  ownerName: z.string().trim().min(1, "Give the owner's name.").max(100, "At most 100 characters."),
  ownerEmail: z.email("A mail address such as ada@example.com."),
});
type Props = { onClose: () => void; onMade: () => Promise<void> };

/** A new tenant, and the link by which its owner comes in. */
export function NewOrganization({ onClose, onMade }: Props) {
  const [link, setLink] = useState<string | null>(null);
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(shape),
    defaultValues: { organizationName: "", ownerName: "", ownerEmail: "" },
  });
  const create = useMutation({
    mutationFn: (request: z.infer<typeof shape>) => body(api.POST("/v1/organizations", { body: request })),
    onSuccess: async ({ loginLink }) => {
      await onMade();
      setLink(loginLink);
    },
  });
  if (link !== null)
    return (
      <ShownOnce
        title="The owner's link"
        lead="Send it to the owner. It signs them in once and within an hour, and is shown only now."
        secret={link}
        onClose={onClose}
      />
    );
  const { errors } = formState;
  return (
    <Dialog open onOpenChange={onClose} title="New organization">
      <Form
        error={create.error}
        onSubmit={handleSubmit((values) => create.mutate(values))}
        foot={
          <>
            <Button onClick={onClose}>Back</Button>
            <Button kind="primary" type="submit" busy={create.isPending}>
              Make it
            </Button>
          </>
        }
      >
        <Field label="Organization" error={errors.organizationName?.message}>
          {(wiring) => <input {...wiring} {...register("organizationName")} />}
        </Field>
        <Field label="Owner's name" error={errors.ownerName?.message}>
          {(wiring) => <input {...wiring} {...register("ownerName")} />}
        </Field>
        <Field label="Owner's mail address" error={errors.ownerEmail?.message}>
          {(wiring) => <input {...wiring} {...register("ownerEmail")} type="email" />}
        </Field>
      </Form>
    </Dialog>
  );
}
