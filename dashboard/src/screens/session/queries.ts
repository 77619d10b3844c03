import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, body, type Schemas } from "@/api/client";

export type Session = Schemas["SessionDetail"];

export const sessionQuery = (id: string) =>
  queryOptions({
    queryKey: ["sessions", id, "detail"],
    queryFn: () => body(api.GET("/v1/sessions/{id}", { params: { path: { id } } })),
  });

/** Under the session itself: another snapshot changes both. */
export const snapshotsQuery = (id: string) =>
  queryOptions({
    queryKey: ["sessions", id, "detail", "snapshots"],
    queryFn: () => body(api.GET("/v1/sessions/{id}/snapshots", { params: { path: { id } } })),
  });

export const usageQuery = (id: string) =>
  queryOptions({
    queryKey: ["sessions", id, "usage"],
    queryFn: () => body(api.GET("/v1/sessions/{id}/usage", { params: { path: { id } } })),
    refetchInterval: 10_000,
  });

/** Asked anew whenever the session stands differently: that is when a sandbox came or went. */
export const sandboxQuery = (id: string, status: string | null) =>
  queryOptions({
    queryKey: ["sessions", id, "sandbox", status],
    queryFn: () => body(api.GET("/proliferate/{id}", { params: { path: { id } } })),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });
