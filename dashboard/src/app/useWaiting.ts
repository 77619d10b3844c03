import { useQuery } from "@tanstack/react-query";
import { api, body } from "@/api/client";
import { useEvery } from "./useNews";

/** How many calls wait for a decision. */
export function useWaiting(): number {
  const { data } = useQuery({
    queryKey: ["actions", "waiting"],
    queryFn: () => body(api.GET("/v1/actions", { params: { query: { status: "pending", limit: 1 } } })),
    refetchInterval: useEvery(5_000),
  });
  return data?.total ?? 0;
}
