import { useQuery } from "@tanstack/react-query";
import { api, body, type Schemas } from "@/api/client";

export type Policy = Schemas["PolicyView"];
export type Lane = Schemas["LaneView"];
export type PolicyRole = Schemas["RoleView"];

export const usePolicy = () => useQuery({ queryKey: ["policy"], queryFn: () => body(api.GET("/v1/policy")) });

export const useWhoCan = (tool: string) =>
  useQuery({
    queryKey: ["policy", "who-can", tool],
    queryFn: () => body(api.GET("/v1/policy/who-can", { params: { query: { tool } } })),
    enabled: tool !== "",
  });

export const useVersions = () =>
  useQuery({ queryKey: ["policy", "versions"], queryFn: () => body(api.GET("/v1/policy/versions")) });

export const useDiff = (from: string, to: string) =>
  useQuery({
    queryKey: ["policy", "diff", from, to],
    queryFn: () => body(api.GET("/v1/policy/diff", { params: { query: { from, ...(to ? { to } : {}) } } })),
    enabled: from !== "" && from !== to,
  });
