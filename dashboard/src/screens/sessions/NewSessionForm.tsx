import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { useForm } from "react-hook-form";
import { useNavigate } from "react-router";
import { newKey } from "@/api/client";
import { escapeLine } from "@/lib/visible";
import { useLimits, whyNoStart } from "@/parts/limits";
import { Button } from "@/ui/Button";
import { Checkbox } from "@/ui/Checkbox";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";
import { Note } from "@/ui/Note";
import { type Choices, create, type NewSession, shape } from "./create";
import css from "./sessions.module.css";

type Props = { choices: Choices; snapshot: string | null; configuration: string | null };

export function NewSessionForm({ choices, snapshot, configuration }: Props) {
  const navigate = useNavigate();
  // Sent twice, it is one session.
  const key = useRef(newKey());
  const { register, handleSubmit, formState } = useForm<NewSession>({
    resolver: zodResolver(shape),
    defaultValues: {
      prompt: "",
      title: "",
      place: configuration ? `configuration:${configuration}` : "",
      model: choices.models.find(({ isDefault }) => isDefault)?.id ?? "",
      type: "coding",
      visibility: "organization",
      integrations: [],
    },
  });
  const begin = useMutation({
    mutationFn: (values: NewSession) => create(values, snapshot, key.current),
    onSuccess: (id) => navigate(`/sessions/${id}`),
    onError: () => {
      key.current = newKey();
    },
  });
  const { errors } = formState;
  const limits = useLimits();
  const waits = limits.data && whyNoStart(limits.data);
  return (
    <Form
      onSubmit={handleSubmit((values) => begin.mutate(values))}
      error={begin.error}
      foot={
        <Button kind="primary" type="submit" busy={begin.isPending}>
          Begin the session
        </Button>
      }
    >
      {waits && <Note>{waits}</Note>}
      <Field
        label="What should the agent do?"
        optional
        hint="Without it the session waits for the first message."
        error={errors.prompt?.message}
      >
        {(wiring) => <textarea {...wiring} {...register("prompt")} rows={5} />}
      </Field>
      <Field label="Title" optional error={errors.title?.message}>
        {(wiring) => <input {...wiring} {...register("title")} />}
      </Field>
      <div className={css.pair}>
        <Field label="Works on" hint="Repositories and what belongs to them.">
          {(wiring) => (
            <select {...wiring} {...register("place")}>
              <option value="">An empty workspace</option>
              {choices.configurations.length > 0 && (
                <optgroup label="Configurations">
                  {choices.configurations.map(({ id, name }) => (
                    <option key={id} value={`configuration:${id}`}>
                      {escapeLine(name)}
                    </option>
                  ))}
                </optgroup>
              )}
              {choices.repos.length > 0 && (
                <optgroup label="Repositories">
                  {choices.repos.map(({ id, name }) => (
                    <option key={id} value={`repo:${id}`}>
                      {escapeLine(name)}
                    </option>
                  ))}
                </optgroup>
              )}
            </select>
          )}
        </Field>
        <Field label="Model">
          {(wiring) => (
            <select {...wiring} {...register("model")}>
              {choices.models.map(({ id, displayName }) => (
                <option key={id} value={id}>
                  {escapeLine(displayName)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Mode" hint="The instructions and the tools of the agent.">
          {(wiring) => (
            <select {...wiring} {...register("type")}>
              <option value="coding">Coding</option>
              <option value="setup">Setting up a configuration</option>
            </select>
          )}
        </Field>
        <Field label="Who sees it" hint="Its page can share it with members by name.">
          {(wiring) => (
            <select {...wiring} {...register("visibility")}>
              <option value="organization">The organization</option>
              <option value="private">Private: you and admins</option>
            </select>
          )}
        </Field>
      </div>
      {choices.integrations.length > 0 && (
        <fieldset className="stack">
          <legend>Connections it may use</legend>
          {choices.integrations.map(({ id, displayName, integrationId }) => (
            <Checkbox
              key={id}
              value={id}
              label={`${displayName} (${integrationId})`}
              {...register("integrations")}
            />
          ))}
        </fieldset>
      )}
    </Form>
  );
}
