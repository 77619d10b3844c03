import { Link } from "react-router";
import { Decide } from "@/parts/Decide";
import { ExpiryClock } from "@/parts/ExpiryClock";
import { useIntegrationName } from "@/parts/names";
import { Risk } from "@/parts/Risk";
import cards from "@/ui/cards.module.css";
import { Json } from "@/ui/Json";
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
};

/** One call that waits: exactly what it is, where it comes from, and the three answers. */
export function Call({ entry, deliveries, chosen, onChoose }: Props) {
  const name = useIntegrationName();
  const { id, sessionId, sessionTitle, integration, action, riskLevel, params, expiresAt, createdAt } = entry;
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
            <Link to={`/sessions/${sessionId}`}>{sessionTitle ?? "Untitled session"}</Link> asked{" "}
            <RelativeTime at={createdAt} />
          </p>
        </div>
        <Risk level={riskLevel} />
        {expiresAt && <ExpiryClock until={expiresAt} />}
      </header>
      {entry.returnedBecause && entry.returnedBecause.length > 0 && (
        <p className={css.again}>
          It was approved before and has to be again: {entry.returnedBecause.join("; ")}.
        </p>
      )}
      <Json value={params ?? {}} label="Parameters of the call" />
      <DeliveryState of={deliveries} />
      <Decide sessionId={sessionId} invocationId={id} action={action} />
    </li>
  );
}
