import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { api, body, type Schemas } from "@/api/client";
import { useEvery } from "@/app/useNews";

export type Session = Schemas["SessionSummary"];

/** Sessions in a state whose titles hold some words. */
export function useSessions(status: Schemas["SessionStatus"] | "", words: string) {
  const query = { limit: 50, status: status || undefined, search: words || undefined };
  const pages = useInfiniteQuery({
    queryKey: ["sessions", "list", status, words],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      body(api.GET("/v1/sessions", { params: { query: { ...query, cursor } } })),
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: useEvery(5_000),
    placeholderData: keepPreviousData,
  });
  return { ...pages, sessions: pages.data?.pages.flatMap((page) => page.items) ?? [] };
}
