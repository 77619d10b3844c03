import { type ReactNode, useState } from "react";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import css from "./Dialog.module.css";
import { Failure } from "./Failure";

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  /** What will be different afterwards, and whether it can be undone. */
  effect: ReactNode;
  verb: string;
  act: () => Promise<unknown>;
  children?: ReactNode;
};

/** Asks before something that cannot be taken back, and says what it does. */
export function Confirm({ open, onOpenChange, title, effect, verb, act, children }: Props) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const go = async () => {
    setBusy(true);
    setError(null);
    try {
      await act();
      onOpenChange(false);
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title} lead={effect}>
      {children}
      {error !== null && <Failure error={error} />}
      <footer className={css.foot}>
        <Button onClick={() => onOpenChange(false)}>Keep it</Button>
        <Button kind="danger" busy={busy} onClick={go}>
          {verb}
        </Button>
      </footer>
    </Dialog>
  );
}
