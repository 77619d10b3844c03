import { useQuery } from "@tanstack/react-query";
import { api, body } from "@/api/client";
import { money } from "@/lib/money";

/** What a session's models cost. */
export function SessionCost({ id }: { id: string }) {
  const { data } = useQuery({
    queryKey: ["sessions", id, "usage"],
    queryFn: () => body(api.GET("/v1/sessions/{id}/usage", { params: { path: { id } } })),
    staleTime: 30_000,
  });
  if (!data) return <span className="muted">…</span>;
  return <span>{money(data.total.costMicroUsd)}</span>;
}
