import { useQuery } from "@tanstack/react-query";
import { api, body, type Schemas } from "@/api/client";

export type Configuration = Schemas["ConfigurationView"];
export type Repo = Schemas["RepoView"];

/** What agents may push to a repository. */
export const PUSHES: Record<Repo["push"], string> = {
  never: "nothing",
  branches: "any branch but the default one",
  any: "any branch",
};

export const useSnapshots = (id: string) =>
  useQuery({
    queryKey: ["configurations", id, "snapshots"],
    queryFn: () => body(api.GET("/v1/configurations/{id}/snapshots", { params: { path: { id } } })),
  });

export const useConfiguration = (id: string) =>
  useQuery({
    queryKey: ["configurations", id],
    queryFn: () => body(api.GET("/v1/configurations/{id}", { params: { path: { id } } })),
  });
