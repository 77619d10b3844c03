// A page of a shared transcript.
import { api, body, type Schemas } from "@/api/client";
import type { Frame } from "@/api/live";

export type SharedPage = Omit<Schemas["SharedTranscript"], "events"> & { events: Frame[] };

export async function sharedPage(
  code: string,
  after: number | undefined,
  signal: AbortSignal,
): Promise<SharedPage> {
  const page = await body(api.POST("/v1/shared", { body: { code, after }, signal }));
  // The frames of the live protocol: its own description of them is the finer one.
  return page as unknown as SharedPage;
}
