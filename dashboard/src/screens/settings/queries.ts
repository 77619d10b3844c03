import { useQuery } from "@tanstack/react-query";
import { api, body, type Schemas } from "@/api/client";
import { usePages } from "@/lib/pages";

export type ApiKey = Schemas["ApiKeyView"];
export type Invitation = Schemas["InvitationView"];
export type Webhook = Schemas["WebhookView"];
export type Delivery = Schemas["WebhookDeliveryView"];

export const useOrganizationBudget = () =>
  useQuery({
    queryKey: ["organization-budget"],
    queryFn: () => body(api.GET("/v1/organization/budget")),
  });

export const useApiKeys = () =>
  usePages(["api-keys"], (cursor) =>
    body(api.GET("/v1/api-keys", { params: { query: { cursor, limit: 50 } } })),
  );

/** Whether a mail was sent, and whether one was accepted, changes by itself. */
const INVITATIONS_EVERY_MS = 10_000;

export const useInvitations = () =>
  usePages(
    ["invitations"],
    (cursor) => body(api.GET("/v1/invitations", { params: { query: { cursor, limit: 50 } } })),
    { refetchInterval: INVITATIONS_EVERY_MS },
  );

export const useWebhooks = (enabled: boolean) =>
  usePages(
    ["webhooks"],
    (cursor) => body(api.GET("/v1/webhooks", { params: { query: { cursor, limit: 50 } } })),
    { enabled },
  );

/** The first retry comes after five seconds, and a receiver that took it works again. */
const LOOK_AGAIN_MS = 5_000;

export const useWebhook = (id: string) =>
  useQuery({
    queryKey: ["webhooks", id],
    refetchInterval: LOOK_AGAIN_MS,
    queryFn: () => body(api.GET("/v1/webhooks/{id}", { params: { path: { id } } })),
  });

/** What is still to be sent changes by itself. */
export const useDeliveries = (id: string) =>
  usePages(
    ["webhooks", id, "deliveries"],
    (cursor) =>
      body(
        api.GET("/v1/webhooks/{id}/deliveries", {
          params: { path: { id }, query: { cursor, limit: 50 } },
        }),
      ),
    { refetchInterval: LOOK_AGAIN_MS },
  );
