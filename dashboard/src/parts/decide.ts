// An admin's decision about a call.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/api/client";

export type Decision =
  | { verb: "once" }
  | { verb: "grant"; maxCalls: number | null; scope: "session" | "org" }
  | { verb: "deny"; reason: string };

/** A call as it was on the screen; another call under this id is refused. */
type Call = { sessionId: string; invocationId: string; callSha256: string };

async function decide({ sessionId, invocationId, callSha256 }: Call, decision: Decision): Promise<void> {
  const path = { id: sessionId, invocation: invocationId };
  if (decision.verb === "deny") {
    const reason = decision.reason.trim() || null;
    await api.POST("/proliferate/{id}/actions/invocations/{invocation}/deny", {
      params: { path },
      body: { reason, callSha256: callSha256 || null },
    });
    return;
  }
  await api.POST("/proliferate/{id}/actions/invocations/{invocation}/approve", {
    params: { path },
    body:
      decision.verb === "once"
        ? { mode: "once", callSha256 }
        : { mode: "grant", callSha256, grant: { scope: decision.scope, maxCalls: decision.maxCalls } },
  });
}

/** Decides, and brings up to date whatever shows decisions. */
export function useDecide(call: Call) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (decision: Decision) => decide(call, decision),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ["actions"] });
      void client.invalidateQueries({ queryKey: ["grants"] });
    },
  });
}
