import { useState } from "react";
import { Button } from "@/ui/Button";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";
import { letters } from "./code";
import css from "./device.module.css";

/** Where a member types what the terminal shows. */
export function CodeForm({ onCode }: { onCode: (code: string) => void }) {
  const [typed, setTyped] = useState("");
  const [isWrong, setWrong] = useState(false);
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        const code = letters(typed);
        setWrong(code === null);
        if (code) onCode(code);
      }}
      foot={
        <Button kind="primary" type="submit">
          Go on
        </Button>
      }
    >
      <Field
        label="Code"
        hint="Eight letters, as the terminal shows them."
        error={isWrong ? "That is no code: it has eight letters, none of them a vowel." : undefined}
      >
        {(wiring) => (
          <input
            {...wiring}
            className={`${wiring.className} ${css.input}`}
            value={typed}
            maxLength={20}
            spellCheck={false}
            autoCapitalize="characters"
            autoComplete="one-time-code"
            placeholder="BCDF-GHJK"
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
      </Field>
    </Form>
  );
}
