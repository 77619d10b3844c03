import { useQuery } from "@tanstack/react-query";
import { api, body, type Schemas } from "@/api/client";
import { usePages } from "@/lib/pages";

export type Automation = Schemas["AutomationView"];
export type Run = Schemas["AutomationRunView"];

export const useAutomations = () =>
  usePages(["automations"], (cursor) =>
    body(api.GET("/v1/automations", { params: { query: { cursor, limit: 50 } } })),
  );

export const useAutomation = (id: string) =>
  useQuery({
    queryKey: ["automations", id],
    queryFn: () => body(api.GET("/v1/automations/{id}", { params: { path: { id } } })),
  });

/** A run that goes on changes by itself. */
export const useRuns = (id: string) =>
  usePages(
    ["automations", id, "runs"],
    (cursor) =>
      body(api.GET("/v1/automations/{id}/runs", { params: { path: { id }, query: { cursor, limit: 50 } } })),
    { refetchInterval: 5_000 },
  );

export const useRun = (id: string) =>
  useQuery({
    queryKey: ["automation-runs", id],
    queryFn: () => body(api.GET("/v1/automation-runs/{id}", { params: { path: { id } } })),
    refetchInterval: ({ state }) => (state.data?.status === "running" ? 3_000 : false),
  });

export const useModels = () =>
  useQuery({
    queryKey: ["models"],
    queryFn: () => body(api.GET("/v1/models")),
    staleTime: Number.POSITIVE_INFINITY,
  });
