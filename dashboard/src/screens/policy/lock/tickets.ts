// The lock's tickets, and how what is done to them and to the lock is seen at once.
import { useQueryClient } from "@tanstack/react-query";
import { api, body } from "@/api/client";
import { Problem } from "@/api/problem";
import { usePages } from "@/lib/pages";
import { LOCK_EVERY_MS, LOCK_KEY, type Ticket } from "@/parts/lock";
import type { Lane } from "../queries";

/** The policy's lane for such calls. One without it has no overrides. */
const OVERRIDE_LANE = "SYSTEM_OVERRIDE";
/** What a call in a lane brings that has tickets of its own. */
const TICKET_KEY = "override_ticket_id";
const WAIT_SECONDS = 25;

export const useTickets = () =>
  usePages(
    [...LOCK_KEY, "tickets"],
    (cursor) => body(api.GET("/v1/override-tickets", { params: { query: { cursor, limit: 50 } } })),
    { refetchInterval: LOCK_EVERY_MS },
  );

/** Sends it and reloads the state, also when it failed: another admin may have been first. */
export function useThenLook() {
  const client = useQueryClient();
  const look = () => client.invalidateQueries({ queryKey: LOCK_KEY });
  return async (act: Promise<unknown>): Promise<void> => {
    await act.catch((problem: unknown) => {
      void look();
      throw problem;
    });
    await look();
  };
}

/** Whether it waits or counts. */
export const isOpen = ({ status }: Ticket): boolean =>
  status === "requested" || status === "approved" || status === "active";

/** The lanes that a ticket can be for. */
export const liftable = (lanes: Lane[]): Lane[] =>
  lanes.filter(({ requires }) => !requires.includes(TICKET_KEY));

/**
 * Lifts the ticket's lane or puts the rule back: a mediated call, in a run of its own. Its digests are the ticket's, so
 * that nothing else is changed than what two admins read.
 */
export async function turn(
  { id, lockedSha256, liftedSha256 }: Ticket,
  operation: "override.enable" | "override.disable",
  reason: string,
): Promise<void> {
  const [before, after] =
    operation === "override.enable" ? [lockedSha256, liftedSha256] : [liftedSha256, lockedSha256];
  const run = await body(api.POST("/v1/runs", { body: { run_kind: "agent" } }));
  const end = (status: "completed" | "failed") =>
    api
      .POST("/v1/runs/{id}/end", { params: { path: { id: run.run_id } }, body: { status } })
      // What was asked for is the call: a run that stays open takes nothing from its answer.
      .catch(() => {});
  const call = body(
    api.POST("/v1/tool-calls", {
      params: { query: { wait: WAIT_SECONDS } },
      body: {
        tool_name: operation,
        operation,
        lane_id: OVERRIDE_LANE,
        parent_run_id: run.run_id,
        scope: { override_ticket_id: id, override_reason: reason },
        parameters: { before_sha256: before, after_sha256: after },
      },
    }),
  );
  const { outcome } = await call.catch(async (problem: unknown) => {
    await end("failed");
    throw problem;
  });
  if (outcome === "allow") throw new Problem({ status: 202, detail: "The call is still under way." });
  await end("completed");
}
