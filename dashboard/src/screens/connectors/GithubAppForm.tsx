import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { api, body } from "@/api/client";
import { Button } from "@/ui/Button";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";
import { EMPTY, shape, toRequest, type Values } from "./githubApp";

type Props = { onDone: () => void; onClose: () => void };

/** An app of the organization's own, installed where its agents work. Its key goes in and is never shown again. */
export function GithubAppForm({ onDone, onClose }: Props) {
  const client = useQueryClient();
  const [file, setFile] = useState<string | null>(null);
  const { register, handleSubmit, setValue, reset, formState } = useForm({
    resolver: zodResolver(shape),
    defaultValues: EMPTY,
  });
  const connect = useMutation({
    mutationFn: (values: Values) => body(api.POST("/v1/integrations", { body: toRequest(values) })),
    onSuccess: async () => {
      reset(EMPTY);
      await client.invalidateQueries({ queryKey: ["integrations"] });
      onDone();
    },
  });
  const { errors } = formState;
  const take = (key: string, name: string | null) => {
    setFile(name);
    setValue("privateKey", key, { shouldValidate: name !== null });
  };
  return (
    <Form
      error={connect.error}
      onSubmit={handleSubmit((values) => connect.mutate(values))}
      foot={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button kind="primary" type="submit" busy={connect.isPending}>
            Connect the app
          </Button>
        </>
      }
    >
      <Field label="App ID" hint="Or its client ID." error={errors.appId?.message}>
        {(wiring) => <input {...wiring} {...register("appId")} placeholder="123456" />}
      </Field>
      <Field
        label="Installation ID"
        hint="The number at the end of the installation's address."
        error={errors.installationId?.message}
      >
        {(wiring) => (
          <input {...wiring} {...register("installationId")} inputMode="numeric" placeholder="4711" />
        )}
      </Field>
      <Field
        label="Private key file"
        hint={file ? `The key of ${file} is taken.` : "The .pem that GitHub gave out; or paste it below."}
        error={file ? errors.privateKey?.message : undefined}
      >
        {(wiring) => (
          <input
            {...wiring}
            type="file"
            accept=".pem,.key,application/x-pem-file"
            onChange={async ({ target }) => {
              const [chosen] = target.files ?? [];
              take(chosen ? await chosen.text() : "", chosen?.name ?? null);
            }}
          />
        )}
      </Field>
      {!file && (
        <Field label="Private key" error={errors.privateKey?.message}>
          {(wiring) => (
            <textarea
              {...wiring}
              {...register("privateKey")}
              rows={4}
              className={`${wiring.className} mono`}
              autoComplete="off"
              spellCheck={false}
              placeholder="-----BEGIN RSA PRIVATE KEY-----"
            />
          )}
        </Field>
      )}
      <Field label="Name" optional error={errors.displayName?.message}>
        {(wiring) => <input {...wiring} {...register("displayName")} placeholder="GitHub" />}
      </Field>
    </Form>
  );
}
