// Where a secret counts, and which of several of one name is taken.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, body, type Schemas } from "@/api/client";
import { allPages } from "@/lib/pages";
import { escapeLine } from "@/lib/visible";
import type { Secret } from "./secrets";

type Kind = Schemas["SecretScopeKind"];
/** From the widest; of one name the narrowest is taken. */
export const KINDS: Kind[] = ["organization", "repo", "configuration", "session"];
export const KIND_NAMES: Record<Kind, string> = {
  organization: "Organization",
  repo: "Repository",
  configuration: "Configuration",
  session: "Session",
};

/** The secrets that are taken instead of this one where they count. */
export function overriddenBy(secret: Secret, all: Secret[]): Secret[] {
  const width = KINDS.indexOf(secret.scope.kind);
  return all
    .filter(({ key, scope }) => key === secret.key && KINDS.indexOf(scope.kind) > width)
    .sort((one, other) => KINDS.indexOf(one.scope.kind) - KINDS.indexOf(other.scope.kind));
}

export const useConfigurations = () =>
  useQuery({
    queryKey: ["configurations"],
    queryFn: () =>
      allPages((cursor) =>
        body(api.GET("/v1/configurations", { params: { query: { cursor, limit: 100 } } })),
      ),
  });

export const useRepos = () =>
  useQuery({
    queryKey: ["repos"],
    queryFn: () =>
      allPages((cursor) => body(api.GET("/v1/repos", { params: { query: { cursor, limit: 100 } } }))),
  });

/** A scope in words. */
export function useScopeName(): (scope: Schemas["SecretScope"]) => string {
  const repos = useRepos();
  const configurations = useConfigurations();
  // The same function as long as the names are: cells of a table that use it are not drawn anew.
  return useMemo(() => {
    const names = new Map<string, string>();
    for (const { id, name } of repos.data ?? []) names.set(id, name);
    for (const { id, name } of configurations.data ?? []) names.set(id, name);
    return ({ kind, id }) =>
      id ? `${KIND_NAMES[kind]} ${escapeLine(names.get(id) ?? `${id.slice(0, 8)}…`)}` : KIND_NAMES[kind];
  }, [repos.data, configurations.data]);
}

/** The same in a sentence: `the repository acme/shop`. */
export function useScopeWords(): (scope: Schemas["SecretScope"]) => string {
  const name = useScopeName();
  return (scope) =>
    `the ${scope.kind === "repo" ? "repository" : scope.kind}${name(scope).slice(KIND_NAMES[scope.kind].length)}`;
}

/** By name, and of one name the widest first. */
export const inOrder = (all: Secret[]): Secret[] =>
  all.toSorted(
    (one, other) =>
      one.key.localeCompare(other.key) || KINDS.indexOf(one.scope.kind) - KINDS.indexOf(other.scope.kind),
  );
