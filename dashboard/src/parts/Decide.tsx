import { useState } from "react";
import { useMe } from "@/api/me";
import { Button } from "@/ui/Button";
import { Failure } from "@/ui/Failure";
import css from "./Decide.module.css";
import { DenyForm } from "./DenyForm";
import { useDecide } from "./decide";
import { GrantForm } from "./GrantForm";

type Props = { sessionId: string; invocationId: string; action: string; onDecided?: () => void };

/** Once, for a number of calls, or not: the three answers to a call that waits. */
export function Decide({ sessionId, invocationId, action, onDecided }: Props) {
  const { isAdmin } = useMe();
  const [form, setForm] = useState<"grant" | "deny" | null>(null);
  const { mutate, isPending, error, variables } = useDecide({ sessionId, invocationId });
  if (!isAdmin)
    return <p className="muted small">An admin or an owner of the organization has to decide this.</p>;
  const act = (decision: Parameters<typeof mutate>[0]) => mutate(decision, { onSuccess: onDecided });
  const busy = (verb: string) => isPending && variables?.verb === verb;
  return (
    <div className={css.decide}>
      {error && <Failure error={error} />}
      {form === "grant" && (
        <GrantForm action={action} busy={busy("grant")} onCancel={() => setForm(null)} onGrant={act} />
      )}
      {form === "deny" && <DenyForm busy={busy("deny")} onCancel={() => setForm(null)} onDeny={act} />}
      {form === null && (
        <div className={css.buttons}>
          <Button
            kind="primary"
            busy={busy("once")}
            disabled={isPending}
            onClick={() => act({ verb: "once" })}
          >
            Approve once
          </Button>
          <Button disabled={isPending} onClick={() => setForm("grant")}>
            Approve and grant…
          </Button>
          <Button kind="danger" disabled={isPending} onClick={() => setForm("deny")}>
            Deny…
          </Button>
        </div>
      )}
    </div>
  );
}
