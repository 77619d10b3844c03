// The API, typed by its OpenAPI document. A failed request throws a Problem; an answered one is its body.
import createClient, { type FetchResponse, type Middleware } from "openapi-fetch";
import { Problem } from "./problem";
import { noteReach } from "./reach";
import type { components, paths } from "./schema";
import { authorize } from "./session";

export type Schemas = components["schemas"];

const checks: Middleware = {
  onRequest({ request }) {
    authorize(request.headers, request.method);
    return request;
  },
  async onResponse({ response }) {
    noteReach(true);
    if (!response.ok) throw await Problem.ofResponse(response);
  },
  onError({ error }) {
    const problem = Problem.from(error);
    noteReach(problem.status !== 0);
    return problem;
  },
};

export const api = createClient<paths>({ baseUrl: location.origin });
api.use(checks);

/** The body of an answer. */
export async function body<T extends Record<string | number, unknown>, O, M extends `${string}/${string}`>(
  answer: Promise<FetchResponse<T, O, M>>,
): Promise<NonNullable<FetchResponse<T, O, M>["data"]>> {
  const { data } = await answer;
  return data as NonNullable<typeof data>;
}

/** A key under which a request is done once, however often it is sent. */
export const newKey = (): string => crypto.randomUUID();
