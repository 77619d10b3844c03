import { Link } from "react-router";
import { escapeLine } from "@/lib/visible";
import { CallReview } from "@/parts/CallReview";
import { ExpiryClock } from "@/parts/ExpiryClock";
import { useIntegrationName } from "@/parts/names";
import { Risk } from "@/parts/Risk";
import cards from "@/ui/cards.module.css";
import { RelativeTime } from "@/ui/RelativeTime";
import css from "./approvals.module.css";
import { type Delivery, DeliveryState } from "./DeliveryState";
import type { InboxEntry } from "./useInbox";

type Props = {
  entry: InboxEntry;
  deliveries?: Delivery[];
  /** Absent where nothing can be chosen. */
  chosen?: boolean;
  onChoose: (on: boolean) => void;
  /** It is not where it was a moment ago. */
  moving: boolean;
};

/** One call that waits: exactly what it is, where it comes from, and the three answers. */
export function Call({ entry, deliveries, chosen, onChoose, moving }: Props) {
  const name = useIntegrationName();
  const { id, sessionId, sessionTitle, integration, riskLevel, expiresAt, createdAt } = entry;
  const action = escapeLine(entry.action);
  return (
    <li className={cards.card} data-invocation={id}>
      <header className={css.head}>
        {chosen !== undefined && (
          <input
            type="checkbox"
            className={css.choose}
            checked={chosen}
            onChange={({ target }) => onChoose(target.checked)}
            aria-label={`Choose ${action}`}
          />
        )}
        <div className={css.words}>
          <h2 className={css.what}>
            <code>{action}</code> in {name(integration)}
          </h2>
          <p className="muted small">
            <Link to={`/sessions/${sessionId}`}>{escapeLine(sessionTitle ?? "Untitled session")}</Link> asked{" "}
            <RelativeTime at={createdAt} />
          </p>
        </div>
        <Risk level={riskLevel} />
        {expiresAt && <ExpiryClock until={expiresAt} />}
      </header>
      {entry.returnedBecause && entry.returnedBecause.length > 0 && (
        <p className={css.again}>
          It was approved before and has to be again: {escapeLine(entry.returnedBecause.join("; "))}.
        </p>
      )}
      <DeliveryState of={deliveries} />
      <CallReview
        key={`${entry.callSha256} ${expiresAt}`}
        call={{ ...entry, invocationId: id }}
        moving={moving}
      />
    </li>
  );
}
