import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { api, body, type Schemas } from "@/api/client";
import { Button } from "@/ui/Button";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";
import { toast } from "@/ui/Toast";

const shape = z.object({
  key: z
    .string()
    .trim()
    .regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/, "Letters, digits and _, not beginning with a digit."),
  value: z.string().min(1, "Give the value."),
  description: z.string().max(10_000, "Shorter, please."),
});

type Props = {
  scope: Schemas["SecretScope"];
  proposed?: string;
  onDone: (key: string) => void;
  onCancel: () => void;
};

/** Stores a secret. Its value cannot be read back. */
export function SecretForm({ scope, proposed = "", onDone, onCancel }: Props) {
  const client = useQueryClient();
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(shape),
    defaultValues: { key: proposed, value: "", description: "" },
  });
  const create = useMutation({
    mutationFn: ({ key, value, description }: z.infer<typeof shape>) =>
      body(api.POST("/v1/secrets", { body: { key, value, description: description || null, scope } })),
    onSuccess: async (_, { key }) => {
      await client.invalidateQueries({ queryKey: ["secrets"] });
      toast.done(`${key} is stored.`);
      onDone(key);
    },
  });
  return (
    <Form
      error={create.error}
      onSubmit={(event) => {
        // It may stand in the form of something else.
        event.stopPropagation();
        void handleSubmit((values) => create.mutate(values))(event);
      }}
      foot={
        <>
          <Button onClick={onCancel}>Back</Button>
          <Button kind="primary" type="submit" busy={create.isPending}>
            Store the secret
          </Button>
        </>
      }
    >
      <Field label="Name" error={formState.errors.key?.message}>
        {(wiring) => <input {...wiring} {...register("key")} placeholder="STRIPE_KEY" spellCheck={false} />}
      </Field>
      <Field
        label="Value"
        error={formState.errors.value?.message}
        hint="Stored encrypted. It is never shown again."
      >
        {(wiring) => (
          <textarea
            {...wiring}
            {...register("value")}
            rows={3}
            spellCheck={false}
            className={`${wiring.className} mono`}
          />
        )}
      </Field>
      <Field label="What it is for" optional error={formState.errors.description?.message}>
        {(wiring) => <input {...wiring} {...register("description")} />}
      </Field>
    </Form>
  );
}
