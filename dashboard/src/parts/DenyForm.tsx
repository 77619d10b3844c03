import { useState } from "react";
import { Button } from "@/ui/Button";
import { Field } from "@/ui/Field";
import css from "./Decide.module.css";
import type { Decision } from "./decide";

const REASON_MAX = 500;
type Props = { busy: boolean; onCancel: () => void; onDeny: (decision: Decision) => void };

/** The agent receives the reason. */
export function DenyForm({ busy, onCancel, onDeny }: Props) {
  const [reason, setReason] = useState("");
  return (
    <form
      className={css.form}
      aria-label="Deny"
      onSubmit={(event) => {
        event.preventDefault();
        onDeny({ verb: "deny", reason });
      }}
    >
      <Field label="Reason" optional hint="Sent to the agent and to all clients of the session.">
        {(wiring) => (
          <input
            {...wiring}
            maxLength={REASON_MAX}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
      <div className="row">
        <Button kind="danger" type="submit" busy={busy}>
          Deny this call
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          Back
        </Button>
      </div>
    </form>
  );
}
