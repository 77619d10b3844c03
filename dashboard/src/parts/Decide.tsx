import { useState } from "react";
import { useMe } from "@/api/me";
import { Button } from "@/ui/Button";
import { Failure } from "@/ui/Failure";
import css from "./Decide.module.css";
import { DenyForm } from "./DenyForm";
import { useDecide } from "./decide";
import { GrantForm } from "./GrantForm";

type Props = {
  sessionId: string;
  invocationId: string;
  action: string;
  /** The digest of the call that is on the screen, once all of it was: without it nothing is approved. */
  callSha256?: string;
  /** The digest of the call that is on the screen, as much as there is of it: what is denied. */
  shownSha256: string;
  /** What to do before it can be approved. */
  hint: string;
  /** It is not where it was a moment ago. */
  moving?: boolean;
};

/** Once, for a number of calls, or not: the three answers to a call that waits. */
export function Decide({ sessionId, invocationId, action, callSha256, shownSha256, hint, moving }: Props) {
  const { isAdmin } = useMe();
  const [form, setForm] = useState<"grant" | "deny" | null>(null);
  const digest = callSha256 ?? shownSha256;
  const { mutate, isPending, error, variables } = useDecide({ sessionId, invocationId, callSha256: digest });
  if (!isAdmin)
    return <p className="muted small">An admin or an owner of the organization has to decide this.</p>;
  const act = (decision: Parameters<typeof mutate>[0]) => mutate(decision);
  const busy = (verb: string) => isPending && variables?.verb === verb;
  return (
    <div className={css.decide}>
      {error && <Failure error={error} />}
      {form === "grant" && callSha256 && (
        <GrantForm action={action} busy={busy("grant")} onCancel={() => setForm(null)} onGrant={act} />
      )}
      {form === "deny" && <DenyForm busy={busy("deny")} onCancel={() => setForm(null)} onDeny={act} />}
      {form === null && (
        <div className={css.buttons}>
          {callSha256 ? (
            <>
              <Button
                kind="primary"
                busy={busy("once")}
                disabled={isPending || moving}
                onClick={() => act({ verb: "once" })}
              >
                Approve once
              </Button>
              <Button disabled={isPending || moving} onClick={() => setForm("grant")}>
                Approve and grant…
              </Button>
            </>
          ) : (
            <p className="muted small">{hint}</p>
          )}
          <Button kind="danger" disabled={isPending || moving} onClick={() => setForm("deny")}>
            Deny…
          </Button>
        </div>
      )}
    </div>
  );
}
