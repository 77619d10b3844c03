// The names of the services that agents act on.
import { useQuery } from "@tanstack/react-query";
import { api, body } from "@/api/client";
import { SOURCES } from "@/api/sources";
import { escapeLine } from "@/lib/visible";

const BUILT_IN = new Map(SOURCES.map(({ id, name }) => [id, name]));

/** `connector:…` by the connector's name, the built-in sources by theirs. */
export function useIntegrationName(): (integration: string) => string {
  const { data } = useQuery({
    queryKey: ["connectors", "names"],
    queryFn: () => body(api.GET("/v1/connectors", { params: { query: { limit: 100 } } })),
    staleTime: 60_000,
  });
  const names = new Map(data?.items.map(({ integration, name }) => [integration, name]));
  return (integration) => {
    if (integration === "*") return "Every service";
    return escapeLine(names.get(integration) ?? BUILT_IN.get(integration) ?? integration);
  };
}

/** The integrations that calls can be granted for. */
export function useIntegrations(): { value: string; name: string }[] {
  const { data } = useQuery({
    queryKey: ["connectors", "names"],
    queryFn: () => body(api.GET("/v1/connectors", { params: { query: { limit: 100 } } })),
    staleTime: 60_000,
  });
  const connectors = (data?.items ?? []).map(({ integration, name }) => ({
    value: integration,
    name: escapeLine(name),
  }));
  return [...connectors, ...SOURCES.map(({ id, name }) => ({ value: id, name }))];
}

/** What tells instances apart at a glance: their ids begin with the moment they started. */
export const instanceName = (id: string): string => id.slice(-8);
