import { useQuery } from "@tanstack/react-query";
import { api, body } from "@/api/client";
import { useMe } from "@/api/me";
import type { Delivery } from "./DeliveryState";

/** Webhooks whose latest deliveries are looked at. */
const WEBHOOKS_MAX = 5;

/** The webhook deliveries of each waiting call; for admins, who may see webhooks. */
export function useDeliveries(): Map<string, Delivery[]> {
  const { isAdmin } = useMe();
  const { data } = useQuery({
    queryKey: ["actions", "deliveries"],
    enabled: isAdmin,
    refetchInterval: 10_000,
    queryFn: async () => {
      const webhooks = await body(api.GET("/v1/webhooks", { params: { query: { limit: WEBHOOKS_MAX } } }));
      const pages = await Promise.all(
        webhooks.items.map(({ id }) =>
          body(api.GET("/v1/webhooks/{id}/deliveries", { params: { path: { id }, query: { limit: 100 } } })),
        ),
      );
      return pages.flatMap(({ items }) => items);
    },
  });
  const byCall = new Map<string, Delivery[]>();
  for (const delivery of data ?? []) {
    const { event, invocationId } = delivery;
    if (event !== "action_approval_request" || !invocationId) continue;
    byCall.set(invocationId, [...(byCall.get(invocationId) ?? []), delivery]);
  }
  return byCall;
}
