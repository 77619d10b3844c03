import type { ActionApprovalRequest } from "@/api/live";
import { escapeLine } from "@/lib/visible";
import { CallReview } from "@/parts/CallReview";
import { ExpiryClock } from "@/parts/ExpiryClock";
import { useIntegrationName } from "@/parts/names";
import { Risk } from "@/parts/Risk";
import css from "./Asks.module.css";

/** A call that waits for a decision: exactly what would be done, and until when it can be decided. */
export function ApprovalAsk({
  sessionId,
  request,
  moving,
}: {
  sessionId: string;
  request: ActionApprovalRequest;
  moving: boolean;
}) {
  const { invocationId, integration, riskLevel, expiresAt, returnedBecause = [] } = request;
  const action = escapeLine(request.action);
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
        <p className={css.again}>
          It was approved before and has to be again: {escapeLine(returnedBecause.join("; "))}.
        </p>
      )}
      <CallReview
        key={`${request.callSha256} ${expiresAt}`}
        call={{ ...request, sessionId }}
        moving={moving}
      />
    </article>
  );
}
