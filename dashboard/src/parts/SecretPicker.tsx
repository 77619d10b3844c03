import { useId, useState } from "react";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Field } from "@/ui/Field";
import { SecretForm } from "./SecretForm";
import { useSecrets } from "./secrets";

type Props = {
  label?: string;
  value: string;
  onChange: (key: string) => void;
  error?: string;
  disabled?: boolean;
};

/** One of the organization's secrets by its name, or a new one. */
export function SecretPicker({ label = "Secret", value, onChange, error, disabled }: Props) {
  const list = useId();
  const secrets = useSecrets();
  const [adding, setAdding] = useState(false);
  const keys = [
    ...new Set(
      (secrets.data ?? []).filter(({ scope }) => scope.kind === "organization").map(({ key }) => key),
    ),
  ].sort();
  const isMissing = value !== "" && secrets.data !== undefined && !keys.includes(value);
  return (
    <>
      <Field
        label={label}
        error={error}
        hint={
          isMissing
            ? "The organization has no secret of this name yet. Add it, or the server is asked without one."
            : "By its name; the value is looked up for each call."
        }
      >
        {(wiring) => (
          <>
            <input
              {...wiring}
              list={list}
              value={value}
              disabled={disabled}
              spellCheck={false}
              onChange={({ target }) => onChange(target.value.trim())}
            />
            <datalist id={list}>
              {keys.map((key) => (
                <option key={key} value={key} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      {!disabled && (
        <div>
          <Button size="s" onClick={() => setAdding(true)}>
            {isMissing ? `Add ${value}` : "Add a secret"}
          </Button>
        </div>
      )}
      <Dialog open={adding} onOpenChange={setAdding} title="Add a secret" lead="For the whole organization.">
        <SecretForm
          scope={{ kind: "organization" }}
          proposed={isMissing ? value : ""}
          onCancel={() => setAdding(false)}
          onDone={(key) => {
            onChange(key);
            setAdding(false);
          }}
        />
      </Dialog>
    </>
  );
}
