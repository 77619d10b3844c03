// A new session of what was filled in.
import { z } from "zod";
import { api, body, type Schemas } from "@/api/client";

const TITLE_MAX = 200;
const PROMPT_MAX = 100_000;

export const shape = z.object({
  prompt: z.string().max(PROMPT_MAX, "That is too long for a prompt."),
  title: z.string().max(TITLE_MAX, `At most ${TITLE_MAX} characters.`),
  place: z.string(),
  model: z.string(),
  type: z.enum(["coding", "setup"]),
  visibility: z.enum(["organization", "private"]),
  integrations: z.array(z.string()),
});
export type NewSession = z.infer<typeof shape>;

export type Choices = {
  models: Schemas["ModelView"][];
  configurations: Schemas["ConfigurationView"][];
  repos: Schemas["RepoView"][];
  integrations: Schemas["IntegrationView"][];
};

/** Makes the session and has it begin, if it was told what to do; answers its id. */
export async function create(values: NewSession, snapshotId: string | null, key: string): Promise<string> {
  const [kind, place] = values.place.split(":");
  const { sessionId } = await body(
    api.POST("/proliferate/sessions", {
      params: { header: { "Idempotency-Key": key } },
      body: {
        title: values.title.trim() || null,
        initialPrompt: values.prompt.trim() || null,
        modelId: values.model || null,
        sessionType: values.type,
        clientType: "web",
        integrationIds: values.integrations,
        configurationId: kind === "configuration" ? place : null,
        managedConfiguration: kind === "repo" && place ? { repoIds: [place] } : null,
        visibility: values.visibility,
        snapshotId,
      },
    }),
  );
  if (values.prompt.trim()) {
    await api.POST("/proliferate/{id}/eager-start", { params: { path: { id: sessionId } } });
  }
  return sessionId;
}
