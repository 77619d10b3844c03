import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { useFieldArray, useForm } from "react-hook-form";
import { escapeLine } from "@/lib/visible";
import { useRepos } from "@/parts/scopes";
import { Button } from "@/ui/Button";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";
import css from "./configurations.module.css";
import { shape, type Values } from "./form";

type Props = { values: Values; verb: string; save: (values: Values) => Promise<unknown> };

export function ConfigurationForm({ values, verb, save }: Props) {
  const repos = useRepos();
  const form = useForm({ resolver: zodResolver(shape), values });
  const { register, control, handleSubmit, formState } = form;
  const services = useFieldArray({ control, name: "services" });
  const envFiles = useFieldArray({ control, name: "envFiles" });
  const saving = useMutation({ mutationFn: save });
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
        {(wiring) => <input {...wiring} {...register("name")} placeholder="Shop" />}
      </Field>
      <Field label="Notes" optional error={errors.notes?.message}>
        {(wiring) => <textarea {...wiring} {...register("notes")} rows={2} />}
      </Field>
      <Field
        label="Budget of each session, in dollars"
        optional
        hint="What its model may cost, unless an admin gives the session a budget of its own. Empty: what the organization lets every session. Admins change it."
        error={errors.budget?.message}
      >
        {(wiring) => <input {...wiring} {...register("budget")} inputMode="decimal" placeholder="2.50" />}
      </Field>
      <fieldset className={css.group}>
        <legend>Repositories that are cloned into the workspace</legend>
        {repos.data?.length === 0 && <p className="muted small">None yet: add one on the page before.</p>}
        {repos.data?.map(({ id, name, defaultBranch }) => (
          <label key={id} className={css.choice}>
            <input type="checkbox" value={id} {...register("repoIds")} /> {escapeLine(name)}{" "}
            <span className="muted small">{escapeLine(defaultBranch)}</span>
          </label>
        ))}
      </fieldset>
      <fieldset className={css.group}>
        <legend>Services that run in the sandbox</legend>
        {services.fields.map(({ id }, index) => (
          <div key={id} className={css.line}>
            <Field label="Name" error={errors.services?.[index]?.name?.message}>
              {(wiring) => <input {...wiring} {...register(`services.${index}.name`)} placeholder="web" />}
            </Field>
            <Field label="Command" error={errors.services?.[index]?.command?.message}>
              {(wiring) => (
                <input
                  {...wiring}
                  {...register(`services.${index}.command`)}
                  placeholder="npm run dev"
                  spellCheck={false}
                />
              )}
            </Field>
            <Field label="Folder" optional error={errors.services?.[index]?.cwd?.message}>
              {(wiring) => (
                <input
                  {...wiring}
                  {...register(`services.${index}.cwd`)}
                  placeholder="."
                  spellCheck={false}
                />
              )}
            </Field>
            <Button
              kind="quiet"
              aria-label={`Take service ${index + 1} away`}
              onClick={() => services.remove(index)}
            >
              <Trash2 aria-hidden />
            </Button>
          </div>
        ))}
        <div>
          <Button size="s" onClick={() => services.append({ name: "", command: "", cwd: "" })}>
            <Plus aria-hidden /> Add a service
          </Button>
        </div>
      </fieldset>
      <fieldset className={css.group}>
        <legend>Env files that are written from secrets</legend>
        {envFiles.fields.map(({ id }, index) => (
          <div key={id} className={css.file}>
            <div className={css.line}>
              <Field label="Repository folder" error={errors.envFiles?.[index]?.workspacePath?.message}>
                {(wiring) => (
                  <input {...wiring} {...register(`envFiles.${index}.workspacePath`)} spellCheck={false} />
                )}
              </Field>
              <Field label="File" error={errors.envFiles?.[index]?.path?.message}>
                {(wiring) => (
                  <input
                    {...wiring}
                    {...register(`envFiles.${index}.path`)}
                    placeholder=".env"
                    spellCheck={false}
                  />
                )}
              </Field>
              <Button
                kind="quiet"
                aria-label={`Take file ${index + 1} away`}
                onClick={() => envFiles.remove(index)}
              >
                <Trash2 aria-hidden />
              </Button>
            </div>
            <Field
              label="Keys it cannot do without"
              hint="Separated by spaces. Without one of them the file is not written."
            >
              {(wiring) => (
                <input
                  {...wiring}
                  {...register(`envFiles.${index}.required`)}
                  placeholder="DATABASE_URL STRIPE_KEY"
                  spellCheck={false}
                />
              )}
            </Field>
            <Field label="Keys it can do without" optional>
              {(wiring) => (
                <input {...wiring} {...register(`envFiles.${index}.optional`)} spellCheck={false} />
              )}
            </Field>
          </div>
        ))}
        <div>
          <Button
            size="s"
            onClick={() => envFiles.append({ workspacePath: ".", path: "", required: "", optional: "" })}
          >
            <Plus aria-hidden /> Add an env file
          </Button>
        </div>
      </fieldset>
    </Form>
  );
}
