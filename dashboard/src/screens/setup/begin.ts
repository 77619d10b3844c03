// From a repository to a setup session: what the form of the third step makes, once.
import { z } from "zod";
import { api, body } from "@/api/client";

export const shape = z.object({
  source: z.enum(["git", "github"]),
  url: z
    .string()
    .trim()
    .min(1, "Say where git clones it from.")
    .max(2000, "That is too long for an address."),
  branch: z.string().trim().min(1, "Name the branch.").max(200, "At most 200 characters."),
});
export type Values = z.infer<typeof shape>;

/** The end of an address, such as `acme/shop`; other repositories of that name get a number. */
export function nameOf(url: string, taken: string[]): string {
  const path = url.replace(/\/+$/, "").replace(/\.git$/, "");
  const words = path.split(/[/:]/).filter(Boolean).slice(-2);
  const name = words.join("/").slice(0, 90) || "repository";
  const free = (number: number): string => {
    const each = number === 1 ? name : `${name}-${number}`;
    return taken.includes(each) ? free(number + 1) : each;
  };
  return free(1);
}

export const GET_IT_RUNNING =
  "Get this repository running: install what it needs, start its services, and run its tests. Save how they are " +
  "started, and save a snapshot when it works.";

/** Adds the repository and a configuration of it, and begins a setup session; answers both ids. */
export async function begin(
  { source, url, branch }: Values,
  key: string,
): Promise<{ configuration: string; session: string }> {
  const { items } = await body(api.GET("/v1/repos", { params: { query: { limit: 100 } } }));
  const known = items.find((repo) => repo.url === url && repo.defaultBranch === branch);
  const name = nameOf(
    url,
    items.map((repo) => repo.name),
  );
  const repo =
    known ?? (await body(api.POST("/v1/repos", { body: { name, source, url, defaultBranch: branch } })));
  const configuration = await body(
    api.POST("/v1/configurations", { body: { name: repo.name.slice(0, 100), repoIds: [repo.id] } }),
  );
  const session = await body(
    api.POST("/proliferate/sessions", {
      params: { header: { "Idempotency-Key": key } },
      body: {
        title: `Set up ${repo.name}`.slice(0, 200),
        sessionType: "setup",
        clientType: "web",
        configurationId: configuration.id,
        initialPrompt: GET_IT_RUNNING,
      },
    }),
  );
  await api.POST("/proliferate/{id}/eager-start", { params: { path: { id: session.sessionId } } });
  return { configuration: configuration.id, session: session.sessionId };
}
