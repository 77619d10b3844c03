import type { Schemas } from "@/api/client";
import { escapeLine } from "@/lib/visible";
import { Badge } from "@/ui/Badge";

export type Delivery = Schemas["WebhookDeliveryView"];

/** Whether the organization's webhooks were told of it. */
export function DeliveryState({ of }: { of?: Delivery[] }) {
  if (!of || of.length === 0) return null;
  const failed = of.filter(({ status }) => status === "failed");
  const delivered = of.filter(({ status }) => status === "accepted").length;
  const waiting = of.length - failed.length - delivered;
  return (
    <p className="row small">
      <span className="muted">Webhooks:</span>
      {delivered > 0 && <Badge tone="good">{delivered} told</Badge>}
      {waiting > 0 && <Badge tone="info">{waiting} on the way</Badge>}
      {failed.length > 0 && (
        <span title={escapeLine(failed[0]?.error ?? "")}>
          <Badge tone="bad">{failed.length} not reached</Badge>
        </span>
      )}
    </p>
  );
}
