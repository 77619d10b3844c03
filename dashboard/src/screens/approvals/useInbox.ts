import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, body, type Schemas } from "@/api/client";
import { useEvery } from "@/app/useNews";

export type InboxEntry = Schemas["InboxEntry"];
export type Status = Schemas["ActionStatus"];
export const PAGE_SIZE = 25;

/** A page of the organization's calls; brought up to date while it is looked at. */
export function useInbox(status: Status | undefined, page: number, everyMs: number) {
  return useQuery({
    queryKey: ["actions", "inbox", status ?? "all", page],
    queryFn: () =>
      body(
        api.GET("/v1/actions", { params: { query: { status, limit: PAGE_SIZE, offset: page * PAGE_SIZE } } }),
      ),
    refetchInterval: useEvery(everyMs),
    placeholderData: keepPreviousData,
  });
}
