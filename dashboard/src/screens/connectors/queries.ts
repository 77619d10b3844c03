import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, body, type Schemas } from "@/api/client";
import { allPages } from "@/lib/pages";
import { toast } from "@/ui/Toast";

export type Connector = Schemas["ConnectorView"];
export type Tool = Schemas["ConnectorToolView"];
export type Validation = Schemas["ValidateConnectorResponse"];
export type Preset = Schemas["ConnectorPreset"];
export type Integration = Schemas["IntegrationView"];

export const useConnectors = () =>
  useQuery({
    queryKey: ["connectors"],
    queryFn: () =>
      allPages((cursor) => body(api.GET("/v1/connectors", { params: { query: { cursor, limit: 100 } } }))),
  });

export const useConnector = (id: string) =>
  useQuery({
    queryKey: ["connectors", id],
    queryFn: () => body(api.GET("/v1/connectors/{id}", { params: { path: { id } } })),
  });

const toolsKey = (id: string) => ["connectors", id, "tools"];
const askForTools = (id: string, fresh: boolean) =>
  body(api.GET("/v1/connectors/{id}/tools", { params: { path: { id }, query: { fresh } } }));

/** What the server offers, or offered up to five minutes ago. Asking it takes up to 15 seconds. */
export const useTools = (id: string, enabled: boolean) =>
  useQuery({
    queryKey: toolsKey(id),
    queryFn: () => askForTools(id, false),
    enabled,
    staleTime: 60_000,
  });

/** Asks the server now. */
export const useFreshTools = (id: string) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => askForTools(id, true),
    onSuccess: (found) => client.setQueryData(toolsKey(id), found),
    onError: toast.failed,
  });
};

export const usePresets = () =>
  useQuery({
    queryKey: ["connectors", "presets"],
    queryFn: () => body(api.GET("/v1/connectors/presets")),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const useIntegrations = () =>
  useQuery({
    queryKey: ["integrations"],
    queryFn: () =>
      allPages((cursor) => body(api.GET("/v1/integrations", { params: { query: { cursor, limit: 100 } } }))),
  });
