import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { z } from "zod";
import type { Schemas } from "@/api/client";
import { escapeLine } from "@/lib/visible";
import { useConfigurations } from "@/parts/scopes";
import { Button } from "@/ui/Button";
import { Checkbox } from "@/ui/Checkbox";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";
import { type Automation, useModels } from "./queries";

const shape = z.object({
  name: z.string().trim().min(1, "Give it a name.").max(100, "At most 100 characters."),
  description: z.string().max(10_000, "Shorter, please."),
  agentInstructions: z
    .string()
    .trim()
    .min(1, "Say what the agent is to do.")
    .max(100_000, "At most 100,000 characters."),
  modelId: z.string(),
  defaultConfigurationId: z.string(),
  enabled: z.boolean(),
});
type Request = Schemas["CreateAutomationRequest"] & Schemas["UpdateAutomationRequest"];
type Props = { automation?: Automation; verb: string; save: (request: Request) => Promise<unknown> };

export function AutomationForm({ automation, verb, save }: Props) {
  const models = useModels();
  const configurations = useConfigurations();
  const usual = models.data?.models.find(({ isDefault }) => isDefault)?.id ?? "";
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(shape),
    values: {
      name: automation?.name ?? "",
      description: automation?.description ?? "",
      agentInstructions: automation?.agentInstructions ?? "",
      modelId: automation?.modelId ?? usual,
      defaultConfigurationId: automation?.defaultConfigurationId ?? "",
      enabled: automation?.enabled ?? true,
    },
    resetOptions: { keepDirtyValues: true },
  });
  const saving = useMutation({
    mutationFn: ({ modelId, ...given }: z.infer<typeof shape>) =>
      save({
        ...given,
        ...(modelId ? { modelId } : {}),
        description: given.description.trim() || null,
        defaultConfigurationId: given.defaultConfigurationId || null,
      }),
  });
  const { errors } = formState;
  return (
    <Form
      error={saving.error}
      onSubmit={handleSubmit((given) => saving.mutate(given))}
      foot={
        <Button kind="primary" type="submit" busy={saving.isPending}>
          {verb}
        </Button>
      }
    >
      <Field label="Name" error={errors.name?.message}>
        {(wiring) => <input {...wiring} {...register("name")} placeholder="Nightly triage" />}
      </Field>
      <Field label="What it is for" optional error={errors.description?.message}>
        {(wiring) => <input {...wiring} {...register("description")} />}
      </Field>
      <Field
        label="Instructions"
        error={errors.agentInstructions?.message}
        hint="The first instructions of the agent. It works unattended: describe also what a good result is."
      >
        {(wiring) => <textarea {...wiring} {...register("agentInstructions")} rows={7} />}
      </Field>
      <Field label="Starts from">
        {(wiring) => (
          <select {...wiring} {...register("defaultConfigurationId")}>
            <option value="">An empty workspace</option>
            {configurations.data?.map(({ id, name }) => (
              <option key={id} value={id}>
                {escapeLine(name)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Model">
        {(wiring) => (
          <select {...wiring} {...register("modelId")}>
            {models.data?.models.map(({ id, displayName }) => (
              <option key={id} value={id}>
                {escapeLine(displayName)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Checkbox {...register("enabled")} label="Can be started." />
    </Form>
  );
}
