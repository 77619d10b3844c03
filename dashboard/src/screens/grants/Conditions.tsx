import { Plus, X } from "lucide-react";
import { type UseFormReturn, useFieldArray } from "react-hook-form";
import { Button } from "@/ui/Button";
import { Field } from "@/ui/Field";
import type { Draft } from "./draft";
import css from "./grants.module.css";

/** What must stand in the parameters; all of them must hold. */
export function Conditions({ form }: { form: UseFormReturn<Draft> }) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: "conditions" });
  const errors = form.formState.errors.conditions;
  return (
    <div className="stack">
      {fields.map(({ id }, at) => (
        <div key={id} className={css.condition}>
          <Field label="Place" error={errors?.[at]?.pointer?.message}>
            {(wiring) => (
              <input
                {...wiring}
                {...form.register(`conditions.${at}.pointer`)}
                placeholder="/teamId"
                spellCheck={false}
              />
            )}
          </Field>
          <Field label="Must">
            {(wiring) => (
              <select {...wiring} {...form.register(`conditions.${at}.kind`)}>
                <option value="equals">equal</option>
                <option value="oneOf">be one of</option>
                <option value="prefix">begin with</option>
              </select>
            )}
          </Field>
          <Field label="Value" error={errors?.[at]?.value?.message}>
            {(wiring) => (
              <input {...wiring} {...form.register(`conditions.${at}.value`)} spellCheck={false} />
            )}
          </Field>
          <Button kind="quiet" aria-label="Take the condition out" onClick={() => remove(at)}>
            <X aria-hidden />
          </Button>
        </div>
      ))}
      <div className="row">
        <Button size="s" onClick={() => append({ pointer: "/", kind: "equals", value: "" })}>
          <Plus aria-hidden /> Condition
        </Button>
      </div>
    </div>
  );
}
