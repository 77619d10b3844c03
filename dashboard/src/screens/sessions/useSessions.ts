import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { api, body, type Schemas } from "@/api/client";

export type Session = Schemas["SessionView"];

export function useSessions(status: Schemas["SessionStatus"] | "") {
  const pages = useInfiniteQuery({
    queryKey: ["sessions", "list", status],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      body(
        api.GET("/v1/sessions", { params: { query: { cursor, limit: 50, status: status || undefined } } }),
      ),
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: 10_000,
  });
  return { ...pages, sessions: pages.data?.pages.flatMap((page) => page.items) ?? [] };
}

/** How many calls wait for a decision, by session. */
export function useWaitingBySession(): Map<string, number> {
  const { data } = useQuery({
    queryKey: ["actions", "waiting", "by session"],
    queryFn: () => body(api.GET("/v1/actions", { params: { query: { status: "pending", limit: 100 } } })),
    refetchInterval: 5_000,
  });
  const counts = new Map<string, number>();
  for (const { sessionId } of data?.invocations ?? [])
    counts.set(sessionId, (counts.get(sessionId) ?? 0) + 1);
  return counts;
}
