// Whether the organization's calls are locked. Every member may read it.
import { useQuery } from "@tanstack/react-query";
import { api, body, type Schemas } from "@/api/client";

export type Lock = Schemas["SafetyLockView"];
export type Ticket = Schemas["OverrideTicketView"];

/** The queries about the lock and its tickets; a change of one reloads all of them. */
export const LOCK_KEY = ["safety-lock"];
/** No news tells of the lock, so it is asked for; a call that it stops is stopped anyway. */
export const LOCK_EVERY_MS = 10_000;

export const useLock = () =>
  useQuery({
    queryKey: [...LOCK_KEY, "now"],
    queryFn: () => body(api.GET("/v1/safety-lock")),
    refetchInterval: LOCK_EVERY_MS,
  });
