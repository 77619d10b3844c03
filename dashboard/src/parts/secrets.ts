import { useQuery } from "@tanstack/react-query";
import { api, body, type Schemas } from "@/api/client";
import { allPages } from "@/lib/pages";

export type Secret = Schemas["SecretView"];
export type Scope = Schemas["SecretScope"];

/** Every secret of the organization, without its value, which is never shown. */
export function useSecrets() {
  return useQuery({
    queryKey: ["secrets"],
    queryFn: () =>
      allPages((cursor) => body(api.GET("/v1/secrets", { params: { query: { cursor, limit: 100 } } }))),
  });
}
