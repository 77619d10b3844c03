import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { z } from "zod";
import type { Schemas } from "@/api/client";
import { Problem } from "@/api/problem";
import { Button } from "@/ui/Button";
import { Checkbox } from "@/ui/Checkbox";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";
import { EVENTS } from "./events";
import type { Webhook } from "./queries";
import css from "./settings.module.css";

const shape = z.object({
  url: z.url({ protocol: /^https?$/, error: "An address that begins with https://." }),
  events: z.array(z.enum(EVENTS.map(({ value }) => value))).min(1, "Choose at least one."),
  enabled: z.boolean(),
});
type Request = { url: string; events: Schemas["WebhookEvent"][]; enabled: boolean };
type Props = { webhook?: Webhook; verb: string; save: (request: Request) => Promise<unknown> };

export function WebhookForm({ webhook, verb, save }: Props) {
  const { register, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(shape),
    values: {
      url: webhook?.url ?? "",
      events: webhook?.events ?? EVENTS.map(({ value }) => value),
      enabled: webhook?.enabled ?? true,
    },
  });
  const saving = useMutation({
    mutationFn: save,
    // Where an address leads is for the gateway to say.
    onError: (error) => {
      const refused = Problem.from(error).fields.find(({ field }) => field === "url");
      if (refused) setError("url", { message: refused.message }, { shouldFocus: true });
    },
  });
  const isRefused = saving.error && Problem.from(saving.error).fields.every(({ field }) => field === "url");
  return (
    <Form
      error={isRefused && formState.errors.url ? null : saving.error}
      onSubmit={handleSubmit((values) => saving.mutate(values))}
      foot={
        <Button kind="primary" type="submit" busy={saving.isPending}>
          {verb}
        </Button>
      }
    >
      <Field label="Address" error={formState.errors.url?.message} hint="It is sent signed messages by POST.">
        {(wiring) => (
          <input {...wiring} {...register("url")} type="url" placeholder="https://example.com/hooks" />
        )}
      </Field>
      <fieldset className={css.told}>
        <legend>What it receives</legend>
        {EVENTS.map(({ value, words }) => (
          <Checkbox key={value} value={value} label={words} {...register("events")} />
        ))}
        {formState.errors.events && (
          <p role="alert" className={css.wrong}>
            {formState.errors.events.message}
          </p>
        )}
      </fieldset>
      {webhook && <Checkbox label="In use." {...register("enabled")} />}
    </Form>
  );
}
