// What the organization may use, and what it uses. Every member may read it.
import { useQuery } from "@tanstack/react-query";
import { api, body, type Schemas } from "@/api/client";
import { useEvery } from "@/app/useNews";

export type Limits = Schemas["OrganizationLimitsView"];

/** The queries about the limits; a change of one reloads all of them. */
export const LIMITS_KEY = ["organization-limits"];
/** What is used changes with every session and request to a model, of which no news tells. */
const EVERY_MS = 30_000;

export const useLimits = () =>
  useQuery({
    queryKey: LIMITS_KEY,
    queryFn: () => body(api.GET("/v1/organization/limits")),
    refetchInterval: useEvery(EVERY_MS),
  });

export type SpendPeriod = "day" | "month";

/** The spend limit to say something about: one that is reached, else one that comes near; the month's first. */
export function spendToSay(
  of: Limits,
): { period: SpendPeriod; spent: number; limit: number; isReached: boolean } | null {
  const found = (["month", "day"] as const).flatMap((period) => {
    const limit = period === "day" ? of.inForce.spendDayMicroUsd : of.inForce.spendMonthMicroUsd;
    const spent = period === "day" ? of.used.spendDayMicroUsd : of.used.spendMonthMicroUsd;
    if (limit == null || spent < limit * 0.8) return [];
    return [{ period, spent, limit, isReached: spent >= limit }];
  });
  return found.find(({ isReached }) => isReached) ?? found[0] ?? null;
}

/** Why another session cannot start now, if it cannot. */
export function whyNoStart({ inForce, used }: Limits): string | null {
  if (inForce.liveSessions != null && used.liveSessions >= inForce.liveSessions)
    return `${used.liveSessions} of ${inForce.liveSessions} sessions are live. A new one starts when another one pauses or ends.`;
  if (inForce.sandboxes != null && used.sandboxes >= inForce.sandboxes)
    return `${used.sandboxes} of ${inForce.sandboxes} sandboxes are in use. A new session starts when one is given back.`;
  return null;
}
