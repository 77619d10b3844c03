import { queryOptions } from "@tanstack/react-query";
import { api, body, type Schemas } from "@/api/client";

export type Session = Schemas["SessionDetail"];

export const sessionQuery = (id: string) =>
  queryOptions({
    queryKey: ["sessions", id],
    queryFn: () => body(api.GET("/v1/sessions/{id}", { params: { path: { id } } })),
  });

export const usageQuery = (id: string) =>
  queryOptions({
    queryKey: ["sessions", id, "usage"],
    queryFn: () => body(api.GET("/v1/sessions/{id}/usage", { params: { path: { id } } })),
    refetchInterval: 10_000,
  });

export const sandboxQuery = (id: string) =>
  queryOptions({
    queryKey: ["sessions", id, "sandbox"],
    queryFn: () => body(api.GET("/proliferate/{id}", { params: { path: { id } } })),
    refetchInterval: 15_000,
  });
