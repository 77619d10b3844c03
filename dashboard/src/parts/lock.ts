// Whether the organization's calls are locked. Everybody who belongs to it may know.
import { useQuery } from "@tanstack/react-query";
import { api, body, type Schemas } from "@/api/client";

export type Lock = Schemas["SafetyLockView"];
export type Ticket = Schemas["OverrideTicketView"];

/** What concerns the lock and its tickets; whoever changes one reads all of it again. */
export const LOCK_KEY = ["safety-lock"];
/** No news tells of the lock, so it is asked for; a call that it stops is stopped anyway. */
export const LOCK_EVERY_MS = 10_000;

export const useLock = () =>
  useQuery({
    queryKey: [...LOCK_KEY, "now"],
    queryFn: () => body(api.GET("/v1/safety-lock")),
    refetchInterval: LOCK_EVERY_MS,
  });
