// Everything that is known of one call: its run, the decision about it, the grant, its artifacts.
import { useQuery } from "@tanstack/react-query";
import { api, body, type Schemas } from "@/api/client";

export type Run = Schemas["RunView"];

export function useRun(id: string) {
  return useQuery({
    queryKey: ["runs", id],
    queryFn: () => body(api.GET("/v1/runs/{id}", { params: { path: { id } } })),
  });
}

/** Invocations are asked for by session; the one of a run is among its last hundred, or was long ago. */
async function invocationOf({ run_id, session_id }: Run): Promise<Schemas["ExplainResponse"] | null> {
  if (!session_id) return null;
  const { invocations } = await body(
    api.GET("/proliferate/{id}/actions/invocations", { params: { path: { id: session_id } } }),
  );
  const found = invocations.find(({ runId }) => runId === run_id);
  if (!found) return null;
  return body(api.GET("/v1/actions/{id}/explain", { params: { path: { id: found.id } } }));
}

export function useInvocation(run: Run | undefined) {
  return useQuery({
    queryKey: ["runs", run?.run_id, "invocation"],
    queryFn: () => (run ? invocationOf(run) : null),
    enabled: run !== undefined,
  });
}
