import { useInfiniteQuery } from "@tanstack/react-query";
import { api, body, type Schemas } from "@/api/client";
import { useEvery } from "@/app/useNews";

export type Grant = Schemas["GrantView"];
export type GrantRequest = Schemas["GrantRequestView"];

export function useGrants() {
  const pages = useInfiniteQuery({
    queryKey: ["grants", "list"],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      body(api.GET("/v1/grants", { params: { query: { cursor, limit: 50 } } })),
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: useEvery(5_000),
  });
  return { ...pages, grants: pages.data?.pages.flatMap((page) => page.items) ?? [] };
}

export function useRequests(status: Schemas["GrantRequestStatus"] | undefined) {
  const pages = useInfiniteQuery({
    queryKey: ["grants", "requests", status ?? "all"],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      body(api.GET("/v1/grant-requests", { params: { query: { cursor, status, limit: 50 } } })),
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: useEvery(5_000),
  });
  return { ...pages, requests: pages.data?.pages.flatMap((page) => page.items) ?? [] };
}

/** How many actions that a grant names it does not cover, because they changed since it was given. */
export function suspensions({ suspended, suspendedTruncated }: Grant): string {
  const count = suspended?.length ?? 0;
  if (count === 0 && suspendedTruncated) return "what was not looked at";
  return `${suspendedTruncated ? "more than " : ""}${count} ${count === 1 ? "action" : "actions"}`;
}

/** Why a grant no longer counts, if it does not. */
export function over(grant: Grant, now: number): string | null {
  if (grant.revokedAt) return "Revoked";
  if (grant.expiresAt && new Date(grant.expiresAt).getTime() <= now) return "Expired";
  if (grant.callsLeft === 0) return "Used up";
  return null;
}
