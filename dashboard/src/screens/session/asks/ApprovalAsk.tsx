import type { ActionApprovalRequest } from "@/api/live";
import { Decide } from "@/parts/Decide";
import { ExpiryClock } from "@/parts/ExpiryClock";
import { useIntegrationName } from "@/parts/names";
import { Risk } from "@/parts/Risk";
import { Json } from "@/ui/Json";
import css from "./Asks.module.css";

/** A call that waits for a decision: exactly what would be done, and until when it can be decided. */
export function ApprovalAsk({ sessionId, request }: { sessionId: string; request: ActionApprovalRequest }) {
  const { invocationId, integration, action, riskLevel, params, expiresAt, returnedBecause = [] } = request;
  const name = useIntegrationName();
  return (
    <article className={css.ask} aria-label={`Decision: ${action}`} data-invocation={invocationId}>
      <header className={css.head}>
        <p className={css.what}>
          The agent wants to <code>{action}</code> in {name(integration)}
        </p>
        <Risk level={riskLevel} />
        <ExpiryClock until={expiresAt} />
      </header>
      {returnedBecause.length > 0 && (
        <p className={css.again}>It was approved before and has to be again: {returnedBecause.join("; ")}.</p>
      )}
      <Json value={params} label="Parameters of the call" />
      <Decide sessionId={sessionId} invocationId={invocationId} action={action} />
    </article>
  );
}
