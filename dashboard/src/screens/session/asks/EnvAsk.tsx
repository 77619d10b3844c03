import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { api } from "@/api/client";
import type { EnvRequest } from "@/api/live";
import { escapeLine, escapeText } from "@/lib/visible";
import { Button } from "@/ui/Button";
import { Checkbox } from "@/ui/Checkbox";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";
import css from "./Asks.module.css";
import { asked } from "./asked";
import { Suggestions } from "./Suggestions";

type Values = { values: Record<string, string>; keep: boolean };

/** Values that the agent asked for. It receives their names and finds them in its sandbox. */
export function EnvAsk({ sessionId, request }: { sessionId: string; request: EnvRequest }) {
  const keys = asked(request.args);
  const form = useForm<Values>({ defaultValues: { values: {}, keep: false } });
  const { errors } = form.formState;
  const submit = useMutation({
    mutationFn: ({ values, keep }: Values) => {
      const given = keys.map(({ key }) => ({ key, value: values[key] ?? "" })).filter(({ value }) => value);
      const envVars = Object.fromEntries(given.map(({ key, value }) => [key, value]));
      const secrets = given.map((each) => ({ ...each, persist: true }));
      return api.POST("/v1/sessions/{id}/env", {
        params: { path: { id: sessionId } },
        body: keep ? { secrets } : { envVars },
      });
    },
  });
  if (keys.length === 0) return null;
  return (
    <article className={css.ask} aria-label="Values for the agent">
      <p className={css.what}>The agent asks for {keys.length === 1 ? "a value" : `${keys.length} values`}</p>
      <Form
        onSubmit={form.handleSubmit((values) => submit.mutate(values))}
        error={submit.error}
        foot={
          <Button kind="primary" type="submit" busy={submit.isPending}>
            Give to the agent
          </Button>
        }
      >
        {keys.map(({ key, description, required, suggestions }) => (
          <div key={key} className="stack" data-key={key}>
            <Field
              label={<code>{escapeLine(key)}</code>}
              hint={description && escapeText(description)}
              optional={!required}
              error={errors.values?.[key]?.message}
            >
              {(wiring) => (
                <input
                  {...wiring}
                  autoComplete="off"
                  spellCheck={false}
                  {...form.register(`values.${key}`, { required: required && "The agent needs this one." })}
                />
              )}
            </Field>
            <Suggestions
              of={suggestions}
              onChoose={(value) => form.setValue(`values.${key}`, value, { shouldValidate: true })}
            />
          </div>
        ))}
        <Checkbox
          label="Keep them, encrypted, for the next sandbox of this session too"
          {...form.register("keep")}
        />
      </Form>
    </article>
  );
}
