import { type ComponentProps, useState } from "react";
import { Button } from "./Button";
import { Confirm } from "./Confirm";

type Props = Pick<ComponentProps<typeof Button>, "disabled" | "title"> & {
  /** On the button; what follows the question is `verb`. */
  children: string;
  question: string;
} & Pick<ComponentProps<typeof Confirm>, "effect" | "verb" | "act">;

/** A button for what cannot be taken back, and the question before it. */
export function Remove({ children, question, effect, verb, act, ...guard }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button {...guard} kind="danger" onClick={() => setOpen(true)}>
        {children}…
      </Button>
      <Confirm open={open} onOpenChange={setOpen} title={question} effect={effect} verb={verb} act={act} />
    </>
  );
}
